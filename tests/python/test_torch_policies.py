"""Policies of many kinds, and what a closed loop refuses.

Acceptance point 19: recurrent, dropout, weights computed from others, shared, frozen, float32; the named errors.
"""

import numpy as np
import pytest

from with_torch import torch

import electret as el
import electret.torch as et
from conftest import jelly
from test_torch_rollout import CHARGES, MLP, mlp, observe, weights_of
from test_torch_step import F, gradcheck


@pytest.fixture
def sim():
    return el.Simulator(jelly(steps=12, count=12), controls=CHARGES)


def run(sim, policy, **more):
    return et.rollout(sim, policy, observe=observe, steps=12, hold=3, **more)


def slope(function, tensor, step=1e-4):
    """d function / d (direction of `tensor`), by central differences, and the direction."""
    direction = torch.cos(torch.arange(tensor.numel(), dtype=tensor.dtype)).reshape(tensor.shape)
    values = []
    with torch.no_grad():
        for sign in (1.0, -1.0):
            tensor += sign * step * direction
            values.append(float(function()))
            tensor -= sign * step * direction
    return (values[0] - values[1]) / (2 * step), direction


def test_a_recurrent_policy(sim):
    def whole(r0, a, b, c):
        def policy(o, r):
            after = torch.tanh(a @ r + b @ o)
            return 2e-7 * torch.tanh(c @ after), after
        out = run(sim, policy, inputs=[a, b, c], remember=r0)
        assert out.remember.shape == (4,)
        return out.positions[0, :4], out.remember, out.actions[-1] / 2e-7

    assert gradcheck(whole, *weights_of([(4,), (4, 4), (4, 5), (2, 4)]))


def test_weights_computed_from_others_and_shared(sim):
    """The same matrix in both layers, made of a leaf outside the policy: declared as what it is, or as the leaf."""
    def whole(leaf, declare_leaf):
        w = 0.5 * torch.tanh(leaf)
        out = run(sim, lambda o: 2e-7 * (w @ torch.tanh(w.T @ (w @ o)))[:2], inputs=[leaf if declare_leaf else w])
        return out.positions[0, :4], out.actions[0] / 2e-7

    leaf, = weights_of([(5, 5)])
    for declare_leaf in (False, True):
        assert gradcheck(lambda one: whole(one, declare_leaf), leaf)
    w = leaf.detach().clone().requires_grad_()
    twice = run(sim, lambda o: 2e-7 * (w @ torch.tanh(w @ o))[:2], inputs=[w, w])  # Named twice, counted once.
    once = run(sim, lambda o: 2e-7 * (w @ torch.tanh(w @ o))[:2], inputs=[w])
    assert all(torch.equal(*pair) for pair in zip(torch.autograd.grad(twice.positions.sum(), w), torch.autograd.grad(once.positions.sum(), w)))


def test_dropout_is_differentiated_as_drawn(sim):
    torch.manual_seed(3)
    net = torch.nn.Sequential(torch.nn.Linear(5, 16), torch.nn.Tanh(), torch.nn.Dropout(0.5), torch.nn.Linear(16, 2)).double()
    net.train()

    def loss():
        torch.manual_seed(7)
        return run(sim, torch.nn.Sequential(net, Scaled())).positions.square().sum()

    loss().backward()
    for weight in net.parameters():
        wanted, direction = slope(loss, weight)
        assert float((weight.grad * direction).sum()) == pytest.approx(wanted, rel=1e-5)


class Scaled(torch.nn.Module):
    def forward(self, o):
        return 2e-7 * o


def test_a_module_declares_itself_and_frozen_weights_get_nothing(sim):
    torch.manual_seed(5)
    first, second = torch.nn.Linear(5, 8).double(), torch.nn.Linear(8, 2).double()
    first.weight.requires_grad_(False)
    net = torch.nn.Sequential(first, torch.nn.Tanh(), second, Scaled())
    run(sim, net).positions.square().sum().backward()
    assert first.weight.grad is None
    wanted, direction = slope(lambda: run(sim, net).positions.square().sum(), first.bias)
    assert float((first.bias.grad * direction).sum()) == pytest.approx(wanted, rel=1e-5)
    net.requires_grad_(False)
    assert not run(sim, net).positions.requires_grad


def test_a_float32_policy(sim):
    torch.manual_seed(5)
    net = torch.nn.Sequential(torch.nn.Linear(5, 8), torch.nn.Tanh(), torch.nn.Linear(8, 2))
    out = run(sim, lambda o: 2e-7 * net(o.float()), inputs=net.parameters())
    assert out.actions.dtype == out.positions.dtype == F
    out.positions.square().sum().backward()
    double = torch.nn.Sequential(torch.nn.Linear(5, 8), torch.nn.Tanh(), torch.nn.Linear(8, 2)).double()
    double.load_state_dict(net.state_dict())
    run(sim, lambda o: 2e-7 * double(o), inputs=double.parameters()).positions.square().sum().backward()
    for narrow, wide in zip(net.parameters(), double.parameters()):
        assert narrow.grad.dtype == torch.float32 and (narrow.grad - wide.grad).norm() <= 1e-4 * wide.grad.norm()
    start = et.state(sim)
    start = start._replace(positions=start.positions.float().requires_grad_())
    run(sim, lambda o: torch.zeros(2), start=start).positions.sum().backward()
    assert start.positions.grad.dtype == torch.float32


def test_a_policy_may_ignore_the_observation(sim):
    u = torch.tensor([0.5, -0.5], dtype=F, requires_grad=True)
    assert gradcheck(lambda u: run(sim, lambda o: 2e-7 * u, inputs=[u]).positions[0, :3], u)
    x = et.state(sim).positions.requires_grad_()
    by_observation, = torch.autograd.grad(run(sim, lambda o: torch.zeros(2), start=et.state(sim)._replace(positions=x)).observations.sum(), x)
    assert by_observation.any()


def test_undeclared_tensors_are_refused_if_nothing_is_declared(sim):
    gain = torch.tensor(1.0, dtype=F, requires_grad=True)
    for policy, watched in ((lambda o: 1e-8 * gain * o[:2], observe), (lambda o: 1e-8 * o[:2], lambda f: gain * observe(f))):
        with pytest.raises(ValueError, match="not declared"):
            et.rollout(sim, policy, observe=watched, steps=3)
        with torch.no_grad():
            assert not et.rollout(sim, policy, observe=watched, steps=3).positions.requires_grad
    assert not et.rollout(sim, lambda o: 1e-8 * gain.detach() * o[:2], observe=observe, steps=3).positions.requires_grad


def test_undeclared_tensors_are_refused(sim):
    w = weights_of(MLP)
    with pytest.raises(ValueError, match=r"shape \(8, 5\).*not declared.*inputs"):
        run(sim, mlp(w), inputs=w[1:])
    computed = [2.0 * one for one in w]
    with pytest.raises(ValueError, match="not declared"):
        run(sim, mlp(computed), inputs=computed[:3])
    with pytest.raises(ValueError, match=r"shape \(1,\).*not declared"):
        extra = torch.ones(1, requires_grad=True)
        run(sim, lambda o: mlp(w)(o) * extra, inputs=w)
    with pytest.raises(ValueError, match=r"observe reads a tensor of shape \(5,\)"):
        learnt = torch.ones(5, dtype=F, requires_grad=True)
        et.rollout(sim, mlp(w), observe=lambda f: learnt * observe(f), inputs=w, steps=12)
    with pytest.raises(ValueError, match="not declared"):
        run(sim, lambda o, r: (mlp(w)(o), r * extra), inputs=w, remember=torch.ones(1))
    with torch.no_grad():  # Nothing to be lost.
        run(sim, mlp(w))


def test_impure_observations_are_noticed(sim):
    w = weights_of(MLP)
    out = et.rollout(sim, mlp(w), inputs=w, observe=lambda f: observe(f) + 1e-9 * torch.rand(5), steps=12, hold=3)
    with pytest.raises(el.GradientError, match="observe gave other numbers"):
        out.positions.sum().backward()


def test_what_changed_before_backward_is_noticed(sim):
    w = weights_of(MLP)
    out = run(sim, mlp(w), inputs=w)
    with torch.no_grad():
        w[2] += 0.1
    with pytest.raises(RuntimeError, match="inplace"):
        out.positions.sum().backward()
    out = run(sim, mlp(w), inputs=w)
    sim.set({"body.jelly.stiffness": 5.0})
    with pytest.raises(el.GradientError, match="parameters were set"):
        out.positions.sum().backward()
    stiff = run(sim, mlp(w), inputs=w)
    assert not torch.equal(stiff.positions, out.positions)  # The next loop has the new ones.
    with pytest.raises(el.GradientError, match="create_graph"):
        torch.autograd.grad(stiff.positions.sum(), w, create_graph=True)


@pytest.mark.parametrize("policy, look, more, error, words", [
    (lambda o: torch.zeros(3), observe, {}, ValueError, r"action of interval 0 must have shape \(2,\)"), (lambda o: [0.0, 0.0], observe, {}, TypeError, "action must be a tensor"),
    (lambda o: torch.zeros(2, device="meta"), observe, {}, TypeError, r"action must be .*meta.*\.cpu\(\)"),
    (lambda o: torch.full((2,), np.nan), observe, {}, ValueError, "action of interval 0 must be finite, not nan"),
    (lambda o: torch.zeros(2), lambda f: 1.0, {}, TypeError, "observation"), (lambda o: torch.zeros(2), lambda f: f.positions, {}, ValueError, "observation of interval 0"),
    (lambda o: torch.zeros(2), lambda f: torch.zeros(1 + f.step), {}, ValueError, "observation of interval 1"),
    (lambda o: torch.zeros(2), lambda f: f.positions[0] * np.inf, {}, ValueError, "observation of interval 0 must be finite, not "),
    (lambda o, r: torch.zeros(2), observe, {"remember": torch.zeros(1)}, TypeError, "r'"),
    (lambda o, r: (torch.zeros(2), torch.zeros(2)), observe, {"remember": torch.zeros(1)}, ValueError, "r' of interval 0"),
    ("go", observe, {}, TypeError, "policy"), (lambda o: torch.zeros(2), None, {}, TypeError, "observe"),
    (lambda o: torch.zeros(2), observe, {"memory": 1000}, ValueError, "three states"), (lambda o: torch.zeros(2), observe, {"frames": [99]}, ValueError, "frames"),
    (lambda o: torch.zeros(2), observe, {"hold": 0}, ValueError, "hold"), (lambda o: torch.zeros(2), observe, {"inputs": [1.0]}, TypeError, "inputs"),
    (lambda o: torch.zeros(2), observe, {"inputs": [torch.zeros(2, device="meta", requires_grad=True)]}, TypeError, "cpu"),
    (lambda o: torch.zeros(2), observe, {"parameters": {"gravty": 1.0}}, el.InputError, "gravity")])
def test_wrong_arguments(sim, policy, look, more, error, words):
    with pytest.raises(error, match=words):
        et.rollout(sim, policy, **{"observe": look, "steps": 4, **more})
    assert sim.steps_done == 0


def test_a_simulator_without_controls():
    with pytest.raises(ValueError, match="controls"):
        et.rollout(el.Simulator(jelly()), lambda o: o, observe=observe, steps=4)


@pytest.mark.parametrize("anew", [lambda w, r: torch.full_like(r, 0.5), lambda w, r: w[:, 0]], ids=["constant", "weight"])
def test_a_policy_may_forget_what_it_remembers(sim, anew):
    """Nothing that comes after the interval in which r is not read reaches the intervals before it through r."""
    def whole(w, r0):
        told = []

        def policy(o, r):
            told.append(o)
            after = anew(w, r) if len(told) == 3 else w @ o + 0.8 * r
            return 2e-7 * torch.tanh(after), after

        out = run(sim, policy, inputs=[w], remember=r0)
        return out.positions[0, :4], out.remember, out.actions / 2e-7

    assert gradcheck(whole, *weights_of([(2, 5), (2,)]))
