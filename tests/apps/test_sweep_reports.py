#!/usr/bin/python3
"""`electret sweep`: what --check and --watch say, tasks on the same runs, and parts of several instruction sets."""

import re
import signal
import unittest

from support import SECONDS
from sweep_support import JOB, SweepTest


class SweepReports(SweepTest):
    def test_check_says_what_it_takes_and_writes_nothing(self):
        before = sorted(self.folder.iterdir())
        out = self.sweep("s", "--check").stdout
        for said in [r"runs +20", r"keys +body\.0\.charge, integrator\.method", r"run 0 +done", r"swing +\d", r"CPU time of run 0 .*, all runs ",
                     r"memory +\d.* for each worker", r"files +about 9, ", r"disk +about \d"]:
            self.assertRegex(out, rf"(?m)^  {said}")
        self.assertEqual(sorted(self.folder.iterdir()), before)

    def test_watch_waits_for_the_end(self):
        self.sweep("s", "--runs", "0-9")
        watching = self.start("sweep", "s", "--watch")
        self.sweep("s", "--runs", "10-19")
        out, err = watching.communicate(timeout=SECONDS)
        self.assertEqual(watching.returncode, 0, err)
        self.assertIn("done         20", out)
        # Of a sweep that nobody does it is ended by the user, who is told how far it is.
        self.sweep("t", "--runs", "0-9")
        watching = self.start("sweep", "t", "--watch")
        self.wait_until(lambda: self.catches(watching, signal.SIGTERM), "the watch")
        watching.send_signal(signal.SIGTERM)
        out, err = watching.communicate(timeout=SECONDS)
        self.assertEqual(watching.returncode, 143, err)
        self.assertIn("missing      10", out)

    def catches(self, process, number):
        """Whether the process has a handler for the signal by now."""
        with open(f"/proc/{process.pid}/status") as file:
            caught = re.search(r"SigCgt:\s*(\w+)", file.read())
        return int(caught[1], 16) >> (number - 1) & 1

    def test_two_tasks_on_the_same_runs_give_the_same_results(self):
        self.sweep("one")
        self.sweep("s", "--list")
        tasks = [self.start("sweep", "s", "--runs", "0-19") for _ in range(2)]
        for task in tasks:
            _, err = task.communicate(timeout=SECONDS)
            self.assertEqual(task.returncode, 0, err)
        self.assertEqual(self.electret("sweep", "s", "--merge", check=0).stderr, "")
        for name, values in self.results("one").items():
            self.assertEqual(values.tobytes(), self.results("s")[name].tobytes(), name)

    def test_several_instruction_sets_are_told(self):
        sets = re.search(r"supported here: ([\w, ]+)\)", self.electret("--version", check=0).stdout)[1].split(", ")
        if len(sets) < 2:
            self.skipTest("the processor has one instruction set")
        for folder, chosen in {"mixed": sets[:2], "alike": sets[:1] * 2}.items():
            for runs, own in zip(["0-9", "10-19"], chosen):
                self.sweep(folder, "--runs", runs, "--instructions", own)
            errors = self.electret("sweep", folder, "--merge", check=0).stderr
            self.assertEqual("several instruction sets" in errors, folder == "mixed", errors)
            self.assertEqual(sorted(self.summary(folder)["instruction_sets"]), sorted(set(chosen)))
        self.sweep("one", "--workers", 2, "--instructions", sets[0])
        self.assertEqual(self.digest("alike"), self.digest("one"))
        self.assertEqual(self.results("mixed")["end"][:10].tobytes(), self.results("one")["end"][:10].tobytes())


if __name__ == "__main__":
    unittest.main()
