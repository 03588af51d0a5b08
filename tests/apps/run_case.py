"""What tests of `electret run` share: a run that lasts, its frames, and the data of two runs."""

import time

import h5py
import numpy as np

from support import SCENE, CommandTest

LONG = SCENE.replace("steps = 20", "steps = 200000").replace("vertices = 60", "vertices = 300")


def datasets(path):
    with h5py.File(path) as h5:
        return {name: h5[name][()] for name in h5 if isinstance(h5[name], h5py.Dataset)}


class RunCase(CommandTest):
    def assert_same_data(self, a, b):
        first, second = datasets(self.folder / a / "trajectory.h5"), datasets(self.folder / b / "trajectory.h5")
        self.assertEqual(first.keys(), second.keys())
        for name in first:
            np.testing.assert_array_equal(first[name], second[name], err_msg=name)

    def wait_for_checkpoint(self, run, process):
        path = self.folder / run / "checkpoint.h5"
        self.wait_until(lambda: path.exists() or process.poll() is not None, f"{run}/checkpoint.h5")
        self.assertIsNone(process.poll(), "the run has ended")

    def wait_for_frames(self, run, process):
        """Frame 0 is there; the pause is for more of them, but a busy machine need not have any."""
        self.wait_for_checkpoint(run, process)
        time.sleep(0.3)
