"""Trajectories against h5py while they grow, after a kill, and with both libraries in one process.

Acceptance point 23; single precision, compression and plain slices are in test_run.py.
"""

import os
import pathlib
import signal
import subprocess
import sys
import time
import warnings

import numpy as np
import pytest

import electret as el
from conftest import COMMAND, jelly

h5py = pytest.importorskip("h5py")

KEYS = [0, -1, 3, np.int64(2), slice(None), slice(1, None, 2), slice(None, None, -2), slice(4, 4), slice(-3, 100), (2, 5), (slice(1, 3), 4),
        (slice(None), slice(2, 9, 3)), (1, slice(None), 2), (Ellipsis, 0), (slice(0, 2), [0, 3, 5]), (2, np.arange(32) % 2 == 0), Ellipsis]


@pytest.mark.parametrize("output", [{}, {"precision": "single"}, {"compression": 4, "precision": "single"}], ids=str)
def test_every_key_reads_as_of_an_array(tmp_path, output):
    run = el.run(jelly(steps=6, output=output), tmp_path / "run")
    with h5py.File(tmp_path / "run/trajectory.h5") as file:
        for name in ("positions", "velocities", "charges"):
            ours, theirs = getattr(run.trajectory, name), file[name][()]
            theirs = np.broadcast_to(theirs, ours.shape)
            for key in KEYS:
                if name == "charges" and isinstance(key, tuple) and len(key) > 2:
                    continue
                read = ours[key]
                assert np.array_equal(read, theirs[key]) and read.dtype == theirs.dtype and (read.ndim == 0 or read.flags.writeable), (name, key)
            with warnings.catch_warnings(action="error"):  # numpy 2 hands on `copy`, and warns of functions without it
                assert np.array_equal(np.array(ours), theirs[:])
            with pytest.raises(ValueError, match="is a copy"):
                ours.__array__(copy=False)
            assert np.asarray(ours, dtype=np.float32).dtype == np.float32 and ours.ndim == theirs.ndim
        for bad, error in ((7, IndexError), (-8, IndexError), ("a", TypeError), (1.5, TypeError), (None, TypeError), (True, TypeError), ((False, 0), TypeError)):
            with pytest.raises(error):
                run.trajectory.positions[bad]


def test_groups_have_the_scenes_names(tmp_path):
    """In the file a "/" is another character, because HDF5 separates names by it."""
    scene = el.Scene(time={"step": 0.01, "steps": 1})
    for name in ("ä/b c\"<&>", "a/b", "plain"):
        body = scene.body(name=name, generate={"shape": "chain", "vertices": 3}, mass=1.0)
        for group in ("g/1 é", "/", ".", "tip"):
            body.group(name=group, indices=[1])
    run = el.run(scene, tmp_path / "run")
    sim = el.Simulator(scene)
    assert run.trajectory.groups.keys() == sim.groups.keys() and len(sim.groups) == 12
    for name, members in sim.groups.items():
        assert np.array_equal(run.trajectory.groups[name], members)


def frames_of(path):
    with h5py.File(path, "r") as file:
        return file["positions"][()]


def test_growing_and_killed(tmp_path):
    """Frames that are there stay as they are while more come; what a killed writer leaves is read."""
    jelly(steps=20000000, count=64, output={"every": 200}).save(tmp_path / "scene.toml")
    path = tmp_path / "run/trajectory.h5"
    writer = subprocess.Popen([COMMAND, "run", tmp_path / "scene.toml", "-o", tmp_path / "run", "--threads", "1"],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        trajectory, counts, first = None, [], None
        until = time.monotonic() + 600
        while len(set(counts)) < 4 and time.monotonic() < until and writer.poll() is None:
            time.sleep(0.05)
            if trajectory is None:
                if not path.exists():
                    continue
                try:
                    trajectory = el.Trajectory(path)
                except el.IoError:  # Its header is not whole yet.
                    continue
            else:
                trajectory.refresh()
            if len(trajectory):
                counts.append(len(trajectory))
                first = trajectory.positions[0] if first is None else first
                assert np.array_equal(trajectory.positions[0], first)
                assert np.isfinite(trajectory.positions[-1]).all() and len(trajectory.times) == counts[-1]
    finally:
        writer.send_signal(signal.SIGKILL)
        writer.wait()
    assert counts == sorted(counts) and len(set(counts)) >= 4
    trajectory.refresh()
    count = len(trajectory)
    assert count >= counts[-1] and np.array_equal(trajectory.positions[:], frames_of(path)[:count])
    sim = el.Simulator(tmp_path / "scene.toml")
    sim.run(200)
    assert np.array_equal(trajectory.positions[1], sim.positions)


@pytest.mark.parametrize("first", ["electret", "h5py"])
def test_both_libraries_in_one_process(first, tmp_path):
    el.run(jelly(steps=3), tmp_path / "run")
    second = "h5py" if first == "electret" else "electret"
    code = f"""
import {first}
import {second}
path = {str(tmp_path / "run" / "trajectory.h5")!r}
def ours(): return electret.Trajectory(path).positions[:]
def theirs():
    with h5py.File(path) as file: return file["positions"][()]
a, b = ({'ours(), theirs()' if first == 'electret' else 'theirs(), ours()'})
open_file, trajectory = h5py.File(path), electret.Trajectory(path)
print((a == b).all(), (open_file["positions"][2] == trajectory.positions[2]).all())
"""
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=os.environ)
    assert said.stdout == "True True\n", said.stderr


def test_two_threads_read_one_trajectory(tmp_path):
    from concurrent.futures import ThreadPoolExecutor
    run = el.run(jelly(steps=20), tmp_path / "run")
    trajectory = run.trajectory
    whole = trajectory.positions[:]
    with ThreadPoolExecutor(4) as pool:
        for frame, read in enumerate(pool.map(lambda f: trajectory.positions[f], list(range(21)) * 20)):
            assert np.array_equal(read, whole[frame % 21])
    assert pathlib.Path(run.directory).is_dir()


def test_groups_are_the_simulators(tmp_path):
    scene = jelly(steps=1)
    wanted, got = el.Simulator(scene).groups, el.run(scene, tmp_path / "run").trajectory.groups
    assert set(got) == set(wanted) == {"jelly[left]", "jelly[right]"}
    assert all(np.array_equal(got[name], wanted[name]) for name in wanted)
