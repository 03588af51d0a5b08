#!/usr/bin/python3
"""What can be opened: nothing, what is broken, and scenes at the edges. Checks 22, 23, 34 and 40 of the studio."""

import re
import unittest

import numpy as np

import pictures
from browser import TORUS, BrowserCase

ENTER, TAB, RIGHT, DOWN = "\ue007", "\ue004", "\ue014", "\ue015"


class Broken(BrowserCase):
    def test_findings_are_those_of_check_and_lead_to_their_lines(self):
        scene = self.scene(TORUS.replace("step = 0.03", "step = -0.03").replace('method = "imex"', 'method = "imx"')
                           .replace("neighbours = 24", "nieghbours = 24"))
        checked = self.electret("check", scene, check=2)
        wanted = re.findall(r"^\S*scene\.toml:(\d+):(\d+): (.*)$", checked.stdout + checked.stderr, re.MULTILINE)
        self.assertGreaterEqual(len(wanted), 3, checked.stderr)
        self.opened(scene)
        page = self.page
        page.until("window.electret && electret.state && electret.state.state === 'broken'")
        page.until("document.querySelectorAll('.finding').length > 0")
        found = page.get("electret.document.findings.map((each) => [each.line, each.column, each.message])")
        for line, column, message in wanted:
            self.assertTrue(any(f[0] == int(line) and f[1] == int(column) and (f[2] in message or message in f[2]) for f in found),
                            f"{line}:{column}: {message} is not among {found}")
        line = int(wanted[1][0])
        page.run("[...document.querySelectorAll('button.finding')].find((each) => each.innerText.includes(`:${arguments[0]}:`)).click()", line)
        page.until(f"document.querySelector('.editor') && electret.text.line === {line}")
        page.until("document.activeElement.classList.contains('editor')")
        active = "document.querySelector('.editor').shadowRoot.querySelector('.cm-activeLine')"
        page.until(active)
        box = page.get(f"(({{left, top, width, height}}) => [left, top, width, height])({active}.getBoundingClientRect())")
        pane = page.box("#pane")
        self.assertTrue(pane[1] <= box[1] and box[1] + box[3] <= pane[1] + pane[3] + 1, "the line is not in sight")

    def test_word_beside_each_icon(self):
        self.opened(self.scene(TORUS.replace("step = 0.03", "step = -0.03")))
        self.page.until("document.querySelector('.finding')")
        self.assertIn("error", self.page.get("document.querySelector('.finding').innerText"))


class Empty(BrowserCase):
    def test_all_by_keyboard(self):
        """Jobs 1 and 7: an example is opened, runs, is stopped, and one goes back in time."""
        self.opened()
        page = self.page
        page.until("window.electret && electret.state && electret.state.state === 'empty' && document.querySelector('.choice')")
        # Letters typed into a field are text, not commands.
        if page.get("!!document.querySelector('input[type=search]')"):
            page.run("document.querySelector('input[type=search]').focus()")
            page.key("torus f?")
            self.assertEqual(page.get("document.querySelector('input[type=search]').value"), "torus f?")
            self.assertFalse(page.get("!!document.querySelector('dialog[open]')"))
            page.key(*["\ue003"] * 3)
            page.run("document.activeElement.blur()")
        page.run("document.body.focus()")
        name = ""
        for _ in range(60):
            page.key(TAB)
            name = page.get("document.activeElement.innerText")
            if page.get("document.activeElement.classList.contains('choice')") and re.search(r"torus", name, re.I):
                break
        self.assertRegex(name.lower(), "torus")
        page.key(ENTER)
        page.shown(step=0, state="paused")
        page.key(" ")
        page.until("electret.shown.step > 20")
        page.key(" ")
        page.until("electret.state.state === 'paused' && electret.state.step === electret.shown.step")
        page.until("document.querySelector('#spoken').innerText.includes('Paused')")
        # To the timeline by Tab, and back by a step there.
        for _ in range(60):
            if page.get("document.activeElement.getAttribute('role') === 'slider'"):
                break
            page.key(TAB)
        self.assertTrue(page.get("document.activeElement.getAttribute('role') === 'slider'"))
        step = page.step
        page.key("\ue012")
        page.shown(step=step - 1)
        # The tabs by arrows.
        page.run("document.querySelector('#tab-timeline').focus()")
        page.key(RIGHT)
        page.until("document.activeElement.id === 'tab-energies' && document.querySelector('.u-over')")
        page.key(RIGHT, RIGHT)
        page.until("document.activeElement.id === 'tab-text' && document.querySelector('.editor') && document.querySelector('.editor').shadowRoot.querySelectorAll('.cm-line').length > 5")


class Another(BrowserCase):
    def test_another_scene_is_opened_beside_one_that_was_named(self):
        scene = self.scene(TORUS)
        self.scene(TORUS.replace("charged torus", "another torus"), "other.toml")
        self.opened(scene)
        page = self.page
        page.shown(step=0, state="paused")
        page.press("Open")
        page.until("document.querySelector('dialog[open] .choice')")
        page.run("[...document.querySelectorAll('dialog[open] .choice')].find((each) => each.innerText.includes('other.toml') || each.innerText.includes('another torus')).click()")
        page.until("electret.document.name === 'other.toml' && electret.state.state === 'paused'")

    def test_times_of_a_long_scene_are_whole(self):
        self.opened(self.scene(TORUS.replace("duration = 15.0", "duration = 900.0")))
        self.page.shown(step=0, state="paused")
        self.page.until("document.querySelectorAll('.ruler span').length > 4")
        words = self.page.get("[...document.querySelectorAll('.ruler span')].map((each) => each.innerText)")
        self.assertEqual(words, ["0 s"] + [f"{100 * k} s" for k in range(1, 10)])


class Edges(BrowserCase):
    HEAD = "[time]\nstep = 0.01\nsteps = 100\n[integrator]\nmethod = \"imex\"\n"

    def show(self, text):
        self.opened(self.scene(text))
        self.page.shown(step=0, state="paused")
        self.page.key(RIGHT)
        self.page.shown(step=1, state="paused")
        self.page.key("f")
        self.page.settle()
        self.assertGreater(self.page.get("electret.camera().distance"), 0)

    def test_one_vertex(self):
        """It has no size: cameras, brushes and scales of colours are finite all the same."""
        (self.folder / "dot.obj").write_text("v 1 2 3\n")
        self.show(self.HEAD + "[gravity]\nacceleration = [0.0, 0.0, -9.81]\n[[body]]\nname = \"dot\"\nmesh = \"dot.obj\"\nmass = 1.0\n")
        page = self.page
        self.assertEqual(page.get("electret.system.vertices"), 1)
        camera = page.get("electret.camera()")
        self.assertTrue(all(np.isfinite(each) for each in (camera["distance"], camera["pixelsPerMetre"], *camera["target"])), camera)
        self.assertGreater(float(pictures.unlike_ground(page.picture("#view")).mean()), 0.0001, "the vertex is not seen")
        self.assertTrue(np.isfinite(page.get("electret.brush")))
        page.key("b", "p", "q", "[", "]", "g")
        # It is taken in the hand, and follows.
        x, y = page.get("electret.pixel(0)")
        left, top, _, _ = page.box("#view")
        self.assertEqual(page.get(f"electret.pick({x}, {y})"), 0)
        page.do("Input.dispatchMouseEvent", type="mousePressed", x=left + x, y=top + y, buttons=1, clickCount=1, button="left")
        page.until("electret.hands.length === 1 || document.querySelector('[role=alert], .notice')")
        page.do("Input.dispatchMouseEvent", type="mouseMoved", x=left + x + 60, y=top + y, buttons=1, button="left")
        page.key(*[RIGHT] * 3)
        page.until("electret.state.step === 4 && electret.state.state === 'paused' && electret.shown.step === 4")
        self.assertTrue(np.isfinite(page.positions()[1]).all())
        page.do("Input.dispatchMouseEvent", type="mouseReleased", x=left + x + 60, y=top + y, buttons=0, clickCount=1, button="left")
        page.until("electret.hands.length === 0")

    def test_no_vertex_is_a_finding(self):
        (self.folder / "none.obj").write_text("# nothing\n")
        self.opened(self.scene(self.HEAD + "[[body]]\nname = \"none\"\nmesh = \"none.obj\"\nmass = 1.0\n"))
        self.page.until("window.electret && electret.state && electret.state.state === 'broken' && document.querySelector('.finding')")
        self.assertIn("no vertex", self.page.get("document.querySelector('.finding').innerText"))
        self.page.key("f", " ", RIGHT, "\ue011", "h", "k")
        self.page.settle()
        self.assertEqual(self.page.state, "broken")

    def test_no_springs_and_no_charge(self):
        self.show(self.HEAD + "[[body]]\nname = \"dust\"\ngenerate = { shape = \"sphere\", vertices = 40 }\nmass = 1.0\n")
        page = self.page
        self.assertEqual(page.get("electret.system.bodies[0].springs[1]"), 0)
        self.assertEqual(page.get("Math.max(...electret.charges().map(Math.abs))"), 0)
        low, high = page.get("[electret.shown.range.low, electret.shown.range.high]")
        self.assertTrue(np.isfinite([low, high]).all() and low < high, (low, high))
        page.press("Fit range")
        page.settle()
        low, high = page.get("[electret.shown.range.low, electret.shown.range.high]")
        self.assertTrue(np.isfinite([low, high]).all() and low < high, (low, high))
        page.key("q")
        page.press("Hold a charge")
        page.until("electret.hands.length === 1 && electret.balls()")
        page.key(RIGHT)
        page.shown(step=2, state="paused")
        self.assertTrue(np.isfinite(page.positions()[1]).all())
        self.assertNotIn("NaN", page.get("document.body.innerText"))

    def type_in(self, selector, text):
        self.page.until(f"document.querySelector({selector!r})")
        self.page.run("const field = document.querySelector(arguments[0]); field.focus(); field.select();", selector)
        self.page.do("Input.insertText", text=text)
        for kind in ("keyDown", "keyUp"):
            self.page.do("Input.dispatchKeyEvent", type=kind, key="Enter", code="Enter", windowsVirtualKeyCode=13, **({"text": "\r"} if kind == "keyDown" else {}))

    def test_numbers_are_typed_key_by_key(self):
        """What is no number yet, such as "-" and "0.", stays as it is until it is one."""
        self.opened(self.scene(TORUS))
        page = self.page
        page.shown(step=0, state="paused")
        typed = ("-3", "-0.05", "1.005", "2e-3")

        def type_all(*names):
            for name in names:
                for text in typed:
                    page.run("const field = document.querySelector(`input[aria-label='${arguments[0]}']`); field.focus(); field.select();", name)
                    page.key("\ue017", *text)
                    page.until(f"document.querySelector(`input[aria-label='{name}']`).value === '{text}'")
        type_all("To x")
        page.press("Pull")
        page.until("electret.rubber() && Math.abs(electret.rubber()[3] + electret.positions().origin[0] - 2e-3) < 1e-6")
        page.press("Let go")
        page.press("Charge")
        type_all("Ball at x")
        page.press("Hold a charge")
        page.until("electret.balls() && Math.abs(electret.balls()[0] + electret.positions().origin[0] - 2e-3) < 1e-6")
        page.press("Let it go")
        page.press("Export")
        page.until("document.querySelector('dialog.export[open]')")
        page.press("Movie")
        type_all("Speed of the movie")
        page.press("Close")

    def test_what_is_no_number_is_never_taken(self):
        self.opened(self.scene(TORUS))
        page = self.page
        page.shown(step=0, state="paused")
        page.run("[...document.querySelectorAll('.outline .entry')].find((each) => each.querySelector('.name').innerText === 'torus').click()")
        page.run("window.sent = []; sockets.forEach((each) => { const plain = each.send.bind(each); each.send = (data) => { window.sent.push(data); plain(data); }; })")
        charge, stiffness = "input[aria-label^='Charge of each vertex']", "[aria-label='stiffness of springs of torus']"
        for text in ("NaN", "nan", "inf", "-Infinity", "1e999", "0x10", "1,5", "--3", "6 µm", ""):
            self.type_in(charge, text)
            page.until("document.querySelector('.fault')")
            self.assertEqual(page.get(f"document.querySelector({charge!r}).ariaInvalid"), "true", text)
            page.run("document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))")
            page.until("!document.querySelector('.fault')")
        for text in ("NaN", "nan", "inf", "1e999"):
            self.type_in(stiffness, text)
            page.until(f"document.querySelector({stiffness!r}).ariaInvalid === 'true'")
            self.assertEqual(page.get("electret.document.text"), TORUS, text)
            page.run("document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))")
        # A form with what is no number is not sent; mended, it is.
        page.run("const field = document.querySelector('input[aria-label=\"To x\"]'); field.focus(); field.select();")
        page.key("e")
        page.press("Pull")
        page.settle()
        self.assertFalse(page.get("document.querySelector('input[aria-label=\"To x\"]').validity.valid"))
        self.assertEqual([each for each in page.get("window.sent") if '"hand"' in each], [])
        page.run("const field = document.querySelector('input[aria-label=\"To x\"]'); field.focus(); field.select();")
        page.key("\ue003", *"0.5")
        page.press("Pull")
        page.until("electret.hands.length === 1")
        page.press("One step")
        page.shown(step=1, state="paused")
        self.assertTrue(np.isfinite(page.positions()[1]).all())
        self.assertEqual([each for each in page.get("window.sent") if "null" in each and '"to"' in each], [])
        self.assertEqual(page.get("electret.document.text"), TORUS)
        self.assertFalse(page.get("electret.document.unsaved"))

    def test_many_bodies_with_long_names(self):
        bodies = "".join(f"[[body]]\nname = \"{'a body whose name is long ' * 4}{k}\"\ngenerate = {{ shape = \"sphere\", vertices = 12 }}\n"
                         f"translate = [{3.0 * (k % 8)}, {3.0 * (k // 8)}, 0.0]\nmass = 1.0\n" for k in range(60))
        self.show("[scene]\nname = \"" + "a scene with a name that is very long " * 6 + "\"\n" + self.HEAD + bodies)
        page = self.page
        self.assertEqual(page.get("document.querySelectorAll('.outline .entry').length"), 60)
        self.assertLessEqual(page.get("document.documentElement.scrollWidth"), 1280)
        page.run("document.querySelectorAll('.outline .entry')[59].click()")
        page.until("document.querySelectorAll('.outline .entry')[59].getAttribute('aria-pressed') === 'true'")
        page.key("f")


if __name__ == "__main__":
    unittest.main()
