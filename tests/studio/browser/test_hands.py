#!/usr/bin/python3
"""A body is pulled in the page: it follows, lets go, and the session replays. Checks 7, 8, 11 and 30 of the studio, in part."""

import unittest

import h5py
import numpy as np

from browser import TORUS, BrowserCase

DAMPED = TORUS.replace("[coulomb]\n", "[damping]\ndrag = 1.0\n").replace("charge = 6e-6\n", "")


class Hands(BrowserCase):
    def at_rest(self, *arguments):
        self.running = self.opened(self.scene(DAMPED), *arguments)
        self.page.shown(step=0, state="paused")
        self.page.until("electret.camera()")
        self.page.settle()

    def ended(self):
        self.running.end()
        return self.running.process.returncode

    def pixel(self, point):
        """Where a point is in the window."""
        left, top, _, _ = self.page.box("#view")
        x, y = self.page.get(f"electret.pixel({point})")
        return left + x, top + y

    def a_point(self):
        """A vertex that the pointer finds at its place."""
        return self.page.run("""for (let k = 0; k < electret.system.vertices; k++) {
            const at = electret.pixel(k);
            if (at && electret.pick(...at) === k && Math.abs(at[0] - electret.camera().width / 2) > 60) return k;
        }""")

    def mouse(self, kind, place, buttons=1):
        self.page.do("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], buttons=buttons, clickCount=1,
                     button="left" if buttons or kind == "mouseReleased" else "none")

    def press_at(self, place):
        self.mouse("mouseMoved", place, 0)
        self.mouse("mousePressed", place)

    def test_a_pulled_vertex_follows_and_the_session_replays(self):
        self.at_rest("-o", "session")
        page, point = self.page, self.a_point()
        start = self.pixel(point)
        rest = page.positions()[1][point].copy()
        goal = (start[0] + 90, start[1] - 40)
        self.press_at(start)
        page.until("electret.hands.length === 1 && electret.hands[0].kind === 'held'")
        self.mouse("mouseMoved", goal)
        # What is held is seen before any step.
        page.until("electret.rubber() && document.querySelector('.hands line')")
        page.key(" ")
        page.until("electret.state.state === 'running'")
        # The grip comes to where the pointer is: of its way, seven tenths.
        page.until("""(() => { const r = electret.rubber(); return electret.shown.step > 30 && r &&
            Math.hypot(r[3] - r[0], r[4] - r[1], r[5] - r[2]) < 0.3 * Math.hypot(r[3] - %f, r[4] - %f, r[5] - %f); })()""" % tuple(rest))
        moved = self.pixel(point)
        self.assertLess(np.hypot(moved[0] - goal[0], moved[1] - goal[1]), 0.5 * np.hypot(90, 40), (start, moved, goal))
        self.mouse("mouseReleased", goal, 0)
        page.until("electret.hands.length === 0 && electret.rubber() === null")
        page.key(" ")
        page.until("electret.state.state === 'paused' && electret.state.step === electret.shown.step")
        step = page.step
        self.driver.get("about:blank")
        self.assertEqual(self.ended(), 143)
        text = (self.folder / "session/session.toml").read_text()
        self.assertEqual(text.count("[[grab]]"), 2, "one until the strength is known, one from there on")
        self.electret("run", "session/session.toml", "-o", "again")
        with h5py.File(self.folder / "session/checkpoint.h5") as played, h5py.File(self.folder / "again/checkpoint.h5") as again:
            for name in ("positions", "velocities"):
                self.assertEqual(played[name][()].tobytes(), again[name][()].tobytes(), name)
        self.assertGreater(step, 30)

    def test_beside_the_body_and_in_view_nothing_is_held(self):
        self.at_rest()
        page, point = self.page, self.a_point()
        start = self.pixel(point)
        page.key("v")
        self.assertEqual(page.get("electret.tool"), "view")
        azimuth = page.get("electret.camera().azimuth")
        page.pointer(start, (start[0] + 50, start[1]))
        page.until(f"electret.camera().azimuth !== {azimuth}")
        self.assertEqual(page.get("electret.hands.length"), 0)
        page.key("g")
        left, top, _, height = page.box("#view")
        azimuth = page.get("electret.camera().azimuth")
        page.pointer((left + 30, top + height - 30), (left + 90, top + height - 30))
        page.until(f"electret.camera().azimuth !== {azimuth}")
        self.assertEqual(page.get("electret.hands.length"), 0)

    def test_escape_lets_go_and_h_leaves_a_tack(self):
        self.at_rest()
        page, point = self.page, self.a_point()
        start = self.pixel(point)
        self.press_at(start)
        page.until("electret.hands.length === 1")
        page.key("\ue00c")
        page.until("electret.hands.length === 0")
        self.mouse("mouseReleased", start, 0)
        self.press_at(start)
        page.until("electret.hands.length === 1")
        page.key("\ue014")
        page.shown(step=1, state="paused")
        page.key("h")
        page.until("electret.hands.length === 1 && electret.hands[0].kind === 'tack'")
        self.mouse("mouseReleased", start, 0)
        page.press("Remove tack 1")
        page.until("electret.hands.length === 0")

    def test_the_form_pulls_as_a_pointer_does(self):
        self.at_rest()
        page = self.page
        for name, value in (("Vertex", 7), ("To x", 0.5), ("To y", 0.25), ("To z", 1.5)):
            page.run("""const field = document.querySelector(`input[aria-label="${arguments[0]}"]`);
                field.value = arguments[1]; field.dispatchEvent(new Event("input", { bubbles: true }));""", name, value)
        page.press("Pull")
        page.until("electret.hands.length === 1 && electret.rubber()")
        page.until("""(() => { const r = electret.rubber(), o = electret.positions().origin;
            return r && Math.abs(r[3] + o[0] - 0.5) < 1e-6 && Math.abs(r[4] + o[1] - 0.25) < 1e-6 && Math.abs(r[5] + o[2] - 1.5) < 1e-6; })()""")
        page.press("Let go")
        page.until("electret.hands.length === 0")
        self.a_charge_in_the_hand()

    def a_charge_in_the_hand(self):
        """Held by the form and by the pointer, beside the body too, where the camera stays."""
        page = self.page
        page.press("Charge")
        self.assertEqual(page.get("electret.tool"), "charge")
        for name, value in (("Ball at x", 0.5), ("Ball at y", 0.25), ("Ball at z", 1.5)):
            page.run("""const field = document.querySelector(`input[aria-label="${arguments[0]}"]`);
                field.value = arguments[1]; field.dispatchEvent(new Event("input", { bubbles: true }));""", name, value)
        page.press("Hold a charge")
        page.until("electret.hands.length === 1 && electret.hands[0].kind === 'ball' && electret.balls()")
        place, origin = page.get("[Array.from(electret.balls()), electret.positions().origin]")
        np.testing.assert_allclose(np.add(place[:3], origin), [0.5, 0.25, 1.5], atol=1e-6)
        self.assertLess(place[3], 0)
        page.press("Let it go")
        page.until("electret.hands.length === 0 && electret.balls() === null")
        left, top, _, height = page.box("#view")
        beside = (left + 60, top + height - 60)
        azimuth = page.get("electret.camera().azimuth")
        self.press_at(beside)
        page.until("electret.balls() && document.querySelector('.hands .ball')")
        before = page.get("Array.from(electret.balls())")
        self.mouse("mouseMoved", (beside[0] + 80, beside[1]))
        page.until(f"Math.hypot(...electret.balls().slice(0, 3).map((each, k) => each - {before}[k])) > 0.05")
        self.assertEqual(page.get("electret.camera().azimuth"), azimuth)
        self.mouse("mouseReleased", (beside[0] + 80, beside[1]), 0)
        page.until("electret.hands.length === 0 && electret.balls() === null")

    def test_a_page_that_vanishes_lets_go(self):
        studio = self.studio(self.scene(DAMPED))
        page = self.page
        page.open(studio.url)
        page.shown(step=0, state="paused")
        page.settle()
        self.press_at(self.pixel(self.a_point()))
        page.until("electret.hands.length === 1")
        page.run("window.sockets.at(-1).close()")
        page.until("electret.counters.reconnects > 0 && electret.link === 'open'")
        page.until("electret.hands.length === 0 && electret.rubber() === null")


if __name__ == "__main__":
    unittest.main()
