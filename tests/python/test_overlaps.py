"""Names that hold the same numbers, and names whose numbers differ and move together."""

import numpy as np
import pytest

import electret as el


def block():
    """A solid with a density and springs of two stiffnesses, hung at one side."""
    scene = el.Scene(time={"step": 0.01, "steps": 5}, gravity={"acceleration": (0.0, 0.0, -9.81)}, integrator={"tolerance": 1e-12})
    body = scene.body(name="a", generate={"shape": "box", "cells": [2, 1, 1], "cell_size": 0.1}, density=1000.0, charge=1e-7)
    body.material(model="neo_hookean", youngs_modulus=1e5, poissons_ratio=0.3)
    body.springs("edges", stiffness=10.0)
    body.springs("nearest", neighbours=3, stiffness=100.0)
    body.group(name="wall", attribute="left")
    body.pin(group="wall")
    return scene


def one_value(name):
    return el.Simulator(block()).parameters[name].value


OVERLAPPING = [("body.a.mass", "body.a.masses"), ("body.a.density", "body.a.mass"), ("body.a.masses", "body.a.density"),
               ("body.a.charge", "body.a.charges"), ("body.a.stiffnesses", "body.a.stiffness"), ("body.a.velocity", "body.a.velocities"),
               ("body.a.masses", "body.a.rest_positions"), ("body.a.rest_positions", "body.a.mass")]
APART = [("body.a.density", "body.a.rest_positions"), ("body.a.positions", "body.a.rest_positions"), ("body.a.mass", "body.a.charges"),
         ("body.a.stiffness", "body.a.rest_lengths")]


@pytest.mark.parametrize("names", OVERLAPPING)
def test_a_number_is_set_under_one_name(names):
    sim = el.Simulator(block())
    values = {name: one_value(name) for name in names}
    masses, stiffness = sim.masses, sim.spring_stiffness
    roll = el.Rollout(sim, wrt=names)
    for call in (sim.set, roll.forward, lambda given: roll.value_and_grad("energy", given)):
        with pytest.raises(el.InputError, match="set under another name, too; set each number once") as caught:
            call(values)
        assert [finding.file for finding in caught.value.findings] == [names[1]]
    assert np.array_equal(sim.masses, masses) and np.array_equal(sim.spring_stiffness, stiffness)


@pytest.mark.parametrize("names", APART)
def test_names_apart_are_set_in_any_order(names):
    found = []
    for order in (names, names[::-1]):
        sim = el.Simulator(block())
        sim.set({name: 1.01 * np.asarray(sim.parameters[name].value) for name in order})
        sim.reset()
        sim.run(5)
        found.append((sim.masses, sim.positions))
    assert np.allclose(found[0][0], found[1][0], rtol=1e-14) and np.allclose(found[0][1], found[1][1], rtol=1e-12)


@pytest.mark.parametrize("names", OVERLAPPING + APART)
def test_derivatives_are_for_a_change_of_each_name_alone(names):
    roll = el.Rollout(el.Simulator(block()), wrt=names)
    rows = roll.check("energy")
    assert max(row.relative_error for row in rows) < 1e-6
    assert any(row.direction == f"{names[1]}: gradient" for row in rows) == (names in OVERLAPPING)
    _, together = roll.value_and_grad("energy")
    for name in names:
        _, alone = el.Rollout(el.Simulator(block()), wrt=[name]).value_and_grad("energy")
        assert np.array_equal(alone[name], together[name])


def test_all_parameters_of_a_scene_are_checked_at_once():
    sim = el.Simulator(block(), controls=["body.a.charge"])
    roll = el.Rollout(sim, wrt=sim.parameters, hold=5)
    actions = np.full((1, 1), 2e-7)
    loss = el.loss.centre_of_mass((0.0, 0.1, 0.3))
    rows = roll.check(loss, actions=actions)
    assert len(rows) == 4 * (len(sim.parameters) + 1) and rows[-1].direction == "actions: random 2"
    assert max(row.relative_error for row in rows) < 1e-6

    def wrong(traj):
        return float(traj.positions.sum()), {"positions": 1.01 * np.ones_like(traj.positions)}

    assert max(row.relative_error for row in roll.check(wrong, actions=actions)) > 1e-3


def test_a_check_does_not_move_what_is_set_under_another_name():
    roll = el.Rollout(el.Simulator(block()), wrt=["body.a.masses"])
    with pytest.raises(el.InputError, match="body.a.masses: error: some of its values are set under another name, too"):
        roll.check("energy", {"body.a.mass": 0.5})


def test_a_problem_moves_each_number_once():
    roll = el.Rollout(el.Simulator(block()), wrt=["body.a.mass", "body.a.masses"])
    with pytest.raises(el.InputError, match="body.a.masses: error: some of its values are moved under another name, too; move each number once"):
        el.Problem(roll, "energy", {"body.a.mass": "log", "body.a.masses": "log"})


def springs():
    """A net of springs of 10 and 100 N/m, and of masses of 1 and 10 kg."""
    scene = el.Scene(time={"step": 0.01, "steps": 10}, gravity={"acceleration": (0.0, 0.0, -9.81)}, integrator={"tolerance": 1e-10})
    body = scene.body(name="a", generate={"shape": "grid", "rows": 3, "columns": 3}, masses=[1.0] * 8 + [10.0])
    body.springs("edges", stiffness=10.0)
    body.springs("diagonals", stiffness=100.0)
    body.group(name="w", indices=[0])
    body.pin(group="w")
    return scene


@pytest.mark.parametrize("name, words", [("body.a.stiffness", "≥ 0"), ("body.a.mass", "> 0")])
def test_a_common_value_keeps_each_number_in_range(name, words):
    """The number that is refused is the one that was written, whatever it would make of others."""
    sim = el.Simulator(springs())
    row = sim.parameters[name]
    numbers = sim.spring_stiffness if name.endswith("stiffness") else sim.masses
    assert row.bounds[0] == pytest.approx(numbers.mean() - numbers.min(), rel=1e-14)
    roll = el.Rollout(sim, wrt=[name])
    problem = el.Problem(roll, "energy", {name: "log"})
    for call in (lambda: sim.set({name: 0.9 * row.bounds[0]}), lambda: roll.forward({name: 0.9 * row.bounds[0]}),
                 lambda: problem(np.log([0.9 * row.bounds[0]]))):
        with pytest.raises(el.InputError) as caught:
            call()
        (finding,) = caught.value.findings
        assert (finding.file, finding.message) == (name, f"is set to {0.9 * row.bounds[0]:g}")
        assert finding.allowed.endswith(f"so that each of the values that it shifts stays {words}")
    ((low, high),) = problem.bounds
    assert high is None and np.exp(low) == pytest.approx(row.bounds[0], rel=1e-8)
    assert np.isfinite(problem([low + 1e-6])[0])
    sim.set({name: row.bounds[0] * 1.001})
    assert (sim.spring_stiffness > 0.0).all() and (sim.masses > 0.0).all()
    # Equal numbers have the range of each.
    even = springs()
    even.set("body.0.springs.1.stiffness", 10.0)
    assert el.Simulator(even).parameters["body.a.stiffness"].bounds == (0.0, np.inf)


def test_a_search_for_a_common_value_stays_in_its_range():
    """The lower, the better: towards springs that are softer than they may be."""
    optimize = pytest.importorskip("scipy.optimize")
    roll = el.Rollout(el.Simulator(springs()), wrt=["body.a.stiffness"])
    down = np.zeros((1, 9, 3))
    down[0, :, 2] = 1.0
    p = el.Problem(roll, lambda traj: (float(traj.positions[0, :, 2].sum()), {"positions": down}), {"body.a.stiffness": "linear"})
    assert p(p.start())[1][0] > 0.0
    found = optimize.minimize(p, p.start(), jac=True, bounds=p.bounds, method="L-BFGS-B", options={"ftol": 1e-15, "gtol": 1e-15})
    assert p.values(found.x)["body.a.stiffness"] == pytest.approx(roll.parameters["body.a.stiffness"].bounds[0], rel=1e-9)


def test_rest_positions_that_invert_are_wrong_values():
    sim = el.Simulator(block())
    rest, sound = sim.rest_positions, 1.01 * sim.rest_positions
    roll = el.Rollout(sim, wrt=["body.a.density"])
    roll.forward({"body.a.rest_positions": sound})
    wanted = roll.vjp({"energy": 1.0})
    for call in (sim.set, roll.forward):
        with pytest.raises(el.InputError, match="body.a.rest_positions: error: an element is inverted or flat at rest; rest positions must leave"):
            call({"body.a.rest_positions": -rest})
    assert np.array_equal(sim.rest_positions, rest) and np.isfinite(sim.energies().total)
    sim.step()
    # What failed leaves nothing behind.
    roll.forward({"body.a.rest_positions": sound})
    assert np.array_equal(roll.vjp({"energy": 1.0})["body.a.density"], wanted["body.a.density"])
