"""Steps and fields as nodes of autograd.

Acceptance points 16 (four ways to one gradient), 17 (et.step, et.field), 18 and 19 (what concerns a step).
"""

import gc

import numpy as np
import pytest

from with_torch import torch

import electret as el
import electret.torch as et
from electret._torch_attached import attached
from conftest import KEYED, METHODS, jelly

F = torch.float64


def gradcheck(function, *inputs):
    return torch.autograd.gradcheck(function, inputs, eps=1e-6, atol=1e-8, rtol=1e-6)


def stretched(sim):
    """The state of a body pulled apart along x, so that its springs act; leaves that require gradients."""
    s = et.state(sim)
    x = (s.positions * torch.tensor([1.3, 1.0, 0.9])).requires_grad_()
    return s, x, (0.1 * torch.sin(torch.arange(x.numel(), dtype=F)).reshape(x.shape)).requires_grad_()


@pytest.mark.parametrize("method", METHODS)
def test_steps_against_differences(method):
    scene = jelly(steps=20, count=12, method=method)
    scene.set("time.step", 0.004)
    sim = el.Simulator(scene, controls=["body.jelly.charge[left]", "external_charge.0.position", "body.jelly.forces"])
    s0, x, v = stretched(sim)
    stiffness, u = torch.tensor(30.0, dtype=F, requires_grad=True), torch.tensor([1.0, 0.1, 0.2, 1.5], dtype=F, requires_grad=True)
    weights = torch.cos(torch.arange(36, dtype=F))

    def three(x, v, stiffness, u):
        s = s0._replace(positions=x, velocities=v)
        for k in range(3):
            action = torch.cat([2e-7 * u[:1], u[1:], 0.01 * u[1] * weights])
            s = et.step(sim, s, None if k == 1 else action, {"body.jelly.stiffness": stiffness, "damping.drag": 0.01 * stiffness})
        return s.positions, 0.004 * s.velocities

    assert gradcheck(three, x, v, stiffness, u)


def test_a_driven_pin_and_a_load_against_differences():
    sim = el.Simulator(el.Scene.parse(KEYED), controls=["body.b.pin[one].positions", "body.b.load.0.force"])
    s0 = et.state(sim)
    u = torch.tensor(sim.controls.pack({"body.b.pin[one].positions": sim.positions[:2] + 0.02, "body.b.load.0.force": [0, 0.01, 0.02]})).requires_grad_()

    def two(x, u):
        s = s0._replace(positions=x)
        for action in (u, None, 1.1 * u):
            s = et.step(sim, s, action)
        return s.positions, 0.01 * s.velocities

    assert gradcheck(two, s0.positions.clone().requires_grad_(), u)


def test_four_ways_to_one_gradient(random):
    scene = jelly(steps=12)
    target, names = random.normal(size=(32, 3)), ["body.jelly.stiffness", "body.jelly.positions", "gravity"]
    first = el.gradient(scene, el.loss.final_position(target), names)
    sim = el.Simulator(scene, controls=["body.jelly.charge"])
    roll = el.Rollout(sim, wrt=names)
    seed = (2.0 / 32) * (roll.forward().positions - target)
    second = roll.vjp({"positions": seed})
    assert all(np.array_equal(first[name], second[name]) for name in names)

    def loss(positions):
        return (positions - torch.from_numpy(target)).square().sum() / 32

    given = {name: torch.tensor(sim.parameters[name].value, dtype=F, requires_grad=True) for name in names}
    out = et.rollout(sim, lambda o: torch.tensor([2e-7], dtype=F), observe=lambda f: f.positions[0], steps=12, parameters=given)
    loss(out.positions[0]).backward()
    third = {name: one.grad.numpy() for name, one in given.items()}

    given = {name: torch.tensor(sim.parameters[name].value, dtype=F, requires_grad=True) for name in names}
    s = et.state(sim)._replace(positions=given["body.jelly.positions"])
    for _ in range(12):
        s = et.step(sim, s, torch.tensor([2e-7], dtype=F), given)
    loss(s.positions).backward()
    fourth = {name: one.grad.numpy() for name, one in given.items()}
    for name in names:
        for other in (third, fourth):
            assert np.linalg.norm(other[name] - first[name]) <= 1e-13 * np.linalg.norm(first[name]), name


def test_a_step_is_the_simulators(scene):
    sim, other = (el.Simulator(scene, controls=["body.jelly.charge[left]"]) for _ in range(2))
    s = start = et.state(sim)
    for k in range(5):
        s = et.step(sim, s, torch.tensor([k * 1e-7], dtype=F))
        other.step([k * 1e-7])
        assert s.step == sim.steps_done == k + 1 and np.array_equal(s.positions, other.positions) and np.array_equal(sim.velocities, other.velocities)
    assert sim.work == other.work  # The chain went on where the simulator stood, without a restart.
    again = et.step(sim, start, torch.tensor([0.0]))
    assert again.step == sim.steps_done == 1 and np.array_equal(sim.positions, again.positions) and not np.array_equal(again.positions, s.positions)
    moved = et.step(sim, again._replace(positions=again.positions + 0.1), None)
    assert np.allclose(moved.positions, et.step(sim, again, None).positions + 0.1, atol=0.02)
    again.positions[0] += 0.05  # Changed in place: no longer where the simulator stands.
    other.reset()
    other.step([0.0])
    kept = other.state()
    kept.positions[0] += 0.05
    other.restore(kept)
    other.step([1e-7])
    assert np.array_equal(et.step(sim, again, [1e-7]).positions, other.positions)


def test_parameters_of_a_step_leave_the_simulators(scene):
    sim, other = el.Simulator(scene), el.Simulator(scene)
    other.set({"body.jelly.stiffness": 50.0})
    other.step()
    s0 = et.state(sim)
    k = torch.tensor(50.0, requires_grad=True)  # float32, exactly converted.
    s = et.step(sim, s0, parameters={"body.jelly.stiffness": k})
    assert np.array_equal(s.positions.detach(), other.positions) and sim.parameters["body.jelly.stiffness"].value == 30.0 and sim.steps_done == 1
    soft = torch.tensor(3.0, dtype=F, requires_grad=True)
    t = et.step(sim, s0, parameters={"body.jelly.stiffness": soft})
    weights = torch.cos(torch.arange(96, dtype=F)).reshape(32, 3)
    (s.positions * weights).sum().backward()  # With the values of its own forward pass.
    assert k.grad.dtype == torch.float32
    h = 1e-3
    values = [(et.step(sim, s0, parameters={"body.jelly.stiffness": 50.0 + d}).positions * weights).sum() for d in (h, -h)]
    assert float(k.grad) == pytest.approx(float(values[0] - values[1]) / (2 * h), rel=1e-3)
    (t.positions * weights).sum().backward()
    assert not np.isclose(float(soft.grad), float(k.grad))


def test_bits_and_kinds_of_output_gradients():
    sim = el.Simulator(jelly(steps=20), controls=["body.jelly.charge"])
    u = torch.tensor([3e-7], dtype=F, requires_grad=True)

    def last():
        s = et.state(sim)
        sim.reset()
        s = et.state(sim)
        for _ in range(4):
            s = et.step(sim, s, u)
        return s

    s = last()
    expanded, = torch.autograd.grad(s.positions.sum(), u, retain_graph=True)  # A 0-strided output gradient.
    seed = torch.ones(32, 3, dtype=F)
    again, = torch.autograd.grad(s.positions, u, seed, retain_graph=True)
    reused, = torch.autograd.grad(s.positions, u, seed, retain_graph=True)
    assert torch.equal(expanded, again) and torch.equal(again, reused) and torch.equal(seed, torch.ones(32, 3, dtype=F))
    one, = torch.autograd.grad(s.positions[3, 1], u, retain_graph=True)
    assert 0 < abs(float(one)) < abs(float(again)) * 32
    by_velocity, = torch.autograd.grad(s.velocities.sum(), u)
    assert float(by_velocity) != 0.0
    with pytest.raises(RuntimeError, match="second time"):
        torch.autograd.grad(s.velocities.sum(), u)
    seen = []
    s = last()
    s.positions.register_hook(lambda g: seen.append(g.shape))
    s.positions.sum().backward()
    assert torch.equal(u.grad, expanded) and seen == [(32, 3)]
    s.memory.clear()
    with torch.no_grad():
        assert not last().positions.requires_grad


def test_memory_with_derivatives_is_not_dropped_in_silence():
    """No method that a scene can name has such memory, so that the layout is changed by hand."""
    sim = el.Simulator(jelly(steps=20))
    _, x, v = stretched(sim)
    standing = attached(sim).own
    assert set(et.step(sim, et.state(sim)).memory) <= set(standing.layout), "what is stored is declared"
    standing.layout = {**standing.layout, "positions_before": (96, True)}
    with torch.no_grad():
        et.step(sim, et.TorchState(0, x, v, {}))
    with pytest.raises(el.GradientError, match="derivatives through the method's memory .positions_before."):
        et.step(sim, et.TorchState(0, x, v, {}))


def test_memory_of_another_method_is_dropped():
    scene = jelly(steps=20)
    scene.set("integrator.elastic_solver", "newton_cg")
    sim, other = el.Simulator(scene), el.Simulator(jelly(steps=20, method="verlet"))
    sim.step()
    assert sim.state().memory
    other.restore(sim.state())
    assert other.state().memory == {}
    assert et.step(other, et.state(sim)).memory == {}


def test_a_chain_is_freed_with_its_last_state():
    import weakref

    gc.disable()
    try:
        sim = el.Simulator(jelly(steps=20))
        s = et.state(sim)
        s.positions.requires_grad_()
        s = et.step(sim, et.step(sim, s))
        node = weakref.ref(s.positions.grad_fn)
        watched = weakref.ref(sim)
        del s, sim
        assert node() is None and watched() is None
    finally:
        gc.enable()


def test_fields_against_differences(random):
    x, q, y = (torch.tensor(random.normal(size=size), requires_grad=True) for size in ((7, 3), 7, (5, 3)))
    assert gradcheck(lambda x, q: et.field(x, q, constant=1.0), x, q)
    assert gradcheck(lambda x, q, y: et.field(x, q, y, constant=1.0, softening=0.1), x, q, y)
    apart = y.detach()
    assert gradcheck(lambda x, q: et.field(x, q, apart, constant=1.0)[1], x, q)
    wanted = el.field(x.detach().numpy(), q.detach().numpy())
    E, phi = et.field(x.detach(), q.detach().numpy())
    assert np.array_equal(E, wanted.field) and np.array_equal(phi, wanted.potential)
    assert et.field([[0, 0, 0]], [1e-9], at=[[0, 0, 1]])[0].dtype == F


def test_fields_have_no_second_derivatives(random):
    x = torch.tensor(random.normal(size=(4, 3)), requires_grad=True)
    field = et.field(x, [1.0, 2.0, 3.0, 4.0], constant=1.0)[0]
    with pytest.raises(el.GradientError, match="create_graph"):
        torch.autograd.grad(field.sum(), x, create_graph=True)


def test_what_changed_before_backward_is_noticed(scene):
    sim = el.Simulator(scene, controls=["body.jelly.charge"])
    u = torch.tensor([3e-7], dtype=F, requires_grad=True)
    s = et.step(sim, et.state(sim), u)
    sim.set({"body.jelly.stiffness": 7.0})
    with pytest.raises(el.GradientError, match="parameters were set"):
        s.positions.sum().backward()
    s = et.step(sim, et.state(sim), u)
    with torch.no_grad():
        u *= 2
    with pytest.raises(RuntimeError, match="inplace"):
        s.positions.sum().backward()
    s = et.step(sim, et.state(sim), u)
    with pytest.raises(el.GradientError, match="create_graph"):
        torch.autograd.grad(s.positions.sum(), u, create_graph=True)
    sim.close()
    with pytest.raises(RuntimeError, match="closed"):
        s.positions.sum().backward()


@pytest.mark.parametrize("act, error, words", [
    (lambda sim, s: et.step(sim, s._replace(positions=torch.zeros(3, 3))), ValueError, "state.positions must have shape"),
    (lambda sim, s: et.step(sim, s._replace(velocities=s.velocities * np.nan)), ValueError, "state.velocities must be finite, not nan"),
    (lambda sim, s: et.step(sim, s._replace(positions=torch.zeros(32, 3, device="meta"))), TypeError, r"state.positions.*meta.*\.cpu\(\)"),
    (lambda sim, s: et.step(sim, s, torch.zeros(2)), ValueError, "action must have shape"), (lambda sim, s: et.step(sim, s, [True]), TypeError, "action"),
    (lambda sim, s: et.step(sim, s, torch.tensor([1j])), TypeError, "complex"), (lambda sim, s: et.step(sim, s, torch.tensor([True])), TypeError, "bool"),
    (lambda sim, s: et.step(sim, s, torch.zeros(1).to_sparse()), TypeError, "dense"),
    (lambda sim, s: et.step(sim, s, parameters={"body.jelly.stifness": 1.0}), el.InputError, "body.jelly.stiffness"),
    (lambda sim, s: et.step(sim, s, parameters={"body.jelly.stiffness": -1.0}), el.InputError, "-1"),
    (lambda sim, s: et.step(sim, s, parameters={"gravity": torch.zeros(2)}), ValueError, "gravity must have shape"),
    (lambda sim, s: et.step(el.Simulator(sim.scene), s, torch.zeros(1)), ValueError, "no controls"),
    (lambda sim, s: et.step(sim.scene, s), TypeError, "Simulator"),
    (lambda sim, s: et.step(sim, s, torch.tensor([1e9])), el.DivergenceError, "step"),
    (lambda sim, s: et.field(torch.zeros(4, 2), torch.zeros(4)), ValueError, "positions must have shape"),
    (lambda sim, s: et.field(torch.zeros(4, 3, device="meta"), torch.zeros(4)), TypeError, "cpu"),
    (lambda sim, s: et.field(torch.zeros(4, 3), torch.zeros(3)), ValueError, "charges")])
def test_wrong_arguments(act, error, words, scene):
    sim = el.Simulator(scene, controls=["body.jelly.charge"])
    before = sim.positions
    with pytest.raises(error, match=words):
        act(sim, et.state(sim))
    assert np.array_equal(sim.positions, before)
    sim.step()


@pytest.mark.parametrize("what", ["positions", "velocities", "memory"])
def test_a_state_given_out_is_checked_again_where_it_was_changed(what):
    """What a step gives out is taken back without a look at its numbers as long as nobody has written to it."""
    sim = el.Simulator(jelly(method="newton"))
    s = et.step(sim, et.step(sim, et.state(sim)))
    (s.memory["elastic_solver"] if what == "memory" else getattr(s, what)).view(-1)[1] = np.nan
    with pytest.raises(ValueError, match=f"state.{what}.*nan"):
        et.step(sim, s)


def test_cotangents_that_are_not_finite_are_named(scene):
    sim = el.Simulator(scene, controls=["body.jelly.charge"])
    u = torch.tensor([3e-7], dtype=F, requires_grad=True)
    with pytest.raises(ValueError, match="cotangent of velocities must be finite, not nan"):
        et.step(sim, et.state(sim), u).velocities.backward(torch.full((32, 3), np.nan, dtype=F))


def lying_otherwise(tensor):
    """The same numbers, not contiguous."""
    made = tensor.detach().t().contiguous().t() if tensor.dim() == 2 else tensor.detach().repeat_interleave(2)[::2]
    assert not made.is_contiguous() and torch.equal(made, tensor)
    return made


def test_tensors_that_are_not_contiguous(scene):
    """As the start, as charges and places, and as cotangents: the bits of contiguous copies."""
    sim, generator = el.Simulator(scene), torch.Generator().manual_seed(4)
    given, seed = et.state(sim), torch.rand((32, 3), generator=generator, dtype=F)
    q, w, p = (torch.rand(shape, generator=generator, dtype=F) for shape in ((32,), (32, 3), (32,)))

    def found(kind):
        x, v, charges = (kind(one).requires_grad_() for one in (given.positions, given.velocities + 0.1, q))
        after = et.step(sim, given._replace(positions=x, velocities=v))
        field = et.field(x, charges)
        outputs = [after.positions, after.velocities, *field]
        return outputs + [*torch.autograd.grad(outputs, (x, v, charges), [kind(seed), kind(2 * seed), kind(w), kind(p)])]

    for got, wanted in zip(found(lying_otherwise), found(lambda tensor: tensor.detach().clone())):
        assert torch.equal(got, wanted)
