#!/usr/bin/python3
"""What is kept of what is seen: pictures, movies, ray-traced pictures, and the gradient view. Check 38 of the studio."""

import base64
import io
import json
import shlex
import struct
import subprocess
import unittest

import h5py
import numpy as np
from PIL import Image

import pictures
from browser import COMMAND, TORUS, BrowserCase, told, until

SHORT = TORUS.replace("duration = 15.0", "duration = 1.5")

# The pictures of a movie, decoded: their sizes, times, and how wide what is red in them is.
DECODE = """const [chunks, done] = [arguments[0], arguments[1]], seen = [], failures = [];
const decoder = new VideoDecoder({
  output: (frame) => {
    const canvas = new OffscreenCanvas(frame.displayWidth, frame.displayHeight), pen = canvas.getContext("2d");
    pen.drawImage(frame, 0, 0);
    const pixels = pen.getImageData(0, 0, canvas.width, canvas.height).data;
    let [left, right] = [Infinity, -Infinity];
    for (let k = 0; k < pixels.length; k += 4) {
      const x = (k / 4) % canvas.width;
      if (pixels[k] - pixels[k + 2] > 60 && x < 0.85 * canvas.width) [left, right] = [Math.min(left, x), Math.max(right, x)];
    }
    seen.push([frame.displayWidth, frame.displayHeight, frame.timestamp, right - left]);
    frame.close();
  },
  error: (error) => failures.push(error.message),
});
decoder.configure({ codec: "vp8" });
for (const [time, isKey, text] of chunks) decoder.decode(new EncodedVideoChunk({ type: isKey ? "key" : "delta", timestamp: 1000 * time, data: Uint8Array.from(atob(text), (each) => each.charCodeAt(0)) }));
decoder.flush().then(() => done([seen, failures]), (error) => done([seen, [...failures, error.message]]));"""


def elements(data, begin, end):
    """The elements of EBML between two places: (id, begin of the content, end)."""
    def number(at, keeps_mark):
        length = 1
        while not data[at] & (0x80 >> (length - 1)):
            length += 1
        value = int.from_bytes(data[at:at + length], "big")
        return (value if keeps_mark else value & ((1 << 7 * length) - 1)), at + length, (1 << 7 * length) - 1
    while begin < end:
        name, at, _ = number(begin, True)
        size, at, unknown = number(at, False)
        stop = end if size == unknown else at + size
        yield name, at, stop
        begin = stop


def read_movie(data):
    """Duration, s, and [time in ms, whether it is a key picture, bytes] of each picture of a WebM file."""
    duration, chunks = None, []
    for name, begin, end in elements(data, 0, len(data)):
        if name != 0x18538067:
            continue
        for part, b, e in elements(data, begin, end):
            if part == 0x1549A966:
                scale = 1000000
                for field, x, y in elements(data, b, e):
                    if field == 0x2AD7B1:
                        scale = int.from_bytes(data[x:y], "big")
                    if field == 0x4489:
                        duration = struct.unpack(">d" if y - x == 8 else ">f", data[x:y])[0]
                duration = duration * scale / 1e9
            if part == 0x1F43B675:
                base = 0
                for field, x, y in elements(data, b, e):
                    if field == 0xE7:
                        base = int.from_bytes(data[x:y], "big")
                    if field == 0xA3:
                        chunks.append([base + struct.unpack(">h", data[x + 1:x + 3])[0], bool(data[x + 3] & 0x80), data[x + 4:y]])
    return duration, chunks


class ExportCase(BrowserCase):
    def setUp(self):
        super().setUp()
        self.downloads = self.folder / "downloads"
        self.downloads.mkdir()
        self.page.do("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(self.downloads))

    def enter(self, label, text):
        self.page.run("""const field = document.querySelector(`[aria-label="${arguments[0]}"]`);
            const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
            set.call(field, arguments[1]); field.dispatchEvent(new Event("input", { bubbles: true })); field.dispatchEvent(new Event("change", { bubbles: true }));""", label, str(text))
        self.page.settle()

    def check(self, label, wanted):
        self.page.run("""const box = [...document.querySelectorAll("dialog label")].find((each) => each.innerText.trim() === arguments[0]).querySelector("input");
            if (box.checked !== arguments[1]) box.click();""", label, wanted)

    def opened_export(self, kind, width, height):
        self.page.press("Export")
        self.page.until("document.querySelector('dialog.export[open]')")
        self.page.press(kind)
        self.enter("Width, pixels", width)
        self.enter("Height, pixels", height)

    def handed(self, ending):
        """The file that the browser has put into its folder, which is empty then: its name and bytes."""
        found = until(f"a file *.{ending}", lambda: [each for each in self.downloads.iterdir() if each.suffix == f".{ending}" and each.stat().st_size > 0])
        self.assertEqual(len(found), 1)
        data = found[0].read_bytes()
        found[0].unlink()
        return found[0].name, data

    def make_and_then(self, name, button):
        """Presses the button of this name, and another one as soon as it is there."""
        self.page.run("""new MutationObserver((_, observer) => { const found = %s; if (found) { observer.disconnect(); found.click(); } })
              .observe(document.body, { subtree: true, childList: true, attributes: true });
            [...document.querySelectorAll("dialog button")].find((each) => each.innerText === arguments[0]).click();""" % button, name)

    def fault(self):
        return self.page.get("[...document.querySelectorAll('dialog .fault')].map((each) => each.innerText).join(' ')")

    def played(self, step):
        page = self.page
        page.shown(step=0, state="paused")
        page.key(" ")
        page.until(f"electret.shown.step >= {step}")
        page.key(" ")
        page.until("electret.state.state === 'paused' && electret.state.step === electret.shown.step")


class Pictures(ExportCase):
    def test_a_picture_has_its_size_and_what_is_seen(self):
        self.opened(self.scene(SHORT))
        page = self.page
        self.played(6)
        page.settle()
        page.run("document.querySelector('.ornaments').style.display = 'none'")
        page.settle()
        seen = page.picture("#view")
        camera = page.get("electret.camera()")
        self.opened_export("Picture", 2 * seen.width, 2 * seen.height)
        for label in ("Colour scale, scale bar and axes", "Time"):
            self.check(label, False)
        self.enter("Name of the file", "../../up/and away.png")
        page.press("Save the picture")
        name, data = self.handed("png")
        self.assertEqual(name, "up-and away.png")
        image = Image.open(io.BytesIO(data)).convert("RGB")
        self.assertEqual(image.size, (2 * seen.width, 2 * seen.height))
        self.assertEqual(Image.open(io.BytesIO(data)).format, "PNG")
        self.assertGreater(pictures.likeness(image, seen), 0.97)
        boxes = [pictures.bounding_box(pictures.body_mask(each)) for each in (image, seen)]
        np.testing.assert_allclose(boxes[0], boxes[1], atol=0.01)
        share = [pictures.body_mask(each).mean() for each in (image, seen)]
        self.assertAlmostEqual(share[0], share[1], delta=0.2 * share[1])
        # A tall picture shows all that the view does.
        self.enter("Width, pixels", 300)
        self.enter("Height, pixels", 900)
        page.press("Save the picture")
        tall = Image.open(io.BytesIO(self.handed("png")[1])).convert("RGB")
        self.assertEqual(tall.size, (300, 900))
        left, _, right, _ = pictures.bounding_box(pictures.body_mask(tall))
        self.assertAlmostEqual(right - left, boxes[1][2] - boxes[1][0], delta=0.05)
        # With scales: there is more beside the body.
        self.enter("Width, pixels", seen.width)
        self.enter("Height, pixels", seen.height)
        for label in ("Colour scale, scale bar and axes", "Time"):
            self.check(label, True)
        page.press("Save the picture")
        with_scales = Image.open(io.BytesIO(self.handed("png")[1])).convert("RGB")
        right = pictures.body_mask(with_scales)[:, int(0.9 * seen.width):]
        self.assertGreater(right.sum(), 200, "the scale of colours")
        # Sizes that are none are said, and nothing is made.
        for width, height in ((0, 480), (16, 8193), (8192, 8192), ("", 480), (100.5, 100)):
            self.enter("Width, pixels", width)
            self.enter("Height, pixels", height)
            self.assertTrue(page.get("[...document.querySelectorAll('dialog button')].find((each) => each.innerText === 'Save the picture').disabled"), (width, height))
            self.assertRegex(self.fault(), "pixels")
        page.press("Close")
        page.until("!document.querySelector('dialog.export[open]')")
        page.settle()
        # The view is as it was.
        self.assertEqual(page.get("electret.camera()"), camera)
        self.assertGreater(pictures.likeness(page.picture("#view"), seen), 0.999)


class Movies(ExportCase):
    def test_a_movie_has_the_pictures_and_the_length_that_were_asked_for(self):
        scene = self.scene(SHORT)
        self.electret("run", scene, "-o", "run")
        self.opened("run")
        page = self.page
        page.shown(step=0, state="viewing")
        self.opened_export("Movie", 321, 180)
        page.until("document.querySelector('dialog.export').innerText.includes('51 pictures')")
        self.enter("First of the movie", 0)
        self.enter("Last of the movie", 20)
        self.enter("Speed of the movie", 0.5)
        page.until("document.querySelector('dialog.export').innerText.includes('21 pictures')")
        page.press("Make the movie")
        name, data = self.handed("webm")
        duration, chunks = read_movie(data)
        self.assertEqual(len(chunks), 21)
        self.assertAlmostEqual(duration, 20 * 0.03 / 0.5, delta=0.0015)
        np.testing.assert_allclose([time for time, _, _ in chunks], 1000 * np.arange(21) * 0.03 / 0.5, atol=1.0)
        self.assertTrue(chunks[0][1], "it begins with a key picture")
        seen, failures = self.driver.execute_async_script(DECODE, [[t, key, base64.b64encode(data).decode()] for t, key, data in chunks])
        self.assertEqual(failures, [])
        self.assertEqual([(w, h) for w, h, _, _ in seen], [(320, 180)] * 21)
        # Each picture is that of its step: the torus is as wide as in the file, seen from where the camera is.
        across = np.array(page.get("electret.camera().basis.right"))
        with h5py.File(self.folder / "run/trajectory.h5") as file:
            places = file["positions"][:21] @ across
        widths, expected = np.array([each[3] for each in seen]), np.ptp(places, axis=1)
        self.assertGreater(expected[-1], 1.1 * expected[0])
        self.assertGreater(np.corrcoef(widths, expected)[0, 1], 0.98, (widths, expected))
        # What was shown stays.
        self.assertEqual(page.step, 0)
        told({"movie, bytes": len(data)})
        lines = page.get("document.querySelector('dialog pre').innerText").strip().split("\n")
        self.assertEqual(len(lines), 1)
        self.assertIn("--movie --rate 30 --speed 0.5", lines[0])
        for first, last, speed, words in ((5, 5, 1, "after the first"), (0, 52, 1, "0 to 50"), (0, 10, 0, "speed")):
            self.enter("First of the movie", first)
            self.enter("Last of the movie", last)
            self.enter("Speed of the movie", speed)
            self.assertIn(words, page.get("document.querySelector('dialog.export').innerText"))

    def test_a_movie_of_a_scene_while_it_runs_and_its_end(self):
        self.opened(self.scene(TORUS))
        page = self.page
        self.played(12)
        page.key(" ")
        self.opened_export("Movie", 160, 90)
        self.enter("First of the movie", 0)
        self.enter("Last of the movie", 8)
        page.press("Make the movie")
        _, data = self.handed("webm")
        self.assertEqual(len(read_movie(data)[1]), 9)
        self.assertEqual(page.state, "running")
        # Esc closes the dialog; Stop ends a movie, and nothing is handed over.
        page.until("electret.shown.step >= 40")
        self.enter("Last of the movie", 40)
        self.make_and_then("Make the movie", "[...document.querySelectorAll('dialog button')].find((each) => each.innerText === 'Stop')")
        page.until("electret.exporting.filming === null")
        # A reset makes it another past.
        self.enter("Last of the movie", 30)
        self.make_and_then("Make the movie", "electret.exporting.filming && electret.exporting.filming.done > 0 && document.querySelector('[aria-label=Reset]')")
        page.until("electret.exporting.filming === null")
        if "reset or opened anew" not in self.fault():
            self.handed("webm")  # It was quicker.
        self.assertEqual(list(self.downloads.iterdir()), [])


class Traced(ExportCase):
    def test_a_ray_traced_picture_is_that_of_the_command_which_is_shown(self):
        self.opened(self.scene(SHORT), "-o", "out dir")
        page = self.page
        self.played(5)
        page.press("Fit range")
        step = page.step
        page.until("electret.state.step === " + str(step))
        self.opened_export("Ray-traced", 96, 64)
        page.press("Trace the picture")
        page.until("electret.exporting.tracing && electret.exporting.tracing.url")
        page.until("document.querySelector('.traced img') && document.querySelector('.traced img').naturalWidth === 96")
        page.press("Save the traced picture")
        name, data = self.handed("png")
        self.assertRegex(name, rf"step-{step}\.png$")
        image = Image.open(io.BytesIO(data)).convert("RGB")
        self.assertEqual(image.size, (96, 64))
        self.assertGreater(pictures.body_mask(image).mean(), 0.01)
        until("the session's file", lambda: (self.folder / "out dir/session.toml").exists() and f"steps = {step}\n" in (self.folder / "out dir/session.toml").read_text())
        lines = page.get("document.querySelector('dialog pre').innerText").strip().split("\n")
        self.assertEqual(len(lines), 2, lines)
        for line in lines:
            words = shlex.split(line)
            self.assertEqual(words[0], "electret")
            done = subprocess.run([COMMAND, *words[1:]], cwd=self.folder, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, (line, done.stderr))
        made = sorted((self.folder / "out dir/replayed/pictures").glob("frame_*.png"))
        self.assertEqual(len(made), 1)
        self.assertEqual(made[0].read_bytes(), data, "the same bytes")
        self.assertEqual(sorted(each.name for each in (self.folder / "out dir").iterdir() if each.name.startswith("pict")), [])

    def test_it_can_be_stopped_and_two_pages_take_turns(self):
        studio = self.opened(self.scene(SHORT))
        page = self.page
        self.played(3)
        self.opened_export("Ray-traced", 3840, 2160)
        page.press("Trace the picture")
        page.until("electret.exporting.tracing && electret.exporting.tracing.total === 2160")
        first = self.driver.current_window_handle
        self.driver.switch_to.new_window("tab")
        page.open(studio.url)
        page.shown()
        self.opened_export("Ray-traced", 64, 48)
        page.press("Trace the picture")
        page.until("document.querySelector('dialog .fault')")
        self.assertIn("another page", self.fault().lower())
        # The scene goes on meanwhile.
        page.press("Close")
        at = page.step
        page.key("\ue014")
        page.shown(step=at + 1)
        self.driver.close()
        self.driver.switch_to.window(first)
        page.press("Stop")
        page.until("electret.exporting.tracing && electret.exporting.tracing.error")
        self.assertIn("stopped", self.fault().lower())
        self.enter("Width, pixels", 64)
        self.enter("Height, pixels", 48)
        page.press("Trace the picture")
        page.until("electret.exporting.tracing && electret.exporting.tracing.url")


class Runs(ExportCase):
    def test_the_session_is_recorded_as_the_run_of_the_command_and_opened(self):
        self.opened(self.scene(SHORT), "-o", "out")
        page = self.page
        self.played(6)
        step = page.step
        page.press("Export")
        page.until("document.querySelector('dialog.export[open]')")
        page.press("Run")
        self.assertEqual(page.get("document.querySelector('[aria-label=\"Name of the folder\"]').value"), "out-played")
        self.enter("Name of the folder", "../played")
        page.press("Record the run")
        page.until("document.querySelector('dialog .fault')")
        self.assertIn("no /", self.fault())
        self.enter("Name of the folder", "my run")
        line = page.get("document.querySelector('dialog pre').innerText").strip()
        page.press("Record the run")
        page.until("electret.exporting.recording && electret.exporting.recording.open")
        self.assertEqual((page.get("electret.exporting.recording.error"), self.fault()), (None, ""))
        words = shlex.split(line)
        self.assertEqual(words, ["electret", "run", "out/session.toml", "-o", "my run"])
        self.electret(*words[1:-1], "again")
        with h5py.File(self.folder / "my run/trajectory.h5") as made, h5py.File(self.folder / "again/trajectory.h5") as again:
            self.assertEqual(len(made["positions"]), step + 1)
            for name in ("positions", "velocities"):
                self.assertEqual(made[name][()].tobytes(), again[name][()].tobytes(), name)
        # A second one of the name is written over only if that is said.
        page.press("Record the run")
        page.until("document.querySelector('dialog .fault')")
        self.assertIn("holds a run: it is not written over", self.fault())
        page.press("Write over it")
        page.until("document.querySelector('dialog .fault') === null && electret.exporting.recording.open")
        page.press("Open the run")
        page.shown(step=0, state="viewing")
        page.until(f"electret.system.frames === {step + 1} && !document.querySelector('dialog.export[open]')")


class Gradients(ExportCase):
    def test_the_gradient_is_shown_and_tabled(self):
        self.opened(self.scene(SHORT + "[[external_charge]]\nposition = [1.5, 0.5, 0.8]\ncharge = -2e-5\nwidth = 0.3\n"))
        page = self.page
        self.played(10)
        step = page.step
        before = page.picture("#view")
        page.run("""const list = document.querySelector('[aria-label="Loss of the gradient"]');
            list.selectedIndex = 2; list.dispatchEvent(new Event("change", { bubbles: true }));""")
        page.until("document.querySelector('.losstarget')")
        # The point is dragged.
        left, top, width, height = page.box(".losstarget")
        at = (left + width / 2, top + height / 2)
        page.pointer(at, (at[0] + 40, at[1] - 20), (at[0] + 80, at[1] - 40))
        place = [float(page.get(f"document.querySelector('[aria-label=\"Centre of mass at {axis}\"]').value")) for axis in "xyz"]
        self.assertGreater(np.linalg.norm(place), 0.1)
        page.press("Compute")
        page.until("electret.gradient && electret.gradient.found")
        found = page.get("electret.gradient.found")
        self.assertEqual(found["steps"], step)
        values = np.frombuffer(page.bytes_of("scalar"), dtype="<f4")
        self.assertEqual(len(values), 145)
        # The same from the command.
        place_text = ",".join(f"{each:.7g}" for each in page.get("electret.lossPoint"))
        done = self.electret("gradient", "scene.toml", "--set", f"time.steps={step}", "--unset", "time.duration", "--loss", f"centre_of_mass:{place_text}", "--wrt", "body.torus.charges")
        told_by_command = json.loads(done.stdout)
        np.testing.assert_allclose(values, told_by_command["gradient"]["body.torus.charges"], rtol=2e-6, atol=1e-30)
        self.assertAlmostEqual(found["loss"], told_by_command["loss"], delta=1e-9 * abs(told_by_command["loss"]))
        self.assertTrue(any(row["name"] == "body.torus.stiffness" for row in found["table"]))
        page.settle()
        self.assertLess(pictures.likeness(page.picture("#view"), before), 0.9999, "arrows and colours are seen")
        self.assertIn("∂ℒ/∂q", page.get("document.querySelector('.legend').innerText"))
        # Off: everything as before.
        page.run("""const list = document.querySelector('[aria-label="Loss of the gradient"]');
            list.selectedIndex = 0; list.dispatchEvent(new Event("change", { bubbles: true }));""")
        page.until("electret.gradient === null && electret.shown.scalar === 'charge'")
        # What is wrong with a file is said.
        page.run("""const list = document.querySelector('[aria-label="Loss of the gradient"]');
            list.selectedIndex = 3; list.dispatchEvent(new Event("change", { bubbles: true }));""")
        self.enter("File of the final positions", "../../etc/passwd")
        page.press("Compute")
        page.until("electret.gradient && electret.gradient.error")
        self.assertIn("not a regular file in the scene's folder", page.get("electret.gradient.error"))


if __name__ == "__main__":
    unittest.main()
