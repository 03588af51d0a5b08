"""Gradients, roll-outs and fits through bodies that touch each other, against differences."""

import numpy as np
import pytest

import electret as el

STEPS = 12
NAMES = ["contact.friction", "body.cube.velocity", "body.cube.density", "body.cube.youngs_modulus"]


def cube_on_slab(friction=0.3, velocity=(0.4, 0.1, -0.4), density=1000.0, modulus=1e5):
    """A cube that falls obliquely onto a slab whose base is pinned, and slides on it."""
    scene = el.Scene(time={"step": 0.01, "steps": STEPS}, gravity={"acceleration": (0.0, 0.0, -9.81)},
                     integrator={"tolerance": 1e-13, "max_iterations": 500},
                     contact={"against": ["bodies"], "friction": friction, "thickness": 0.002})
    for name, place, cells, size in (("slab", (0.0, 0.0, 0.0), [3, 3, 1], 0.05), ("cube", (-0.023, 0.003, 0.0505), [1, 1, 1], 0.04)):
        body = scene.body(name=name, generate={"shape": "box", "cells": cells, "cell_size": size}, density=density if name == "cube" else 1000.0, translate=place,
                          rotate=(0.0, 0.0, 0.0) if name == "slab" else (2.0, 3.0, 20.0),
                          velocity=(0.0, 0.0, 0.0) if name == "slab" else velocity)
        body.material(model="stable_neo_hookean", youngs_modulus=modulus if name == "cube" else 1e5, poissons_ratio=0.3)
        if name == "slab":
            body.group(name="base", box=[[-1.0, -1.0, -0.026], [1.0, 1.0, -0.024]])
            body.pin(group="base")
    return scene


def central(function, length):
    """The derivative at 0, to the fourth order."""
    h = length
    return (8 * (function(h) - function(-h)) - (function(2 * h) - function(-2 * h))) / (12 * h)


def of_end(traj):
    """A function of the cube's last places and velocities, and its cotangents."""
    x, v = np.zeros_like(traj.positions), np.zeros_like(traj.velocities)
    weights = np.cos(np.arange(24.0)).reshape(8, 3)
    x[-1, 32:], v[-1, 32:] = weights + traj.positions[-1, 32:], 0.02 * weights
    value = (weights * traj.positions[-1, 32:]).sum() + 0.5 * (traj.positions[-1, 32:] ** 2).sum()
    return value + 0.02 * (weights * traj.velocities[-1, 32:]).sum(), {"positions": x, "velocities": v}


def test_they_touch_and_slip():
    sim = el.Simulator(cube_on_slab())
    slips = touches = 0
    for _ in range(STEPS):
        sim.step()
        slips += int(sim.contact_pairs.slips.sum())
        touches += len(sim.contact_pairs.kinds)
    assert slips >= 10 and touches - slips >= 3


def test_gradients_against_differences():
    scene = cube_on_slab()
    got = el.gradient(scene, of_end, NAMES)

    def value(**other):
        return of_end(el.Rollout(el.Simulator(cube_on_slab(**other))).forward())[0]

    by_velocity = np.asarray(got["body.cube.velocity"]).reshape(3)
    direction = by_velocity / np.linalg.norm(by_velocity)
    found = central(lambda t: value(velocity=tuple(np.array((0.4, 0.1, -0.4)) + t * direction)), 2e-5)
    assert found == pytest.approx(np.linalg.norm(by_velocity), rel=1e-6)
    for name, key, at in zip((NAMES[0], *NAMES[2:]), ("friction", "density", "modulus"), (0.3, 1000.0, 1e5)):
        derivative = float(np.asarray(got[name]).reshape(()))
        assert derivative != 0.0
        found = central(lambda t, key=key, at=at: value(**{key: at * (1 + t)}) / at, 2e-5)
        assert found == pytest.approx(derivative, rel=1e-6), name


def test_a_closed_loop_through_touching_bodies_against_differences():
    torch = pytest.importorskip("torch")
    import electret.torch as et

    sim = el.Simulator(cube_on_slab(), controls=["body.cube.forces"])

    def loss(w, friction):
        def policy(o):
            h = torch.tanh(w[0] * o[0] + w[1] * o[1] + w[2])
            return 0.02 * torch.cos(torch.arange(24, dtype=torch.float64)) * h

        out = et.rollout(sim, policy, inputs=[w], observe=lambda f: torch.cat([f.positions[32:].mean(0)[:1], f.velocities[32:].mean(0)[:1]]),
                         steps=STEPS, parameters={"contact.friction": friction}, frames=(-1,))
        return (out.positions[0, 32:] ** 2).sum() + 0.1 * (out.velocities[0, 32:] ** 2).sum() + 0.01 * out.observations.square().sum()

    w0 = torch.tensor([1.5, -0.7, 0.4], dtype=torch.float64, requires_grad=True)
    mu = torch.tensor(0.3, dtype=torch.float64, requires_grad=True)
    loss(w0, mu).backward()
    gradient = torch.cat([w0.grad, mu.grad[None]])
    assert (gradient.abs() > 0).all()
    direction = gradient / gradient.norm()

    def along(length):
        step = length * direction
        return float(loss((w0 + step[:3]).detach(), (mu + step[3]).detach()))

    assert central(along, 1e-4) == pytest.approx(float(gradient.norm()), rel=1e-6)


def test_single_steps_of_torch_say_that_they_would_lose_the_slips():
    """The slips of friction are the method's memory, through which single steps pass no derivatives."""
    pytest.importorskip("torch")
    import electret.torch as et

    sim = el.Simulator(cube_on_slab())
    start = et.state(sim)
    et.step(sim, start)  # Without anything to derive by.
    start = start._replace(velocities=start.velocities.clone().requires_grad_())
    with pytest.raises(el.GradientError, match="memory .pair_anchors.; differentiate the whole run with rollout"):
        et.step(sim, start)


def test_a_fit_finds_the_friction_between_bodies(tmp_path):
    cube_on_slab(friction=0.3).save(tmp_path / "scene.toml")
    el.run(tmp_path / "scene.toml", tmp_path / "target")
    (tmp_path / "job.toml").write_text("""
[fit]
scene = "scene.toml"
[[parameter]]
name = "contact.friction"
start = 0.15
minimum = 0.0
maximum = 1.0
[[loss]]
of = "trajectory:target/trajectory.h5"
""")
    found = el.fit(tmp_path / "job.toml", tmp_path / "fit")
    assert found.converged
    assert float(found.values["contact.friction"]) == pytest.approx(0.3, abs=1e-5)
