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

    def test_continue_makes_a_session(self):
        """By keyboard alone: from the run's last state on, with its past in the timeline."""
        scene = self.scene(TORUS)
        self.electret("run", scene, "--set", "time.duration=1.2", "-o", "run")
        with h5py.File(self.folder / "run/trajectory.h5") as file:
            recorded = file["positions"][...]
        self.opened("run")
        page = self.page
        page.shown(state="viewing")
        last = len(recorded) - 1
        page.run("[...document.querySelectorAll('.bar button')].find((each) => each.innerText === 'Continue').focus()")
        page.key("\ue007")
        page.shown(step=last, state="paused")
        _, positions, origin = page.positions()
        np.testing.assert_array_equal(positions, (recorded[last] - origin).astype(np.float32))
        self.assertFalse(page.run("return [...document.querySelectorAll('.bar button')].some((each) => each.innerText === 'Continue')"))
        self.drag_to(7, last)
        page.shown(step=7, state="paused")
        _, positions, origin = page.positions()
        np.testing.assert_array_equal(positions, (recorded[7] - origin).astype(np.float32))
        page.key("\ue014")
        page.shown(step=8, state="paused")

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


class Looks(BrowserCase):
    COULOMB = 8.9875517923e9

    def sums(self, places):
        """The field of the torus and of the external charge, far outside its width: the plainest sum."""
        _, positions, origin = self.page.positions()
        charges = np.frombuffer(self.page.bytes_of("charges"), dtype="<f4").astype(float)
        sources = np.vstack([positions + np.array(origin), [[0.0, 0.0, 4.0]]])
        way = places[:, None, :] - sources[None, :, :]
        distance = np.linalg.norm(way, axis=2, keepdims=True)
        return (self.COULOMB * np.append(charges, -3e-5)[None, :, None] * way / distance**3).sum(axis=1)

    def shown_field(self):
        """Places and values of the arrows, of the frame that is shown."""
        page = self.page
        page.until("electret.field()")
        grid = page.get("(({ corner, across, along, largest }) => ({ corner, across, along, largest }))(electret.field())")
        values = np.frombuffer(page.bytes_of("field"), dtype="<f4").reshape(-1, 3).astype(float)
        side = round(len(values) ** 0.5)
        corner, across, along = (np.array(grid[name]) for name in ("corner", "across", "along"))
        places = np.array([corner + k % side * across + k // side * along for k in range(len(values))])
        self.assertAlmostEqual(grid["largest"] / np.linalg.norm(values, axis=1).max(), 1.0, places=6)
        return places, values

    def choose_plane(self, name):
        self.page.run("""const list = document.querySelector("select[aria-label^='Arrows of the electric field']");
            list.selectedIndex = [...list.options].findIndex((each) => each.innerText.endsWith(arguments[0]));
            list.dispatchEvent(new Event("change", { bubbles: true }));""", name)

    def test_arrows_of_the_field_are_its_sums_and_follow(self):
        self.opened(self.scene(TORUS + "[[external_charge]]\ncharge = -3e-5\nposition = [0.0, 0.0, 4.0]\nwidth = 0.05\n"))
        page = self.page
        page.shown(step=0, state="paused")
        page.settle()
        before = np.asarray(page.picture("#view")).astype(int)
        self.choose_plane("y")

        def agrees():
            places, values = self.shown_field()
            expected = self.sums(places)
            return np.linalg.norm(values - expected) < 1e-4 * np.linalg.norm(expected)
        until("the field of the first frame", agrees)
        self.assertEqual(len({round(y, 9) for _, y, _ in self.shown_field()[0]}), 1)
        page.settle()
        drawn = np.abs(np.asarray(page.picture("#view")).astype(int) - before).max(axis=2) > 40
        self.assertGreater(drawn.mean(), 0.005)
        page.press("Play")
        page.until("electret.shown.step >= 20")
        page.press("Pause")
        page.shown(state="paused")
        until("the field of the last frame", agrees)
        self.choose_plane("off")
        page.until("!electret.field()")

    def test_the_session_lists_what_was_done(self):
        self.opened(self.scene(TORUS))
        page = self.page
        page.shown(step=0, state="paused")
        page.run("document.querySelector('#tab-session').click()")
        page.until("document.querySelector('.session-pane')?.innerText.includes('Nothing was changed')")
        for step in (1, 2):
            page.press("One step")
            page.shown(step=step, state="paused")
        page.run("const field = document.querySelector(\"input[aria-label^='Charge of each vertex']\"); field.focus(); field.select();")
        page.do("Input.insertText", text="5e-6")
        page.key("\ue007")
        page.until("document.querySelector('.session-pane').innerText.includes('body.0.charge=5e-06')")
        page.press("One step")
        page.shown(step=3, state="paused")
        page.until("[...document.querySelectorAll('.session-pane td')].some((each) => each.innerText === 'session.toml')")
        self.assertIn("runs/scene.studio", page.get("document.querySelector('.session-pane').innerText"))
        page.press("Go to step 2")
        page.shown(step=2, state="paused")


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
