"""Driving: a schedule's bits, the accounts, pins, and what is no control or action.

Acceptance points 14 and 15 (what a control moves).
"""

import numpy as np
import pytest

import electret as el
from conftest import METHODS, jelly, keyed


def test_driving_key_frames_gives_their_bits():
    scheduled, driven = el.Simulator(keyed()), el.Simulator(keyed(), controls=["body.b.charge[low]"])
    for step in range(12):
        scheduled.step()
        driven.step([1e-7 if step < 4 else 3e-7 if step < 8 else -2e-7])
        assert np.array_equal(scheduled.positions, driven.positions)
    undriven = el.Simulator(keyed(), controls=["body.b.charge[low]"])
    undriven.run()
    assert np.array_equal(scheduled.positions, undriven.positions)


def test_accounts_of_a_driven_run_balance():
    def imbalance(factor):
        scene = keyed()
        scene.set("time.step", 0.01 / factor)
        scene.set("time.steps", 12 * factor)
        sim = el.Simulator(scene, controls=["body.b.charge[low]", "external_charge.0.position", "body.b.pin[one].offset"])
        first = sim.energies().total
        for step in range(12 * factor):
            t = step // factor
            sim.step(np.array([1e-7 * (1 + t % 3), 0.1 * (t % 2), 0.0, 2.0, 0.02 * ((step + 1) / (12 * factor)) ** 2, 0.0, 0.0]))
        work = sim.work
        assert work.keyframe_work != 0.0 and work.pin_work != 0.0
        return abs(sim.energies().total - first - work.field_work - work.keyframe_work - work.pin_work + work.dissipation)

    errors = [imbalance(factor) for factor in (4, 8, 16)]
    assert errors[1] < 0.7 * errors[0] and errors[2] < 0.7 * errors[1]


def test_each_control_moves_what_it_names():
    names = ["body.b.charge[one]", "external_charge.0.charge", "external_charge.0.position", "body.b.pin[one].positions",
             "body.b.load.0.force", "body.b.forces"]
    sim = el.Simulator(keyed(), controls=names)
    controls = sim.controls
    assert controls.names == tuple(names) and controls.units == ("C", "C", "m", "m", "N", "N")
    assert controls.shapes == ((), (), (3,), (2, 3), (3,), (18, 3)) and controls.size == 1 + 1 + 3 + 6 + 3 + 54
    schedule = {"body.b.charge[one]": 1e-7, "external_charge.0.charge": -1e-6, "external_charge.0.position": [0, 0, 2],
                "body.b.pin[one].positions": sim.positions[:2].copy(), "body.b.load.0.force": [0, 0, 0.01],
                "body.b.forces": np.zeros((18, 3))}
    action = controls.pack(schedule)
    assert np.array_equal(controls.pack(controls.unpack(action)), action)
    base = el.Simulator(keyed(), controls=names)
    base.step(action)
    pins = base.positions[:2].copy()
    for name in names:
        moved = dict(schedule)
        moved[name] = np.asarray(schedule[name]) * 1.01 + 1e-9
        sim = el.Simulator(keyed(), controls=names)
        sim.step(controls.pack(moved))
        assert not np.array_equal(sim.positions, base.positions), name
        if name.startswith("body.b.pin"):
            assert np.array_equal(sim.positions[:2], moved[name])
        else:
            assert np.array_equal(sim.positions[:2], pins)
        charges = base.charges.copy()
        if name == "body.b.charge[one]":
            charges[:2] = moved[name]
        assert np.array_equal(sim.charges, charges)


@pytest.mark.parametrize("names, words", [
    (["body.b.chrge"], "body.b.charge"), (["body.b.charge", "body.b.charges"], "drives numbers that"),
    (["body.b.charge[low]", "body.b.charge[one]"], "drives numbers that"), (["body.b.pin[one].offset"] * 2, "drives numbers that"),
    (["external_charge.3.charge", "body.x.charge"], "external_charge.0.charge")])
def test_wrong_controls(names, words):
    with pytest.raises(el.InputError, match=words.replace("[", r"\[")) as caught:
        el.Simulator(keyed(), controls=names)
    assert len(caught.value.findings) >= 1


def test_wrong_actions(scene):
    sim = el.Simulator(scene, controls=["body.jelly.charge"])
    for bad, error in (([1.0, 2.0], ValueError), ([np.nan], ValueError), (["a"], TypeError)):
        with pytest.raises(error, match="action"):
            sim.step(bad)
    with pytest.raises(ValueError, match="no controls"):
        el.Simulator(scene).step([1.0])
    with pytest.raises(ValueError, match="values must be of exactly"):
        sim.controls.pack({})
    assert sim.steps_done == 0


def test_pins_react_where_a_step_led_to_the_state():
    scene = keyed()
    sim = el.Simulator(scene)
    assert not sim.pin_reactions.any()
    sim.run(2)
    state, reactions = sim.state(), sim.pin_reactions
    assert reactions.any()
    sim.restore(state)
    assert not sim.pin_reactions.any()
    sim.run(2)
    sim.reset()
    assert not sim.pin_reactions.any()
    driven = el.Simulator(scene, controls=["body.b.charges"])
    driven.run(2, action=np.zeros(18))
    before = driven.pin_reactions
    with pytest.raises(el.DivergenceError):
        driven.run(9, action=np.full(18, 1e12))
    assert before.any() and np.isfinite(driven.pin_reactions).all()


@pytest.mark.parametrize("method", METHODS)
def test_a_failed_step_leaves_no_trace_of_its_action(method):
    """The state keeps the action that led to it, so that the next step books the same key-frame work."""
    def driven():
        sim = el.Simulator(jelly(steps=50, method=method), controls=["body.jelly.charge"], threads=1)
        sim.run(3, action=[2e-7])
        return sim

    good, failed = driven(), driven()
    with pytest.raises(el.Error):
        for charge in (0.1, 1e3, 1e8, 1e20, 1e100):
            failed.step([charge])
    assert failed.steps_done == 3 and failed.state().action.tolist() == [2e-7]
    continued = driven()
    continued.restore(failed.state())
    for sim in (good, failed):
        sim.set({"gravity": [0.0, 0.0, -1.0]})
    assert np.array_equal(failed.charges, good.charges)
    continued.set({"gravity": [0.0, 0.0, -1.0]})
    for sim in (good, failed, continued):
        sim.step([3e-7])
        assert np.array_equal(sim.positions, good.positions) and sim.work == good.work
