#!/usr/bin/python3
"""`electret reproduce`: its list, and the folders that it leaves alone."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest

from support import SECONDS, CommandTest

NAMES = ["ddef-error", "ddef-farfield", "field-runtime", "torus-energy", "bunny-timestep", "parameter-map", "error-15",
         "lammps-torus", "tshirt", "fit-stiffness", "fit-charge", "charge-keyframes", "external-charge", "rotating-field",
         "four-particles", "cantilever", "landscape", "rolling-sphere", "slope", "duck", "napkin",
         "bouncing-ball", "bunny-bounce", "plant", "routing-tendon", "torus-roll", "quadruped", "cow", "armadillo", "starfish", "shark", "snake",
         "soft-starfish", "tennis-balls"]


class List(CommandTest):
    def test_without_a_name_it_lists(self):
        lines = self.electret("reproduce", check=0).stdout.splitlines()
        self.assertEqual([line.split()[0] for line in lines], NAMES)
        self.assertTrue(all(re.search(r"\[(MSC|IE|DiffPD)\]", line) and len(line) < 120 for line in lines))
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_unknown_names(self):
        done = self.electret("reproduce", "ddef-eror", "nothing-like-it", check=2)
        self.assertIn('did you mean "ddef-error"', done.stderr)
        self.assertIn("nothing-like-it", done.stderr)
        self.assertIn("field-runtime", done.stderr)

    def test_a_folder_of_bodies_that_is_none(self):
        (self.folder / "file").write_text("mine")
        for data in ["nothing", "file"]:
            done = self.electret("reproduce", "bunny-bounce", "--quick", "--data", data, "-o", "out", check=2)
            self.assertIn(f"{data}: error: is no folder", done.stderr)
        (self.folder / "bunny_watertight.bin").write_bytes(b"\x03\x00\x00\x00\x04\x00\x00\x00")
        done = self.electret("reproduce", "bunny-bounce", "--quick", "--data", ".", "-o", "out", check=2)
        self.assertIn("bunny_watertight.bin: error: is no mesh of hexahedra", done.stderr)
        self.assertFalse((self.folder / "out").exists())

    def test_an_experiment_whose_body_is_not_there(self):
        for data in [[], ["--data", "."]]:
            done = self.electret("reproduce", "cow", "--quick", *data, "-o", "out", check=2)
            self.assertIn("cow needs spot.obj", done.stderr)
            self.assertIn("--data takes the folder that has it", done.stderr)
            self.assertFalse((self.folder / "out").exists())
        (self.folder / "spot.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n")
        done = self.electret("reproduce", "cow", "--quick", "--data", ".", "-o", "out", check=2)
        self.assertIn("spot.obj:4:", done.stderr)
        self.assertFalse((self.folder / "out").exists())

    def test_without_the_program_of_the_experiments(self):
        alone = self.folder / "electret"
        shutil.copy(os.environ["ELECTRET"], alone)
        done = subprocess.run([alone, "reproduce"], text=True, capture_output=True, timeout=SECONDS)
        self.assertEqual(done.returncode, 1)
        self.assertIn("electret-experiments", done.stderr)
        self.assertIn("./dev build", done.stderr)


def catches(process, number):
    """Whether a process has a handler of a signal."""
    with open(f"/proc/{process.pid}/status") as file:
        return int(re.search(r"^SigCgt:\s*(\w+)", file.read(), re.M).group(1), 16) >> (number - 1) & 1 == 1


class Folder(CommandTest):
    def test_an_earlier_report_is_replaced_and_nothing_else(self):
        report = self.folder / "out" / "field-runtime"
        report.mkdir(parents=True)
        (report / "notes.txt").write_text("mine")
        done = self.electret("reproduce", "field-runtime", "--quick", "-o", "out", check=2)
        self.assertIn("something else", done.stderr)
        self.assertEqual([path.name for path in report.iterdir()], ["notes.txt"])
        (report / "notes.txt").unlink()
        self.electret("reproduce", "field-runtime", "--quick", "-o", "out", check=0)
        (report / "times.csv").write_text("old")
        self.electret("reproduce", "field-runtime", "--quick", "-o", "out", check=0)
        self.assertNotEqual((report / "times.csv").read_text(), "old")
        self.assertEqual([path.name for path in (self.folder / "out").iterdir()], ["field-runtime"])

    def test_where_nothing_can_be_written_nothing_is_run(self):
        (self.folder / "file").write_text("mine")
        for place in ["/proc/zz", "/proc", "file", "file/deeper", "/dev/null"]:
            done = self.electret("reproduce", "field-runtime", "-o", place, check=2)  # in full it takes minutes
            self.assertIn(place.split("/deeper")[0], done.stderr)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["file"])

    def test_an_interruption_leaves_nothing(self):
        process = self.start("reproduce", "field-runtime", "-o", "out")
        self.wait_until(lambda: catches(process, signal.SIGINT), "a handler of Ctrl-C")
        time.sleep(1.0)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=SECONDS)
        self.assertEqual(process.returncode, 130, said)
        self.assertIn("interrupted", said)
        self.assertFalse((self.folder / "out").exists())


if __name__ == "__main__":
    unittest.main(argv=[*sys.argv, "-v"])
