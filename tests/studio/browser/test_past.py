#!/usr/bin/python3
"""Looking back: recorded runs, growing ones, seeking, and what diverged. Checks 24-26 of the studio."""

import subprocess
import unittest

import h5py
import numpy as np

from browser import COMMAND, TORUS, BrowserCase, until


class Runs(BrowserCase):
    def test_frames_are_those_of_the_file(self):
        scene = self.scene(TORUS)
        self.electret("run", scene, "--set", "time.duration=3.0", "-o", "run")
        with h5py.File(self.folder / "run/trajectory.h5") as file:
            recorded = file["positions"][...]
        self.opened("run")
        page = self.page
        page.shown(state="viewing")
        last = len(recorded) - 1
        self.assertEqual(page.get("electret.state.last_step"), last)
        for wish in (last, 7, 60):
            self.drag_to(wish, last)
            page.shown(step=wish, state="viewing")
            _, positions, origin = page.positions()
            np.testing.assert_array_equal(positions, (recorded[wish] - origin).astype(np.float32))
        # 200 wishes in one drag: the last one is shown.
        left, top, width, height = page.box(".lane")
        places = [(left + width * (k * 37 % 200) / 200, top + height / 2) for k in range(200)]
        page.pointer(*places, (left + width * 23 / last, top + height / 2))
        page.shown(step=23, state="viewing")
        _, positions, origin = page.positions()
        np.testing.assert_array_equal(positions, (recorded[23] - origin).astype(np.float32))
        self.plays_and_loops(last)
        self.energy_plot_seeks(last)

    def drag_to(self, step, last):
        left, top, width, height = self.page.box(".lane")
        middle = top + height / 2
        self.page.pointer((left + 1, middle), (left + width * step / last, middle))

    def plays_and_loops(self, last):
        page = self.page
        page.press("Reset")
        page.shown(step=0)
        page.key(" ")
        page.until("electret.shown.step >= 3 && electret.state.state === 'playing'")
        page.key(" ")
        page.until("electret.state.state === 'viewing'")
        page.press("Play in a loop")
        self.drag_to(last - 2, last)
        page.shown(step=last - 2)
        page.key(" ")
        page.until(f"electret.state.state === 'playing' && electret.shown.step < {last - 10}")
        page.key(" ")
        page.until("electret.state.state === 'viewing'")

    def energy_plot_seeks(self, last):
        page = self.page
        page.press("Energies")
        page.until("document.querySelector('.u-over') && document.querySelector('.u-over').getBoundingClientRect().width > 50")
        page.settle()
        left, top, width, height = page.box(".u-over")
        page.pointer((left + width / 2, top + height / 2))
        page.until(f"Math.abs(electret.shown.step - {last / 2}) <= 1.5")
        page.press("Timeline")

    def test_growing_run_is_followed(self):
        scene = self.scene(TORUS.replace("step = 0.03", "step = 0.001").replace("duration = 15.0", "steps = 2000000"))
        writer = subprocess.Popen([COMMAND, "run", scene, "-o", "run", "--set", "output.every=5"], cwd=self.folder,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.addCleanup(writer.communicate)
        self.addCleanup(writer.terminate)

        def has_frames():
            self.assertIsNone(writer.poll(), writer.poll() is not None and writer.stderr.read())
            return (self.folder / "run/trajectory.h5").exists() and self.electret("info", "run", check=None).returncode == 0
        until("the run's first frames", has_frames)
        self.opened("run")
        page = self.page
        page.shown(state="viewing")
        first = page.get("electret.state.last_step")
        page.until(f"electret.state.last_step > {first} && electret.system.growing")
        second = page.get("electret.state.last_step")
        page.until(f"electret.state.last_step > {second}")


class Divergence(BrowserCase):
    def test_is_explained_and_one_can_go_back(self):
        scene = self.scene(TORUS.replace('method = "imex"', 'method = "verlet"').replace("stiffness = 10.0", "stiffness = 5e3")
                           .replace("step = 0.03", "step = 0.05"))
        self.opened(scene)
        page = self.page
        page.shown(step=0)
        page.key(" ")
        page.until("electret.state.state === 'diverged'")
        band = page.until("document.querySelector('[role=alert]') && document.querySelector('[role=alert]').innerText")
        self.assertIn("Diverged.", band)
        self.assertGreater(len(band), 40, "the cause is missing")
        at = page.get("electret.state.step")
        self.assertTrue(np.isfinite(page.positions()[1]).all())
        page.press("One second back")
        page.until(f"electret.state.state === 'paused' && electret.state.step <= {at} && electret.shown.step === electret.state.step")
        self.assertFalse(page.get("!!document.querySelector('.divergedmark')"))
        # A smaller step carries it past where it diverged, from the state that was gone back to.
        back, before = page.get("[electret.state.step, electret.state.time]")
        field = "document.querySelector(\"[aria-label='step of time']\")"
        page.until(f"{field} && !{field}.disabled")
        page.run(f"{field}.focus(); {field}.select();")
        page.do("Input.insertText", text="1 ms")
        for kind in ("keyDown", "keyUp"):
            page.do("Input.dispatchKeyEvent", type=kind, key="Enter", code="Enter", windowsVirtualKeyCode=13, **({"text": "\r"} if kind == "keyDown" else {}))
        page.until("electret.system.time_step === 0.001")
        wanted = back + 50 * max(1, at - back) + 100
        page.press("Play")
        page.until(f"electret.shown.step > {wanted} || electret.state.state === 'diverged'")
        page.press("Pause")
        page.until("electret.state.state === 'paused' && electret.shown.step === electret.state.step")
        self.assertAlmostEqual(page.get("electret.state.time"), before + 1e-3 * (page.step - back), places=9)
        self.assertTrue(np.isfinite(page.positions()[1]).all())


if __name__ == "__main__":
    unittest.main()
