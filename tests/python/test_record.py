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


def neo_hookean(x, rest, cells, young, nu):
    """Energy density (J/m³) and Cauchy's stress (Pa: xx, yy, zz, xy, yz, xz) of tetrahedra, by the formulas."""
    def edges(points):
        return np.swapaxes(points[cells[:, 1:]] - points[cells[:, :1]], 1, 2)

    mu, lame = young / (2 * (1 + nu)), young * nu / ((1 + nu) * (1 - 2 * nu))
    f = edges(x) @ np.linalg.inv(edges(rest))
    log_j = np.log(np.linalg.det(f))
    inverse = np.swapaxes(np.linalg.inv(f), 1, 2)
    p = mu * (f - inverse) + (lame * log_j)[:, None, None] * inverse
    stress = p @ np.swapaxes(f, 1, 2) / np.exp(log_j)[:, None, None]
    return mu / 2 * ((f**2).sum((1, 2)) - 3) - mu * log_j + lame / 2 * log_j**2, stress[:, [0, 1, 2, 0, 1, 0], [0, 1, 2, 1, 2, 2]]


def check_stresses(directory, out, command, cells, materials):
    """`materials`: Young's modulus and Poisson's ratio at each frame. What `electret export` writes is theirs, and no other's."""
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader

    done = command("export", directory, "--to", "vtu", "-o", out)
    assert done.returncode == 0, done.stderr
    run = el.Trajectory(directory)
    assert len(run.times) == len(materials)
    for frame, material in enumerate(materials):
        reader = vtkXMLUnstructuredGridReader()
        reader.SetFileName(str(out / f"block_{frame:04}.vtu"))
        reader.Update()
        cell_data = reader.GetOutput().GetCellData()
        energy, stress = (vtk_to_numpy(cell_data.GetArray(name)) for name in ("energy_density", "stress"))
        wanted = neo_hookean(np.asarray(run.positions[frame]), run.rest_positions, cells, *material)
        np.testing.assert_allclose(energy, wanted[0], rtol=1e-8, atol=1e-8)
        np.testing.assert_allclose(stress, wanted[1], rtol=1e-8, atol=1e-6)
    assert energy.max() > 0.1


def block(**tables):
    scene = el.Scene(time={"step": 0.002, "steps": 20}, gravity={"acceleration": (0.0, 200.0, -500.0)}, output={"precision": "double"}, **tables)
    body = scene.body(name="block", generate={"shape": "box", "cells": [2, 2, 2], "cell_size": 0.1, "element": "tet"}, density=1000.0)
    body.material(model="neo_hookean", youngs_modulus=2e4, poissons_ratio=0.3)
    body.group(name="held", attribute="left")
    body.pin(group="held")
    scene.obstacle(name="floor", shape="plane", point=(0, 0, -3), normal=(0, 0, 1), law="penalty", stiffness=10.0)
    return scene


def test_the_record_has_what_was_set_before_it(tmp_path, command):
    sim = el.Simulator(block())
    sim.run(3)
    sim.set({"body.block.youngs_modulus": 6e4, "obstacle.floor.point": (0, 0, -2)})
    sim.set({"body.block.poissons_ratio": 0.2})
    with sim.record(tmp_path / "run", every=2):
        sim.run(4)
    check_stresses(tmp_path / "run", tmp_path / "vtu", command, sim.tetrahedra, 3 * [(6e4, 0.2)])
    said = command("info", tmp_path / "run").stdout
    for text in ("body.0.material.0.youngs_modulus=60000.0", "body.0.material.0.poissons_ratio=0.2", "obstacle.0.point=[0.0, 0.0, -2.0]"):
        assert text in said and text in el.Run(tmp_path / "run").summary["overrides"], said
    sim.reset()  # Keeps the parameters.
    with sim.record(tmp_path / "again"):
        sim.run(3)
    check_stresses(tmp_path / "again", tmp_path / "vtu of again", command, sim.tetrahedra, 4 * [(6e4, 0.2)])
    # What was set gives the same run from the scene's text.
    block().save(tmp_path / "scene.toml")
    settings = [word for text in el.Run(tmp_path / "again").summary["overrides"] for word in ("--set", text)]
    assert command("run", tmp_path / "scene.toml", "--set", "time.steps=3", *settings, "-o", tmp_path / "same").returncode == 0
    assert np.array_equal(np.asarray(el.Trajectory(tmp_path / "same").positions), np.asarray(el.Trajectory(tmp_path / "again").positions))


def test_the_record_has_what_was_set_after_the_scenes_changes(tmp_path, command):
    scene = block()
    scene.change(step=2, set=["body.0.material.0.youngs_modulus=4e4", "time.step=0.001"])
    sim = el.Simulator(scene)
    sim.run(4)
    sim.set({"body.block.youngs_modulus": 9e4})
    with sim.record(tmp_path / "run"):
        sim.run(2)
    check_stresses(tmp_path / "run", tmp_path / "vtu", command, sim.tetrahedra, 3 * [(9e4, 0.3)])
    assert command("info", tmp_path / "run").returncode == 0
    sim.reset()  # As the scene was written.
    with sim.record(tmp_path / "again"):
        sim.run(4)
    check_stresses(tmp_path / "again", tmp_path / "vtu of again", command, sim.tetrahedra, 3 * [(2e4, 0.3)] + 2 * [(4e4, 0.3)])
    assert el.Run(tmp_path / "again").summary["overrides"] == []


def test_rest_positions_that_were_set_are_in_the_record(tmp_path, command):
    """Scenes have no key for them; the trajectory holds them."""
    sim = el.Simulator(block())
    sim.set({"body.block.rest_positions": 1.1 * sim.rest_positions, "body.block.youngs_modulus": 5e4})
    with sim.record(tmp_path / "run"):
        sim.run(3)
    assert np.array_equal(el.Trajectory(tmp_path / "run").rest_positions, sim.rest_positions)
    check_stresses(tmp_path / "run", tmp_path / "vtu", command, sim.tetrahedra, 4 * [(5e4, 0.3)])
