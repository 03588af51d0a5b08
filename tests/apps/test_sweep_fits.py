#!/usr/bin/python3
"""Sweeps of fits: their distinct minima, kills, and what is refused."""

import json
import shlex
import signal
import time
import unittest

import h5py
import numpy as np

from support import SECONDS, CommandTest
from sweep_support import fill_colours

FIT_SCENE = """\
[time]
step = 0.001
steps = 2000
[integrator]
method = "verlet"
[[body]]
name = "bob"
mesh = "pair.obj"
mass = 1.0
velocity = [0.5, 0, 0]
[[body.springs]]
from = "edges"
stiffness = 3.0
[[body.group]]
name = "end"
indices = [0]
[[body.pin]]
group = "end"
"""

FIT = """\
[fit]
scene = "scene.toml"
[[parameter]]
name = "body.bob.stiffness"
minimum = 1.0
maximum = 13.0
[[loss]]
of = "final_position:pair.obj"
"""

FIT_SWEEP = """\
[sweep]
fit = "fit.toml"
samples = 20
[[vary]]
key = "start.body.bob.stiffness"
range = [1.2, 12.0]
"""


class SweepOfFits(CommandTest):
    """A mass on a spring is back in its place after half a period and after a whole one: two minima."""

    def setUp(self):
        super().setUp()
        self.scene(FIT_SCENE)
        for name, text in {"fit.toml": FIT, "job.toml": FIT_SWEEP, "pair.obj": "v 0 0 0\nv 1 0 0\nl 1 2\n"}.items():
            (self.folder / name).write_text(text)

    def results(self, folder):
        with h5py.File(self.folder / folder / "sweep.h5") as file:
            return {name: file["results"][name][()] for name in file["results"]}

    def test_both_minima_are_found_counted_and_shown(self):
        out = self.electret("sweep", "job.toml", check=0).stdout
        self.assertIn("2 distinct minima", out)
        told = self.summary("sweeps/job")
        self.assertEqual(told["distinct_minima"], 2)
        self.assertEqual(sum(each["fits"] for each in told["minima"]), 20)
        places = sorted(each["values"]["body.bob.stiffness"] for each in told["minima"])
        np.testing.assert_allclose(places, [(np.pi / 2) ** 2, np.pi**2], rtol=1e-5)
        for each in told["minima"]:
            self.assertRegex(out, rf"{each['fits']} fits, +best run {each['run']}, body.bob.stiffness = ")
        results = self.results("sweeps/job")
        self.assertEqual(results["fitted"].shape, (20, 1))
        self.assertEqual(results["loss"].argmin(), told["best"])
        with h5py.File(self.folder / "sweeps/job/sweep.h5") as file:
            self.assertEqual([name.decode() for name in file["fitted"][()]], ["body.bob.stiffness"])
        # Each fit has converged: by its gradient, or by a loss that is 0 to rounding.
        self.assertLessEqual(set(results["end"]), {1, 3})
        # In each of the two charts a marker for each fit, in its minimum's colour, and one in the legend.
        colours = list(fill_colours((self.folder / "sweeps/job/sweep.svg").read_text()))
        for minimum, colour in zip(told["minima"], [(0, 45, 70), (84, 37, 0)]):
            self.assertEqual(colours.count(colour), 2 * (minimum["fits"] + 1))

    def test_show_names_the_fit_that_gives_the_row(self):
        self.electret("sweep", "job.toml", "-o", "s", check=0)
        shown = self.electret("sweep", "s", "--show", 7, check=0).stdout
        command = shlex.split(shown.splitlines()[-1])
        self.assertEqual(command[:2], ["electret", "fit"])
        self.electret(*command[1:], "-o", "one", "--threads", 2, check=0)
        found = self.summary_of_fit("one")
        results = self.results("s")
        self.assertEqual(found["loss"], results["loss"][7])
        self.assertEqual(found["values"]["body.bob.stiffness"], list(results["fitted"][7]))
        self.assertEqual(found["starts"][0]["evaluations"], results["evaluations"][7])
        # A fit from another start is another fit.
        done = self.electret("fit", "fit.toml", "--set", "start.body.bob.stiffness=2", "-o", "one", "--resume", check=2)
        self.assertIn("changed", done.stderr)
        done = self.electret("fit", "fit.toml", "--set", "start.body.bob.stifness=2", "--set", "time.stepp=1", "-o", "t", check=2)
        self.assertIn("--set time.stepp: error", done.stderr)
        self.assertIn("--set start.body.bob.stifness: error", done.stderr)

    def summary_of_fit(self, folder):
        return json.loads((self.folder / folder / "fit.json").read_text())

    def test_interrupted_and_killed_it_ends_with_the_same_bytes(self):
        (self.folder / "fit.toml").write_text(FIT.replace('scene.toml"', 'scene.toml"\nset = ["time.step=0.0004", "time.steps=5000"]'))
        self.electret("sweep", "job.toml", "-o", "whole", "--workers", 1, check=0)
        stops = 0
        for how in [signal.SIGKILL, signal.SIGTERM, signal.SIGKILL]:
            process = self.start("sweep", "job.toml", "-o", "s", "--workers", "2")
            end = time.monotonic() + 60
            while process.poll() is None and time.monotonic() < end and not list((self.folder / "s" / "parts").glob("*.h5")):
                time.sleep(0.05)
            time.sleep(0.3)
            if process.poll() is None:
                process.send_signal(how)
                stops += 1
            process.communicate(timeout=SECONDS)
        self.assertGreaterEqual(stops, 1)
        self.electret("sweep", "job.toml", "-o", "s", "--workers", 3, check=0)
        wanted = self.results("whole")
        for name, values in self.results("s").items():
            self.assertEqual(values.tobytes(), wanted[name].tobytes(), name)
        self.assertEqual(self.summary("s")["minima"], self.summary("whole")["minima"])
        self.assertEqual((self.folder / "s/runs.csv").read_bytes(), (self.folder / "whole/runs.csv").read_bytes())

    def test_a_resumable_fit_that_is_killed_goes_on_to_the_same_bits(self):
        text = FIT_SWEEP.replace("samples = 20", "samples = 2\nset = ['time.step=0.0002', 'time.steps=10000']")
        (self.folder / "job.toml").write_text(text)
        self.electret("sweep", "job.toml", "-o", "whole", check=0)
        (self.folder / "job.toml").write_text(text + "[limits]\nresumable = true\nattempts = 10\n")
        evaluations = self.folder / "s/runs/0/evaluations.bin"

        def known():
            try:
                status = evaluations.stat()
                return status.st_size, status.st_ino
            except OSError:
                return 0, 0

        seen = []
        for _ in range(3):
            before, process = known()[0], self.start("sweep", "job.toml", "-o", "s", "--runs", "0-1")
            self.wait_until(lambda: known()[0] > before or process.poll() is not None, "a further evaluation")
            size, node = known()
            process.kill()
            process.communicate(timeout=SECONDS)
            if process.returncode < 0 and size > before:
                seen.append(node)
        self.assertGreaterEqual(len(seen), 1)
        self.assertEqual(len(set(seen)), 1, "it goes on with the evaluations that are there")
        self.electret("sweep", "job.toml", "-o", "s", check=0)
        wanted = self.results("whole")
        for name, values in self.results("s").items():
            self.assertEqual(values.tobytes(), wanted[name].tobytes(), name)
        self.assertFalse((self.folder / "s/runs").exists())

    def test_wrong_jobs_are_told_at_once_and_nothing_is_written(self):
        (self.folder / "fit.toml").write_text(FIT + "[starts]\ncount = 3\n")
        (self.folder / "job.toml").write_text(FIT_SWEEP.replace("stiffness", "stifness").replace("[sweep]", "[sweep]\nset = ['time.stepp=1']") + "[keep]\nframes = 2\n")
        for more in [[], ["--check"], ["--list"]]:
            errors = self.electret("sweep", "job.toml", "-o", "s", *more, check=2).stderr
            for said in ['job.toml:2:8: error: run 0: unknown key "stepp"', 'job.toml:6:7: error: run 0: "body.bob.stifness" is not fitted',
                         "job.toml:9:10: error: \"frames\" of a fit", "fit.toml:10:9: error: the fit has several starts of its own"]:
                self.assertIn(said, errors)
            self.assertFalse((self.folder / "s").exists())
        (self.folder / "fit.toml").write_text(FIT)
        (self.folder / "job.toml").write_text(FIT_SWEEP)
        self.assertRegex(self.electret("sweep", "job.toml", "--check", check=0).stdout, r"loss +\S*e-\d\d")


if __name__ == "__main__":
    unittest.main()
