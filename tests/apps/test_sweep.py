#!/usr/bin/python3
"""`electret sweep`: workers that are killed, what goes on, what is refused, and what a user reads."""

import json
import os
import pathlib
import random
import re
import resource
import shlex
import signal
import subprocess
import time
import unittest

import h5py
import numpy as np

from support import ELECTRET, SCENE, CommandTest

JOB = """\
[sweep]
scene = "scene.toml"
samples = 10
[[vary]]
key = "body.0.charge"
range = [1e-7, 4e-6]
scale = "log"
[[vary]]
key = "integrator.method"
values = ["imex", "verlet"]
[keep]
quantities = { swing = "max of kinetic", end = "last of total" }
frames = 2
"""


class Sweep(CommandTest):
    def setUp(self):
        super().setUp()
        self.scene(SCENE)
        (self.folder / "job.toml").write_text(JOB)

    def digest(self, folder):
        return self.summary(folder)["digest"]

    def sweep(self, folder, *more, check=0):
        return self.electret("sweep", "job.toml", "-o", folder, *more, check=check)

    def workers_of(self, process):
        """The processes that `process` has started."""
        children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children")
        try:
            return [int(word) for word in children.read_text().split()]
        except OSError:
            return []

    def results(self, folder):
        with h5py.File(self.folder / folder / "sweep.h5") as file:
            return {name: file["results"][name][()] for name in file["results"]}

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

    def test_kills_lose_only_the_run_in_progress(self):
        (self.folder / "job.toml").write_text(JOB.replace("samples = 10", "samples = 60").replace("[sweep]", "[sweep]\nset = ['time.steps=2000']"))
        self.sweep("whole", "--workers", 2)
        numbers = random.Random(4)
        kills = 0
        for round in range(4):
            process = self.start("sweep", "job.toml", "-o", "killed", "--workers", "2")
            time.sleep(0.15 + 0.3 * numbers.random())
            workers = self.workers_of(process)
            if process.poll() is not None:  # Nothing was left to do.
                process.communicate()
                continue
            kills += 1
            victims = workers if round % 2 == 0 else [process.pid]
            for victim in victims:
                try:
                    os.kill(victim, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            out, err = process.communicate(timeout=100)
            if round % 2 == 0:
                self.assertEqual(process.returncode, 0, out + err)
                if round == 0:
                    self.assertEqual(self.digest("killed"), self.digest("whole"))
                    (self.folder / "killed").rename(self.folder / "first")
            else:
                self.assertEqual(process.returncode, -signal.SIGKILL)
                # Workers whose command is gone end after the run in progress.
                end = time.monotonic() + 60
                while any(pathlib.Path(f"/proc/{worker}/exe").exists() for worker in workers) and time.monotonic() < end:
                    time.sleep(0.02)
        self.assertGreaterEqual(kills, 2)
        self.sweep("killed", "--workers", 2)
        self.assertEqual(self.digest("killed"), self.digest("whole"))
        runs = []
        for part in (self.folder / "killed" / "parts").glob("*.h5"):
            with h5py.File(part) as file:
                runs += list(file["run"][()])
        self.assertEqual(sorted(runs), list(range(120)), "no finished run is repeated")

    def test_interrupted_it_goes_on(self):
        (self.folder / "job.toml").write_text(JOB.replace("[sweep]", "[sweep]\nset = ['time.steps=20000']"))
        for number, status in [(signal.SIGINT, 130), (signal.SIGTERM, 143)]:
            process = self.start("sweep", "job.toml", "-o", "s", "--workers", "2")
            time.sleep(0.7)
            process.send_signal(number)
            _, err = process.communicate(timeout=60)
            self.assertEqual(process.returncode, status, err)
            self.assertIn("go on with: electret sweep s", err)
        state = self.electret("sweep", "s", "--status", check=1).stdout
        self.assertIn("missing", state)
        # Runs that were stopped on request are no attempts.
        for part in (self.folder / "s" / "parts").glob("*.h5"):
            with h5py.File(part) as file:
                started = list(file["started"][()])
                self.assertEqual({run for run in started if run >= 0} - set(file["run"][()]), {-1 - run for run in started if run < 0})

    def test_a_run_that_takes_its_process_down_is_lost_and_ends_no_other(self):
        (self.folder / "job.toml").write_text(
            "[sweep]\nscene = 'scene.toml'\n[[vary]]\nkey = 'time.steps'\nvalues = [10, 20, 100000000, 30]\n[limits]\nattempts = 2\n")
        process = self.start("sweep", "job.toml", "-o", "s", "--workers", "1")
        kills = 0
        while process.poll() is None:
            for worker in self.workers_of(process):
                part = next((self.folder / "s" / "parts").glob(f"*.{worker}.h5"), None)
                try:
                    with h5py.File(part) as file:
                        is_in_it = list(file["started"][()])[-1:] == [2]
                except (OSError, TypeError, KeyError):
                    continue
                if is_in_it:
                    os.kill(worker, signal.SIGKILL)
                    kills += 1
            time.sleep(0.05)
        out, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, kills), (1, 2), out + err)
        self.assertIn("run 2: lost: its process died 2 times", out)
        self.assertIn("electret sweep s --runs 2", out)
        self.assertEqual(self.summary("s")["status"], {"done": 3, "lost": 1, "diverged": 0, "refused": 0, "failed": 0, "timeout": 0})

    def test_too_many_failures_stop_the_sweep(self):
        (self.folder / "job.toml").write_text(
            "[sweep]\nscene = 'scene.toml'\nset = ['time.steps=100000000']\nsamples = 400\n[[vary]]\nkey = 'body.0.charge'\n"
            "range = [1e-7, 1e-6]\n[limits]\nwall = '0.01s'\nfailures = 0.5\n")
        done = self.sweep("s", "--workers", 1, "--block", 1, check=1)
        self.assertIn("more than the share of 0.5", done.stderr)
        self.assertGreater(self.summary("s")["missing"], 300)

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

    def test_a_full_disk_ends_it_with_nothing_torn(self):
        limit = 40000
        (self.folder / "job.toml").write_text(JOB.replace("samples = 10", "samples = 100"))

        def limited():
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        done = self.electret("sweep", "job.toml", "-o", "s", "--workers", "1", check=1, preexec_fn=limited)
        self.assertNotIn("internal error", done.stderr)
        self.assertIn("File too large", done.stderr)
        self.sweep("s")
        self.sweep("whole")
        self.assertEqual(self.digest("s"), self.digest("whole"))

    def test_slurm_s_script_does_the_missing_runs(self):
        (self.folder / "a b").mkdir()
        self.sweep("a b/s", "--runs", "0,5-7,19")
        line = self.sweep("a b/s", "--slurm", "--block", 4, "--slurm-option=--time=1:00:00", "--slurm-option=--partition=x").stdout
        folder = (self.folder / "a b" / "s").resolve()
        self.assertRegex(line, r"^job=\$\(sbatch --parsable '.*/a b/s/slurm.sh'\) && sbatch --dependency=afterany:\$job --wrap=")
        script = folder / "slurm.sh"
        subprocess.run(["bash", "-n", script], check=True)
        text = script.read_text()
        for option in ["--array=0-3", "--time=1:00:00", "--partition=x", "--requeue", "--signal=B:TERM@120"]:
            self.assertIn(f"#SBATCH {option}\n", text)
        self.assertEqual((folder / "slurm.tasks").read_text().split(), ["1-4", "8-11", "12-15", "16-18"])
        for task in [3, 0, 2, 1, 1]:
            subprocess.run(["bash", script], env={**os.environ, "SLURM_ARRAY_TASK_ID": str(task)}, check=True, capture_output=True, timeout=60)
        self.assertIn("have ended already", self.sweep("a b/s", "--slurm").stderr)
        # The merging job's command, as the line has it.
        merging = shlex.split(line.split("--wrap=")[1])[0]
        subprocess.run(merging, shell=True, check=True, capture_output=True)
        self.sweep("whole")
        self.assertEqual(self.digest("a b/s"), self.digest("whole"))
        # Without a finished run the first one is done; many runs make at most 1000 tasks.
        (self.folder / "job.toml").write_text(JOB.replace("samples = 10", "samples = 2000"))
        self.sweep("many", "--slurm", "--block", 1)
        tasks = (self.folder / "many" / "slurm.tasks").read_text().split()
        self.assertEqual((len(tasks), tasks[0]), (1000, "1-4"))

    def test_pictures_show_what_varies(self):
        self.sweep("s")
        self.assertIn("<svg", (self.folder / "s" / "sweep.svg").read_text())
        (self.folder / "job.toml").write_text(
            "[sweep]\nscene = 'scene.toml'\n[[vary]]\nkey = 'body.0.charge'\nrange = [1e-7, 1e-6]\npoints = 3\n[[vary]]\n"
            "key = 'body.0.mass'\nvalues = [0.1, 0.2]\n[keep]\nquantities = { a = 'max of kinetic', b = 'last of total' }\n")
        self.sweep("map")
        self.assertEqual({p.name for p in (self.folder / "map").glob("*.svg")}, {"sweep.svg", "sweep-b.svg"})


if __name__ == "__main__":
    unittest.main()
