"""Runs on the disk: written as the command writes them, and read without h5py.

Acceptance points 2 (runs) and 23.
"""

import json
import pathlib
import pickle

import numpy as np
import pytest

import electret as el
from conftest import METHODS, jelly

h5py = pytest.importorskip("h5py")


def contents(path):
    """{name: (type, values, storage) of a dataset, or None of a group; and type and values of every attribute of either}."""
    def told(values):
        values = np.asarray(values)
        return values.dtype, values.shape, values.tolist() if values.dtype == object else values.tobytes()

    found = {}
    with h5py.File(path) as file:
        def look(name, thing):
            found[name] = (*told(thing[()]), thing.maxshape, thing.chunks, thing.compression) if isinstance(thing, h5py.Dataset) else None
            for key, value in thing.attrs.items():
                if not key.startswith("wall_s."):  # Times that the run took.
                    found[name, key] = told(value)

        look("/", file)
        file.visititems(look)
    return found


def same_files(one, other):
    one, other = pathlib.Path(one), pathlib.Path(other)
    names = {path.relative_to(one) for path in one.rglob("*")}
    assert names == {path.relative_to(other) for path in other.rglob("*")}
    for name in ("energy.csv", "observables.csv"):
        assert (one / name).read_bytes() == (other / name).read_bytes()
    for name in ("trajectory.h5", "checkpoint.h5"):
        a, b = contents(one / name), contents(other / name)
        assert a.keys() == b.keys() and len(a) > 5
        for key in a:
            assert a[key] == b[key], (name, key)
    a, b = (json.loads((folder / "summary.json").read_text()) for folder in (one, other))
    assert a.pop("wall_s").keys() == b.pop("wall_s").keys() and a.pop("machine").keys() == b.pop("machine").keys()
    assert a.pop("scene_file") is not None is not b.pop("scene_file") and a == b


@pytest.fixture
def file(tmp_path):
    jelly(steps=12, output={"every": 3}).save(tmp_path / "scene.toml")
    return tmp_path / "scene.toml"


@pytest.mark.parametrize("method", [method for method in METHODS if method != "imex"])
def test_the_same_files_by_every_method(tmp_path, command, method):
    scene = jelly(steps=6, method=method, output={"every": 2})
    scene.set("time.step", 0.004)
    scene.save(tmp_path / "scene.toml")
    el.run(tmp_path / "scene.toml", tmp_path / "python")
    assert command("run", tmp_path / "scene.toml", "-o", tmp_path / "command").returncode == 0
    same_files(tmp_path / "python", tmp_path / "command")


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
    same_files(tmp_path / "a", tmp_path / "b")
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


def test_the_balance_is_what_work_and_dissipation_leave_unexplained(tmp_path):
    run = el.run(jelly(steps=12), tmp_path / "run")
    table = run.energies
    by_hand = table.total - table.total[0] - (table.work - table.work[0]) + (table.dissipation - table.dissipation[0])
    scale = abs(table.total).max()
    np.testing.assert_allclose(table.balance, by_hand, rtol=0, atol=1e-12 * scale)
    assert np.abs(by_hand).max() == pytest.approx(abs(run.summary["largest_energy_change"]), abs=1e-12 * scale)
    assert table.balance[0] == 0.0


def test_tables_of_earlier_versions_have_no_work(tmp_path):
    (tmp_path / "energy.csv").write_text("time,kinetic,elastic,coulomb,external,gravity,total\n0,1,2,3,4,5,15\n1,1,2,3,4,6,16\n")
    table = el.Run(tmp_path).energies
    assert table.total.tolist() == [15.0, 16.0]
    assert np.isnan(table.work).all() and np.isnan(table.dissipation).all() and np.isnan(table.balance).all()
