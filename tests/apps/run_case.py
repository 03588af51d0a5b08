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

    def wait_for_frames(self, run, process):
        path = self.folder / run / "checkpoint.h5"
        end = time.monotonic() + 30
        while not path.exists() and time.monotonic() < end and process.poll() is None:
            time.sleep(0.02)
        time.sleep(0.3)
