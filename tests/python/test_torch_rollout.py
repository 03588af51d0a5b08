"""Closed loops as one node of autograd.

Acceptance points 10 (both sweeps of rollout), 17 (rollout), 18 (bits, output gradients, no_grad).
"""

import numpy as np
import pytest

from with_torch import torch

import electret as el
import electret.torch as et
from conftest import KEYED, METHODS, jelly
from interrupting import interrupted
from test_torch_step import F, gradcheck, stretched

CHARGES = ["body.jelly.charge[left]", "body.jelly.charge[right]"]
LEAST = 3 * (72 * 32 + 256)


def observe(f):
    """A mean, a velocity and a phase: nonlinear in the state."""
    return torch.cat([f.positions.mean(0), (f.velocities[0] * f.positions[1]).sum()[None], torch.cos(3.0 * f.time)[None]])


def weights_of(sizes, seed=1):
    generator = torch.Generator().manual_seed(seed)
    return [(0.5 * torch.randn(size, generator=generator, dtype=F)).requires_grad_() for size in sizes]


def mlp(w):
    return lambda o: 2e-7 * torch.tanh(w[2] @ torch.tanh(w[0] @ o + w[1]) + w[3])


MLP = [(8, 5), (8,), (2, 8), (2,)]


@pytest.mark.parametrize("method", METHODS)
def test_a_closed_loop_against_differences(method):
    """Of an 8-unit network, 20 steps, hold 3, with running costs on o and u."""
    scene = jelly(steps=20, count=12, method=method)
    scene.set("time.step", 0.004)
    sim = el.Simulator(scene, controls=CHARGES)
    s0, x, v = stretched(sim)

    def run(x, v, stiffness, *w):
        out = et.rollout(sim, mlp(w), inputs=w, observe=observe, steps=20, hold=3, start=s0._replace(positions=x, velocities=v),
                         parameters={"body.jelly.stiffness": stiffness}, frames=(5, -1))
        cost = out.observations.square().sum() + 0.01 * (out.actions / 2e-7).square().sum() + (out.positions[0] ** 2).sum()
        return out.positions[1, :4], 0.004 * out.state.velocities[:4], 0.1 * cost  # About 1, to which the tolerances are made.

    assert gradcheck(run, x, v, torch.tensor(30.0, dtype=F, requires_grad=True), *weights_of(MLP))


@pytest.mark.parametrize("method", ["imex", "verlet", "kick_trbdf2"])
def test_forces_and_places_from_a_network_against_differences(method):
    scene = jelly(steps=6, count=12, method=method)
    scene.set("time.step", 0.004)
    sim = el.Simulator(scene, controls=["body.jelly.forces", "external_charge.0.position", "external_charge.0.charge"])

    def run(w, b):
        def policy(o):
            h = torch.tanh(w @ o + b)
            return torch.cat([0.02 * h[:36], 0.3 * h[36:39], -4e-7 * (1.0 + 0.1 * h[39:])])
        out = et.rollout(sim, policy, inputs=[w, b], observe=observe, steps=6, hold=2)
        return out.positions[0, :6], out.actions[-1, 36:39]

    assert gradcheck(run, *weights_of([(40, 5), (40,)]))


def loss_of(sim, w, memory="1GB", **more):
    out = et.rollout(sim, mlp(w), inputs=w, observe=observe, steps=20, hold=3, frames=(0, 7, -1), memory=memory, **more)
    seeds = torch.cos(torch.arange(out.positions.numel(), dtype=F)).reshape(out.positions.shape)
    return out, (seeds * out.positions).sum() + 0.1 * (seeds * out.velocities).sum() + out.observations.sum() + out.state.positions.square().sum()


@pytest.mark.parametrize("method", ["imex", "verlet", "kick_trbdf2"])
def test_the_same_bits_however_it_is_asked(method):
    scene, w = jelly(steps=20, method=method), weights_of(MLP)
    scene.set("time.step", 0.004)
    sim = el.Simulator(scene, controls=CHARGES)
    k = torch.tensor(30.0, dtype=F, requires_grad=True)
    wanted = torch.autograd.grad(loss_of(sim, w, parameters={"body.jelly.stiffness": k})[1], [k, *w])
    for memory in (LEAST, 2 * LEAST, "1MB", None):
        for threads in (1, 2, 7):
            other = el.Simulator(scene, controls=CHARGES, threads=threads)
            _, loss = loss_of(other, w, memory, parameters={"body.jelly.stiffness": k})
            for again in range(2):
                got = torch.autograd.grad(loss, [k, *w], retain_graph=again == 0)
                assert all(torch.equal(a, b) for a, b in zip(wanted, got)), (memory, threads, again)
            with pytest.raises(RuntimeError, match="second time"):
                torch.autograd.grad(loss, w)


def test_it_is_the_numpy_rollout():
    sim, w = el.Simulator(jelly(steps=20), controls=CHARGES), weights_of(MLP)
    out, _ = loss_of(sim, w)
    roll = el.Rollout(sim, wrt=["body.jelly.stiffness"], steps=20, hold=3, frames=(0, 7, -1))
    traj = roll.forward(actions=out.actions.detach().numpy())
    assert np.array_equal(traj.positions, out.positions.detach()) and np.array_equal(traj.velocities, out.velocities.detach())
    assert np.array_equal(traj.times, out.times) and out.actions.shape == (7, 2) and out.observations.shape == (7, 5)
    assert out.state.step == 20 and torch.equal(out.state.positions, out.positions[-1]) and out.remember is None
    assert sim.steps_done == 0
    # A policy that repeats these actions has the gradients by actions of the numpy one as its own.
    rows = out.actions.detach().clone().requires_grad_()
    left = iter(rows)
    again = et.rollout(sim, lambda o: next(left), inputs=[rows], observe=lambda f: f.positions[0], steps=20, hold=3, frames=(0, 7, -1))
    (again.positions ** 2).sum().backward()
    wanted = roll.vjp({"positions": 2.0 * traj.positions})["actions"]
    assert np.linalg.norm(rows.grad.numpy() - wanted) <= 1e-13 * np.linalg.norm(wanted)


def test_a_loop_goes_on_where_another_ended():
    sim, w = el.Simulator(jelly(steps=20), controls=CHARGES), weights_of(MLP)
    options = {"inputs": w, "observe": observe, "hold": 5}
    whole = et.rollout(sim, mlp(w), steps=20, **options)
    first = et.rollout(sim, mlp(w), steps=10, **options)
    second = et.rollout(sim, mlp(w), steps=10, start=first.state, **options)
    assert torch.equal(whole.positions, second.positions) and torch.equal(whole.times, second.times)
    at_once = torch.autograd.grad(whole.positions.square().sum(), w)
    in_two = torch.autograd.grad(second.positions.square().sum(), w)
    assert all((a - b).norm() <= 1e-12 * a.norm() for a, b in zip(at_once, in_two))
    s = et.state(sim)  # And it is what chained steps give.
    for j in range(4):
        u = mlp(w)(observe(et.Frame(s.positions, s.velocities, torch.tensor(0.01 * s.step, dtype=F), s.step)))
        for _ in range(5):
            s = et.step(sim, s, u)
    assert torch.equal(s.positions, whole.positions[-1])
    chained = torch.autograd.grad(s.positions.square().sum(), w)
    assert all((a - b).norm() <= 1e-12 * a.norm() for a, b in zip(at_once, chained))


def test_a_hook_is_of_the_whole_derivative():
    """Not of that of each interval, which torch 2 would show it as well."""
    sim, w = el.Simulator(jelly(steps=20), controls=CHARGES), weights_of(MLP)

    def gradients():
        """Those that backward leaves: before torch 2, autograd.grad calls no hooks of its inputs."""
        for one in w:
            one.grad = None
        loss_of(sim, w)[0].positions.sum().backward()
        return [one.grad.clone() for one in w]

    plain = gradients()
    hook = w[1].register_hook(lambda g: 2.0 * g)
    for _ in range(2):  # The hook is back after the first sweep.
        doubled = gradients()
        assert torch.equal(doubled[0], plain[0]) and torch.equal(doubled[1], 2.0 * plain[1])
    hook.remove()
    assert torch.equal(gradients()[1], plain[1])


def test_kinds_of_output_gradients():
    sim, w = el.Simulator(jelly(steps=20), controls=CHARGES), weights_of(MLP)

    def out():
        return loss_of(sim, w)[0]

    ones = torch.ones(3, 32, 3, dtype=F)
    by_seed = torch.autograd.grad(out().positions, w, ones)
    by_sum = torch.autograd.grad(out().positions.sum(), w)  # A 0-strided output gradient.
    assert all(torch.equal(a, b) for a, b in zip(by_seed, by_sum)) and torch.equal(ones, torch.ones(3, 32, 3, dtype=F))
    one = out()
    last = torch.autograd.grad(one.state.positions.sum(), w, retain_graph=True)
    frame = torch.autograd.grad(one.positions[-1].sum(), w, retain_graph=True)
    assert all((a - b).abs().max() <= 1e-15 * a.abs().max() for a, b in zip(last, frame))
    third = torch.autograd.grad(one.observations[2, 0] + one.actions[1, 1], w, retain_graph=True)
    assert all(torch.isfinite(a).all() and a.abs().max() > 0 for a in third)
    both = torch.autograd.grad(one.positions.sum() + 2.0 * one.velocities.sum(), w, retain_graph=True)
    by_velocity = torch.autograd.grad(one.velocities.sum(), w, retain_graph=True)
    assert all((a - (b + 2.0 * c)).norm() <= 1e-12 * a.norm() for a, b, c in zip(both, by_sum, by_velocity))
    zeros = torch.autograd.grad(one.positions[0].sum(), w, allow_unused=True)  # The first frame is the scene's.
    assert all(a is None or not a.any() for a in zeros)
    seen = []
    hooked = out()
    hooked.positions.register_hook(lambda g: seen.append(tuple(g.shape)))
    w[0].register_hook(lambda g: seen.append(tuple(g.shape)))
    hooked.positions.sum().backward()
    assert seen == [(3, 32, 3), (8, 5)] and torch.equal(w[0].grad, by_sum[0])
    hooked = out()
    hooked.positions.sum().backward()
    assert torch.equal(w[1].grad, 2 * by_sum[1])  # Added by autograd, to tensors of its own.


def test_no_grad_keeps_no_states():
    sim, w, calls = el.Simulator(jelly(steps=20), controls=CHARGES), weights_of(MLP), []

    def policy(o):
        calls.append(torch.is_grad_enabled() or o.requires_grad)
        return mlp(w)(o)

    wanted, _ = loss_of(sim, w)
    with torch.no_grad():
        out = et.rollout(sim, policy, inputs=w, observe=observe, steps=20, hold=3, frames=(0, 7, -1))
    assert torch.equal(out.positions, wanted.positions) and not out.positions.requires_grad and calls == [False] * 7
    plain = et.rollout(sim, lambda o: torch.zeros(2), observe=observe, steps=20, hold=20)
    assert not plain.positions.requires_grad and plain.actions.dtype == F


def test_errors_arrive_unchanged_and_the_next_call_works():
    sim, w = el.Simulator(jelly(steps=20), controls=CHARGES), weights_of(MLP)
    wanted, loss = loss_of(sim, w)
    gradient = torch.autograd.grad(loss, w)

    class Own(Exception):
        pass

    def raising(when, inner):
        calls = []

        def function(argument):
            calls.append(1)
            if len(calls) == when:
                raise Own("mine")
            return inner(argument)
        return function

    for policy, look in ((raising(3, mlp(w)), observe), (mlp(w), raising(3, observe)), (lambda o: 1 / 0, observe)):
        with pytest.raises((Own, ZeroDivisionError)) as caught:
            et.rollout(sim, policy, inputs=w, observe=look, steps=20, hold=3)
        assert type(caught.value) is not RuntimeError
    back = et.rollout(sim, mlp(w), inputs=w, observe=raising(9, observe), steps=20, hold=3)  # On the way back.
    with pytest.raises(Own, match="mine"):
        back.positions.sum().backward()

    class Backwards(torch.autograd.Function):
        @staticmethod
        def forward(ctx, u):
            return u.clone()

        @staticmethod
        def backward(ctx, g):
            raise Own("in backward")

    with pytest.raises(Own, match="in backward"):
        et.rollout(sim, lambda o: Backwards.apply(mlp(w)(o)), inputs=w, observe=observe, steps=20, hold=3).positions.sum().backward()
    with pytest.raises(el.DivergenceError) as diverged:
        et.rollout(sim, lambda o: torch.full((2,), 1e6), observe=observe, steps=20)
    assert diverged.value.step == 1
    out, loss = loss_of(sim, w)
    assert torch.equal(out.positions, wanted.positions)
    assert all(torch.equal(a, b) for a, b in zip(gradient, torch.autograd.grad(loss, w)))


@pytest.mark.parametrize("hold", [400, 40000])
@pytest.mark.parametrize("sweep", ["forward", "backward"])
def test_interrupting_a_sweep(sweep, hold):
    """In short intervals, between which Python sees signals by itself, and in a single long one."""
    sim, w = el.Simulator(jelly(steps=40000, count=64), controls=CHARGES, threads=1), weights_of(MLP)

    def run(steps):
        return et.rollout(sim, mlp(w), inputs=w, observe=observe, steps=steps, hold=hold, memory="1MB")

    wanted = torch.autograd.grad(run(800).positions.sum(), w)
    if sweep == "forward":
        interrupted(lambda: run(40000))
    else:
        out = run(20000)
        interrupted(lambda: torch.autograd.grad(out.positions.sum(), w))
    assert all(torch.equal(a, b) for a, b in zip(wanted, torch.autograd.grad(run(800).positions.sum(), w)))


def test_several_loops_alive_at_once():
    sim, w = el.Simulator(jelly(steps=20), controls=CHARGES), weights_of(MLP)
    losses = [loss_of(sim, w, start=et.state(sim)._replace(velocities=torch.full((32, 3), 0.1 * k, dtype=F)))[1] for k in range(3)]
    together = torch.autograd.grad(sum(losses), w)
    apart = []
    for k in range(3):
        loss = loss_of(sim, w, start=et.state(sim)._replace(velocities=torch.full((32, 3), 0.1 * k, dtype=F)))[1]
        apart.append(torch.autograd.grad(loss, w))
    assert all((a - sum(parts)).norm() <= 1e-13 * a.norm() for a, parts in zip(together, zip(*apart)))


def test_cotangents_that_are_not_finite_are_named_where_nothing_reads_them():
    """A policy that does not read what it observes passes nothing on, in which a NaN would be seen."""
    sim, w = el.Simulator(jelly(steps=4), controls=CHARGES), torch.full((2,), 1e-7, dtype=F, requires_grad=True)
    r0 = torch.zeros(3, dtype=F, requires_grad=True)
    nan = float("nan")
    for name, of in (("observations", lambda out: out.observations), ("actions", lambda out: out.actions), ("positions", lambda out: out.positions),
                     ("remember", lambda out: out.remember)):
        out = et.rollout(sim, lambda o, r: (1.0 * w, 2.0 * r), inputs=[w], observe=observe, steps=4, hold=2, remember=r0)
        with pytest.raises(ValueError, match=f"cotangent of {name} must be finite, not nan at index"):
            (of(out).sum() * nan).backward()
    constant = et.rollout(sim, lambda o: 1.0 * w, inputs=[w], observe=lambda f: f.time[None], steps=4, hold=2)
    with pytest.raises(ValueError, match=r"cotangent of observations must be finite, not inf at index \(1, 0\)"):
        torch.autograd.grad(constant.observations, w, torch.tensor([[0.0], [float("inf")]], dtype=F))


@pytest.mark.parametrize("keys, words", [({"steps": 2.0}, "steps must be a whole number"), ({"hold": 1.5}, "hold must be a whole number"), ({"frames": [0.5]}, "frames must be a whole number"),
                                         ({"start": {"step": 0}}, "start must be a TorchState, not dict")])
def test_what_is_no_whole_number_or_state(keys, words):
    sim, (w,) = el.Simulator(jelly(steps=4), controls=CHARGES), weights_of([(2,)])
    with pytest.raises(TypeError, match=words):
        et.rollout(sim, lambda o: 1e-7 * w, inputs=[w], observe=observe, **{"steps": 4, **keys})


def test_a_start_that_is_none():
    sim, (w,) = el.Simulator(jelly(steps=4), controls=CHARGES), weights_of([(2,)])
    start = et.state(sim)
    for bad, words in ((start._replace(step=-1), "step must be at least 0"), (start._replace(memory={"x": torch.zeros(3)}), "memory: no method keeps 'x'"),
                       (start._replace(memory={"elastic_solver": torch.zeros(4)}), r"memory\['elastic_solver'\] must have shape \(9,\)")):
        with pytest.raises(ValueError, match="start." + words):
            et.rollout(sim, lambda o: 1e-7 * w, inputs=[w], observe=observe, steps=4, start=bad)
        with pytest.raises(ValueError, match="state." + words):
            et.step(sim, bad)
    assert et.step(sim, start).step == 1


def test_inference_mode_gives_the_same_bits():
    sim, w = el.Simulator(jelly(steps=8), controls=CHARGES), weights_of(MLP)
    wanted = et.rollout(sim, mlp(w), inputs=w, observe=observe, steps=8, hold=2)
    first = et.state(sim)
    stepped = et.step(sim, et.step(sim, first), torch.full((2,), 1e-7))
    with torch.inference_mode():
        found = et.rollout(sim, mlp(w), inputs=w, observe=observe, steps=8, hold=2)
        assert torch.equal(found.positions, wanted.positions) and torch.equal(found.actions, wanted.actions)
        again = et.step(sim, et.step(sim, first), torch.full((2,), 1e-7))
        assert torch.equal(again.positions, stepped.positions) and torch.equal(again.velocities, stepped.velocities)
        E, phi = et.field(first.positions, torch.full((32,), 1e-9))
        again.positions.mul_(1.5)  # No version counts this.
        moved = et.step(sim, again)
    assert torch.equal(et.field(first.positions, torch.full((32,), 1e-9))[0], E)
    fresh = et.step(el.Simulator(jelly(steps=8), controls=CHARGES), et.TorchState(2, 1.5 * stepped.positions, stepped.velocities, stepped.memory))
    assert torch.equal(moved.positions, fresh.positions)


def test_a_tensor_whose_gradient_would_end_is_not_taken():
    x = torch.rand(4, 3, requires_grad=True)
    for call in (lambda: el.field(x, [1e-9] * 4), lambda: el.field(x.detach(), torch.ones(4, requires_grad=True)), lambda: el.field(list(x), [1e-9] * 4),
                 lambda: el.Scene(body=[{"initial_positions": x}])):
        with pytest.raises(TypeError, match="must not require a gradient"):
            call()
    assert el.field(x.detach(), [1e-9] * 4).field.shape == (4, 3)


def test_representations_have_one_line():
    sim, w = el.Simulator(jelly(steps=4), controls=CHARGES), weights_of(MLP)
    out = et.rollout(sim, mlp(w), inputs=w, observe=observe, steps=4)
    assert "\n" not in repr(out) and "positions=<(1, 32, 3) torch.float64>" in repr(out) and "\n" not in repr(out.state)


def test_gradients_of_steps_that_miss_their_tolerance_are_warned_of():
    scene = jelly(steps=6)
    scene.set("integrator.max_iterations", 1)
    sim, w = el.Simulator(scene, controls=CHARGES), weights_of(MLP)
    out = et.rollout(sim, mlp(w), inputs=w, observe=observe, steps=6, hold=3)
    with pytest.warns(el.ElectretWarning, match="6 of 6 steps ended before .* the gradient is only as exact"):
        out.positions.sum().backward()


def test_no_grad_keeps_no_states_in_memory(monkeypatch):
    """The compiled part is asked to keep states only where a gradient can follow."""
    sim, w, asked = el.Simulator(jelly(steps=6), controls=CHARGES), weights_of(MLP), []

    class Watched:
        def __init__(self, core):
            self._core = core

        def __getattr__(self, name):
            return getattr(self._core, name)

        def forward(self, *arguments):
            asked.append(arguments[-1])
            return self._core.forward(*arguments)

    made = el.Rollout.__init__

    def watched(self, *arguments, **keys):
        made(self, *arguments, **keys)
        self._core = Watched(self._core)

    monkeypatch.setattr(el.Rollout, "__init__", watched)
    options = {"inputs": w, "observe": observe, "steps": 6, "hold": 3}
    with torch.no_grad():
        et.rollout(sim, mlp(w), **options)
    et.rollout(sim, mlp(w), **options)
    assert asked == [False, True]


def test_a_loop_counts_steps_from_its_start():
    sim, w = el.Simulator(jelly(steps=20), controls=CHARGES), weights_of(MLP)
    options = {"inputs": w, "observe": observe, "hold": 2}
    first = et.rollout(sim, mlp(w), steps=4, **options)
    assert (first.state.step, et.rollout(sim, mlp(w), steps=6, start=first.state, **options).state.step) == (4, 10)


def test_a_loss_of_the_last_frame_and_of_the_state_at_once():
    """Both are the last step's positions; their cotangents add up."""
    sim, w = el.Simulator(jelly(steps=20), controls=CHARGES), weights_of(MLP)

    def gradient(with_frame, with_state):
        out, _ = loss_of(sim, w)
        loss = with_frame * (out.positions[-1].square().sum() + 0.01 * out.velocities[-1].sum())
        loss = loss + with_state * ((out.state.positions ** 3).sum() + 0.02 * out.state.velocities.square().sum())
        return torch.autograd.grad(loss, w)

    for both, frame, state in zip(gradient(1.0, 1.0), gradient(1.0, 0.0), gradient(0.0, 1.0)):
        assert frame.norm() > 0.0 and state.norm() > 0.0
        assert (both - (frame + state)).norm() <= 1e-10 * (frame.norm() + state.norm())


def test_a_number_is_set_under_one_name():
    sim = el.Simulator(el.Scene.parse(KEYED), controls=["body.b.charge[low]"])
    values = {"body.b.masses": torch.full((18,), 0.02, dtype=torch.float64), "body.b.mass": torch.tensor(0.03, dtype=torch.float64)}
    for call in (lambda: et.step(sim, et.state(sim), parameters=values),
                 lambda: et.rollout(sim, lambda o: torch.zeros(1, dtype=torch.float64), observe=lambda frame: frame.positions[0], steps=2,
                                    parameters=values)):
        with pytest.raises(el.InputError, match="body.b.mass: error: some of its values are set under another name, too"):
            call()
