#!/usr/bin/python3
"""What the scene is compiled with is tuned while it runs: fields, sliders, badges, findings. Checks 18 to 21 and 26 of the studio."""

import shutil
import unittest

import h5py
import numpy as np

from browser import TORUS, BrowserCase, until

SCENE = TORUS.replace("charge = 6e-6\n", "charge = 1e-7  # each\n").replace("[coulomb]\n", "[coulomb]\nsoftening = 0.05\n") + """
[[body.group]]
name = "held"
indices = [0]

[[body.pin]]
group = "held"

[damping]
drag = 0.1
"""
PAIR = """[scene]
name = "pair"
[time]
step = 0.02
steps = 1000000
[integrator]
method = "verlet"

[[body]]
name = "pair"
generate = { shape = "chain", length = 1.0, vertices = 2 }
mass = 0.5

  [[body.springs]]
  from = "edges"
  stiffness = 4.0  # N/m
  rest_length_scale = 0.9
"""
STIFF = """[time]
step = 0.1
steps = 1000
[integrator]
method = "explicit_euler"
[gravity]
acceleration = [0.0, 0.0, -9.81]

[[body]]
name = "stiff"
generate = { shape = "chain", length = 1.0, vertices = 5 }
mass = 0.001

  [[body.springs]]
  from = "edges"
  stiffness = 1e6

  [[body.group]]
  name = "top"
  indices = [0]

  [[body.pin]]
  group = "top"
"""


class Tune(BrowserCase):
    def opened_scene(self, text, *arguments):
        running = self.opened(self.scene(text), *arguments)
        self.page.shown(step=0, state="paused")
        self.page.until("document.querySelector('section[aria-label=Tune]')")
        return running

    def unfold(self, label):
        """Opens a table of fields, with all its rows."""
        self.page.until(f"[...document.querySelectorAll('.tune-table')].some((each) => each.innerText.trim().toLowerCase().includes({label.lower()!r}))")
        self.page.run("""
            const table = () => [...document.querySelectorAll(".tune-table")].find((each) => each.querySelector(".name").innerText.toLowerCase() === arguments[0]);
            const fold = table().querySelector(".entry");
            if (fold.ariaExpanded !== "true") fold.click();""", label.lower())
        self.page.until(f"[...document.querySelectorAll('.tune-table')].some((each) => each.querySelector('.name').innerText.toLowerCase() === {label.lower()!r} && each.querySelector('.tune-rows'))")
        self.page.run("""
            const table = [...document.querySelectorAll(".tune-table")].find((each) => each.querySelector(".name").innerText.toLowerCase() === arguments[0]);
            const more = table.querySelector("button.link");
            if (more && more.ariaExpanded !== "true") more.click();""", label.lower())

    def field(self, name):
        return f"[aria-label='{name}']"

    def type_in(self, name, text, key="Enter"):
        """Types a text as a user does, and a key behind it."""
        selector = self.field(name)
        self.page.until(f"document.querySelector(\"{selector}\") && !document.querySelector(\"{selector}\").disabled")
        self.page.run("const field = document.querySelector(arguments[0]); field.focus(); field.select();", selector)
        self.page.do("Input.insertText", text=text)
        for kind in ("keyDown", "keyUp"):
            self.page.do("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=13 if key == "Enter" else 27,
                         **({"text": "\r"} if key == "Enter" and kind == "keyDown" else {}))

    def choose(self, name, value):
        self.page.until(f"document.querySelector(\"{self.field(name)}\")")
        self.page.run("""const field = document.querySelector(arguments[0]);
            field.value = arguments[1]; field.dispatchEvent(new Event("change", {bubbles: true}));""", self.field(name), value)

    def badge(self, name):
        """What the badge beside a field says."""
        return self.page.run("return document.querySelector(arguments[0]).closest('.tune-row').querySelector('.effect').innerText;", self.field(name))

    def paused_after(self, step):
        page = self.page
        page.press("Play")
        page.until(f"electret.shown.step >= {step} || electret.state.state === 'diverged'")
        page.press("Pause")
        page.until("electret.state.state === 'paused' && electret.state.step === electret.shown.step")
        return page.get("electret.state.step")

    def run_of(self, folder):
        """The session's run; it ends with the same bits."""
        self.electret("run", f"{folder}/session.toml", "-o", "again")
        with h5py.File(self.folder / folder / "checkpoint.h5") as played, h5py.File(self.folder / "again/checkpoint.h5") as again:
            for name in ("positions", "velocities"):
                self.assertEqual(played[name][()].tobytes(), again[name][()].tobytes(), name)
        with h5py.File(self.folder / "again/trajectory.h5") as file:
            return file["positions"][()], file["time"][()]

    def test_four_times_the_stiffness_is_twice_the_frequency(self):
        running = self.opened_scene(PAIR, "-o", "session")
        page = self.page
        first = self.paused_after(60)
        before = page.bytes_of("positions")
        name = "stiffness of springs of pair"
        self.assertEqual(self.badge(name), "live")
        self.type_in(name, "16")
        page.until("electret.document.text.includes('stiffness = 16  # N/m') && electret.changes.all === 1")
        # No jump: what is shown is where it was.
        self.assertEqual(page.bytes_of("positions"), before)
        self.assertEqual(page.get("electret.state.step"), first)
        self.paused_after(first + 60)
        page.until("electret.changes.changes[0].energy !== null && electret.changes.changes[0].step === " + str(first))
        page.until("document.querySelector('.tune-changes').innerText.includes('stiffness=16')")
        told = page.get("electret.changes.changes[0].energy")
        self.driver.get("about:blank")
        running.end()
        positions, times = self.run_of("session")
        longer = np.linalg.norm(positions[:, 1] - positions[:, 0], axis=1) - 0.9
        self.assertAlmostEqual(told, 0.5 * 12.0 * longer[first] ** 2, places=9)
        # ω² = 2k/m, with the step's own shift of the frequency: 4 rad/s, then 8.
        for part, expected in ((slice(0, first + 1), 4.0), (slice(first, None), 8.0)):
            e, t = longer[part], times[part]
            shape = np.stack([np.cos(expected * t), np.sin(expected * t)], axis=1)
            fit, *_ = np.linalg.lstsq(shape, e, rcond=None)
            self.assertLess(np.abs(shape @ fit - e).max(), 0.02 * np.abs(e).max(), expected)

    def test_the_time_step_is_halved_and_time_goes_on(self):
        running = self.opened_scene(PAIR, "-o", "session")
        page = self.page
        first = self.paused_after(5)
        time = page.get("electret.state.time")
        name = "step of time"
        self.assertEqual(self.badge(name), "live")
        self.type_in(name, "10 ms")
        page.until("electret.system.time_step === 0.01")
        self.assertEqual(page.get("electret.state.time"), time)
        last = self.paused_after(first + 5)
        self.assertAlmostEqual(page.get("electret.state.time"), time + 0.01 * (last - first), places=12)
        # The timeline goes by steps, whatever their lengths are: back, and on again.
        page.press("Undo")
        page.until("electret.document.text.includes('step = 0.02') && electret.system.time_step === 0.02")
        page.press("One step")
        page.shown(step=last + 1, state="paused")
        self.assertAlmostEqual(page.get("electret.state.time"), time + 0.01 * (last - first) + 0.02, places=12)
        self.driver.get("about:blank")
        running.end()
        _, times = self.run_of("session")
        self.assertAlmostEqual(times[-1], time + 0.01 * (last - first) + 0.02, places=12)
        self.assertTrue((np.diff(times) > 0).all())

    def test_method_solver_and_softening_change_and_a_scale_waits(self):
        running = self.opened_scene(SCENE, "-o", "session")
        page = self.page
        page.press("One step")
        page.shown(step=1, state="paused")
        self.unfold("integrator")
        self.choose("method of integrator", "kick_midpoint")
        page.until("electret.system.method === 'kick_midpoint'")
        self.unfold("coulomb")
        self.choose("solver of coulomb", "direct")
        page.until("electret.document.text.includes('solver = \"direct\"')")
        self.type_in("softening of coulomb", "80 mm")
        page.until("electret.document.text.includes('softening = 0.08')")
        page.press("One step")
        page.shown(step=2, state="paused")
        # What needs another start says so before it is typed, and is there after Reset.
        self.unfold("torus")
        name = "scale of torus"
        self.assertEqual(self.badge(name), "at reset")
        before = page.bytes_of("positions")
        self.type_in(name, "2.0")
        page.until("electret.document.waiting.includes('body.0.scale')")
        page.until(f"document.querySelector(\"{self.field(name)}\").closest('.tune-row').querySelector('.effect').innerText === 'waits for reset'")
        self.assertEqual(page.bytes_of("positions"), before)
        page.press("Reset now")
        page.until("electret.state.state === 'paused' && electret.state.step === 0 && electret.document.waiting.length === 0 && electret.system.box.size > 4")
        page.press("One step")
        page.shown(step=1, state="paused")
        self.driver.get("about:blank")
        running.end()
        self.run_of("session")

    def test_a_save_touches_the_edited_lines_alone(self):
        """Dotted keys, inline tables, comments and odd layouts stay, with either kind of line ends and the mark of the file's start."""
        text = """# mine
scene.name   = 'odd'  # quoted so
time = { step = 0.01, steps = 1000 }  # both
integrator.method = "imex"
damping.drag=0.1# no space

[ coulomb ]
    softening   =   5e-2

[[ body ]]
name = "chain"
mass = 0.1
  generate = {shape="chain",length=1.0, vertices=6}
springs = [{ from = "edges", stiffness = 1_0.0 }]
# the end"""
        edits = [("drag of damping", "0.25", "damping.drag=0.1# no space", "damping.drag=0.25# no space"),
                 ("softening of coulomb", "6e-2", "    softening   =   5e-2", "    softening   =   6e-2"),
                 ("step of time", "0.005", "time = { step = 0.01, steps = 1000 }  # both", "time = { step = 0.005, steps = 1000 }  # both"),
                 ("stiffness of springs of chain", "12", 'springs = [{ from = "edges", stiffness = 1_0.0 }]', 'springs = [{ from = "edges", stiffness = 12 }]'),
                 ("mass of chain", "0.2", "mass = 0.1", "mass = 0.2")]
        for start in (text, "\ufeff" + text.replace("\n", "\r\n")):
            (self.folder / "scene.toml").write_bytes(start.encode())
            studio = self.opened(self.folder / "scene.toml")
            page, wanted = self.page, start
            page.shown(step=0, state="paused")
            for table in ("damping", "coulomb", "time", "chain"):
                self.unfold(table)
            for name, value, before, after in edits:
                self.assertIn(before, wanted)
                self.type_in(name, value)
                wanted = wanted.replace(before, after)
                page.until(f"electret.document.text.replace(/^\\uFEFF/, '') === {wanted.lstrip(chr(0xfeff))!r}")
            page.press("Save")
            page.until("!electret.document.unsaved")
            self.assertEqual((self.folder / "scene.toml").read_bytes(), wanted.encode())
            self.electret("check", "scene.toml")
            # What something else writes meanwhile is not written over before one has said so.
            self.type_in("mass of chain", "0.3")
            page.until("electret.document.unsaved")
            (self.folder / "scene.toml").write_bytes(b"# another's\n" + start.encode())
            page.until("document.querySelector('.bands').innerText.includes('Changed on disk: scene.toml')")
            self.assertTrue((self.folder / "scene.toml").read_bytes().startswith(b"# another's\n"))
            self.driver.get("about:blank")
            studio.end()
            shutil.rmtree(self.folder / "runs")

    def test_findings_are_said_beside_the_field_and_what_was_typed_stays(self):
        self.opened_scene(SCENE)
        page = self.page
        name = "stiffness of springs of torus"
        text = page.get("electret.document.text")
        self.type_in(name, "-3")
        page.until(f"document.querySelector(\"{self.field(name)}\").closest('.tune-row').querySelector('.fault')")
        said = page.run("return document.querySelector(arguments[0]).closest('.tune-row').querySelector('.fault').innerText;", self.field(name))
        (self.folder / "wrong.toml").write_text(text.replace("stiffness = 10.0", "stiffness = -3"))
        checked = self.electret("check", self.folder / "wrong.toml", check=2)
        told = next(line for line in (checked.stdout + checked.stderr).splitlines() if ": error: " in line).split(": error: ", 1)[1]
        self.assertIn(said.split(" (")[0].rstrip(".").lower(), told.lower())
        self.assertEqual(page.get(f"document.querySelector(\"{self.field(name)}\").value"), "-3")
        self.assertEqual(page.get(f"document.querySelector(\"{self.field(name)}\").ariaInvalid"), "true")
        self.assertEqual(page.get("electret.document.text"), text)
        self.type_in(name, "soft")
        page.until("document.querySelector('.fault') && document.querySelector('.fault').innerText.includes('soft')")
        self.type_in(name, "soft", key="Escape")
        page.until("!document.querySelector('.fault')")
        self.assertEqual(page.get("electret.document.text"), text)

    def test_a_slider_is_one_step_of_undo(self):
        running = self.opened_scene(SCENE, "-o", "session")
        page = self.page
        text = page.get("electret.document.text")
        name = "Slider of stiffness of springs of torus"
        page.press("Play")
        page.until("electret.state.state === 'running' && electret.shown.step > 2")
        for place in (120, 140, 160, 180):
            page.run("""const slider = document.querySelector(arguments[0]);
                slider.value = arguments[1]; slider.dispatchEvent(new Event("input", {bubbles: true}));""", self.field(name), place)
        page.run("""document.querySelector(arguments[0]).dispatchEvent(new Event("change", {bubbles: true}));""", self.field(name))
        # The scale is logarithmic: 180 of 200 is 10^0.8 times what it was.
        page.until("electret.document.text.includes('stiffness = 63.1')")
        page.until("electret.changes.changes.at(-1).energy !== null")
        page.press("Pause")
        page.until("electret.state.state === 'paused' && electret.state.step === electret.shown.step")
        page.press("Undo")
        page.until(f"electret.document.text === {text!r} && !electret.document.unsaved")
        step = page.get("electret.state.step")
        page.press("One step")
        page.shown(step=step + 1, state="paused")
        self.driver.get("about:blank")
        running.end()
        self.run_of("session")

    def test_divergence_is_mended_by_a_smaller_step(self):
        running = self.opened_scene(STIFF, "-o", "session")
        page = self.page
        page.press("Play")
        page.until("electret.state.state === 'diverged'")
        page.until("document.querySelector('.bands').innerText.toLowerCase().includes('step')")
        self.type_in("step of time", "1e-5")
        page.until("electret.state.state === 'paused' && electret.system.time_step === 1e-5")
        last = page.get("electret.state.step")
        page.press("One step")
        page.shown(step=last + 1, state="paused")
        self.driver.get("about:blank")
        running.end()
        self.run_of("session")

    def test_by_the_keyboard_alone(self):
        self.opened_scene(SCENE)
        page = self.page
        # Tab from field to field; the badge belongs to the field.
        found = page.run("""
            const field = document.querySelector(arguments[0]);
            return [field.tabIndex, field.getAttribute("aria-describedby").split(" ").map((id) => document.getElementById(id).innerText).join()];""",
            self.field("stiffness of springs of torus"))
        self.assertEqual(found, [0, "live"])
        page.run("document.querySelector(arguments[0]).focus();", self.field("Slider of stiffness of springs of torus"))
        for kind in ("rawKeyDown", "keyUp"):
            page.do("Input.dispatchKeyEvent", type=kind, key="ArrowRight", code="ArrowRight", windowsVirtualKeyCode=39)
        page.until("!electret.document.text.includes('stiffness = 10.0') && electret.document.unsaved")
        page.run("document.querySelector(arguments[0]).focus();", self.field("stiffness of springs of torus"))
        text = page.get("electret.document.text")
        for kind in ("rawKeyDown", "keyUp"):
            page.do("Input.dispatchKeyEvent", type=kind, key="ArrowUp", code="ArrowUp", windowsVirtualKeyCode=38)
        until("the arrow raises it", lambda: page.get("electret.document.text") != text)


if __name__ == "__main__":
    unittest.main()
