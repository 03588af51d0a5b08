"""A charged ball that learns to walk: a small network charges its two halves in phase with a rotating field.

Forces within a body cannot move its centre, so it steers on an outer field, e = (A cos 2πt, A sin 2πt, 0). Every five
steps the network sees where the target is and how the ball moves and lies, and answers with two charges. It learns on
six targets around, through the simulation (docs/control.md), and is tried on six others between them.

    ./dev python examples/python/steer.py [--out FOLDER] [--iterations N]

writes FOLDER/walk (a run directory), FOLDER/steer.png (paths, charges, frames of the walk), FOLDER/pictures (the walk, rendered).
"""

from __future__ import annotations

import argparse
import math
import os
import subprocess
import time
from typing import Callable

import numpy as np
import torch

import electret as el
import electret.torch as et

MOST = 2e-7  # C a vertex.
STEPS, HOLD = 100, 5


def make_simulator(threads: int = 0) -> el.Simulator:
    """The ball in the rotating field; what is driven are the charges of its halves."""
    scene = el.Scene(scene={"name": "A ball that learnt to walk"}, time={"step": 0.03, "steps": STEPS}, coulomb={}, damping={"drag": 0.5},
                     integrator={"tolerance": 1e-12})
    body = scene.body(name="jelly", generate={"shape": "sphere", "radius": 0.3, "vertices": 32}, mass=0.05)
    body.springs("nearest", neighbours=6, stiffness=3.0)
    for name, low, high in (("left", -1, 0), ("right", 0, 1)):
        body.group(name=name, box=[[low, -1, -1], [high, 1, 1]])
    scene.electric_field(expression=("A*cos(2*pi*t)", "A*sin(2*pi*t)", "0"), constants={"A": 3e5})
    return el.Simulator(scene, controls=["body.jelly.charge[left]", "body.jelly.charge[right]"], threads=threads)


def make_network(seed: int = 0) -> torch.nn.Module:
    """8 observations, 16 hidden units, 2 charges in units of MOST."""
    torch.manual_seed(seed)
    return torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.Tanh(), torch.nn.Linear(16, 2), torch.nn.Tanh()).double()


def circle(count: int, turned: float = 0.0) -> torch.Tensor:
    """Points on the unit circle, (count, 2) m."""
    angles = 2 * math.pi * (torch.arange(count, dtype=torch.float64) + turned) / count
    return torch.stack([torch.cos(angles), torch.sin(angles)], dim=1)


def observer(sim: el.Simulator, target: torch.Tensor) -> Callable[[et.Frame], torch.Tensor]:
    """The way to the target, the velocity, how the halves lie, and the field's phase."""
    left, right = (torch.as_tensor(sim.groups[f"jelly[{half}]"]) for half in ("left", "right"))

    def observe(f: et.Frame) -> torch.Tensor:
        x, phase = f.positions[:, :2], 2 * math.pi * f.time
        lies = (x[right].mean(0) - x[left].mean(0)) / 0.3
        return torch.cat([x.mean(0) - target, f.velocities[:, :2].mean(0), lies, torch.stack([torch.cos(phase), torch.sin(phase)])])

    return observe


def walk(sim: el.Simulator, net: torch.nn.Module, target: torch.Tensor, frames: object = (-1,)) -> et.RolloutResult:
    """One closed loop to a target."""
    return et.rollout(sim, lambda o: MOST * net(o), inputs=net.parameters(), observe=observer(sim, target), steps=STEPS, hold=HOLD,
                      frames=frames)  # type: ignore[arg-type]


def miss(out: et.RolloutResult, target: torch.Tensor) -> torch.Tensor:
    """Distance squared of the ball's centre from the target at the end, m²."""
    return (out.positions[-1, :, :2].mean(0) - target).square().sum()


def train(sim: el.Simulator, net: torch.nn.Module, targets: torch.Tensor, iterations: int) -> list[float]:
    """Adam over all targets at once; gives the mean distance of every iteration, m."""
    optimiser, history = torch.optim.Adam(net.parameters(), lr=0.02), []
    for _ in range(iterations):
        optimiser.zero_grad()
        distances = []
        for target in targets:
            out = walk(sim, net, target)
            squared = miss(out, target)
            (squared + 1e-3 * (out.actions / MOST).square().mean()).backward()
            distances.append(math.sqrt(float(squared)))
        optimiser.step()
        history.append(float(np.mean(distances)))
    return history


def distances(sim: el.Simulator, net: torch.nn.Module, targets: torch.Tensor) -> list[float]:
    """How far from each target the ball ends, m."""
    with torch.no_grad():
        return [math.sqrt(float(miss(walk(sim, net, target), target))) for target in targets]


def record(sim: el.Simulator, net: torch.nn.Module, target: torch.Tensor, directory: str) -> el.Run:
    """The walk to one target, stepped and recorded."""
    observe = observer(sim, target)
    sim.reset()
    with torch.no_grad(), sim.record(directory, every=2, overwrite=True):
        for j in range(STEPS // HOLD):
            s = et.state(sim)
            o = observe(et.Frame(s.positions, s.velocities, torch.tensor(sim.time, dtype=torch.float64), s.step))
            sim.run(HOLD, action=(MOST * net(o)).numpy())
    return el.Run(directory)


def draw(sim: el.Simulator, net: torch.nn.Module, history: list[float], run: el.Run, target: torch.Tensor, path: str) -> None:
    """The paths to all targets, the charges of one walk, its frames, and the learning curve."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(2, 2, figsize=(11, 8.5), layout="constrained")
    ways, charges, strip, learning = axes.flat
    for targets, colour, name in ((circle(6), "tab:blue", "learnt on"), (circle(6, 0.5), "tab:orange", "unseen")):
        for k, one in enumerate(targets):
            with torch.no_grad():
                way = walk(sim, net, one, "all").positions[:, :, :2].mean(1).numpy()
            ways.plot(*way.T, color=colour, lw=1.2, label=name if k == 0 else None)
        ways.plot(*targets.numpy().T, "x", color=colour)
    ways.set(title="Paths of the centre", xlabel="x, m", ylabel="y, m", aspect="equal")
    ways.legend(loc="upper left", bbox_to_anchor=(1.02, 1.0))
    trajectory = run.trajectory
    groups, times = sim.groups, np.asarray(trajectory.times)
    shown = np.asarray(trajectory.charges)
    for half in ("left", "right"):
        charges.step(times, 1e6 * shown[:, groups[f"jelly[{half}]"][0]], where="pre", label=half)
    charges.set(title="Charges of the halves on the way", xlabel="t, s", ylabel="µC a vertex")
    charges.legend()
    every = np.linspace(0, len(times) - 1, 4).astype(int)
    for frame in every:
        x = trajectory.positions[frame]
        strip.scatter(x[:, 0], x[:, 1], c=1e6 * shown[frame], cmap="coolwarm", vmin=-0.2, vmax=0.2, s=12)
    strip.plot(*target.numpy(), "kx")
    strip.set(title="Frames of this walk, by charge", xlabel="x, m", ylabel="y, m", aspect="equal")
    learning.semilogy(history)
    learning.set(title="Learning", xlabel="iteration", ylabel="mean distance at the end, m")
    figure.savefig(path, dpi=110)
    pyplot.close(figure)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", default="runs/steer", help="where the walk and the pictures go")
    parser.add_argument("--iterations", type=int, default=60)
    options = parser.parse_args()
    begun, sim, net = time.monotonic(), make_simulator(), make_network()
    history = train(sim, net, circle(6), options.iterations)
    seen, unseen = distances(sim, net, circle(6)), distances(sim, net, circle(6, 0.5))
    print(f"{time.monotonic() - begun:.1f} s; distance to the six: mean {np.mean(seen):.3f} m; unseen: mean {np.mean(unseen):.3f}, worst {max(unseen):.3f} m")
    target = circle(6, 0.5)[0]
    os.makedirs(options.out, exist_ok=True)
    run = record(sim, net, target, os.path.join(options.out, "walk"))
    draw(sim, net, history, run, target, os.path.join(options.out, "steer.png"))
    command = os.environ.get("ELECTRET", "electret")
    try:
        subprocess.run([command, "render", run.directory, "-o", os.path.join(options.out, "pictures"), "--strip", "--frames", "0,12,25,37,50", "--size", "480x400"], check=True, stdout=subprocess.DEVNULL)
    except FileNotFoundError:
        print("no picture of the walk itself: the command electret is not on the path")


if __name__ == "__main__":
    main()
