#!/usr/bin/python3
"""All eight jobs of the studio by the keyboard alone: nothing here presses, moves or clicks. Check 34 of the studio."""

import tomllib
import unittest

from browser import TORUS, BrowserCase, until

SCENE = TORUS.replace("charge = 6e-6\n", "charge = 1e-7\n") + """  [[body.group]]
  name = "some"
  indices = [0, 1, 2, 3]

  [[body.group_charge]]
  group = "some"
  value = 2e-7
"""
MORE = """  [[body.pin]]
  group = "some"

[[external_charge]]
charge = 1e-7
position = [3.0, 0.0, 0.0]
"""
# code and number of keys, and the text that they type.
KEYS = {"Tab": ("Tab", 9, ""), "Enter": ("Enter", 13, "\r"), " ": ("Space", 32, " "), "Escape": ("Escape", 27, ""), "Delete": ("Delete", 46, ""),
        "ArrowLeft": ("ArrowLeft", 37, ""), "ArrowUp": ("ArrowUp", 38, ""), "ArrowRight": ("ArrowRight", 39, ""), "ArrowDown": ("ArrowDown", 40, ""),
        "Home": ("Home", 36, ""), "End": ("End", 35, "")}
SHIFT, CONTROL = 8, 2
# The name of what has the focus: its label, or its text without what is only drawn; and the first line of that.
NAMED = """const at = document.activeElement, copy = at.cloneNode(true);
copy.querySelectorAll("[aria-hidden=true]").forEach((each) => each.remove());
const name = at.getAttribute("aria-label") || (at.closest("label") ? at.closest("label").innerText : "") || "";
return [name.trim() || copy.textContent.trim(), (copy.querySelector(".name") || copy).textContent.trim()];"""


class Keyboard(BrowserCase):
    def tap(self, key, modifiers=0):
        code, number, text = KEYS.get(key) or (f"Key{key.upper()}", ord(key.upper()), key)
        if modifiers & CONTROL:
            text = ""
        for kind in ("keyDown" if text else "rawKeyDown", "keyUp"):
            self.page.do("Input.dispatchKeyEvent", type=kind, key=key, code=code, windowsVirtualKeyCode=number, modifiers=modifiers,
                         **({"text": text} if text and kind == "keyDown" else {}))

    def tab_to(self, name, presses=250):
        """Tab, until the control of this name has the focus, and can be used."""
        seen = []
        for _ in range(presses):
            names = self.page.run(NAMED)
            seen.append(names[0])
            if name in names:
                return
            self.tap("Tab")
        self.fail(f"Tab does not lead to {name!r}, only to {sorted(set(seen))}")

    def can(self, name):
        """Waits until the button of this name can be pressed: Tab leads past what cannot."""
        self.page.until(f"[...document.querySelectorAll('button')].some((each) => (each.getAttribute('aria-label') || each.innerText).trim() === {name!r} && !each.disabled)")

    def use(self, name, key="Enter"):
        self.tab_to(name)
        self.tap(key)

    def type_in(self, name, text):
        """What was in the field gives way to a text, and Enter."""
        self.tab_to(name)
        self.tap("a", CONTROL)
        self.page.do("Input.insertText", text=text)
        self.tap("Enter")

    def view(self):
        """To the view, where single keys are commands."""
        until("the view has the focus", lambda: self.page.get("document.activeElement.id === 'view'") or self.tap("Tab"))

    def opened_scene(self, *arguments):
        self.opened(self.scene(SCENE), *arguments)
        self.page.shown(step=0, state="paused")

    def test_watch_pull_and_hold_a_charge(self):
        self.opened_scene()
        page = self.page
        # 1: Space runs it; both rates are told.
        self.view()
        self.tap(" ")
        page.until("electret.shown.step > 5 && electret.state.reached !== null")
        self.assertRegex(page.get("document.querySelector('[aria-label=\"Reached rate\"]').innerText"), "×")
        self.tab_to("Wanted rate, times real time")
        self.tap("ArrowDown")
        page.until("electret.state.wanted === 2")
        self.view()
        self.tap(" ")
        page.until("electret.state.state === 'paused' && electret.state.step === electret.shown.step")
        self.tap("Home")
        page.shown(step=0, state="paused")
        # 2: a vertex is pulled, left with a tack, and let go of.
        rest = page.positions()[1]
        for name, text in (("Vertex", "7"), ("To x", "2.5"), ("To y", "0.5"), ("To z", "0.25")):
            self.tab_to(name)
            self.tap("a", CONTROL)
            page.do("Input.insertText", text=text)
        self.can("Pull")
        self.use("Pull")
        page.until("electret.hands.length === 1 && electret.hands[0].kind === 'held' && electret.rubber()")
        self.view()
        for _ in range(20):
            self.tap("ArrowRight")
        page.shown(step=20, state="paused")
        way = page.positions()[1][7] - rest[7]
        self.assertGreater(float(way @ way) ** 0.5, 0.05, "it does not follow")
        self.view()
        self.tap("h")
        page.until("electret.hands.length === 1 && electret.hands[0].kind === 'tack'")
        number = page.get("electret.hands[0].number")
        self.use(f"Remove tack {number}")
        page.until("electret.hands.length === 0")
        # A charge in the hand, and Esc.
        self.view()
        self.tap("q")
        self.assertEqual(page.get("electret.tool"), "charge")
        self.type_in("Charge of the ball", "-3 uC")
        self.type_in("Ball at x", "2.5")
        page.until("electret.hands.length === 1 && electret.hands[0].kind === 'ball' && electret.balls()")
        self.assertAlmostEqual(page.get("electret.balls()[3]"), -3e-6, delta=1e-12)
        self.view()
        self.tap("Escape")
        page.until("electret.hands.length === 0 && electret.balls() === null")

    def test_charge_group_and_key_frame(self):
        self.opened_scene("-o", "session")
        page = self.page
        # 3: a group by its field and its slider; single vertices by their numbers.
        self.use("some")
        self.type_in("Charge of each vertex of some of torus", "3 uC")
        page.until("Math.abs(electret.charges()[0] - 3e-6) < 1e-11")
        self.tab_to("Slider of the charge of some of torus")
        self.tap("ArrowLeft")
        page.until("electret.charges()[0] < 2.99e-6 && electret.charges()[0] > 2e-6")
        self.type_in("Picked vertices", "10-12, 20")
        page.until("electret.picked && electret.picked.vertices.join() === '10,11,12,20'")
        self.type_in("Charge of the picked vertices", "-4 uC")
        self.can("Charge them")
        self.use("Charge them")
        page.until("[10, 11, 12, 20].every((k) => Math.abs(electret.charges()[k] + 4e-6) < 1e-11)")
        # 4: they become a group.
        self.tab_to("Name of the new group")
        page.do("Input.insertText", text="mine")
        self.can("Make a group")
        self.use("Make a group")
        page.until("electret.system.groups.some((each) => each.name === 'mine' && each.count === 4)")
        # 5: a key is put, moved, copied and deleted; the slider writes others.
        table = "electret.keys.tables.find((each) => each.label === 'some of torus')"
        times = lambda wanted: page.until(f"{table}.times.map((each) => Number(each.toFixed(9))).join() === '{wanted}'")
        self.use("some of torus")
        self.use("Key at the play head")
        times("0")
        self.type_in("Time of key 1", "0.06")
        times("0.06")
        self.use("Key 1 of some of torus at 0.060 seconds")
        self.can("Copy to the play head")
        self.use("Copy to the play head")
        times("0,0.06")
        self.type_in("values of key 2", "5 uC")
        page.until(f"{table}.lanes[0].values[1] === 5e-6")
        self.tab_to("Key 2 of some of torus at 0.060 seconds")
        self.tap("Enter")
        self.tap("Delete")
        times("0")
        self.use("Auto-key", " ")
        page.until("electret.keys.auto")
        self.view()
        for _ in range(4):
            self.tap("ArrowRight")
        page.shown(step=4, state="paused")
        self.tab_to("Slider of the charge of some of torus")
        self.tap("ArrowRight")
        page.until(f"{table}.times.length > 1")
        # 8, in part: saved by the keyboard.
        self.view()
        self.tap("s", CONTROL)
        page.until("!electret.document.unsaved")
        saved = tomllib.loads((self.folder / "scene.toml").read_text())
        self.assertEqual({each["name"]: each.get("indices") for each in saved["body"][0]["group"]}["mine"], [10, 11, 12, 20])
        self.electret("check", "scene.toml")

    def test_tune_look_back_and_keep(self):
        self.opened_scene()
        page = self.page
        downloads = self.folder / "downloads"
        downloads.mkdir()
        page.do("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(downloads))
        self.view()
        for _ in range(6):
            self.tap("ArrowRight")
        page.shown(step=6, state="paused")
        # 6: a number and a word of what the scene is compiled with.
        self.type_in("stiffness of springs of torus", "25")
        page.until("electret.document.text.includes('stiffness = 25')")
        self.tab_to("Integrator")
        self.tap("Enter")
        self.tab_to("method of integrator")
        self.tap("ArrowDown")
        page.until("electret.system.method !== 'imex' && electret.state.step === 6 && electret.state.state === 'paused'")
        self.view()
        self.tap("z", CONTROL)
        page.until("electret.system.method === 'imex' && electret.document.text.includes('stiffness = 25')")
        # 7: a step back in the timeline, to its start and its end; energies; a gradient.
        self.tab_to("Play head")
        self.tap("ArrowLeft")
        page.shown(step=5, state="paused")
        self.tap("End")
        page.shown(step=6, state="paused")
        self.tab_to("Timeline")
        self.tap("ArrowRight")
        page.until("document.activeElement.id === 'tab-energies' && document.querySelector('.u-over')")
        self.tab_to("Loss of the gradient")
        self.tap("ArrowDown")
        page.until("[...document.querySelectorAll('button')].some((each) => each.innerText === 'Compute')")
        self.can("Compute")
        self.use("Compute")
        page.until("electret.gradient && (electret.gradient.found || electret.gradient.error)")
        self.assertTrue(page.get("electret.gradient.found !== null"), page.get("electret.gradient.error"))
        # 8: a picture, and the file.
        self.use("Export")
        page.until("document.querySelector('dialog.export[open]')")
        self.type_in("Width, pixels", "160")
        self.type_in("Height, pixels", "90")
        self.use("Save the picture")
        until("a picture", lambda: list(downloads.glob("*.png")))
        self.tap("Escape")
        page.until("!document.querySelector('dialog.export[open]')")
        self.can("Save")
        self.use("Save")
        page.until("!electret.document.unsaved")
        self.assertEqual((self.folder / "scene.toml").read_text(), SCENE.replace("stiffness = 10.0", "stiffness = 25"))

    def test_keys_of_pins_and_of_external_charges(self):
        self.opened(self.scene(SCENE + MORE))
        page = self.page
        page.shown(step=0, state="paused")
        table = lambda label: f"electret.keys.tables.find((each) => each.label === '{label}')"
        # A pin begins where it is, so that its first key is none that moves it.
        self.use("pin some of torus")
        self.use("Key at the play head")
        page.until(f"{table('pin some of torus')}.times.join() === '0'")
        self.view()
        for _ in range(3):
            self.tap("ArrowRight")
        page.shown(step=3, state="paused")
        self.use("Key at the play head")
        page.until(f"{table('pin some of torus')}.times.length === 2")
        self.type_in("offsets x of key 2", "0.25")
        page.until(f"{table('pin some of torus')}.lanes[0].values.join() === '0,0,0,0.25,0,0'")
        # The outline has one of this name, and after it the timeline.
        self.use("external charge 1")
        self.tap("Tab")
        self.use("external charge 1")
        self.use("Key positions at the play head")
        page.until(f"{table('external charge 1')}.times.length === 1")
        self.type_in("positions y of key 1", "-1.5")
        page.until(f"{table('external charge 1')}.lanes.some((each) => each.values.join() === '3,-1.5,0')")
        self.type_in("Time of key 1", "0.06")
        page.until(f"{table('external charge 1')}.times.join() === '0.06'")
        written = tomllib.loads(page.get("electret.document.text"))
        self.assertEqual(written["body"][0]["pin"][0]["offsets"], [[0.0, 0.0, 0.0], [0.25, 0.0, 0.0]])
        self.assertEqual(written["external_charge"][0]["positions"], [[3.0, -1.5, 0.0]])

    def test_what_the_brush_does(self):
        self.opened_scene()
        self.view()
        self.tap("p")
        self.assertEqual(self.page.get("electret.tool"), "paint")
        chosen = "document.querySelector('[aria-label=\"What the brush does\"]').selectedOptions[0].text"
        self.tab_to("What the brush does")
        for mode in ("add", "smooth", "clear"):
            self.tap("ArrowDown")
            self.page.until(f"{chosen} === '{mode}'")

    def test_a_recorded_run_and_its_movie(self):
        self.electret("run", self.scene(SCENE), "--set", "time.duration=0.3", "-o", "run")
        downloads = self.folder / "downloads"
        downloads.mkdir()
        self.page.do("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(downloads))
        self.opened("run")
        page = self.page
        page.shown(step=0, state="viewing")
        self.view()
        self.tap(" ")
        page.until("electret.state.state === 'viewing' && electret.shown.step === 10")
        self.tap("ArrowLeft")
        page.shown(step=9, state="viewing")
        self.tab_to("Play head")
        self.tap("Home")
        page.shown(step=0, state="viewing")
        self.use("Export")
        page.until("document.querySelector('dialog.export[open]')")
        self.use("Movie")
        for name, text in (("Width, pixels", "160"), ("Height, pixels", "90"), ("Last of the movie", "4")):
            self.type_in(name, text)
        self.can("Make the movie")
        self.use("Make the movie")
        made = until("a movie", lambda: list(downloads.glob("*.webm")))
        until("all of it", lambda: made[0].read_bytes()[:4] == b"\x1aE\xdf\xa3")
        self.tap("Escape")
        page.until("!document.querySelector('dialog.export[open]')")


if __name__ == "__main__":
    unittest.main()
