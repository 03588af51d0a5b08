"""Recording a simulation that its caller steps."""

import gc
import os
import shutil

import numpy as np
import pytest

import electret as el
from conftest import jelly, keyed

KEYS = [1e-7, 3e-7, -2e-7]


def test_driving_key_frames_gives_the_runs_files(tmp_path):
    """Row for row and frame for frame; the accounts of the key-frames' work are those of jumps."""
    scene = keyed()
    run = el.run(scene, tmp_path / "run")
    sim = el.Simulator(scene, controls=["body.b.charge[low]"])
    with sim.record(tmp_path / "driven") as recording:
        for step in range(12):
            sim.step([KEYS[step // 4] if step < 12 else KEYS[-1]])
    driven = el.Run(recording.directory)
    assert driven.status == run.status == "done"
    for name in ("positions", "velocities"):
        assert np.array_equal(np.asarray(getattr(driven.trajectory, name)), np.asarray(getattr(run.trajectory, name)))
    assert np.array_equal(driven.trajectory.times, run.trajectory.times)
    assert np.array_equal(driven.energies.kinetic, run.energies.kinetic) and np.array_equal(driven.energies.elastic, run.energies.elastic)
    assert {"energy.csv", "observables.csv", "energy.svg", "index.html", "summary.json", "checkpoint.h5", "trajectory.h5"} <= set(os.listdir(recording.directory))
    sim.step([0.0])  # Not recorded any more.
    assert len(el.Run(recording.directory).trajectory.times) == 13


def test_charges_are_kept_frame_by_frame(tmp_path):
    sim = el.Simulator(jelly(steps=20), controls=["body.jelly.charge[left]"])
    sim.run(3, action=[0.0])
    seen = [(sim.time, sim.charges, sim.positions)]
    with sim.record(tmp_path / "walk", every=4):
        for k in range(9):
            sim.step([1e-7 * k])
            if k % 4 == 3:
                seen.append((sim.time, sim.charges, sim.positions))
    trajectory = el.Trajectory(tmp_path / "walk")
    assert len(trajectory.times) == 3
    for frame, (time, charges, positions) in enumerate(seen):
        assert trajectory.times[frame] == time and np.array_equal(trajectory.charges[frame], charges) and np.array_equal(trajectory.positions[frame], positions)
    assert not np.array_equal(seen[1][1], seen[2][1])


def test_compare_finds_charges_that_differ_later(tmp_path, command):
    """Without [coulomb] they move nothing: no other number differs."""
    scene = el.Scene(time={"step": 0.01, "steps": 5})
    scene.body(name="a", generate={"shape": "chain", "vertices": 2}, mass=1.0)
    for name, charges in (("one", [0, 0.5, 0.5]), ("same", [0, 0.5, 0.5]), ("other", [0, 0.5, -0.25])):
        sim = el.Simulator(scene, controls=["body.a.charge"])
        with sim.record(tmp_path / name):
            for charge in charges:
                sim.step([charge])
    assert "the runs are identical" in command("compare", tmp_path / "one", tmp_path / "same").stdout
    said = command("compare", tmp_path / "one", tmp_path / "other").stdout
    assert "charges at frame 3 (2 of 2 differ, first number 0): 0.5 | -0.25" in said and "identical, bit for bit" not in said


def test_only_steps_while_it_records(tmp_path, scene):
    sim = el.Simulator(scene, controls=["body.jelly.charge"])
    state = sim.state()
    with sim.record(tmp_path / "walk"):
        for act in (sim.reset, sim.close, lambda: sim.restore(state), lambda: sim.set({"body.jelly.stiffness": 1.0}), lambda: sim.record(tmp_path / "other")):
            with pytest.raises(RuntimeError, match="being recorded"):
                act()
        sim.run(2)
    sim.reset()
    assert len(el.Trajectory(tmp_path / "walk").times) == 3 and not (tmp_path / "other").exists()


def test_how_it_ends_is_said(tmp_path, scene):
    sim = el.Simulator(scene, controls=["body.jelly.charge"])
    with pytest.raises(ZeroDivisionError), sim.record(tmp_path / "walk"):
        sim.step([1e-7])
        1 / 0
    assert el.Run(tmp_path / "walk").status == "interrupted"
    sim.reset()
    with pytest.raises(el.InputError):  # An unfinished run is not replaced unasked.
        sim.record(tmp_path / "walk")
    with pytest.raises(el.DivergenceError), sim.record(tmp_path / "walk", overwrite=True):
        sim.step([1e9])
    failed = el.Run(tmp_path / "walk")
    assert failed.status == "diverged" and failed.summary["failure"]["step"] == 1
    sim.step([0.0])
    with pytest.raises(ValueError, match="every"):
        sim.record(tmp_path / "new", every=0)


def test_no_run_of_the_scene_goes_on_from_it(tmp_path, command):
    scene = jelly(steps=20)
    scene.save(tmp_path / "scene.toml")
    sim = el.Simulator(tmp_path / "scene.toml", controls=["body.jelly.charge"])
    with sim.record(tmp_path / "walk"):
        sim.run(3, action=[1e-7])
    said = command("run", tmp_path / "scene.toml", "-o", tmp_path / "walk", "--resume")
    assert said.returncode == 2 and "driven" in said.stderr


def test_a_recording_that_is_dropped_frees_the_simulator(tmp_path, scene):
    sim = el.Simulator(scene, controls=["body.jelly.charge"])
    with pytest.warns(ResourceWarning, match="neither closed"):
        sim.record(tmp_path / "dropped")
        gc.collect()
    assert el.Run(tmp_path / "dropped").status == "interrupted"
    sim.reset()
    held = [sim.record(tmp_path / "held")]
    with pytest.warns(ResourceWarning):
        sim.run(2, callback=lambda sim: held.clear())  # Within a call that it is not free in.
    sim.reset()
    assert el.Run(tmp_path / "held").status == "interrupted" and len(el.Run(tmp_path / "held").trajectory) == 2


def test_one_recording_does_not_end_another(tmp_path, scene):
    sim = el.Simulator(scene)
    first = sim.record(tmp_path / "first")
    first.close()
    second = sim.record(tmp_path / "second")
    first.close()
    del first
    sim.run(2)
    second.close()
    assert len(el.Run(tmp_path / "second").trajectory) == 3


@pytest.mark.parametrize("error", [el.DivergenceError("m", "no", "numbers", 3, None), ZeroDivisionError("first"), KeyboardInterrupt()], ids=repr)
def test_the_first_error_is_the_one_that_arrives(tmp_path, scene, error):
    """Also where the recording cannot be ended because its folder has gone."""
    sim = el.Simulator(scene)
    with pytest.raises(type(error)) as caught:
        with sim.record(tmp_path / "walk"):
            sim.run(2)
            shutil.rmtree(tmp_path / "walk")
            raise error
    assert caught.value is error and any("could not be ended" in note for note in error.__notes__)
    sim.reset()
    with pytest.raises(ZeroDivisionError):
        with sim:
            recording = sim.record(tmp_path / "again")
            1 / 0
    with pytest.raises(RuntimeError, match="closed"):
        sim.step()
    del recording
