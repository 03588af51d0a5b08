#!/usr/bin/python3
"""What can be opened: nothing, what is broken, and scenes at the edges. Checks 22, 23, 34 and 40 of the studio."""

import re
import unittest

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
        self.show(self.HEAD + "[[body]]\nname = \"dot\"\npositions = [[0.0, 0.0, 0.0]]\nmass = 1.0\n".replace("positions = [[0.0, 0.0, 0.0]]", "generate = { shape = \"chain\", vertices = 2, length = 1.0 }"))

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
