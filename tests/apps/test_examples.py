#!/usr/bin/python3
"""Every scene of examples/ is checked and run whole, with both implicit and explicit results finite."""

import sys
import unittest

import h5py
import numpy as np

from support import SOURCE, CommandTest


class Examples(CommandTest):
    def test_every_scene_runs(self):
        scenes = sorted((SOURCE / "examples").glob("*.toml"))
        self.assertGreaterEqual(len(scenes), 5)
        for scene in scenes:
            with self.subTest(scene=scene.name):
                self.electret("check", scene, check=0)
                done = self.electret("run", scene, "-o", scene.stem, check=0)
                self.assertIn(scene.stem, done.stdout)
                # On a slow machine the run tells how far it is.
                told = [line for line in done.stderr.splitlines() if not line.startswith("electret: step ")]
                self.assertEqual(told, [], "an example gives no cause for warnings")
                with h5py.File(self.folder / scene.stem / "trajectory.h5") as h5:
                    positions = h5["positions"][:]
                self.assertEqual(self.summary(scene.stem)["capped_steps"], 0, "its tolerance is not met")
                self.assertTrue(np.isfinite(positions).all())
                self.assertGreater(np.abs(positions[-1] - positions[0]).max(), 1e-3, "nothing moved")
                self.assertLess(np.abs(positions[-1]).max(), 1e3, "it flew away")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
