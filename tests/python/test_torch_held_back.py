"""What torch does not tell: tensors changed behind its back, other steps, tensors that only later intervals read."""

import numpy as np
import pytest

from with_torch import torch

import electret as el
import electret.torch as et
from conftest import jelly


def driven(method="imex"):
    scene = jelly(steps=8, method=method)
    scene.electric_field(expression=("1e5*cos(9*t)", "0", "0"))
    return el.Simulator(scene, controls=["body.jelly.charge[left]"])


ACTION = torch.tensor([3e-7], dtype=torch.float64)


@pytest.mark.parametrize("parameters", [None, {"body.jelly.stiffness": 31.0}])
@pytest.mark.parametrize("method", ["imex", "verlet"])
def test_a_step_from_another_time(method, parameters):
    """Field and inputs are those of the state's step, wherever the simulator stands."""
    given = None if parameters is None else {name: torch.tensor(value, dtype=torch.float64) for name, value in parameters.items()}
    sim, other = driven(method), driven(method)
    a = et.state(sim)
    b = et.state(other)._replace(step=8)
    x = et.step(sim, a, ACTION, given)
    y = et.step(other, b, ACTION, given)
    assert (x.step, y.step) == (1, 9)
    assert not torch.equal(x.velocities, y.velocities)
    if parameters is None:
        core = driven(method)
        state = core.state()
        core.restore(el.State(8, *list(state)[1:]))
        core.step(ACTION.numpy())
        assert np.array_equal(core.positions, y.positions.numpy())


@pytest.mark.parametrize("parameters", [None, {"body.jelly.stiffness": 31.0}])
def test_a_state_changed_through_numpy(parameters):
    given = None if parameters is None else {name: torch.tensor(value, dtype=torch.float64) for name, value in parameters.items()}
    sim, other = driven(), driven()
    s = et.step(sim, et.state(sim), ACTION, given)
    s.positions.numpy()[:] += 0.01
    t = et.step(other, et.state(other), ACTION, given)
    moved = et.step(sim, s, ACTION, given)
    expected = et.step(other, t._replace(positions=t.positions + 0.01), ACTION, given)
    assert torch.equal(moved.positions, expected.positions)
    moved.velocities.numpy()[3, 1] = np.nan
    with pytest.raises(ValueError, match="velocities"):
        et.step(sim, moved, ACTION, given)


@pytest.mark.parametrize("who", ["policy", "observe"])
def test_a_tensor_that_a_later_interval_reads(who):
    sim = driven()
    g = torch.tensor([1e-7], dtype=torch.float64, requires_grad=True)
    w = torch.tensor([1e-7], dtype=torch.float64, requires_grad=True)

    def policy(o):
        return g * 1.0 if o[-1] < 0.03 or who == "observe" else w * 1.0

    def observe(frame):
        return frame.time[None] * (1.0 if frame.step < 4 or who == "policy" else w)

    with pytest.raises(ValueError, match="was not declared"):
        et.rollout(sim, policy, inputs=[g], observe=observe, steps=6, hold=2)


def test_a_field_without_vjp_is_refused_before_the_run():
    scene = jelly(steps=4)
    scene.electric_field(function=lambda x, t: np.zeros_like(x))
    sim = el.Simulator(scene, controls=["body.jelly.charge[left]"])
    g = torch.tensor([1e-7], dtype=torch.float64, requires_grad=True)
    called = []

    def policy(o):
        called.append(o)
        return g * 1.0

    with pytest.raises(el.GradientError):
        et.rollout(sim, policy, inputs=[g], observe=lambda frame: frame.time[None], steps=4)
    assert not called


def test_a_step_with_a_field_without_vjp_is_refused_before_it_is_taken():
    scene, times = jelly(steps=4), []
    scene.electric_field(function=lambda x, t: (times.append(t), np.zeros_like(x))[1])
    sim = el.Simulator(scene, controls=["body.jelly.charge[left]"])
    s = et.state(sim)
    times.clear()
    with pytest.raises(el.GradientError, match="electric_field.0.function has no vjp"):
        et.step(sim, s, ACTION.clone().requires_grad_())
    assert times == [] and sim.steps_done == 0
    with torch.no_grad():
        assert et.step(sim, s, ACTION.clone().requires_grad_()).step == 1
    assert et.step(sim, s, ACTION).step == 1 and times
