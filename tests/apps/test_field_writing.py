#!/usr/bin/python3
"""`electret field` stopped while it writes a large table."""

import os
import signal
import sys
import time
import unittest

import numpy as np

from support import SECONDS, CommandTest


class Writing(CommandTest):
    """What happens while a large table is being written."""

    def setUp(self):
        super().setUp()
        self.count = 300_000
        points = np.random.default_rng(3).uniform(-1, 1, (self.count, 3))
        np.save(self.folder / "charges.npy", np.column_stack([points, np.full(self.count, 1e-6)]))

    def unfinished(self):
        return [path for path in self.folder.iterdir() if path.name.endswith(".part")]

    def half_written(self):
        try:
            return any(path.stat().st_size > 0 for path in self.unfinished())
        except FileNotFoundError:
            return False  # The empty one that tried the folder.

    def stop_while_writing(self, *options):
        """`electret field`, stopped when it has written a part of out.csv."""
        for _ in range(100):
            run = self.start("field", "charges.npy", "--accuracy", "0.1", "-o", "out.csv", *options)
            self.addCleanup(run.communicate)
            self.addCleanup(run.kill)
            while not self.half_written() and run.poll() is None:
                time.sleep(0.001)
            run.send_signal(signal.SIGSTOP)
            if run.returncode is None:
                os.waitid(os.P_PID, run.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
            if self.half_written():
                return run
            run.send_signal(signal.SIGCONT)  # It was faster than this test.
            self.assertEqual(run.wait(timeout=SECONDS), 0)
            (self.folder / "out.csv").unlink()
        self.fail("out.csv was always whole before it could be stopped")

    def test_an_interrupted_file_leaves_nothing(self):
        for stop, status in [(signal.SIGINT, 130), (signal.SIGTERM, 143)]:
            for _ in range(20):
                run = self.stop_while_writing()
                run.send_signal(stop)
                run.send_signal(signal.SIGCONT)
                said = run.communicate(timeout=SECONDS)[1]
                if run.returncode != 0:
                    break
                (self.folder / "out.csv").unlink()  # It wrote the rest before its thread that hears signals got a processor.
            self.assertEqual(run.returncode, status, said)
            self.assertIn("interrupted; nothing is written", said)
            self.assertEqual([path.name for path in self.folder.iterdir()], ["charges.npy"])

    def test_two_runs_that_write_one_file_do_not_meet(self):
        first = self.stop_while_writing("--constant", "1")
        self.electret("field", "charges.npy", "--accuracy", "0.1", "-o", "out.csv", "--constant", "2", check=0)
        second = np.loadtxt(self.folder / "out.csv", delimiter=",", skiprows=1)
        self.assertEqual(second.shape, (self.count, 4))
        first.send_signal(signal.SIGCONT)
        said = first.communicate(timeout=SECONDS)[1]
        self.assertEqual(first.returncode, 0, said)
        np.testing.assert_array_equal(2 * np.loadtxt(self.folder / "out.csv", delimiter=",", skiprows=1), second)
        self.assertEqual(self.unfinished(), [])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
