#!/usr/bin/python3
"""`electret sweep`: workers that are killed, what goes on, what is refused, and what a user reads."""

import json
import os
import pathlib
import random
import re
import resource
import shlex
import shutil
import signal
import subprocess
import time
import unittest

import h5py
import numpy as np

from support import ELECTRET, SCENE, SECONDS, CommandTest

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

    def busy_workers_of(self, process, folder, count):
        """The workers, as soon as `count` of them have begun to write; none if the sweep is over before."""
        def busy():
            return [worker for worker in self.workers_of(process) if list((self.folder / folder / "parts").glob(f"*.{worker}.h5"))]

        self.wait_until(lambda: len(busy()) == count or process.poll() is not None, f"{count} workers at work")
        return busy()

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
        deaths = 0

        def killed(whom):
            """Begins the sweep or goes on with it, and kills workers or command; false if all was over before."""
            process = self.start("sweep", "job.toml", "-o", "killed", "--workers", "2")
            workers = self.busy_workers_of(process, "killed", 2)
            time.sleep(0.3 * numbers.random())
            if whom == "command":
                process.kill()
            for worker in workers if whom == "workers" else []:
                try:
                    os.kill(worker, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            nonlocal deaths
            deaths += len(workers) if whom == "workers" else 0
            out, err = process.communicate(timeout=SECONDS)
            if whom == "workers":
                self.assertEqual(process.returncode, 0, out + err)
                return len(workers) > 0
            # Workers whose command is gone end after the run in progress.
            self.wait_until(lambda: not any(pathlib.Path(f"/proc/{worker}/exe").exists() for worker in workers), "the workers' end")
            return process.returncode == -signal.SIGKILL

        for round, whom in enumerate(["workers", "command", "workers"]):
            for _ in range(10):
                was_in_time = killed(whom)
                if was_in_time:
                    break
                shutil.rmtree(self.folder / "killed")
                deaths = 0
            self.assertTrue(was_in_time, "the sweep was always over before the kill")
            if round == 0:
                self.assertEqual(self.digest("killed"), self.digest("whole"))
                (self.folder / "killed").rename(self.folder / "first")
                deaths = 0
        self.sweep("killed", "--workers", 2)
        self.assertEqual(self.digest("killed"), self.digest("whole"))
        runs = []
        for part in (self.folder / "killed" / "parts").glob("*.h5"):
            with h5py.File(part) as file:
                runs += list(file["run"][()])
        self.assertEqual(sorted(set(runs)), list(range(120)))
        # A worker may be killed when its row is written and not told yet: such runs alone are done again.
        self.assertLessEqual(len(runs) - 120, deaths, "finished runs are repeated")

    def test_interrupted_it_goes_on(self):
        (self.folder / "job.toml").write_text(JOB.replace("[sweep]", "[sweep]\nset = ['time.steps=100000000']"))
        for number, status in [(signal.SIGINT, 130), (signal.SIGTERM, 143)]:
            process = self.start("sweep", "job.toml", "-o", "s", "--workers", "2")
            self.assertEqual(len(self.busy_workers_of(process, "s", 2)), 2)
            time.sleep(0.3)
            process.send_signal(number)
            _, err = process.communicate(timeout=SECONDS)
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
        killed = set()
        while process.poll() is None:
            for worker in set(self.workers_of(process)) - killed:  # The killed one is there until the command looks for it.
                part = next((self.folder / "s" / "parts").glob(f"*.{worker}.h5"), None)
                try:
                    with h5py.File(part) as file:
                        is_in_it = list(file["started"][()])[-1:] == [2]
                except (OSError, TypeError, KeyError):
                    continue
                if is_in_it:
                    os.kill(worker, signal.SIGKILL)
                    killed.add(worker)
            time.sleep(0.05)
        out, err = process.communicate(timeout=SECONDS)
        self.assertEqual((process.returncode, len(killed)), (1, 2), out + err)
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
        # Also where a run has a folder of its own, which is full first.
        (self.folder / "job.toml").write_text(JOB + "[limits]\nresumable = true\nattempts = 1\n")
        for _ in range(2):
            done = self.electret("sweep", "job.toml", "-o", "r", "--workers", "1", check=1, preexec_fn=limited)
            self.assertNotIn("internal error", done.stderr)
            self.assertIn("too large", done.stderr.lower())
        self.sweep("r")
        (self.folder / "job.toml").write_text(JOB)
        self.sweep("few")
        self.assertEqual(self.digest("r"), self.digest("few"))

    @unittest.skipUnless(shutil.which("parallel"), "GNU parallel is not installed")
    def test_gnu_parallel_does_the_list(self):
        self.sweep("one")
        commands = self.sweep("s", "--list", "--block", 3).stdout
        path = {**os.environ, "PATH": f"{pathlib.Path(ELECTRET).resolve().parent}:{os.environ['PATH']}", "HOME": str(self.folder)}
        subprocess.run(["parallel", "--will-cite", "-j", "3"], input=commands, text=True, cwd=self.folder, env=path, check=True, capture_output=True)
        self.electret("sweep", "s", "--merge", check=0)
        self.assertEqual(self.digest("s"), self.digest("one"))
        for name, values in self.results("one").items():
            self.assertEqual(values.tobytes(), self.results("s")[name].tobytes(), name)

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
            subprocess.run(["bash", script], env={**os.environ, "SLURM_ARRAY_TASK_ID": str(task)}, check=True, capture_output=True, timeout=SECONDS)
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

    def test_a_resumable_run_that_is_killed_goes_on_to_the_same_bits(self):
        text = JOB.replace("samples = 10", "samples = 1").replace("[sweep]", "[sweep]\nset = ['time.steps=6000', 'output.every=20']")
        (self.folder / "job.toml").write_text(text + "velocities = true\nloss = 'centre_of_mass:0,0,1'\n")
        self.sweep("whole", "--workers", 1)
        (self.folder / "job.toml").write_text(text + "velocities = true\nloss = 'centre_of_mass:0,0,1'\n[limits]\nresumable = true\nattempts = 10\n")
        checkpoint, trajectory = (self.folder / "s/runs/0" / name for name in ("checkpoint.h5", "trajectory.h5"))

        def written():
            try:
                return checkpoint.stat().st_mtime_ns
            except OSError:
                return 0

        seen = []
        for how in [signal.SIGKILL, signal.SIGTERM, signal.SIGKILL]:
            process, before = self.start("sweep", "job.toml", "-o", "s", "--runs", "0-1"), written()
            self.wait_until(lambda: written() not in (0, before) or process.poll() is not None, "a checkpoint that is further")
            try:
                node = trajectory.stat().st_ino
            except OSError:
                node = 0  # The run has ended, and its folder is gone.
            process.send_signal(how)
            process.communicate(timeout=SECONDS)
            if process.returncode in (-how, 128 + how) and node:
                seen.append(node)
        self.assertGreaterEqual(len(seen), 1)
        self.assertEqual(len(set(seen)), 1, "it goes on with the files that are there")
        self.sweep("s")
        self.assertEqual(self.digest("s"), self.digest("whole"))
        for name, values in self.results("whole").items():
            self.assertEqual(values.tobytes(), self.results("s")[name].tobytes(), name)
        self.assertFalse((self.folder / "s/runs").exists())

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
        cells = re.findall(r'<path style="[^"]*fill:rgb\(([\d.]+)%[^"]*" d="M [^Z]*Z', (self.folder / "map" / "sweep.svg").read_text())[:6]
        values = self.results("map")["a"]
        self.assertTrue((np.diff(np.array(cells, float)[np.argsort(values)]) >= 0).all(), f"{cells} show {values}")
        self.assertLess(float(cells[values.argmin()]), float(cells[values.argmax()]))
        # 25 quantities have no room in one picture, which is said.
        (self.folder / "job.toml").write_text(
            "[sweep]\nscene = 'scene.toml'\n[[vary]]\nkey = 'body.0.charge'\nrange = [1e-7, 1e-6]\npoints = 2\n[keep.quantities]\n"
            + "".join(f"q{k} = 'last of total'\n" for k in range(25)))
        self.assertIn("the pictures have no room for 1 further chart", self.sweep("many").stdout)



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
        # Each end is that of a fit which has converged by its gradient.
        self.assertEqual(set(results["end"]), {1})
        # In each of the two charts a marker for each fit, in its minimum's colour, and one in the legend.
        picture = (self.folder / "sweeps/job/sweep.svg").read_text()
        for minimum, colour in zip(told["minima"], ["rgb(0%,45%,70%)", "rgb(84%,37%,0%)"]):
            self.assertEqual(picture.count(f"fill:{colour}"), 2 * (minimum["fits"] + 1))

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
            for said in ['job.toml:2:7: error: run 0: unknown key "stepp"', 'job.toml:6:7: error: run 0: "body.bob.stifness" is not fitted',
                         "job.toml:9:10: error: \"frames\" of a fit", "fit.toml:10:9: error: the fit has several starts of its own"]:
                self.assertIn(said, errors)
            self.assertFalse((self.folder / "s").exists())
        (self.folder / "fit.toml").write_text(FIT)
        (self.folder / "job.toml").write_text(FIT_SWEEP)
        self.assertRegex(self.electret("sweep", "job.toml", "--check", check=0).stdout, r"loss +\S*e-\d\d")


if __name__ == "__main__":
    unittest.main()
