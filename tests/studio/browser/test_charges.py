#!/usr/bin/python3
"""Charges are set, painted and undone in the page, groups are made, and the session replays. Checks 12 to 15 and 30 of the studio, in part."""

import unittest

import h5py
import numpy as np

from browser import TORUS, BrowserCase

SCENE = TORUS.replace("charge = 6e-6\n", "charge = 1e-7  # each\n") + """  [[body.group]]
  name = "some"
  indices = [0, 1, 2, 3]

[[external_charge]]
charge = 1e-6
position = [4.0, 0.0, 0.0]
width = 0.2
"""
FIELD = "input[aria-label^='Charge of each vertex']"


class Charges(BrowserCase):
    def opened_scene(self, *arguments):
        running = self.opened(self.scene(SCENE), *arguments)
        self.page.shown(step=0, state="paused")
        self.page.until("electret.camera() && electret.charges()")
        return running

    def charges(self):
        return np.frombuffer(self.page.bytes_of("charges"), dtype="<f4")

    def select(self, name):
        self.page.until(f"[...document.querySelectorAll('.outline .entry')].some((each) => each.querySelector('.name').innerText === '{name}')")
        self.page.run("""[...document.querySelectorAll('.outline .entry')].find((each) => each.querySelector('.name').innerText === arguments[0]).click();""", name)
        self.page.until(f"document.querySelector(\"{FIELD}\") && document.querySelector(\"{FIELD}\").ariaLabel.includes('{name}')")

    def type_in(self, selector, text, key="Enter"):
        """Types a text as a user does, and a key behind it."""
        self.page.until(f"document.querySelector(\"{selector}\") && !document.querySelector(\"{selector}\").disabled")
        self.page.run("const field = document.querySelector(arguments[0]); field.focus(); field.select();", selector)
        self.page.do("Input.insertText", text=text)
        for kind in ("keyDown", "keyUp"):
            self.page.do("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=13 if key == "Enter" else 27,
                         **({"text": "\r"} if key == "Enter" and kind == "keyDown" else {}))

    def charged(self, vertices, value):
        """Waits until these vertices are shown with this charge."""
        self.page.until(f"{list(vertices)}.every((k) => Math.abs(electret.charges()[k] - {value}) <= 1e-6 * Math.abs({value}))")

    def same_as_run(self, folder):
        self.electret("run", f"{folder}/session.toml", "-o", "again")
        with h5py.File(self.folder / folder / "checkpoint.h5") as played, h5py.File(self.folder / "again/checkpoint.h5") as again:
            for name in ("positions", "velocities"):
                self.assertEqual(played[name][()].tobytes(), again[name][()].tobytes(), name)

    def test_a_group_is_charged_by_field_and_slider_and_undone(self):
        running = self.opened_scene("-o", "session")
        page = self.page
        # An external charge: its field acts at once, and undo leaves the text as it was.
        page.run("""[...document.querySelectorAll('.outline .entry')].find((each) => each.innerText.startsWith('external charge 1')).click();""")
        self.type_in("input[aria-label='Charge of external charge 1']", "-2 uC")
        page.until("Math.abs(electret.system.external[0].charge + 2e-6) < 1e-12 && electret.document.text.includes('charge = -2e-06')")
        self.type_in("input[aria-label='x of external charge 1']", "3.5")
        page.until("electret.system.external[0].position[0] === 3.5")
        page.press("Undo")
        page.press("Undo")
        page.until(f"electret.document.text === {SCENE!r} && !electret.document.unsaved")
        self.select("some")
        self.type_in(FIELD, "2.5 uC")
        self.charged(range(4), 2.5e-6)
        self.assertTrue((self.charges()[4:145] == np.float32(1e-7)).all())
        page.until("electret.document.text.includes('value = 2.5e-06') && electret.document.unsaved")
        page.press("One step")
        page.shown(step=1, state="paused")
        # What is no charge is said, and what was typed stays.
        self.type_in(FIELD, "much")
        page.until("document.querySelector('.fault') && document.querySelector('.fault').innerText.includes('much')")
        self.assertEqual(page.get(f"document.querySelector(\"{FIELD}\").value"), "much")
        self.type_in(FIELD, "much", key="Escape")
        page.until("!document.querySelector('.fault')")
        # The slider while it runs; its moves are one step of undo.
        page.press("Play")
        page.until("electret.state.state === 'running'")
        for value in (-20, -40, -60):
            page.run("""const slider = document.querySelector("input[aria-label='Slider of the charge of some of torus']");
                slider.value = arguments[0]; slider.dispatchEvent(new Event("input", {bubbles: true}));""", value)
            page.until("[0, 1, 2, 3].every((k) => electret.charges()[k] < 0)")
        page.run("""document.querySelector("input[aria-label='Slider of the charge of some of torus']").dispatchEvent(new Event("change", {bubbles: true}));""")
        page.until("electret.charges()[0] < -1e-7 && electret.state.step > 3")
        page.press("Pause")
        page.until("electret.state.state === 'paused' && electret.state.step === electret.shown.step")
        page.press("Undo")
        self.charged(range(4), 2.5e-6)
        page.press("Undo")
        self.charged(range(4), 1e-7)
        page.until(f"electret.document.text === {SCENE!r} && !electret.document.unsaved")
        page.press("Redo")
        self.charged(range(4), 2.5e-6)
        step = page.get("electret.state.step")
        page.press("One step")
        page.shown(step=step + 1, state="paused")
        self.driver.get("about:blank")
        running.end()
        self.same_as_run("session")

    def test_a_stroke_charges_what_it_covers_and_esc_takes_it_back(self):
        self.opened_scene()
        page = self.page
        page.press("Paint")
        self.type_in("input[aria-label='Charge of the brush']", "-3 µC")
        left, top, _, _ = page.box("#view")
        point = page.run("""for (let k = 4; k < electret.system.vertices; k++) {
            const at = electret.pixel(k);
            if (at && electret.pick(...at) === k && Math.abs(at[0] - electret.camera().width / 2) > 60) return k;
        }""")
        x, y = page.get(f"electret.pixel({point})")
        place = (left + x, top + y)

        def mouse(kind, at, buttons=1):
            page.do("Input.dispatchMouseEvent", type=kind, x=at[0], y=at[1], buttons=buttons, clickCount=1,
                    button="left" if buttons or kind == "mouseReleased" else "none")
        before = self.charges()
        text = page.get("electret.document.text")
        # Seen at once, told when the button goes up: Esc takes it back before.
        mouse("mouseMoved", place, 0)
        mouse("mousePressed", place)
        self.charged([point], -3e-6)
        page.key("\ue00c")
        self.charged([point], 1e-7)
        mouse("mouseReleased", place, 0)
        page.settle()
        self.assertEqual(page.get("electret.document.text"), text)
        mouse("mousePressed", place)
        mouse("mouseMoved", (place[0] + 15, place[1] + 5))
        mouse("mouseReleased", (place[0] + 15, place[1] + 5), 0)
        page.until("electret.document.unsaved && electret.document.text.includes('charges = [')")
        self.charged([point], -3e-6)
        after = self.charges()
        covered = np.flatnonzero(after != before)
        self.assertIn(point, covered)
        self.assertLess(len(covered), 60)
        self.assertTrue((after[covered] == np.float32(-3e-6)).all())
        # All that is covered is near the stroke, by the brush's radius.
        pixels = np.array([page.get(f"electret.pixel({k})") for k in covered.tolist()])
        way = np.hypot(pixels[:, 0] - x, pixels[:, 1] - y)
        self.assertLess(way.max(), 15 + 5 + 1.5 * page.get("electret.camera().pixelsPerMetre * electret.brush") + 8)
        page.press("Undo")
        page.until(f"electret.document.text === {text!r}")
        self.charged([point], 1e-7)

    def test_a_stroke_on_many_vertices_is_in_a_file_that_save_writes(self):
        text = SCENE.replace("vertices = 145", "vertices = 300")
        running = self.opened(self.scene(text), "-o", "session")
        page = self.page
        page.shown(step=0, state="paused")
        page.until("electret.camera() && electret.charges()")
        page.press("Paint")
        self.type_in("input[aria-label='Charge of the brush']", "-3 µC")
        left, top, _, _ = page.box("#view")
        seen = "Array.from({ length: electret.system.vertices }, (_, k) => electret.pixel(k)).find((at, k) => at && k > 3 && electret.pick(...at) === k)"
        page.until(seen)
        x, y = page.get(f"Array.from({seen})")
        page.pointer((left + x, top + y), (left + x + 10, top + y + 5))
        page.until("electret.document.unsaved && electret.document.text.includes('charges = \"torus.charges.csv\"  # each')")
        self.assertFalse((self.folder / "torus.charges.csv").exists())
        page.press("One step")
        page.shown(step=1, state="paused")
        page.press("Save")
        page.until("!electret.document.unsaved")
        self.electret("check", "scene.toml")
        written = np.loadtxt(self.folder / "torus.charges.csv", skiprows=1)
        shown = self.charges()[:300]
        self.assertTrue((written[4:].astype(np.float32) == shown[4:]).all())
        self.assertTrue((written == -3e-6).any() and (written == 1e-7).any())
        page.press("Undo")
        page.until(f"electret.document.text === {text!r} && electret.document.unsaved")
        self.charged(range(300), 1e-7)
        page.press("Redo")
        page.until("!electret.document.unsaved")
        page.press("One step")
        page.shown(step=2, state="paused")
        self.driver.get("about:blank")
        running.end()
        self.same_as_run("session")

    def keys_of_the_group(self):
        """A track of the timeline: keys are inserted, changed, moved, deleted and written by a slider; steps are taken again."""
        page = self.page
        table = "electret.keys.tables.find((each) => each.label === 'mine of torus')"
        times = lambda wanted: page.until(f"{table} && {table}.times.map((each) => Number(each.toFixed(9))).join() === '{wanted}'")
        page.press("mine of torus")
        page.press("Key at the play head")
        times("0")
        left, _, width, _ = page.box("[aria-label='Interpolation']")
        self.assertLess(left + width, page.get("innerWidth"), "nothing is cut off")
        for _ in range(4):
            page.press("One step")
        page.shown(step=4, state="paused")
        page.press("Key at the play head")
        times("0,0.12")
        # A value before the play head: what was simulated is out of date, and is taken again.
        self.type_in("input[aria-label='values of key 1']", "9e-7")
        page.until("electret.keys.stale === 0 && document.querySelector('.lane .stale')")
        self.charged([7, 10, 11, 12], 5e-7)
        self.type_in("input[aria-label='values of key 2']", "8e-7")
        page.press("Replay to here")
        page.until("electret.keys.stale === null && electret.state.state === 'paused' && electret.state.step === 4")
        self.charged([7, 10, 11, 12], 8e-7)
        # A diamond is dragged to another step; what is wrong with a time is said.
        page.run("""document.querySelector("[aria-label^='Key 2 of mine of torus']").scrollIntoView({ block: "center" });""")
        left, top, width, height = page.box("[aria-label^='Key 2 of mine of torus']")
        lane = page.box(".lane.keys")
        place = (left + width / 2, top + height / 2)
        page.pointer(place, (lane[0] + lane[2] * 6.0 / 15.0, place[1]))
        times("0,6")
        page.press("Undo")
        times("0,0.12")
        page.press("Delete key 2")
        times("0")
        # Auto-key: a slider's moves are one step of undo.
        page.press("Auto-key")
        for value in (10, 20):
            page.run("""const slider = document.querySelector("input[aria-label='Slider of the charge of mine of torus']");
                slider.value = arguments[0]; slider.dispatchEvent(new Event("input", {bubbles: true}));""", value)
        page.run("""document.querySelector("input[aria-label='Slider of the charge of mine of torus']").dispatchEvent(new Event("change", {bubbles: true}));""")
        times("0,0.09,0.12")
        page.press("One step")
        page.shown(step=5, state="paused")

    def test_what_a_group_charges_is_hatched_for_the_brush(self):
        charged = SCENE.replace("\n[[external_charge]]", "\n  [[body.group_charge]]\n  group = \"some\"\n  value = 1e-7\n\n[[external_charge]]")
        self.opened(self.scene(charged.replace("[0, 1, 2, 3]", str(list(range(18))))))
        page = self.page
        page.shown(step=0, state="paused")
        page.until("electret.camera() && electret.charges()")
        # In front of others: one that the group charges, and that of the rest which is farthest from those.
        places = page.run("""const all = Array.from({ length: 145 }, (_, k) => electret.pixel(k)), group = all.slice(0, 18);
            const away = ([x, y]) => Math.min(...group.map((at) => Math.hypot(at[0] - x, at[1] - y)));
            const seen = all.filter((at, k) => k >= 18 && electret.pick(...at) === k).sort((a, b) => away(b) - away(a));
            return [group.find((at, k) => electret.pick(...at) === k), seen[0], away(seen[0])];""")
        self.assertGreater(places.pop(), 18)
        left, top, _, _ = page.box("#view")

        def seen():
            page.settle()
            whole = np.asarray(page.picture()).astype(int)
            return [whole[round(top + y) - 4:round(top + y) + 5, round(left + x) - 4:round(left + x) + 5] for x, y in places]
        before = seen()
        page.press("Paint")
        changed = [np.abs(a - b).max(axis=2) > 40 for a, b in zip(before, seen())]
        self.assertGreater(changed[0].mean(), 0.25)
        self.assertLess(changed[0].mean(), 0.9)
        self.assertEqual(changed[1].mean(), 0.0)
        page.do("Input.dispatchMouseEvent", type="mouseMoved", x=left + places[0][0], y=top + places[0][1])
        page.until("document.querySelector('.under').innerText.includes('charged by the group some')")
        page.do("Input.dispatchMouseEvent", type="mouseMoved", x=left + places[1][0], y=top + places[1][1])
        page.until("document.querySelector('.under').innerText.includes('vertex') && !document.querySelector('.under').innerText.includes('the group')")
        page.press("Grab")
        self.assertTrue((np.abs(seen()[0] - before[0]) <= 40).all())

    def test_a_box_picks_what_numpy_finds_and_it_becomes_a_group(self):
        running = self.opened_scene("-o", "session")
        page = self.page
        page.press("Box")
        left, top, width, height = page.box("#view")
        low, high = (0.3 * width, 0.2 * height), (0.62 * width, 0.7 * height)
        page.pointer((left + low[0], top + low[1]), (left + high[0], top + high[1]))
        page.until("electret.picked")
        picked = page.get("electret.picked.vertices")
        pixels = np.array(page.get("Array.from({length: 145}, (_, k) => electret.pixel(k))"))
        inside = (pixels[:, 0] > low[0]) & (pixels[:, 0] < high[0]) & (pixels[:, 1] > low[1]) & (pixels[:, 1] < high[1])
        # The torus has no faces here: nothing looks away.
        self.assertEqual(picked, np.flatnonzero(inside).tolist())
        # Typed, too.
        self.type_in("input[aria-label='Picked vertices']", "140-150")
        page.until("document.querySelector('.fault') && document.querySelector('.fault').innerText.includes('144')")
        self.type_in("input[aria-label='Picked vertices']", "10-12, 7")
        page.until("electret.picked && electret.picked.vertices.join() === '7,10,11,12'")
        self.type_in("input[aria-label='Name of the new group']", "mine")
        page.press("Make a group")
        page.until("electret.system.groups.some((each) => each.name === 'mine' && each.count === 4)")
        self.select("mine")
        self.type_in(FIELD, "5e-7")
        self.charged([7, 10, 11, 12], 5e-7)
        self.keys_of_the_group()
        # The text is a scene that the command accepts.
        (self.folder / "edited.toml").write_text(page.get("electret.document.text"))
        self.electret("check", "edited.toml")
        self.assertIn("# each", (self.folder / "edited.toml").read_text())
        self.driver.get("about:blank")
        running.end()
        self.same_as_run("session")


if __name__ == "__main__":
    unittest.main()
