#!/usr/bin/python3
"""`electret sweep`: results, what goes on, what is refused, and what a user reads."""

import re
import shlex
import unittest

import h5py
import numpy as np

from sweep_support import JOB, SweepTest, fill_colours

WRONG_JOB = """\
[sweep]
scene = "scene.toml"
sead = 3
[[vary]]
key = "body.0.charge"
values = []
[[vary]]
key = "body.0.mass"
range = [3, 1]
[[vary]]
key = "time.step"
normal = [1, 0]
[[vary]]
key = "body.0.springs.0.stiffness"
range = [0, 1]
scale = "log"
[[vary]]
key = "time.steps"
values = [1, 2]
together = "t"
[[vary]]
key = "output.every"
values = [1]
together = "t"
[[vary]]
key = "output.every"
values = [[1], 2]
[keep]
quantities = { x = "last of totl" }
loss = "centre_of_mass:0,0,1"
gradient = ["body.ball.stifness"]
"""


class Sweep(SweepTest):
    def test_the_results_do_not_depend_on_who_computed_them(self):
        out = self.sweep("one", "--workers", 1).stdout
        self.assertIn("done         20", out)
        for folder, how in {"two": ["--workers", 2], "three": ["--workers", 3, "--block", 1], "seven": ["--workers", 2, "--block", 7]}.items():
            self.sweep(folder, *how)
            self.assertEqual(self.digest(folder), self.digest("one"))
            for name, values in self.results("one").items():
                self.assertEqual(values.tobytes(), self.results(folder)[name].tobytes(), name)
            self.assertEqual((self.folder / folder / "runs.csv").read_bytes(), (self.folder / "one" / "runs.csv").read_bytes())
        # The list of commands, done by a shell in reversed order; then the same command again finds nothing to do.
        commands = self.sweep("list", "--list", "--block", 3).stdout.splitlines()
        self.assertEqual(len(commands), 7)
        for command in reversed(commands):
            self.assertTrue(command.startswith("electret sweep list --runs "), command)
            self.electret(*shlex.split(command)[1:], check=0)
        self.assertIn("have ended already", self.sweep("list").stderr)
        self.assertEqual(self.digest("list"), self.digest("one"))
        self.assertEqual(self.electret("sweep", "list", "--status", check=0).stdout.count("missing"), 0)

    def test_a_row_is_the_run_that_show_prints(self):
        self.sweep("s")
        shown = self.electret("sweep", "s", "--show", 17, check=0).stdout
        command = shlex.split(shown.splitlines()[-1])
        self.assertEqual(command[:2], ["electret", "run"])
        self.electret(*command[1:], "-o", "r", "--threads", 2, check=0)
        energies = np.genfromtxt(self.folder / "r" / "energy.csv", delimiter=",", names=True)
        results = self.results("s")
        self.assertEqual(results["swing"][17], energies["kinetic"].max())
        self.assertEqual(results["end"][17], energies["total"][-1])
        self.assertIn(f"{results['end'][17]:.17g}", shown)
        with h5py.File(self.folder / "r" / "trajectory.h5") as file:
            np.testing.assert_array_equal(results["positions"][17], file["positions"][[10, 20]].astype(np.float32))

    def test_all_that_is_wrong_is_told_at_once_and_nothing_is_written(self):
        (self.folder / "job.toml").write_text(WRONG_JOB)
        before = sorted(self.folder.iterdir())
        errors = self.sweep("s", check=2).stderr
        wanted = {"3:1": 'unknown key "sead"', "6:10": '"values" in [[vary]] is empty', "9:9": "the range from 3 to 1", "12:10": "no mean with a standard deviation",
                  "15:9": "a logarithmic scale from 0", "24:12": "1 values advance together with 2", "26:7": '"output.every" varies twice',
                  "27:11": "is a list of 1", "29:20": 'no column "totl"', "31:12": 'no parameter "body.ball.stifness"'}
        self.assertEqual(len(errors.splitlines()), len(wanted), errors)
        for place, said in wanted.items():
            self.assertRegex(errors, rf"(?m)^job\.toml:{place}: error: .*{re.escape(said)}")
        self.assertEqual(sorted(self.folder.iterdir()), before)
        # Tables: a row that is too short, a column twice, one of no key, and one that is no key of the scene.
        (self.folder / "job.toml").write_text("[sweep]\nscene = 'scene.toml'\ntable = 't.csv'\n")
        for text, said in [("body.0.charge,time.steps\n1e-6\n", "t.csv:2:1: error: 1 value in this row"), ("body.0.charge,body.0.charge\n1,2\n", "t.csv:1:15: error: column"),
                           ("body 0\n1\n", 't.csv:1: error: "body 0" is no key'), ("body.0.chrge\n1\n", "unknown key")]:
            (self.folder / "t.csv").write_text(text)
            self.assertIn(said, self.sweep("s", check=2).stderr)
        (self.folder / "job.toml").write_text("[sweep]\nscene = 'scene.toml'\n" + "".join(
            f"[[vary]]\nkey = '{key}'\nrange = [1, 2]\npoints = 1000\n" for key in ("body.0.charge", "body.0.mass", "time.step", "body.0.springs.0.stiffness")))
        self.assertIn("job.toml:3:1: error: 1e+12 runs", self.sweep("s", check=2).stderr)
        self.assertFalse((self.folder / "s").exists())

    def test_too_many_failures_stop_the_sweep(self):
        (self.folder / "job.toml").write_text(
            "[sweep]\nscene = 'scene.toml'\nset = ['time.steps=100000000']\nsamples = 400\n[[vary]]\nkey = 'body.0.charge'\n"
            "range = [1e-7, 1e-6]\n[limits]\nwall = '0.01s'\nfailures = 0.5\n")
        done = self.sweep("a b", "--workers", 1, "--block", 1, check=1)
        self.assertIn("more than the share of 0.5", done.stderr)
        self.assertGreater(self.summary("a b")["missing"], 300)
        self.assertIn("again: electret sweep 'a b' --runs 0\n", done.stdout)

    def test_a_sweep_goes_on_with_more_samples_and_with_nothing_else(self):
        self.sweep("s")
        before = self.results("s")
        (self.folder / "job.toml").write_text(JOB.replace("samples = 10", "samples = 15"))
        self.sweep("s")
        after = self.results("s")
        self.assertEqual(len(after["run"]), 30)
        for name, values in before.items():
            np.testing.assert_array_equal(values, after[name][:20])
        for text, said in [(JOB.replace("1e-7", "2e-7"), "run 0 would have other values"), (JOB.replace("last of", "min of"), "[keep] differs"),
                           (JOB.replace("[sweep]", "[sweep]\nset = ['time.steps=21']"), "set and unset differs")]:
            (self.folder / "job.toml").write_text(text)
            for more in [[], ["--runs", "1"]]:
                self.assertIn(said, self.sweep("s", *more, check=2).stderr)
        self.sweep("s", "--overwrite")
        self.assertEqual(len(self.results("s")["run"]), 20)

    def test_wrong_jobs_are_told_and_nothing_is_written(self):
        (self.folder / "job.toml").write_text(JOB.replace("range", "rnge").replace("imex", "imx"))
        for more in [[], ["--check"], ["--runs", "0"], ["--list"]]:
            errors = self.sweep("s", *more, check=2).stderr
            self.assertIn('job.toml:6:1: error: unknown key "rnge"', errors)
            self.assertFalse((self.folder / "s").exists())
        (self.folder / "job.toml").write_text(JOB.replace("imex", "imx"))
        self.assertIn("job.toml:9:7: error: run 0: ", self.sweep("s", check=2).stderr)
        self.electret("sweep", "none.toml", check=2)
        self.electret("sweep", ".", "--status", check=2)
        (self.folder / "job.toml").write_text(JOB)
        (self.folder / "other").mkdir()
        (self.folder / "other" / "letter.txt").write_text("dear")
        self.assertIn("neither empty nor a sweep", self.sweep("other", check=2).stderr)
        self.sweep("other", "--overwrite", check=2)
        self.assertEqual([p.name for p in (self.folder / "other").iterdir()], ["letter.txt"])
        self.assertIn("several things", self.sweep("s", "--status", "--merge", check=2).stderr)
        for runs in ["20", "5-3", "-1", "a", "3-"]:
            self.assertIn("--runs", self.sweep("s", f"--runs={runs}", check=2).stderr)
        self.sweep("s", "--runs", "0")
        self.assertIn("--show", self.electret("sweep", "job.toml", "-o", "s", "--show", "20", check=2).stderr)
        self.assertIn("no job to start afresh", self.electret("sweep", "s", "--overwrite", check=2).stderr)
        for name in ["steps", "a b", "x" * 61, "body.0.charge"]:
            (self.folder / "job.toml").write_text(JOB.replace("swing =", f"'{name}' ="))
            self.assertIn("a quantity cannot be called", self.sweep("t", check=2).stderr)

    def test_folders_of_runs_are_kept_as_asked(self):
        for keep, left in [("all", {"runs": {"0", "1", "2"}}), ("failed", {"failed": {"1", "2"}}), ("none", {})]:
            (self.folder / "job.toml").write_text(
                "[sweep]\nscene = 'scene.toml'\n[[vary]]\nkey = 'integrator.method'\nvalues = ['imex', 'explicit_euler', 'verlet']\ntogether = 't'\n"
                "[[vary]]\nkey = 'time.step'\nvalues = [0.01, 0.3, 0.3]\ntogether = 't'\n"
                f"[keep]\ndirectories = '{keep}'\nframes = 2\nquantities = {{ end = 'last of total' }}\n[limits]\nfailures = 1.0\n")
            self.sweep(keep)
            self.assertEqual(list(self.results(keep)["status"]), [0, 1, 1])
            for name in ("runs", "failed"):
                folder = self.folder / keep / name
                self.assertEqual({path.name for path in folder.iterdir()} if folder.exists() else set(), left.get(name, set()))
            self.assertEqual(self.digest(keep), self.digest("all"), "the results are the same")
        self.electret("run", "scene.toml", "-o", "alone", "--set", "integrator.method=imex", check=0)
        for name in ("energy.csv", "observables.csv"):
            self.assertEqual((self.folder / "all/runs/0" / name).read_bytes(), (self.folder / "alone" / name).read_bytes())
        self.assertEqual(self.summary("failed/failed/1")["status"], "diverged")

    def test_processor_time_is_limited(self):
        (self.folder / "job.toml").write_text(JOB + "[limits]\ncpu_hours = 0.0000001\n")
        done = self.sweep("s", "--workers", 1, "--block", 1, check=1)
        self.assertIn("cpu_hours = 1e-07 of [limits]", done.stderr)
        self.assertGreater(self.summary("s")["missing"], 0)
        done = self.sweep("s", "--runs", "10-19", check=1)
        self.assertIn("cpu_hours", done.stderr)
        for wrong in ["cpu_hours = 0", "resumable = 1"]:
            (self.folder / "job.toml").write_text(JOB + f"[limits]\n{wrong}\n")
            self.assertIn("in [limits]", self.sweep("t", check=2).stderr)

    def test_pictures_show_what_varies(self):
        self.sweep("s")
        self.assertIn("<svg", (self.folder / "s" / "sweep.svg").read_text())
        (self.folder / "job.toml").write_text(
            "[sweep]\nscene = 'scene.toml'\n[[vary]]\nkey = 'body.0.charge'\nrange = [1e-7, 1e-6]\npoints = 3\n[[vary]]\n"
            "key = 'body.0.mass'\nvalues = [0.1, 0.2]\n[keep]\nquantities = { a = 'max of kinetic', b = 'last of total' }\n")
        self.sweep("map")
        self.assertEqual({p.name for p in (self.folder / "map").glob("*.svg")}, {"sweep.svg", "sweep-b.svg"})
        # A cell for each run, in the order of the runs; the lighter, the larger its value.
        cells = [colour[0] for colour in fill_colours((self.folder / "map" / "sweep.svg").read_text())][:6]
        values = self.results("map")["a"]
        self.assertTrue((np.diff(np.array(cells)[np.argsort(values)]) >= 0).all(), f"{cells} show {values}")
        self.assertLess(cells[values.argmin()], cells[values.argmax()])
        # 25 quantities have no room in one picture, which is said.
        (self.folder / "job.toml").write_text(
            "[sweep]\nscene = 'scene.toml'\n[[vary]]\nkey = 'body.0.charge'\nrange = [1e-7, 1e-6]\npoints = 2\n[keep.quantities]\n"
            + "".join(f"q{k} = 'last of total'\n" for k in range(25)))
        self.assertIn("the pictures have no room for 1 further chart", self.sweep("many").stdout)


if __name__ == "__main__":
    unittest.main()
