"""What closed loops take of memory. Acceptance point 22."""

import subprocess
import sys

from with_torch import torch  # noqa: F401 (the programs below use it)

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
for _ in range(2000):
    loop(sim, gain, 10, 5, "1MB")
print(first, peak())
""", 100)
    assert last - first < 3e6
