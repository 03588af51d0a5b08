"""Runs on the disk: written as the command writes them, and read without h5py.

Acceptance points 2 (runs), 10 (el.run) and 23.
"""

import os
import pathlib
import pickle
import signal
import threading

import numpy as np
import pytest

import electret as el
from conftest import jelly

h5py = pytest.importorskip("h5py")


def same_files(one, other):
    for name in ("energy.csv", "observables.csv"):
        assert (pathlib.Path(one) / name).read_bytes() == (pathlib.Path(other) / name).read_bytes()
    with h5py.File(pathlib.Path(one) / "trajectory.h5") as a, h5py.File(pathlib.Path(other) / "trajectory.h5") as b:
        names = []
        a.visit(names.append)
        for name in names:
            if isinstance(a[name], h5py.Dataset):
                assert a[name].dtype == b[name].dtype and np.array_equal(a[name][()], b[name][()]), name
        assert dict(a.attrs) == dict(b.attrs)


@pytest.fixture
def file(tmp_path):
    jelly(steps=12, output={"every": 3}).save(tmp_path / "scene.toml")
    return tmp_path / "scene.toml"


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_the_same_files_as_the_command(file, tmp_path, command, threads):
    run = el.run(file, tmp_path / "python", threads=threads)
    assert run.status == "done" and run.summary["steps"] == 12
    assert command("run", file, "-o", tmp_path / "command").returncode == 0
    same_files(tmp_path / "python", tmp_path / "command")
    assert run.energies.total.shape == (5,) and run.observables["time"][-1] == run.energies.time[-1] == 0.12


def test_either_resumes_the_other(file, tmp_path, command):
    whole = el.run(file, tmp_path / "whole", overrides={"time.steps": 24})
    el.run(file, tmp_path / "a")
    assert command("run", file, "-o", tmp_path / "a", "--set", "time.steps=24", "--resume").returncode == 0
    command("run", file, "-o", tmp_path / "b")
    el.run(file, tmp_path / "b", overrides=["time.steps=24"], resume=True)
    for name in "ab":
        assert (tmp_path / name / "energy.csv").read_bytes() == (tmp_path / "whole" / "energy.csv").read_bytes()
        assert np.array_equal(el.Trajectory(tmp_path / name).positions[:], whole.trajectory.positions[:])


def test_what_the_command_refuses(file, tmp_path, command):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "notes.txt").write_text("mine")
    with pytest.raises(el.InputError) as caught:
        el.run(file, tmp_path / "full")
    said = command("run", file, "-o", tmp_path / "full")
    assert said.returncode == 2 and said.stderr.splitlines()[-1].removeprefix("electret: ") in str(caught.value)


def test_interrupting_a_run_leaves_its_checkpoint(tmp_path, command):
    scene = jelly(steps=1000000, count=64)
    scene.save(tmp_path / "scene.toml")
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        el.run(tmp_path / "scene.toml", tmp_path / "run", threads=1)
    run = el.Run(tmp_path / "run")
    assert run.status == "interrupted"
    steps = run.summary["steps"] + 2
    # A resumed run may be longer, not shorter: the checkpoint goes on in a copy of the scene that ends soon.
    said = command("run", tmp_path / "scene.toml", "-o", tmp_path / "run", "--set", f"time.steps={steps}", "--resume")
    assert said.returncode == 0, said.stderr
    fresh = el.Simulator(scene)
    fresh.run(steps)
    assert np.array_equal(el.Trajectory(tmp_path / "run").positions[-1], fresh.positions)


def test_progress_and_its_exceptions(file, tmp_path):
    told = []
    el.run(file, tmp_path / "run", progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (12, 12)
    with pytest.raises(ZeroDivisionError):
        el.run(file, tmp_path / "other", progress=lambda done, total: 1 / 0)


@pytest.mark.parametrize("output", [{}, {"precision": "single"}, {"compression": 4}, {"velocities": False}], ids=str)
def test_trajectories_against_h5py(tmp_path, output):
    run = el.run(jelly(steps=5, output=output), tmp_path / "run")
    trajectory = run.trajectory
    with h5py.File(tmp_path / "run" / "trajectory.h5") as file:
        names = {"positions": "positions", "charges": "charges", "velocities": "velocities"}
        if output.get("velocities") is False:
            del names["velocities"]
            with pytest.raises(el.IoError, match="velocities"):
                _ = trajectory.velocities
        for name in names:
            ours, theirs = getattr(trajectory, name), file[name][()]
            if theirs.ndim == ours.ndim - 1:
                theirs = np.broadcast_to(theirs, ours.shape)
            assert ours.shape == theirs.shape and ours.dtype == theirs.dtype and len(ours) == 6
            assert np.array_equal(np.asarray(ours), theirs) and np.array_equal(ours[-1], theirs[-1])
            assert np.array_equal(ours[1:5:2], theirs[1:5:2]) and np.array_equal(ours[2, 3], theirs[2, 3])
            assert np.array_equal(ours[::-1, 3:5], theirs[::-1, 3:5])
        for name, dataset in (("times", "time"), ("masses", "masses"), ("springs", "springs"), ("faces", "faces"),
                              ("rest_positions", "rest_positions")):
            assert np.array_equal(getattr(trajectory, name), file[dataset][()])
        assert trajectory.scene == file.attrs["scene"] and trajectory.bodies == {"jelly": slice(0, 32)}
    with pytest.raises(IndexError):
        trajectory.positions[6]
    frame = trajectory.positions[0]
    frame[0] = 1.0
    assert not np.array_equal(frame, trajectory.positions[0])


def test_a_growing_trajectory(tmp_path):
    scene = jelly(steps=4)
    el.run(scene, tmp_path / "run")
    trajectory = el.Trajectory(tmp_path / "run")
    scene.set("time.steps", 8)
    el.run(scene, tmp_path / "run", resume=True)
    assert len(trajectory) == 5
    trajectory.refresh()
    assert len(trajectory) == 9 and len(pickle.loads(pickle.dumps(trajectory))) == 9
    with trajectory:
        pass
    with pytest.raises(RuntimeError, match="closed"):
        trajectory.positions[0]


def test_files_that_are_not_there(tmp_path):
    with pytest.raises(el.IoError) as caught:
        el.Trajectory(tmp_path / "none.h5")
    assert isinstance(caught.value, OSError) and caught.value.filename == str(tmp_path / "none.h5")
    assert pickle.loads(pickle.dumps(caught.value)).filename == caught.value.filename
    with pytest.raises(el.IoError):
        el.Run(tmp_path / "none")
    (tmp_path / "text.h5").write_text("no")
    with pytest.raises(el.IoError, match="text.h5"):
        el.Trajectory(tmp_path / "text.h5")
