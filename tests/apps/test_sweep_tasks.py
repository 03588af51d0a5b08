#!/usr/bin/python3
"""Tasks of `electret sweep`: which runs `--runs` does, repeats and gives up, what ends a task, and how runs are shared out."""

import contextlib
import math
import os
import re
import shlex
import shutil
import signal
import unittest

import h5py
import numpy as np

from support import SECONDS
from sweep_support import JOB, SweepTest, add_beginnings, change_row

# So little that no run takes less.
TOO_SHORT = "[limits]\nwall = '0.000000001s'\n"
NO_TIME = "[limits]\ncpu_hours = 1e-15\n"


class SweepTasks(SweepTest):
    def job(self, more="", samples=10):
        (self.folder / "job.toml").write_text(JOB.replace("samples = 10", f"samples = {samples}") + more)

    def parts(self, folder="s"):
        return sorted((self.folder / folder / "parts").glob("*.h5"))

    def test_a_run_that_is_asked_for_alone_is_repeated_if_it_has_no_result(self):
        self.job(TOO_SHORT)
        self.sweep("s", "--runs", "0-2", check=1)
        self.assertEqual(self.electret("sweep", "s", "--show", 0, check=0).stdout.count("timeout"), 1)
        self.job()  # [limits] may change while a sweep goes on.
        # Of run 0 the part with the result is read first, of run 1 the other one.
        for run in ["0", "1"]:
            self.assertIn("1 done here; 1 of 1 have a result", self.sweep("s", "--runs", run).stdout)
        self.assertEqual([part.name.split(".")[0] for part in self.parts()], ["0-0", "0-2", "1-1"])
        # What has a result is not repeated, nor is another run of a range.
        self.assertIn("none done here; 1 of 1 have a result", self.sweep("s", "--runs", "0").stdout)
        self.assertIn("none done here; 2 of 3 have a result", self.sweep("s", "--runs", "0-2", check=1).stdout)
        self.sweep("s", "--runs", "3-19")
        state = self.electret("sweep", "s", "--status", check=1).stdout
        self.assertRegex(state, r"done +19\n +timeout +1\n")
        self.sweep("whole")
        whole = self.results("whole")
        for run in [0, 1]:
            shown = self.electret("sweep", "s", "--show", run, check=0).stdout
            self.assertRegex(shown, r"status +done\n")
            self.assertIn(f"{whole['end'][run]:.17g}", shown)
        self.electret("sweep", "s", "--merge", check=1)
        merged = self.results("s")
        self.assertEqual(list(merged["status"]), [0, 0, 4] + [0] * 17)
        for name in ["swing", "end"]:
            np.testing.assert_array_equal(np.delete(merged[name], 2), np.delete(whole[name], 2))
        self.sweep("s", "--runs", "2")
        self.electret("sweep", "s", "--merge", check=0)
        self.assertEqual(self.digest("s"), self.digest("whole"))

    def test_runs_without_a_result_are_done_again_where_they_are_asked_for(self):
        self.sweep("whole")
        self.job(TOO_SHORT)
        self.sweep("begun", "--runs", "0-7", check=1)
        add_beginnings(self.parts("begun")[0], [8, 8, 8])
        self.job()
        self.sweep("begun", "--runs", "8-12", check=1)  # Run 8 is lost.
        status = self.electret("sweep", "begun", "--status", check=1).stdout
        self.assertRegex(status, r"done +4\n +timeout +8\n +lost +1\n")
        again = re.search(r"all again: (electret sweep begun --again timeout,lost)\n", status).group(1)
        for folder in ("here", "slurm", "list"):
            shutil.copytree(self.folder / "begun", self.folder / folder)
        # Here, with the missing ones.
        out = self.electret(*shlex.split(again.replace("begun", "here"))[1:], "--workers", 2, check=0).stdout
        self.assertRegex(out, r"done +20\n")
        self.assertEqual(self.digest("here"), self.digest("whole"))
        # Elsewhere: the tasks of a list and of a script do them.
        commands = self.electret("sweep", "list", "--list", "--block", 4, "--again", "timeout", check=0).stdout.splitlines()
        self.assertEqual(commands[0], "electret sweep list --runs 0-3 --again timeout")
        for command in commands:
            self.electret(*shlex.split(command)[1:], check=0)
        self.electret("sweep", "list", "--list", "--again", "lost")
        self.assertIn("1 done here", self.electret("sweep", "list", "--runs", "5-9", "--again", "lost", check=0).stdout)
        self.electret("sweep", "list", "--merge", check=0)
        self.assertEqual(self.digest("list"), self.digest("whole"))
        self.electret("sweep", "slurm", "--slurm", "--again", "timeout,lost", check=0)
        script = (self.folder / "slurm/slurm.sh").read_text()
        self.assertIn('--runs "$runs" --again timeout,lost\n', script)
        self.assertIn("0-8,13-19\n", script)
        # Without it nothing that has ended is missing.
        self.assertIn("none done here; 1 of 3 have a result", self.electret("sweep", "begun", "--runs", "7-9", check=1).stdout)
        for wrong in ["done", "timeout,", "slow", "timeout lost"]:
            errors = self.sweep("here", "--again", wrong, check=2).stderr
            self.assertIn("--again: error: ", errors)
            self.assertIn("allowed: refused, failed, timeout, lost", errors)
        self.assertIn("nothing is run here", self.sweep("here", "--status", "--again", "timeout", check=2).stderr)

    def test_a_worker_that_dies_in_a_run_done_again_is_an_attempt(self):
        self.job(TOO_SHORT)
        self.sweep("s", "--runs", "0-19", check=1)
        (self.folder / "job.toml").write_text(JOB + "[limits]\nwall = '10h'\nfailures = 1.0\n")
        process = self.start("sweep", "job.toml", "-o", "s", "--again", "timeout", "--workers", 1, "--block", 1)
        for worker in self.busy_workers_of(process, "s", 1):
            with contextlib.suppress(ProcessLookupError):
                os.kill(worker, signal.SIGKILL)
        out, err = process.communicate(timeout=SECONDS)
        self.assertEqual(process.returncode, 0, out + err)
        self.sweep("whole")
        self.assertEqual(self.digest("s"), self.digest("whole"))

    def test_a_worker_whose_command_is_gone_says_nothing(self):
        (self.folder / "job.toml").write_text(JOB.replace("[sweep]", "[sweep]\nset = ['time.steps=3000']"))
        process = self.start("sweep", "job.toml", "-o", "s", "--workers", 1, "--block", 1)
        workers = self.busy_workers_of(process, "s", 1)
        process.kill()
        out, err = process.communicate(timeout=SECONDS)  # Until the worker has closed them, too.
        self.assertEqual(len(workers), 1)
        self.assertNotIn("error", out + err)

    def test_a_run_that_has_died_often_enough_is_given_up(self):
        self.sweep("begun", "--runs", "7")
        add_beginnings(self.parts("begun")[0], [3, 3, 3, 4, 4])
        for folder, how in [("task", ["--runs", "0-5"]), ("pool", ["--workers", 1])]:
            shutil.copytree(self.folder / "begun", self.folder / folder)
            done = self.sweep(folder, *how, check=1)
            self.assertIn("run 3: lost: its process died", done.stdout)
            self.assertNotIn("run 4", done.stdout)
            state = self.electret("sweep", folder, "--status", check=1).stdout
            self.assertRegex(state, r"lost +1\n")
            self.assertRegex(state, r"done +6\n" if folder == "task" else r"done +19\n")
        # Alone it is tried again.
        self.assertIn("1 done here", self.sweep("task", "--runs", "3").stdout)

    def test_earlier_runs_without_a_result_count(self):
        self.job(TOO_SHORT, samples=50)
        self.sweep("s", "--runs", "0-18", check=1)
        shutil.copytree(self.folder / "s", self.folder / "task")
        said = "20 of 20 runs have no result, more than the share of 0.2 that [limits] allows"
        self.assertIn(said, self.sweep("s", "--workers", 1, "--block", 1, check=1).stderr)
        self.assertEqual(self.summary("s")["status"]["timeout"], 20)
        done = self.sweep("task", "--runs", "19-30", check=1)
        self.assertIn(said, done.stderr)
        self.assertIn("1 timeout here", done.stdout)
        # The next task begins none, but a run that is asked for alone is done.
        self.assertIn("none done here", self.sweep("task", "--runs", "31-40", check=1).stdout)
        self.job(samples=50)
        self.assertIn("1 done here", self.sweep("task", "--runs", "31").stdout)

    def test_earlier_processor_time_counts(self):
        self.job(NO_TIME)
        self.assertIn("1 done here", self.sweep("s", "--runs", "0-4", check=1).stdout)
        for how in [["--runs", "10-19"], ["--workers", 1]]:
            self.assertIn("cpu_hours = 1e-15 of [limits]", self.sweep("s", *how, check=1).stderr)
        self.assertEqual(self.summary("s")["missing"], 19)

    def test_a_merge_of_two_results_of_one_run_fails(self):
        self.sweep("s")
        part = self.parts()[0]
        shutil.copy(part, part.with_name("other.h5"))
        self.electret("sweep", "s", "--merge", check=0)
        change_row(part.with_name("other.h5"), 0, "quantities", 4.0)
        with h5py.File(part) as file:
            run = file["run"][0]
        self.assertIn(f"run {run} has another result than in ", self.electret("sweep", "s", "--merge", check=1).stderr)

    def test_a_task_that_is_told_to_end_says_so_by_its_status(self):
        (self.folder / "job.toml").write_text(JOB.replace("[sweep]", "[sweep]\nset = ['time.steps=100000000']"))
        process = self.start("sweep", "job.toml", "-o", "s", "--runs", "0-1")
        self.wait_until(lambda: self.parts() or process.poll() is not None, "a part")
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=SECONDS)
        self.assertEqual(process.returncode, 143, out + err)

    def test_runs_are_shared_out_by_their_number_and_time(self):
        self.job(samples=100)
        commands = self.sweep("s", "--list").stdout.splitlines()
        self.assertEqual([command.split()[-1] for command in commands], [f"{first}-{first + 3}" for first in range(0, 200, 4)])
        # Runs of 20 s and 40 s: twenty of them are the ten minutes that a task should last.
        self.sweep("s", "--runs", "0-1")
        for row, wall in enumerate([20.0, 40.0]):
            change_row(self.parts()[0], row, "wall", wall)
        self.sweep("s", "--slurm")
        tasks = re.search(r"<<'RUNS'\n(.*)RUNS\n", (self.folder / "s" / "slurm.sh").read_text(), re.DOTALL).group(1).split()
        self.assertEqual(tasks[0], "2-21")
        self.assertEqual(len(tasks), math.ceil(198 / 20))

    def test_check_tells_the_time_of_all_runs(self):
        (self.folder / "job.toml").write_text(JOB.replace("samples = 10", "samples = 5000"))
        told = self.sweep("s", "--check").stdout
        each, whole = re.search(r"CPU time of run 0 +([\d.e-]+) s, all runs (.*)\n", told).groups()
        units = {"h": 3600.0, "min": 60.0, "s": 1.0}
        total = sum(float(number) * units[unit] for number, unit in re.findall(r"([\d.e+-]+) (h|min|s)", whole))
        # Both are rounded to two digits or more.
        self.assertLess(abs(total / (1e4 * float(each)) - 1.0), 0.11, told)


if __name__ == "__main__":
    unittest.main()
