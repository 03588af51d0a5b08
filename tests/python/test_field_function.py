"""Electric fields that are Python functions."""

import pickle
import threading

import numpy as np
import pytest

import electret as el
from conftest import METHODS, jelly

A = 3e4


def swirl(x, t):
    return A * np.stack([-x[:, 1] * np.cos(t), x[:, 0] * x[:, 2], np.sin(t) * np.ones(len(x))], axis=1)


def swirl_vjp(x, t, z):
    return A * np.stack([x[:, 2] * z[:, 1], -np.cos(t) * z[:, 0], x[:, 0] * z[:, 1]], axis=1)


EXPRESSION = {"expression": ("-A*y*cos(t)", "A*x*z", "A*sin(t)"), "constants": {"A": A}}


def with_field(**keys):
    scene = jelly(steps=6, method=keys.pop("method", "imex"))
    scene.electric_field(**keys)
    return scene


@pytest.mark.parametrize("method", METHODS)
def test_a_function_moves_as_its_expression(method):
    one, other = el.Simulator(with_field(function=swirl, method=method)), el.Simulator(with_field(method=method, **EXPRESSION))
    one.run(), other.run()
    assert np.allclose(one.positions, other.positions, rtol=0, atol=1e-12) and one.work.field_work == pytest.approx(other.work.field_work, rel=1e-9)
    still = el.Simulator(jelly(steps=6, method=method))
    still.run()
    assert np.abs(one.positions - still.positions).max() > 1e-6


@pytest.mark.parametrize("method", METHODS)
def test_its_gradient_is_that_of_the_expression(method):
    wrt = ["body.jelly.stiffness", "body.jelly.charges", "body.jelly.positions"]
    got = el.gradient(with_field(function=swirl, vjp=swirl_vjp, method=method), "centre_of_mass:1,2,3", wrt)
    wanted = el.gradient(with_field(method=method, **EXPRESSION), "centre_of_mass:1,2,3", wrt)
    for name in wrt:
        assert np.allclose(got[name], wanted[name], rtol=1e-8, atol=1e-9 * np.abs(wanted[name]).max()), name
    roll = el.Rollout(el.Simulator(with_field(function=swirl, vjp=swirl_vjp, method=method)), wrt=wrt)
    assert max(row.relative_error for row in roll.check("centre_of_mass:1,2,3")) < 1e-6


def test_without_vjp_gradients_are_refused_before_the_run():
    calls = []

    def counted(x, t):
        calls.append(t)
        return swirl(x, t)

    scene = with_field(function=counted)
    sim, driven = el.Simulator(scene), el.Simulator(scene, controls=["body.jelly.charge"])
    state = sim.state()
    calls.clear()
    for ask in (lambda: el.gradient(scene, "energy", ["body.jelly.stiffness"]), lambda: el.Rollout(sim, wrt=["body.jelly.charges"]),
                lambda: el.Rollout(sim).value_and_grad("energy"), lambda: el.Rollout(sim).vjp({"energy": 1.0}),
                lambda: el.Rollout(driven).forward(actions=np.zeros((6, 1))), lambda: el.Rollout(sim, steps=2).forward(start=state)):
        with pytest.raises(el.GradientError, match="electric_field.0.function has no vjp"):
            ask()
    assert calls == []
    assert el.Rollout(sim).forward().positions.shape == (1, 32, 3) and calls
    assert el.Rollout(driven).value("energy", actions=np.zeros((6, 1))) == el.Rollout(el.Simulator(with_charge(scene, 0.0))).value("energy")


def with_charge(scene, charge):
    made = scene.__copy__()
    made.set("body.0.charge", charge)
    return made


def test_one_call_an_evaluation_with_arrays_of_its_own():
    kept = []

    def keeps(x, t):
        assert x.shape == (32, 3) and x.flags.writeable and isinstance(t, float)
        kept.append((x, x.copy()))
        x[:] = 7.0  # It is the function's own.
        return np.zeros((32, 3), np.float32)

    sim, plain = el.Simulator(with_field(function=keeps)), el.Simulator(jelly(steps=6))
    for step in range(6):
        before = len(kept)
        sim.step(), plain.step()
        assert len(kept) - before == 2  # The force at the step's start, and its work at the end.
        assert np.array_equal(sim.positions, plain.positions)


@pytest.mark.parametrize("result, error", [
    (np.zeros((31, 3)), ValueError), (np.full((32, 3), np.nan), ValueError), (np.zeros((32, 3), complex), TypeError), (None, TypeError),
    (ZeroDivisionError("mine"), ZeroDivisionError), (KeyboardInterrupt(), KeyboardInterrupt)], ids=str)
def test_what_it_raises_arrives_and_the_state_stays(result, error):
    faults = []

    def function(x, t):
        if not faults:
            return np.zeros_like(x)
        if isinstance(result, BaseException):
            raise result
        return result

    scene = with_field(function=function)
    sim, plain = el.Simulator(scene), el.Simulator(jelly(steps=6))
    sim.run(3), plain.run(3)
    before = sim.state()
    faults.append(True)
    for call in (sim.step, sim.run):
        with pytest.raises(error) as caught:
            call()
        assert not isinstance(result, BaseException) or caught.value is result
        assert np.array_equal(sim.positions, before.positions) and np.array_equal(sim.velocities, before.velocities)
        assert sim.steps_done == 3 and sim.work == before.work
    faults.clear()
    sim.run(), plain.run()
    assert np.array_equal(sim.positions, plain.positions)


def test_a_vjp_that_raises_arrives():
    def wrong(x, t, z):
        raise LookupError("mine")

    roll = el.Rollout(el.Simulator(with_field(function=swirl, vjp=wrong)), wrt=["body.jelly.stiffness"])
    with pytest.raises(LookupError, match="mine"):
        roll.value_and_grad("energy")
    with pytest.raises(ValueError, match="electric_field.0.vjp"):
        el.Rollout(el.Simulator(with_field(function=swirl, vjp=lambda x, t, z: z[:2])), wrt=["body.jelly.stiffness"]).value_and_grad("energy")


def test_it_may_not_step():
    held = []
    sim = el.Simulator(with_field(function=lambda x, t: held[0].step() if held else np.zeros_like(x)))
    held.append(sim)
    with pytest.raises(RuntimeError, match="in use"):
        sim.step()
    held.clear()
    sim.step()


def test_such_a_scene_is_not_saved(tmp_path):
    scene = with_field(function=swirl)
    for call in (scene.to_toml, lambda: scene.save(tmp_path / "scene.toml"), lambda: el.run(scene, tmp_path / "run"), lambda: el.Simulator(scene).record(tmp_path / "walk")):
        with pytest.raises(el.InputError, match="electric_field.0.function"):
            call()
    assert list(tmp_path.iterdir()) == []
    assert pickle.loads(pickle.dumps(scene)) == scene and scene != with_field(function=swirl_vjp) and scene.check() == []


@pytest.mark.parametrize("keys, error", [({"function": 3}, TypeError), ({"function": swirl, "vjp": "no"}, TypeError),
                                         ({"function": swirl, "expression": ("0", "0", "0")}, el.InputError)])
def test_wrong_functions(keys, error):
    with pytest.raises(error, match="electric_field.0"):
        el.Simulator(with_field(**keys))


def test_findings_keep_their_places():
    scene = with_field(function=swirl)
    scene.electric_field(expression=("x +", "y", "z"))
    assert [finding.file for finding in scene.check()] == ["electric_field.1.expression"]


def test_functions_in_threads_and_their_end():
    import gc
    import weakref

    class Field:
        def __call__(self, x, t):
            return swirl(x, t)

    field = Field()
    alive, scene = weakref.ref(field), with_field(function=field)
    sims, threads = [el.Simulator(scene, threads=2) for _ in range(2)], []
    for sim in sims:
        threads.append(threading.Thread(target=sim.run))
        threads[-1].start()
    for thread in threads:
        thread.join()
    assert np.array_equal(sims[0].positions, sims[1].positions)
    del field, scene, sims, sim, threads, thread
    gc.collect()
    assert alive() is None


def test_centre_of_mass_of_one_body(random):
    scene = jelly(steps=5)
    scene.body(name="other", generate={"shape": "chain", "vertices": 3, "length": 0.2}, translate=(0, 0, 1.5), mass=0.02, charge=1e-7)
    sim = el.Simulator(scene)
    roll = el.Rollout(sim, wrt=["body.jelly.charges", "body.other.mass"])
    target = np.array([0.1, 0.2, 0.3])
    for body in ("jelly", "other"):
        rows = sim.bodies[body]
        value, gradient = roll.value_and_grad(el.loss.centre_of_mass(target, body))
        centre = np.average(roll.forward().positions[0, rows], axis=0, weights=sim.masses[rows])
        assert value == pytest.approx(((centre - target) ** 2).sum(), rel=1e-12)
        assert max(row.relative_error for row in roll.check(el.loss.centre_of_mass(target, body))) < 1e-6
    with pytest.raises(el.InputError, match='no body "third".*jelly, other'):
        roll.value(el.loss.centre_of_mass(target, "third"))


@pytest.mark.parametrize("which", [0, 1])
def test_each_function_needs_its_vjp(which):
    calls = []

    def twice(x, t):
        calls.append(t)
        return 2.0 * swirl(x, t)

    scene = with_field(function=swirl, vjp=None if which == 0 else swirl_vjp)
    scene.electric_field(function=twice, vjp=None if which == 1 else lambda x, t, z: 2.0 * swirl_vjp(x, t, z))
    sim = el.Simulator(scene)
    state = sim.state()
    calls.clear()
    for ask in (lambda: el.gradient(scene, "energy", ["gravity"]), lambda: el.Rollout(sim, wrt=["gravity"]),
                lambda: el.Rollout(sim, steps=2).forward(start=state)):
        with pytest.raises(el.GradientError, match=f"electric_field.{which}.function has no vjp"):
            ask()
    assert calls == []
