"""Stepping: the command's bits, states, reports, parameters, what stays.

Acceptance points 2 (stepping) and 13.
"""

import pickle

import numpy as np
import pytest

import electret as el
from conftest import METHODS, jelly, keyed


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_stepping_has_the_commands_bits(threads, tmp_path, command):
    scene = jelly(steps=6)
    scene.save(tmp_path / "scene.toml")
    assert command("run", tmp_path / "scene.toml", "-o", tmp_path / "run").returncode == 0
    run, sim = el.Run(tmp_path / "run"), el.Simulator(scene, threads=threads)
    trajectory, energies = run.trajectory, run.energies
    for step in range(7):
        assert np.array_equal(trajectory.positions[step], sim.positions)
        assert np.array_equal(trajectory.velocities[step], sim.velocities)
        work = sim.work
        accounts = (work.field_work + work.keyframe_work + work.pin_work, work.dissipation)
        assert tuple(row[step] for row in energies) == (sim.time, *sim.energies(), sim.energies().total, *accounts)
        if step < 6:
            sim.step()


def test_step_and_run_are_one(scene):
    one, other = el.Simulator(scene), el.Simulator(scene)
    for _ in range(20):
        report = one.step()
    assert report.elastic_iterations > 0 and not report.capped
    other.run()
    assert np.array_equal(one.positions, other.positions) and one.steps_done == other.steps_done == 20
    other.run()
    assert other.steps_done == 20
    other.reset()
    assert other.steps_done == 0 and np.array_equal(other.positions, el.Simulator(scene).positions)


@pytest.mark.parametrize("method", METHODS)
def test_a_state_continues_bit_for_bit(method):
    scene = jelly(steps=8, method=method)
    scene.set("time.step", 0.002)
    sim = el.Simulator(scene, controls=["body.jelly.charge[left]"])
    sim.run(4, action=[1e-7])
    kept = pickle.loads(pickle.dumps(sim.state()))
    sim.run(4, action=[2e-7])
    end = sim.state()
    fresh = el.Simulator(pickle.loads(pickle.dumps(scene)), controls=["body.jelly.charge[left]"])
    fresh.restore(kept)
    fresh.run(4, action=[2e-7])
    assert np.array_equal(fresh.positions, end.positions) and np.array_equal(fresh.velocities, end.velocities)
    assert fresh.state().work == end.work


def test_callbacks_read_and_stop(scene):
    sim, times = el.Simulator(scene), []

    def look(sim):
        times.append(sim.time)
        assert np.isfinite(sim.positions).all()
        if len(times) == 3:
            raise el.Stop

    sim.run(callback=look, every=2)
    assert sim.steps_done == 6 and times == [0.02, 0.04, 0.06]
    told = []
    sim.run(progress=lambda done, total: told.append((done, total)))
    assert told == [(k, 14) for k in range(1, 15)]


def test_parameters_are_set_between_steps(scene):
    sim = el.Simulator(scene)
    assert sim.parameters["body.jelly.stiffness"].value == 30.0 and "body.jelly.stiffness" in repr(sim.parameters)
    assert sim.parameters["body.jelly.stiffness"].scale == "log" and sim.parameters["body.jelly.charges"].shape == (32,)
    sim.run(3)
    x = sim.positions
    sim.set({"body.jelly.stiffness": 60.0, "gravity": [0.0, 0.0, -2.0]})
    assert np.array_equal(sim.positions, x) and sim.steps_done == 3 and (sim.spring_stiffness == 60.0).all()
    sim.run(3)
    stiff = jelly()
    stiff.set("body.0.springs.0.stiffness", 60.0)
    stiff.set("gravity.acceleration", [0.0, 0.0, -2.0])
    other = el.Simulator(stiff)
    half = el.Simulator(scene)
    half.run(3)
    other.restore(half.state())
    other.run(3)
    assert np.array_equal(other.positions, sim.positions)
    with pytest.raises(el.InputError, match="stiffnes"):
        sim.set({"body.jelly.stiffnes": 1.0})
    with pytest.raises(el.InputError, match="-3"):
        sim.set({"body.jelly.stiffness": -3.0})
    with pytest.raises(ValueError, match="body.jelly.charges"):
        sim.set({"body.jelly.charges": [1.0]})


def test_what_stays(scene):
    sim = el.Simulator(scene)
    assert sim.masses.shape == (32,) and sim.bodies["jelly"] == slice(0, 32, 1)
    left = sim.groups["jelly[left]"]
    assert left.dtype == np.int64 and left.flags.writeable and (sim.positions[left, 0] <= 0).all()
    assert sim.springs.dtype == np.int64 and sim.springs.max() < 32 and sim.faces.shape[1] == 3
    assert sim.scene == scene and sim.choices["integrator"] == "imex" and sim.time_step == 0.01
    assert "32 vertices" in repr(sim)
    sim.close()
    sim.close()
    with pytest.raises(RuntimeError, match="closed"):
        sim.step()
    assert "closed" in repr(sim)


def test_a_diverged_step_leaves_the_last_good_state(scene):
    sim = el.Simulator(scene, controls=["body.jelly.charge"])
    sim.run(3, action=[1e-7])
    before = sim.positions.copy()
    with pytest.raises(el.DivergenceError) as caught:
        sim.run(4, action=[1e8])
    error = caught.value
    assert isinstance(error, ArithmeticError) and error.step == sim.steps_done + 1 and error.cause and error.advice
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), copy.step, copy.vertex) == (str(error), error.step, error.vertex)
    assert np.array_equal(sim.positions, before)
    sim.run(2, action=[1e-7])
    assert np.isfinite(sim.positions).all()


def test_observables_are_the_files(tmp_path, scene):
    run, sim = el.run(scene, tmp_path / "run"), el.Simulator(scene)
    for frame in range(4):
        now, row = sim.observables(), [column[frame] for column in run.observables.values()]
        flat = np.concatenate([np.atleast_1d(value) for value in now])
        assert flat.tolist() == row and len(row) == 12
        sim.step()
    assert np.allclose(now.centre_of_mass, np.average(run.trajectory.positions[3], axis=0, weights=sim.masses)) and now.smallest_charge_distance < 1.0
    chain = el.Scene(time={"step": 0.1, "steps": 1})
    chain.body(name="c", generate={"shape": "chain", "vertices": 3}, mass=1.0)
    assert el.Simulator(chain).observables().smallest_charge_distance == float("inf")


def test_every_array_that_a_method_keeps_is_taken_back():
    scene = el.Scene(time={"step": 0.05, "steps": 5}, integrator={"method": "newton"}, gravity={"acceleration": (0, 0, -9.81)})
    cloth = scene.body(name="cloth", generate={"shape": "grid", "rows": 40, "columns": 40}, mass=0.001)
    cloth.springs("edges", stiffness=1e3)
    cloth.springs("diagonals", stiffness=500.0)
    cloth.group(name="corners", indices=[0, 39])
    cloth.pin(group="corners")
    sim = el.Simulator(scene)
    sim.run(2)
    state = sim.state()
    assert {name: len(values) for name, values in state.memory.items()} == {"elastic_solver": 9, "multigrid_place": 4800}
    sim.run(1)
    wanted = sim.positions
    sim.restore(state)
    sim.run(1)
    assert np.array_equal(sim.positions, wanted)


def test_a_report_tells_residual_and_target_apart():
    """The target follows the tolerance; a solve that met it is below."""
    reports = []
    for tolerance in (1e-6, 1e-3):
        scene = jelly(steps=1)
        scene.set("integrator.tolerance", tolerance)
        reports.append(el.Simulator(scene).step())
    fine, coarse = reports
    assert coarse.residual_target == pytest.approx(1000 * fine.residual_target, rel=1e-9)
    assert fine.residual <= fine.residual_target and fine.residual != fine.residual_target


def test_springs_and_pins_are_where_they_are():
    scene = jelly(steps=3)
    sim = el.Simulator(scene)
    a, b = sim.rest_positions[sim.springs.T]
    assert np.allclose(sim.spring_rest_length, np.linalg.norm(a - b, axis=1), rtol=1e-12)
    pinned = el.Simulator(keyed())
    assert np.array_equal(pinned.pin_positions, pinned.positions[:2]) and pinned.pin_positions.any()


def test_the_scene_handed_out_is_a_copy(scene):
    sim = el.Simulator(scene)
    handed = sim.scene
    handed.set("time.step", 5.0)
    assert sim.scene == scene != handed and sim.scene.describe()["time_step"] == sim.time_step == 0.01
    scene.set("time.step", 7.0)
    assert sim.scene.describe()["time_step"] == 0.01


def test_what_was_read_before_a_set_is_read_anew(scene):
    sim = el.Simulator(scene)
    before, masses = sim.spring_stiffness, sim.masses
    assert (before == 30.0).all()
    sim.set({"body.jelly.stiffness": 7.0, "body.jelly.mass": 0.1})
    assert (sim.spring_stiffness == 7.0).all() and np.allclose(sim.masses, 2.0 * masses, rtol=1e-12) and (before == 30.0).all()


def test_every_wrong_value_is_found_at_once(scene):
    sim = el.Simulator(scene)
    wrong = {"body.jelly.stiffness": -1.0, "gravitty": 1.0, "damping.drag": -2.0, "body.jelly.charges": np.zeros(32)}
    for call in (sim.set, el.Rollout(sim).forward):
        with pytest.raises(el.InputError) as caught:
            call(wrong)
        assert [finding.file for finding in caught.value.findings] == ["body.jelly.stiffness", "gravitty", "damping.drag"]
    assert (sim.spring_stiffness == 30.0).all()
