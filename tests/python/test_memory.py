"""What is held is counted right and given back: reference counts over many calls, no growth with the collector off.

Acceptance point 7; under AddressSanitizer (`./dev sanitize`) with the collector at threshold 1. ELECTRET_CALLS is how
often each function is called: a thousand times, or 100000 for the whole test.
"""

import gc
import os
import sys

import numpy as np
import pytest

import electret as el
from conftest import jelly

CALLS = int(os.environ.get("ELECTRET_CALLS", "1000"))


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def small():
    scene = el.Scene(time={"step": 0.001, "steps": 10**9}, coulomb={})
    body = scene.body(name="b", generate={"shape": "chain", "vertices": 3}, mass=1.0, charge=1e-9)
    body.springs("edges", stiffness=1.0)
    return scene


class Things:
    """One of each, and arguments of theirs."""

    def __init__(self, tmp_path):
        self.scene = small()
        self.sim = el.Simulator(self.scene, controls=["body.b.charge"], threads=1)
        self.action, self.state = np.array([1e-9]), self.sim.state()
        self.x, self.q, self.z = np.random.default_rng(1).uniform(-1, 1, (5, 3)), np.ones(5) * 1e-9, np.ones((5, 3))
        self.solver = el.FieldSolver(5, threads=1)
        self.solver.prepare(self.x)
        self.out = (np.empty((5, 3)), np.empty(5))
        self.roll = el.Rollout(el.Simulator(self.scene, threads=1), wrt=["body.b.stiffness"], steps=2)
        self.cotangents = {"positions": np.ones((1, 3, 3))}
        self.loss = el.loss.final_position(np.zeros((3, 3)))
        self.values = {"body.b.stiffness": 1.0}
        self.trajectory = el.run(jelly(steps=2), tmp_path / "run").trajectory
        self.callback = lambda sim: None
        self.mesh = el.Mesh(self.x, faces=[[0, 1, 2]])


FUNCTIONS = {
    "step": (lambda t: t.sim.step(t.action), ["sim", "action"]), "positions": (lambda t: t.sim.positions, ["sim"]),
    "held": (lambda t: (t.sim.positions, t.sim.step(t.action)), ["sim", "action"]), "charges": (lambda t: t.sim.charges, ["sim"]),
    "run": (lambda t: t.sim.run(1, action=t.action, callback=t.callback), ["sim", "action", "callback"]), "energies": (lambda t: t.sim.energies(), ["sim"]),
    "state": (lambda t: t.sim.restore(t.sim.state()), ["sim"]), "restore": (lambda t: t.sim.restore(t.state), ["sim", "state"]),
    "reset": (lambda t: t.sim.reset(), ["sim"]), "masses": (lambda t: (t.sim.masses, t.sim.springs, t.sim.groups), ["sim"]),
    "pack": (lambda t: t.sim.controls.unpack(t.sim.controls.pack({"body.b.charge": 1.0})), ["sim"]),
    "parameters": (lambda t: t.sim.parameters, ["sim"]), "set": (lambda t: t.sim.set(t.values), ["sim", "values"]),
    "field": (lambda t: t.solver.field(t.q), ["solver", "q"]), "out": (lambda t: t.solver.field(t.q, out=t.out), ["solver", "q", "out"]),
    "prepare": (lambda t: t.solver.prepare(t.x), ["solver", "x"]), "product": (lambda t: t.solver.jacobian_product(t.q, t.z), ["solver", "q", "z"]),
    "charge_gradient": (lambda t: t.solver.charge_gradient(t.q, t.z), ["solver", "q", "z"]),
    "products": (lambda t: t.solver.field_and_products(t.q, t.z), ["solver", "q", "z"]), "adjoint": (lambda t: t.solver.adjoint(t.q, t.z, t.q), ["solver", "q", "z"]),
    "el.field": (lambda t: el.field(t.x, t.q, threads=1), ["x", "q"]), "verify": (lambda t: el.verify_field(t.x, t.q, t.z, samples=2), ["x", "q", "z"]),
    "forward": (lambda t: t.roll.forward(t.values), ["roll", "values"]), "vjp": (lambda t: (t.roll.forward(), t.roll.vjp(t.cotangents)), ["roll", "cotangents"]),
    "value_and_grad": (lambda t: t.roll.value_and_grad(t.loss), ["roll", "loss"]), "describe": (lambda t: t.scene.describe(), ["scene"]),
    "frames": (lambda t: (t.trajectory.positions[1], t.trajectory.positions[:]), ["trajectory"]), "mesh": (lambda t: t.mesh.vertices, ["mesh", "x"]),
    "refused": (lambda t: refused(lambda: t.sim.step(t.z)), ["sim", "z"]), "diverged": (lambda t: refused(lambda: t.sim.step([np.nan])), ["sim"]),
    "html": (lambda t: t.sim._repr_html_(), ["sim"]),
}


def refused(call):
    with pytest.raises((ValueError, TypeError)):
        call()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_reference_counts(name, tmp_path):
    things = Things(tmp_path)
    call, arguments = FUNCTIONS[name]
    slow = name in ("set", "verify", "parameters", "describe", "adjoint", "el.field", "html", "refused", "diverged", "frames", "products")
    count = CALLS // 10 if slow else CALLS
    call(things)
    held = [getattr(things, argument) for argument in arguments]
    before = [sys.getrefcount(one) for one in held]
    for _ in range(count):
        call(things)
    assert [sys.getrefcount(one) for one in held] == before


def test_no_growth_with_the_collector_off():
    """Roll-outs and simulators are freed by their counts alone."""
    scene = small()

    def once(k):
        sim = el.Simulator(scene, threads=1)
        kept = [sim.positions]
        sim.run(3, callback=lambda sim: kept.append(sim.positions))
        roll = el.Rollout(sim, wrt=["body.b.charges"], steps=3, frames="all")
        roll.forward()
        roll.vjp({"positions": np.ones((4, 3, 3))})
        roll.value_and_grad("energy")

    for k in range(50):
        once(k)
    gc.collect()
    gc.disable()
    try:
        objects, memory = len(gc.get_objects()), resident()
        for k in range(max(CALLS // 10, 20)):
            once(k)
        assert len(gc.get_objects()) - objects < 20
        if "ELECTRET_SANITIZED" not in os.environ:  # It holds freed memory back.
            assert resident() - memory < 2_000_000
    finally:
        gc.enable()
