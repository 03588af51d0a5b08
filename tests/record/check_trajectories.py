#!/usr/bin/env python3
"""Opens trajectories plainly with h5py and checks every frame of the made-up run (made_run.hpp) in them.

check_trajectories.py FILE... | --list FILE: prints the least and the largest number of frames; exit status 1 at the first fault.
"""
import sys

import h5py
import numpy as np


def check(path):
    with h5py.File(path, "r") as file:
        assert file.attrs["format_version"] == 1 and file.attrs["step"] == 0.5, path
        assert file.attrs["scene"] == "[time]\nstep = 0.5\n" and file.attrs["version"], path
        n = len(file["masses"])
        i = np.arange(n)
        np.testing.assert_array_equal(file["masses"][:], 1.0 + i)
        np.testing.assert_array_equal(file["rest_positions"][:], np.stack([0.5 * i, -1.0 * i, 0 * i + 2], 1))
        assert file["springs"].dtype == np.int32 and file["springs"].shape == (n - 1, 2)
        np.testing.assert_array_equal(file["spring_stiffness"][:], 10.0 + i[:-1])
        np.testing.assert_array_equal(file["spring_rest_length"][:], 0.25 * i[:-1])
        np.testing.assert_array_equal(file["body_offsets"][:], [0, n])
        growing = [name for name in ("time", "positions", "velocities") if name in file]
        if file["charges"].ndim == 2:
            growing.append("charges")
        pins = file["pins"][:]
        assert pins.dtype == np.int32 and file["pin_reactions"].dtype == np.float64
        np.testing.assert_array_equal(pins, i[::4])
        growing.append("pin_reactions")
        lengths = [len(file[name]) for name in growing]
        frames = min(lengths)
        assert max(lengths) <= frames + 1, (path, lengths)
        f = np.arange(frames, dtype=float)[:, None]
        x = np.stack([f + i / 8, f * i, -f + 0 * i], 2)
        np.testing.assert_array_equal(file["time"][:frames], 0.5 * f[:, 0], err_msg=path)
        np.testing.assert_array_equal(file["positions"][:frames], x, err_msg=path)
        if "velocities" in file:
            np.testing.assert_array_equal(file["velocities"][:frames], -0.5 * x, err_msg=path)
        if file["charges"].ndim == 2:
            np.testing.assert_array_equal(file["charges"][:frames], f - i, err_msg=path)
        reactions = np.stack([0 * f + pins, -f + 0 * pins, 0.5 * f * pins], 2)
        np.testing.assert_array_equal(file["pin_reactions"][:frames], reactions, err_msg=path)
        return frames


if __name__ == "__main__":
    paths = sys.argv[1:]
    if paths[0] == "--list":
        with open(paths[1]) as names:
            paths = names.read().split()
    counts = [check(path) for path in paths]
    assert counts and min(counts) >= 1
    print(f"{len(counts)} files, {min(counts)} to {max(counts)} frames")
