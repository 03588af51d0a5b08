"""What closed loops take of memory, and that references to tensors are counted right.

Acceptance points 7 (torch) and 22. `./dev test --long` makes 100000 calls of each function and 10000 roll-outs.
"""

import subprocess
import sys

import pytest

from with_torch import torch

import electret as el
import electret.torch as et
from conftest import jelly
from counted import CALLS, leaves_nothing

START = """
import gc, resource
import torch
import electret as el, electret.torch as et

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

def loop(sim, gain, steps, hold, memory):
    out = et.rollout(sim, lambda o: 1e-7 * (gain * o)[None, 0], inputs=[gain], observe=lambda f: f.positions[:, 0].mean()[None], steps=steps, hold=hold,
                     memory=memory)
    out.positions.square().mean().backward()
    return out

scene = el.Scene(time={"step": 0.001, "steps": 10}, integrator={"method": "verlet"}, damping={"drag": 0.1})
body = scene.body(name="ball", generate={"shape": "sphere", "radius": 0.3, "vertices": COUNT}, mass=0.01, velocity=(0.1, 0, 0))
body.springs("nearest", neighbours=6, stiffness=5.0)
scene.electric_field(expression=("E", "0", "0"), constants={"E": 1e5})
sim = el.Simulator(scene, controls=["body.ball.charge"])
gain = torch.tensor([-1.0], dtype=torch.float64, requires_grad=True)
loop(sim, gain, 10, 5, "1MB")
"""


def program(text, count):
    said = subprocess.run([sys.executable, "-c", START.replace("COUNT", str(count)) + text], capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stderr
    return [float(word) for word in said.stdout.split()]


def test_a_long_loop_keeps_to_its_budget():
    """Ten thousand steps of a thousand vertices: all states would be 720 MB."""
    base, after, slope = program("""
base = peak()
loop(sim, gain, 10000, 50, "50MB")
print(base, peak(), float(gain.grad))
""", 1000)
    policy = 200 * (8 * 2 + 3000)  # What an interval keeps of its graph.
    assert after - base < 1.2 * (50e6 + policy) + 5e6 and after <= 1.2 * (base + 50e6 + policy)
    assert slope != 0.0


def test_loops_leave_nothing_behind():
    """By reference counts alone."""
    first, last = program("""
gc.disable()
for _ in range(200):
    loop(sim, gain, 10, 5, "1MB")
first = peak()
for _ in range(ROLLOUTS):
    loop(sim, gain, 10, 5, "1MB")
print(first, peak())
""".replace("ROLLOUTS", str(max(2000, CALLS // 10))), 100)
    assert last - first < 3e6


class Things:
    def __init__(self):
        F = torch.float64
        self.sim = el.Simulator(jelly(steps=4, count=12), controls=["body.jelly.charge"], threads=1)
        self.start = et.state(self.sim)
        self.action = torch.tensor([1e-7], dtype=F, requires_grad=True)
        self.parameters = {"body.jelly.stiffness": torch.tensor(30.0, dtype=F, requires_grad=True)}
        self.x, self.q = torch.rand(8, 3, dtype=F, requires_grad=True), torch.full((8,), 1e-9, dtype=F, requires_grad=True)
        self.policy, self.observe = (lambda o: self.action * (1.0 + o[:1])), (lambda f: f.positions[0])
        self.options = {"inputs": [self.action], "observe": self.observe, "steps": 4, "hold": 2}


def back(tensor, *by):
    torch.autograd.grad(tensor.sum(), by)


FUNCTIONS = {
    "state": (lambda t: et.state(t.sim), ["sim"]), "step": (lambda t: et.step(t.sim, t.start, t.action.detach()), ["sim", "action"]),
    "step and back": (lambda t: back(et.step(t.sim, et.step(t.sim, t.start, t.action), t.action).positions, t.action), ["sim", "start", "action"]),
    "parameters": (lambda t: back(et.step(t.sim, t.start, parameters=t.parameters).positions, *t.parameters.values()), ["sim", "start", "parameters"]),
    "rollout": (lambda t: et.rollout(t.sim, t.policy, **t.options), ["sim", "policy", "observe", "action", "options"]),
    "rollout and back": (lambda t: back(et.rollout(t.sim, t.policy, parameters=t.parameters, **t.options).positions, t.action), ["sim", "policy", "observe", "action", "parameters"]),
    "field": (lambda t: et.field(t.x.detach(), t.q.detach()), ["x", "q"]), "field and back": (lambda t: back(et.field(t.x, t.q)[0], t.x, t.q), ["x", "q"]),
    "refused": (lambda t: refused(lambda: et.step(t.sim, t.start, t.x)), ["sim", "start", "x"]),
}


def refused(call):
    with pytest.raises(ValueError):
        call()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_reference_counts(name):
    things = Things()
    call, arguments = FUNCTIONS[name]
    leaves_nothing(lambda: call(things), [getattr(things, argument) for argument in arguments], 10)


def test_every_public_function_is_counted():
    assert {name for name in et.__all__ if not isinstance(getattr(et, name), type)} <= {word for name in FUNCTIONS for word in name.split()}
