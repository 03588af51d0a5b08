"""Steps that missed their tolerance are warned of: once a simulator, whatever ends the run, where derivatives are taken, too."""

import warnings

import pytest

import electret as el
from conftest import jelly

ONE = "1 of 1 step ended before integrator.tolerance was met, within integrator.max_iterations = 1"
SAID = "{} of {} steps ended before integrator.tolerance was met, within integrator.max_iterations = 1"


@pytest.fixture
def told():
    """Every warning of the package, also those that would be shown once."""
    with warnings.catch_warnings(record=True) as all_told:
        warnings.simplefilter("always", el.ElectretWarning)
        yield all_told


def hard(steps=6, **keys):
    """No step meets its tolerance."""
    scene = jelly(steps=steps, **keys)
    scene.set("integrator.max_iterations", 1)
    return scene


def expect(told, *texts):
    assert len(told) == len(texts), [str(one.message) for one in told]
    for one, text in zip(told, texts):
        assert text in str(one.message) and one.filename == __file__


def raising(error, at=3):
    def callback(sim):
        if sim.steps_done == at:
            raise error
    return callback


def test_a_run_that_is_stopped(told):
    sim = el.Simulator(hard())
    sim.run(callback=raising(el.Stop()))
    assert sim.steps_done == 3
    expect(told, SAID.format(3, 3))


@pytest.mark.parametrize("error", [ZeroDivisionError(), KeyboardInterrupt(), SystemExit(3)], ids=repr)
def test_a_run_that_an_error_ends(told, error):
    sim = el.Simulator(hard())
    with pytest.raises(type(error)) as caught:
        sim.run(callback=raising(error))
    assert caught.value is error
    expect(told, SAID.format(3, 3))


def bursting():
    """Diverges after some steps."""
    scene = hard(steps=40)
    scene.electric_field(expression=("1e3*exp(8000*t)", "0", "0"))
    return scene


def test_a_run_that_diverges(told):
    sim = el.Simulator(bursting())
    with pytest.raises(el.DivergenceError) as caught:
        sim.run()
    good = caught.value.step - 1
    assert good > 2 and sim.steps_done == good
    expect(told, SAID.format(good, good))


def test_once_a_simulator(told):
    sim = el.Simulator(hard(), controls=["body.jelly.charge"])
    for _ in range(2):
        sim.run(1)
    expect(told, ONE)
    gradient = "2 of 2 steps ended before integrator.tolerance was met, within integrator.max_iterations; the gradient is only as exact as"
    for _ in range(2):
        el.Rollout(sim, wrt=["gravity"], steps=2).value_and_grad("energy")
    expect(told[1:], gradient)


def test_roll_outs_without_a_gradient(told):
    el.Rollout(el.Simulator(hard()), steps=2).forward()
    expect(told, SAID.format(2, 2))
    el.Rollout(el.Simulator(hard()), steps=3).value("energy")
    expect(told[1:], SAID.format(3, 3))


def test_each_call_that_makes_a_simulator_warns_once(told, tmp_path):
    for _ in range(2):
        el.gradient(hard(3), lambda traj: (0.0, {"energy": 1.0}), ["gravity"], check=True)
    steps = [str(one.message) for one in told if "3 of 3 steps" in str(one.message)]
    assert len(steps) == 2 and all("the gradient" in text for text in steps)


def test_el_run_that_an_error_or_a_divergence_ends(told, tmp_path):
    def throw(done, total):
        if done == 4:
            raise error

    error = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        el.run(hard(), tmp_path / "stopped", progress=throw)
    with pytest.raises(el.DivergenceError) as caught:
        el.run(bursting(), tmp_path / "burst")
    good = caught.value.step - 1
    said = [one for one in told if "max_iterations" in str(one.message)]  # Others speak of the scene.
    expect(said, SAID.format(4, 4), SAID.format(good, good))


def test_a_warning_that_is_an_error_does_not_hide_the_first():
    with warnings.catch_warnings():
        warnings.simplefilter("error", el.ElectretWarning)
        with pytest.raises(ZeroDivisionError) as caught:
            el.Simulator(hard()).run(callback=raising(ZeroDivisionError()))
        assert SAID.format(3, 3) in caught.value.__notes__[0]
        with pytest.raises(el.ElectretWarning, match="3 of 3"):
            el.Simulator(hard()).run(callback=raising(el.Stop()))


@pytest.mark.parametrize("has_gradient", [False, True])
def test_a_step_of_torch(told, has_gradient):
    """Once a simulator, with and without a tape; a step within its tolerance says nothing."""
    pytest.importorskip("torch")
    import electret.torch as et
    et.step(sim := el.Simulator(jelly()), et.state(sim))
    expect(told)
    sim = el.Simulator(hard())
    state = et.state(sim)
    state.velocities.requires_grad_(has_gradient)
    for _ in range(2):
        state = et.step(sim, state)
    assert state.step == 2 and state.positions.requires_grad == has_gradient
    expect(told, ONE)
