#!/usr/bin/python3
"""Runs with a dataset or an attribute that is wrong: bad input for every command, whatever is wrong."""

import shutil
import sys
import unittest

import h5py

import damaged_files
from support import CommandTest

# Of each dataset and attribute.
HOW = ("a scalar", "of another kind", "of another width", "1000 of them", "text or number", "huge", "too wide", "number -2147483648 at 0", "number 1000000 at 0")


class DamagedRuns(CommandTest):
    def setUp(self):
        super().setUp()
        damaged_files.write_scene(self.folder, False)
        self.electret("run", "scene.toml", "-o", "whole", check=0)
        shutil.copytree(self.folder / "whole", self.folder / "run")

    def damaged(self, name):
        """Each damage of the file in turn; (what, how)."""
        for what, how, change in damaged_files.damages(self.folder / "whole" / name):
            if how not in HOW:
                continue
            shutil.copy(self.folder / "whole" / name, self.folder / "run" / name)
            with h5py.File(self.folder / "run" / name, "r+") as file:
                change(file)
            yield what, how

    def test_a_trajectory(self):
        commands = (("info", "run"), ("compare", "whole", "run"), ("render", "run", "-o", "out", "--size", "32x32", "--frames", "0"),
                    ("export", "run", "--to", "vtp", "-o", "out"))
        tried = 0
        for what, how in self.damaged("trajectory.h5"):
            if damaged_files.is_sound(what, how, False) is not False:
                continue
            tried += 1
            for command in (commands[:1] if tried % 4 else commands):
                done = self.electret(*command, check=2)
                self.assertIn("run/trajectory.h5: ", done.stderr, (what, how))
                self.assertNotIn("internal error", done.stderr, (what, how))
                self.assertFalse((self.folder / "out").exists())
        self.assertGreater(tried, 80)

    def test_an_element_without_volume(self):
        """Stresses cannot be computed; what needs none is exported."""
        with h5py.File(self.folder / "run" / "trajectory.h5", "r+") as file:
            file["rest_positions"][file["tetrahedra"][0][0]] = float("nan")
        done = self.electret("export", "run", "--to", "vtu", "-o", "out", check=2)
        self.assertIn('an element of "tets" is inverted or flat at rest; export it to a format without stresses', done.stderr)
        self.electret("export", "run", "--to", "vtp", "-o", "out", check=0)

    def test_a_checkpoint(self):
        tried = 0
        for what, how in self.damaged("checkpoint.h5"):
            if how not in ("a scalar", "1000 of them"):
                continue
            tried += 1
            done = self.electret("run", "scene.toml", "-o", "run", "--resume", check=2)
            self.assertIn("cannot resume: the checkpoint is damaged: run/checkpoint.h5: ", done.stderr, (what, how))
            self.electret("info", "run", check=0)
        self.assertGreater(tried, 25)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
