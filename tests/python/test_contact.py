"""Contact with obstacles from Python: what obstacles push with, and closed loops through it."""

import numpy as np
import pytest

import electret as el
from conftest import SOURCE


def block(steps=20, velocity=(0.4, 0.1, -0.2), **contact):
    """A soft block just above a belt, which pushes exactly."""
    scene = el.Scene(time={"step": 0.01, "steps": steps}, gravity={"acceleration": (0.2, 0.0, -9.81)},
                     integrator={"tolerance": 1e-13, "max_iterations": 500}, contact={"friction": 0.3, **contact})
    body = scene.body(name="block", generate={"shape": "box", "cells": [2, 2, 1], "cell_size": 0.05}, density=800.0,
                      translate=(0.0, 0.0, 0.026), velocity=velocity)
    body.material(model="stable_neo_hookean", youngs_modulus=5e4, poissons_ratio=0.3)
    scene.obstacle(name="belt", shape="plane", point=(0.0, 0.0, -0.003), normal=(0.05, 0.02, 1.0))
    return scene


def test_the_default_law_pushes_and_is_seen(tmp_path):
    scene = block()
    sim = el.Simulator(scene)
    assert sim.obstacles == ["belt"] and sim.contact.vertices.shape == (0,) and sim.contact.normal_forces.shape == (0, 3)
    sim.run()
    contact = sim.contact
    assert len(contact.vertices) == 9 and set(contact.states) <= {1, 2} and not contact.obstacles.any()
    pushes, frictions = np.linalg.norm(contact.normal_forces, axis=1), np.linalg.norm(contact.tangential_forces, axis=1)
    assert (pushes > 0).all() and (frictions <= 0.3 * pushes * (1 + 1e-9)).all()
    np.testing.assert_allclose((contact.normal_forces * contact.tangential_forces).sum(1), 0, atol=1e-12)
    run = el.run(scene, tmp_path / "run")
    trajectory = run.trajectory
    assert trajectory.obstacles == ["belt"] and len(trajectory.contact) == 21 and len(trajectory.contact[0].vertices) == 0
    for mine, kept in zip(contact, trajectory.contact[-1]):
        np.testing.assert_allclose(mine, kept, rtol=1e-14)
    total = contact.normal_forces.sum(0) + contact.tangential_forces.sum(0)
    columns = run.observables
    np.testing.assert_allclose([columns[f"force_of_belt_{axis}"][-1] for axis in "xyz"], total, rtol=1e-12)
    with pytest.raises(IndexError):
        trajectory.contact[21]
    with pytest.raises(TypeError):
        trajectory.contact[:2]
    assert sim.energies() is not None and repr(trajectory.contact) == "<electret contacts: 21 frames>"


def test_a_run_without_exact_obstacles_has_no_contacts(tmp_path):
    scene = el.Scene(time={"step": 0.01, "steps": 2})
    scene.body(name="dust", generate={"shape": "chain", "vertices": 2}, mass=1.0)
    trajectory = el.run(scene, tmp_path / "run").trajectory
    assert trajectory.obstacles == []
    with pytest.raises(el.IoError, match="contacts were not stored"):
        trajectory.contact
    with pytest.raises(el.IoError, match="contact between bodies was not stored"):
        trajectory.contact_pairs


def test_pairs_of_bodies_are_seen(tmp_path):
    scene = el.Scene(time={"step": 0.01, "steps": 8}, gravity={"acceleration": (0.0, 0.0, -9.81)},
                     contact={"against": ["bodies"], "friction": 0.4, "thickness": 0.002})
    for name, place, cells in (("slab", (0.0, 0.0, 0.0), [2, 2, 1]), ("cube", (0.007, 0.003, 0.0519), [1, 1, 1])):
        body = scene.body(name=name, generate={"shape": "box", "cells": cells, "cell_size": 0.05}, density=1000.0, translate=place,
                          velocity=(0.0, 0.0, 0.0) if name == "slab" else (0.2, 0.0, -0.3))
        body.material(model="stable_neo_hookean", youngs_modulus=1e5, poissons_ratio=0.3)
    sim = el.Simulator(scene)
    assert len(sim.contact_pairs.kinds) == 0 and sim.contact_pairs.normal_forces.shape == (0, 3)
    before = sim.velocities.copy()
    for _ in range(3):
        before = sim.velocities.copy()
        sim.step()
    pairs = sim.contact_pairs
    assert len(pairs.kinds) > 2 and set(pairs.kinds) <= {0, 1} and set(pairs.slips) <= {0, 1} and pairs.vertices.shape[1] == 4
    assert (pairs.gaps > 0).all()
    np.testing.assert_allclose((pairs.normal_forces * pairs.tangential_forces).sum(1), 0, atol=1e-2)
    force = pairs.normal_forces + pairs.tangential_forces
    cube = pairs.vertices[:, 0] >= 18
    on_cube = force[cube].sum(0) - force[~cube].sum(0)
    masses = sim.masses[18:, None]
    gain = (masses * (sim.velocities - before)[18:]).sum(0) / 0.01
    np.testing.assert_allclose(on_cube + masses.sum() * np.array([0.0, 0.0, -9.81]), gain, atol=1e-4)
    run = el.run(scene, tmp_path / "run")
    kept = run.trajectory.contact_pairs
    assert len(kept) == 9 and len(kept[0].kinds) == 0 and repr(kept) == "<electret contact pairs: 9 frames>"
    for mine, theirs in zip(pairs, kept[3]):
        np.testing.assert_allclose(mine, theirs, rtol=1e-14)
    assert run.observables["contact_energy"][3] > 0
    with pytest.raises(IndexError):
        kept[9]
    with pytest.raises(TypeError):
        kept[:2]
    with pytest.raises(el.IoError, match="contacts were not stored"):
        run.trajectory.contact
    sim.reset()
    assert len(sim.contact_pairs.kinds) == 0


def test_contact_groups_and_pairs_from_python():
    scene = block(pair=[{"between": ["block", "belt"], "friction": 0.1}])
    scene.set("body.0.group", [{"name": "feet", "box": [[-1, -1, -1], [0, 1, 0.01]]}])
    scene.set("body.0.contact", [{"group": "feet"}])
    sim = el.Simulator(scene)
    sim.run()
    assert 0 < len(sim.contact.vertices) <= 6
    slips = sim.contact.states == 2
    pushes, frictions = np.linalg.norm(sim.contact.normal_forces, axis=1), np.linalg.norm(sim.contact.tangential_forces, axis=1)
    np.testing.assert_allclose(frictions[slips], 0.1 * pushes[slips], rtol=1e-6)


def test_a_driven_belt_takes_the_block_along():
    scene = block(steps=200, velocity=(0.0, 0.0, 0.0))
    scene.set("gravity.acceleration", (0.0, 0.0, -9.81))
    scene.set("obstacle.0.normal", (0.0, 0.0, 1.0))
    sim = el.Simulator(scene, controls=["obstacle.belt.placement"])
    action = np.zeros(12)
    action[6:9] = (0.5, 0.0, 0.0)
    for _ in range(200):
        sim.step(action)
    np.testing.assert_allclose(sim.velocities, np.broadcast_to([0.5, 0.0, 0.0], sim.velocities.shape), atol=1e-6)
    # A floor that rises at 0.1 m/s lifts it.
    action[:] = 0.0
    for k in range(1, 51):
        action[2], action[8] = 0.001 * k, 0.1
        sim.step(action)
    assert abs(sim.positions[:, 2].min() - 0.047) < 1e-12


def test_a_closed_loop_through_contact_against_differences():
    torch = pytest.importorskip("torch")
    import electret.torch as et

    sim = el.Simulator(block(steps=24), controls=["obstacle.belt.placement", "body.block.forces"])

    def loss(w, friction):
        def policy(o):
            h = torch.tanh(w[0] * o[0] + w[1] * o[1] + w[2])
            place = torch.stack([0.001 * h, -0.002 * h, 0.0005 * h, 0.2 * h, 0.1 * h, 0.3 * h])
            rates = torch.stack([0.3 * h, -0.2 * h, 0.02 * h, 2.0 * h, 1.0 * h, 6.0 * h])
            return torch.cat([place, rates, 0.02 * h.expand(54)])

        out = et.rollout(sim, policy, inputs=[w], observe=lambda f: torch.cat([f.positions.mean(0)[:1], f.velocities.mean(0)[:1]]),
                         steps=24, parameters={"contact.friction": friction}, frames=(-1,))
        return (out.positions[0] ** 2).sum() + 0.1 * (out.velocities[0] ** 2).sum() + 0.01 * out.observations.square().sum()

    w0 = torch.tensor([1.5, -0.7, 0.4], dtype=torch.float64, requires_grad=True)
    mu = torch.tensor(0.3, dtype=torch.float64, requires_grad=True)
    loss(w0, mu).backward()
    gradient = torch.cat([w0.grad, mu.grad[None]])
    assert (gradient.abs() > 0).all()
    direction = gradient / gradient.norm()

    def along(length):
        step = length * direction
        return float(loss((w0 + step[:3]).detach(), (mu + step[3]).detach()))

    h = 1e-4
    found = (8 * (along(h) - along(-h)) - (along(2 * h) - along(-2 * h))) / (12 * h)
    assert abs(found - float(gradient.norm())) <= 1e-6 * float(gradient.norm())


def test_the_reference_names_it():
    text = (SOURCE / "docs/python.md").read_text(encoding="utf-8")
    assert "trajectory.contact" in text and "sim.contact" in text
