"""Hands that pull bodies: `[[grab]]` tables, and grabs that come with a step, unannounced."""

import pickle

import numpy as np
import pytest

import electret as el
from conftest import METHODS

HELD, WEIGHTS = [1, 5, 7], [0.5, 0.3, 0.2]


def lattice(method="imex", **grab):
    scene = el.Scene(time={"step": 0.01, "steps": 12}, integrator={"method": method, "tolerance": 1e-12}, gravity={"acceleration": (0, 0, -1)})
    body = scene.body(name="b", generate={"shape": "lattice", "nx": 3, "ny": 2, "nz": 2, "spacing": 0.2}, mass=0.02)
    body.springs("nearest", stiffness=20.0)
    if grab:
        scene.grab(**{"body": "b", "vertices": HELD, "weights": WEIGHTS, "stiffness": 3.0, "damping": 0.2, "times": [0.0], "targets": [(1, 0, 0.5)], **grab})
    return scene


def hand(**changed):
    return el.Grab(**{"vertices": HELD, "target": (1, 0, 0.5), "stiffness": 3.0, "damping": 0.2, "weights": WEIGHTS, **changed})


def stepped(sim, count, **more):
    for _ in range(count):
        sim.step(**more)
    return sim


@pytest.mark.parametrize("method", METHODS)
def test_a_step_with_a_grab_does_what_the_scenes_grab_does(method):
    scheduled, driven = el.Simulator(lattice(method, until=1.0)), el.Simulator(lattice(method))
    stepped(scheduled, 5), stepped(driven, 5, grabs=[hand()])
    assert np.array_equal(scheduled.positions, driven.positions) and np.array_equal(scheduled.velocities, driven.velocities)
    assert scheduled.energies() == driven.energies()
    assert scheduled.work.dissipation == driven.work.dissipation > 0
    # The hand came at step 0, whose energy the scene had from the start.
    start = 0.5 * 3.0 * np.sum((np.array([1, 0, 0.5]) - np.average(scheduled.rest_positions[HELD], axis=0, weights=WEIGHTS)) ** 2)
    assert driven.work.keyframe_work == pytest.approx(start, rel=1e-12)
    free, let_go = driven.energies(), driven.work
    driven.step()
    assert driven.energies().external == 0.0
    assert driven.work.keyframe_work == pytest.approx(let_go.keyframe_work - free.external, rel=1e-12)


def test_it_acts_beside_the_scenes_own_and_beside_controls():
    sim = el.Simulator(lattice(until=1.0), controls=["grab.0.target", "grab.0.stiffness", "grab.0.damping"])
    other = el.Simulator(lattice(until=1.0))
    action = sim.controls.pack({"grab.0.target": (1, 0, 0.5), "grab.0.stiffness": 3.0, "grab.0.damping": 0.2})
    more = el.Grab([0], (0, 0, 2), 1.0)
    stepped(sim, 4, action=action, grabs=[more]), stepped(other, 4, grabs=[more])
    assert np.array_equal(sim.positions, other.positions)
    assert not np.array_equal(sim.positions, stepped(el.Simulator(lattice(until=1.0)), 4).positions)


def test_a_state_knows_its_grabs():
    sim = stepped(el.Simulator(lattice()), 3, grabs=[hand(), el.Grab([0, 2], (0, 0, 1), 1.0)])
    kept = pickle.loads(pickle.dumps(sim.state()))
    assert [grab.stiffness for grab in kept.grabs] == [3.0, 1.0] and kept.grabs[1].weights.tolist() == [0.5, 0.5]
    fresh = el.Simulator(lattice())
    fresh.restore(kept)
    assert fresh.energies() == sim.energies()
    for each in (sim, fresh):
        each.step(grabs=[hand(target=(1, 1, 0))])
        each.step()
    assert np.array_equal(fresh.positions, sim.positions) and fresh.work == sim.work
    assert sim.state().grabs == ()
    sim.set({"body.b.stiffness": 30.0})
    sim.reset()
    assert sim.state().grabs == ()


@pytest.mark.parametrize("grabs, error, words", [
    (hand(), TypeError, "grabs must be Grabs in a list, not a Grab"), (0, TypeError, "grabs must be Grabs in a list, not int"),
    ([hand(vertices=[1, 1, 2])], ValueError, "grabs[0].vertices must have each vertex once"),
    (3, TypeError, "grabs must be Grabs in a list, not int"), ([(1, 2)], TypeError, "grabs[0] must be a Grab, not tuple"),
    ([hand(vertices=[0, 1, 12])], ValueError, "grabs[0].vertices must be at most 11, not 12"),
    ([hand(vertices=[0, 1, -1])], ValueError, "grabs[0].vertices must be at least 0"), ([hand(vertices=[0.5, 1, 2])], TypeError, "must be a whole number"),
    ([hand(vertices=[], weights=None)], ValueError, "must have at least one vertex"),
    ([hand(weights=[1.0])], ValueError, "grabs[0].weights must have shape (3,)"), ([hand(), hand(weights=[0.5, 0.5, 0.5])], ValueError, "grabs[1].weights must be at least 0 and sum to 1, not to 1.5"),
    ([hand(weights=[1.5, -0.5, 0.0])], ValueError, "must be at least 0"), ([hand(stiffness=-1.0)], ValueError, "grabs[0].stiffness must be at least 0, not -1.0"),
    ([hand(damping=np.nan)], ValueError, "grabs[0].damping must be a finite number"), ([hand(target=(0, 0))], ValueError, "grabs[0].target must have shape (3,)"),
    ([hand(target=(0, 0, np.inf))], ValueError, "grabs[0].target must be finite")])
def test_wrong_grabs_are_told_and_change_nothing(grabs, error, words):
    sim = el.Simulator(lattice())
    with pytest.raises(error) as told:
        sim.step(grabs=grabs)
    assert words in str(told.value)
    assert sim.steps_done == 0


def test_gradients_go_through_a_scene_with_a_grab():
    scene = lattice(times=[0.0, 0.06], targets=[(1, 0, 0.5), (1, 1, 0)], until=0.1)
    names = ["grab.0.stiffness", "grab.0.damping", "grab.0.targets", "body.b.masses", "body.b.positions"]
    roll = el.Rollout(el.Simulator(scene), wrt=names, steps=12)
    rows = roll.check(el.loss.centre_of_mass((0.3, 0.1, 0.2)))
    assert len(rows) == 4 and max(row.relative_error for row in rows) < 1e-6
    with pytest.raises(el.InputError, match="the scene has no body"):
        el.Simulator(lattice(body="c"))
