"""Reactions of pins, elements and their stress: in the simulator, in a run's files and in exports."""

import csv
import re

import numpy as np
import pytest

import electret as el
from conftest import jelly

h5py = pytest.importorskip("h5py")


def cantilever(steps=5, cells=(4, 2, 2), **tables):
    """Two bodies: a chain without pins, and a beam that is held at its left end and pulled at the right."""
    scene = el.Scene(time={"step": 0.01, "steps": steps}, gravity={"acceleration": (0.0, 0.0, -9.81)}, integrator={"tolerance": 1e-10}, **tables)
    scene.body(name="chain", generate={"shape": "chain", "vertices": 3}, mass=0.1).springs("edges", stiffness=5.0)
    beam = scene.body(name="beam", generate={"shape": "box", "cells": list(cells), "cell_size": 0.1}, density=1000.0)
    beam.material(model="corotated", youngs_modulus=1e6, poissons_ratio=0.3)
    beam.group(name="wall", attribute="left")
    beam.pin(group="wall")
    return scene


def test_pins_name_the_rows_of_reactions():
    sim = el.Simulator(cantilever())
    wall = np.sort(sim.groups["beam[wall]"])
    assert len(wall) == 9 and np.array_equal(sim.pins, wall) and sim.pins.dtype == np.int64
    assert sim.pin_reactions.shape == (9, 3) and not sim.pin_reactions.any()
    before = sim.masses @ sim.velocities
    sim.step()
    gained = sim.masses @ sim.velocities - before
    weight = sim.masses.sum() * np.array([0.0, 0.0, -9.81])
    # Newton's second law of both bodies together: the springs' and elements' forces cancel.
    np.testing.assert_allclose(sim.pin_reactions.sum(axis=0), gained / 0.01 - weight, rtol=0, atol=1e-8 * np.linalg.norm(weight))
    sim.pins[0] = 77
    assert np.array_equal(sim.pins, wall), "a copy"
    assert el.Simulator(jelly()).pins.shape == (0,)


def test_rollers_hold_their_directions_alone():
    scene = el.Scene(time={"step": 0.01, "steps": 5}, gravity={"acceleration": (0.0, 3.0, -4.0)}, integrator={"tolerance": 1e-12})
    beads = scene.body(name="beads", generate={"shape": "chain", "vertices": 2}, mass=2.0)
    for name, index in (("a", 0), ("b", 1)):
        beads.group(name=name, indices=[index])
    beads.pin(group="a", normal=(0.0, 0.0, 1.0))
    beads.pin(group="b", axis=(0.0, 0.0, 2.0))
    sim = el.Simulator(scene)
    start = sim.positions.copy()
    sim.run(5)
    moved = sim.positions - start
    assert moved[0, 2] == 0.0 and not moved[1, :2].any()
    np.testing.assert_allclose([moved[0, 1], moved[1, 2]], [15e-4 * 3.0, -15e-4 * 4.0], rtol=1e-9)
    np.testing.assert_allclose(sim.pin_reactions, [[0.0, 0.0, 8.0], [0.0, -6.0, 0.0]], atol=1e-9)


def test_a_run_keeps_the_reactions_of_each_frame(tmp_path):
    scene = cantilever(output={"every": 2, "precision": "single"}, )
    run, sim = el.run(scene, tmp_path / "run"), el.Simulator(scene)
    trajectory = run.trajectory
    assert np.array_equal(trajectory.pins, sim.pins) and trajectory.pin_reactions.shape == (3, 9, 3)
    for frame in range(3):
        assert np.array_equal(trajectory.pin_reactions[frame], sim.pin_reactions), frame
        if frame < 2:
            sim.run(2)
    assert trajectory.pin_reactions[0].any() == False and trajectory.pin_reactions[2].any()  # noqa: E712
    with h5py.File(tmp_path / "run/trajectory.h5") as file:
        assert file["pins"].dtype == np.int32 and file["pin_reactions"].dtype == np.float64
        assert np.array_equal(file["pin_reactions"][()], trajectory.pin_reactions[:])
    free = el.run(jelly(steps=2), tmp_path / "free").trajectory
    assert free.pins.shape == (0,) and free.pin_reactions.shape == (3, 0, 3) and free.pin_reactions[1].shape == (0, 3)


def test_a_recording_keeps_them_too(tmp_path):
    sim = el.Simulator(cantilever())
    sim.step()
    with sim.record(tmp_path / "run"):
        first = sim.pin_reactions
        sim.step()
    kept = el.Trajectory(tmp_path / "run").pin_reactions
    assert np.array_equal(kept[0], first) and np.array_equal(kept[1], sim.pin_reactions) and first.any()


def test_resume_keeps_the_bits(tmp_path):
    whole = el.run(cantilever(steps=60), tmp_path / "whole").trajectory.pin_reactions[:]

    class Enough(Exception):
        pass

    def stop(done, total):
        if done == 21:
            raise Enough

    with pytest.raises(Enough):
        el.run(cantilever(steps=60), tmp_path / "part", progress=stop)
    again = el.run(cantilever(steps=60), tmp_path / "part", resume=True).trajectory.pin_reactions[:]
    assert np.array_equal(whole, again) and len(whole) == 61


def appended(path, name):
    """An array of three float64 in a VTK file, whose appended data are raw."""
    data = path.read_bytes()
    offset = int(re.search(rb'Name="%b" NumberOfComponents="3" format="appended" offset="(\d+)"' % name.encode(), data).group(1))
    start = data.index(b"_", data.index(b"<AppendedData")) + 1 + offset
    size = int.from_bytes(data[start:start + 8], "little")
    return np.frombuffer(data[start + 8:start + 8 + size], "<f8").reshape(-1, 3)


def test_exports_have_them_at_their_vertices(tmp_path, command):
    trajectory = el.run(cantilever(), tmp_path / "run").trajectory
    pins, own, reactions = trajectory.pins, trajectory.bodies["beam"], trajectory.pin_reactions[5]
    expected = np.zeros((len(trajectory.masses), 3))
    expected[pins] = reactions
    for form in ("csv", "vtu", "vtp"):
        assert command("export", tmp_path / "run", "--to", form, "-o", tmp_path / form).returncode == 0
    for body, rows in (("beam", expected[own]), ("chain", expected[trajectory.bodies["chain"]])):
        with open(tmp_path / f"csv/{body}.csv", encoding="utf-8") as file:
            last = [row for row in csv.DictReader(file) if row["frame"] == "5"]
        assert np.array_equal([[float(row[axis]) for axis in ("rx", "ry", "rz")] for row in last], rows)
        assert np.array_equal(appended(tmp_path / f"vtu/{body}_0005.vtu", "pin_reaction"), rows)
        assert np.array_equal(appended(tmp_path / f"vtp/{body}_0005.vtp", "pin_reaction"), rows)
    assert rows.any() == False and expected.any()  # noqa: E712
    said = command("info", tmp_path / "run").stdout
    total = reactions.sum(axis=0)
    assert f"pins              9, reactions in sum ({total[0]:.6g}, {total[1]:.6g}, {total[2]:.6g}) N at the last frame" in said
    assert "positions, velocities, reactions, double precision" in said


def test_a_run_without_pins_is_exported_as_before(tmp_path, command):
    el.run(jelly(steps=1), tmp_path / "run")
    assert command("export", tmp_path / "run", "--to", "csv", "-o", tmp_path / "csv").returncode == 0
    assert (tmp_path / "csv/jelly.csv").read_text(encoding="utf-8").startswith("frame,time,vertex,x,y,z,vx,vy,vz,charge\n")
    assert "\npins " not in command("info", tmp_path / "run").stdout


def test_compare_sees_other_reactions(tmp_path, command):
    for name in ("a", "b", "c"):
        el.run(cantilever(), tmp_path / name)
    with h5py.File(tmp_path / "b/trajectory.h5", "r+") as file:
        file["pin_reactions"][4, 3, 1] += 2.0
    said = command("compare", tmp_path / "a", tmp_path / "b").stdout
    vertex = el.Trajectory(tmp_path / "a").pins[3]
    assert f"reactions   largest 2 N at frame 4, vertex {vertex}, t = 0.04 s" in said and "identical, bit for bit" not in said
    assert "identical, bit for bit" in command("compare", tmp_path / "a", tmp_path / "c").stdout


def test_damaged_pins_are_told(tmp_path):
    for name, pins in (("order", [5, 4]), ("negative", [-1, 4]), ("beyond", [4, 10 ** 6])):
        el.run(cantilever(), tmp_path / name)
        with h5py.File(tmp_path / name / "trajectory.h5", "r+") as file:
            file["pins"][:2] = pins
        with pytest.raises(el.IoError, match="pins"):
            el.Trajectory(tmp_path / name)
    el.run(cantilever(), tmp_path / "fewer")
    with h5py.File(tmp_path / "fewer/trajectory.h5", "r+") as file:
        kept = file["pins"][:5]
        del file["pins"]
        file["pins"] = kept
    with pytest.raises(el.IoError, match="pin_reactions"):
        el.Trajectory(tmp_path / "fewer")
    el.run(cantilever(), tmp_path / "old")  # As versions without reactions wrote them.
    with h5py.File(tmp_path / "old/trajectory.h5", "r+") as file:
        del file["pins"], file["pin_reactions"]
    old = el.Trajectory(tmp_path / "old")
    assert old.pins.shape == (0,) and old.pin_reactions.shape == (6, 0, 3) and old.positions.shape[0] == 6


def test_elements_and_their_stress():
    """A body stretched by s along x: F = diag(s, 1, 1), so that P_xx = (2μ + λ)(s - 1), P_yy = λ (s - 1) and σ = P Fᵀ / s."""
    sim = el.Simulator(cantilever())
    assert sim.tetrahedra.shape == (0, 4) and sim.hexahedra.shape == (16, 8) and (sim.hexahedra >= 3).all()
    assert np.abs(sim.element_stress().cauchy).max() < 1e-8  # Pa; of 1e6.
    start = sim.state()
    s, mu, lame = 1.05, 1e6 / 2.6, 1e6 * 0.3 / (1.3 * 0.4)
    sim.restore(start._replace(positions=start.positions * (s, 1.0, 1.0)))
    stress = sim.element_stress()
    across = lame * (s - 1) / s
    expected = [(2 * mu + lame) * (s - 1), across, across, 0, 0, 0]
    np.testing.assert_allclose(stress.cauchy, np.tile(expected, (16, 1)), rtol=1e-10, atol=1e-6)
    np.testing.assert_allclose(stress.von_mises, expected[0] - across, rtol=1e-10)
    np.testing.assert_allclose(stress.energy_density, (mu + lame / 2) * (s - 1) ** 2, rtol=1e-10)
    assert stress.is_defined.dtype == bool and stress.is_defined.all() and stress.cauchy.flags.writeable


def test_stress_of_tetrahedra_in_two_materials_and_none():
    scene = el.Scene(time={"step": 0.01, "steps": 1})
    body = scene.body(name="b", generate={"shape": "box", "cells": [2, 1, 1], "cell_size": 0.1, "element": "tet"}, mass=0.1)
    body.element_group(name="soft", indices=[0, 1, 2])
    body.element_group(name="hard", indices=[5, 9])
    body.material(model="corotated", group="soft", youngs_modulus=1e5, poissons_ratio=0.25)
    body.material(model="corotated", group="hard", youngs_modulus=1e7, poissons_ratio=0.25)
    sim = el.Simulator(scene)
    assert sim.tetrahedra.shape == (12, 4) and sim.hexahedra.shape == (0, 8)
    start = sim.state()
    sim.restore(start._replace(positions=start.positions * (1.01, 1.0, 1.0)))
    stress = sim.element_stress().cauchy[:, 0]
    expected = np.zeros(12)
    expected[[0, 1, 2]], expected[[5, 9]] = 1.2 * 1e5 * 0.01, 1.2 * 1e7 * 0.01  # 2μ + λ = 1.2 E where ν = 1/4.
    np.testing.assert_allclose(stress, expected, rtol=1e-9, atol=1e-9)


def test_the_stress_is_that_of_the_export(tmp_path, command):
    pytest.importorskip("vtkmodules")
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader
    scene = cantilever()
    el.run(scene, tmp_path / "run")
    sim = el.Simulator(scene)
    sim.run()
    assert command("export", tmp_path / "run", "--to", "vtu", "-o", tmp_path / "vtu").returncode == 0
    reader = vtkXMLUnstructuredGridReader()
    reader.SetFileName(str(tmp_path / "vtu/beam_0005.vtu"))
    reader.Update()
    data, stress = reader.GetOutput().GetCellData(), sim.element_stress()
    for name, values in (("stress", stress.cauchy), ("von_mises", stress.von_mises), ("energy_density", stress.energy_density)):
        assert np.array_equal(vtk_to_numpy(data.GetArray(name)), values) and values.any(), name


def test_energies_leave_the_interpreter_to_others_and_may_be_asked_in_callbacks():
    sim = el.Simulator(cantilever())
    seen = []
    sim.run(2, callback=lambda sim: seen.append((sim.energies().total, sim.observables().time, sim.element_stress().von_mises.max())))
    assert [time for _, time, _ in seen] == [0.01, 0.02] and seen[1][2] > 0
    assert sim.energies().total == seen[1][0]
