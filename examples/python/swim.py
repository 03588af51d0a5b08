"""A snake that learns to swim: a small network sends waves along its muscles, by the gradient through water and body.

The body is the water snake of DiffPD's released script: 80 cubes at rest in still water, all of them muscles. Every frame the
network sees how the middle line lies and moves. Its output w contracts the first section: max(-w, 0) on one side, max(w, 0) on
the other. From there the contraction goes on by a section a frame. The network learns to swim to -x (docs/applications.md).

    ./dev python examples/python/swim.py [--out FOLDER] [--epochs N] [--frames N] [--seed N]

writes FOLDER/swim (a run directory) and FOLDER/swim.png (learning curve, output, path). The defaults take about two minutes.
"""

from __future__ import annotations

import argparse
import os
import time

import numpy as np
import torch

import electret as el
import electret.torch as et

SECTIONS, CELL = 20, 0.1  # Cubes along the body, m.
SIDEWAYS = 10.0  # Weight of the squared speed across.


def make_simulator(frames: int, threads: int = 0, tolerance: float = 1e-4) -> el.Simulator:
    """The snake in still water; what is driven is the activation of each cube."""
    scene = el.Scene(scene={"name": "A snake that learnt to swim"}, time={"step": 0.0333, "steps": frames}, integrator={"tolerance": tolerance, "max_iterations": 1000})
    body = scene.body(name="snake", generate={"shape": "box", "cells": [SECTIONS, 2, 2], "cell_size": CELL, "element": "hex"}, mass=1.0)
    # The script's corotated energy alone: E = 1 MPa, ν = 0.45 without the term of the volume.
    body.material(model="projective", youngs_modulus=1e6 / 1.45, poissons_ratio=0.0)
    body.muscle(fibre=[1.0, 0.0, 0.0], stiffness=1e5, activation=1.0)
    scene.hydrodynamics(density=1000.0)
    return el.Simulator(scene, controls=["body.snake.muscle.0.activations"], threads=threads)


class Snake:
    """What the network sees of the body, and how its output reaches the muscles."""

    def __init__(self, sim: el.Simulator) -> None:
        self.sim = sim
        rest = np.asarray(sim.positions)
        line = np.flatnonzero((np.abs(rest[:, 1]) < 1e-9) & (np.abs(rest[:, 2]) < 1e-9))
        self.line = torch.as_tensor(line[np.argsort(rest[line, 0])])
        centres = rest[np.asarray(sim.hexahedra)].mean(1)
        self.section = torch.as_tensor(np.rint(centres[:, 0] / CELL + 0.5 * (SECTIONS - 1)).astype(int))
        self.upper = torch.as_tensor(centres[:, 1] > 0)

    def observe(self, frame: et.Frame) -> torch.Tensor:
        """The middle line's velocity; the places of its vertices about their mean; their velocities."""
        x, v = frame.positions[self.line], frame.velocities[self.line]
        return torch.cat([v.mean(0), (x - x.mean(0)).flatten(), v.flatten()])

    def act(self, net: torch.nn.Module, seen: torch.Tensor, cords: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Activations, and both sides' cords (2, SECTIONS), flat, as they are then."""
        w = net(seen)
        heads = torch.stack([torch.relu(-w), torch.relu(w)])
        cords = torch.cat([heads, cords.reshape(2, SECTIONS)[:, :-1]], dim=1)
        pulls = torch.where(self.upper, cords[1, self.section], cords[0, self.section])
        return 1.0 - pulls, cords.flatten()


def make_network(seed: int) -> torch.nn.Module:
    """129 numbers seen, two layers of 64, one output; orthogonal weights with the gain of tanh, no biases at first."""
    torch.manual_seed(seed)
    sizes = [3 + 6 * (SECTIONS + 1), 64, 64, 1]
    layers: list[torch.nn.Module] = []
    for inputs, outputs in zip(sizes, sizes[1:]):
        linear = torch.nn.Linear(inputs, outputs).double()
        torch.nn.init.orthogonal_(linear.weight, gain=5 / 3)
        torch.nn.init.zeros_(linear.bias)
        layers += [linear, torch.nn.Tanh()]
    return torch.nn.Sequential(*layers)


def reward(snake: Snake, out: et.RolloutResult) -> torch.Tensor:
    """Σ over the frames of -v_x - 10 (v_y² + v_z²), of the middle line's mean velocity: the way to -x in frames."""
    v = out.velocities[1:, snake.line].mean(1)
    return -(v[:, 0] + SIDEWAYS * v[:, 1:].square().sum(1)).sum()


def swim(snake: Snake, net: torch.nn.Module, frames: int) -> et.RolloutResult:
    """One closed loop from rest."""
    return et.rollout(snake.sim, lambda seen, cords: snake.act(net, seen, cords), inputs=list(net.parameters()),
                      remember=torch.zeros(2 * SECTIONS, dtype=torch.float64), observe=snake.observe, steps=frames, frames="all")


def train(snake: Snake, net: torch.nn.Module, epochs: int, frames: int, rate: float = 1e-3) -> list[float]:
    """Adam with gradients of at most norm 1 and a rate that falls to 0; gives the reward before each epoch's step."""
    optimiser = torch.optim.Adam(net.parameters(), lr=rate, weight_decay=1e-4)
    falling = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda epoch: 1.0 - epoch / max(epochs, 1))
    history = []
    for _ in range(epochs):
        optimiser.zero_grad()
        got = reward(snake, swim(snake, net, frames))
        (-got).backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimiser.step()
        falling.step()
        history.append(float(got))
    return history


def record(snake: Snake, net: torch.nn.Module, frames: int, directory: str) -> el.Run:
    """The learnt motion, stepped and recorded."""
    cords = torch.zeros(2 * SECTIONS, dtype=torch.float64)
    snake.sim.reset()
    with torch.no_grad(), snake.sim.record(directory, overwrite=True):
        for _ in range(frames):
            s = et.state(snake.sim)
            seen = snake.observe(et.Frame(s.positions, s.velocities, torch.tensor(snake.sim.time, dtype=torch.float64), s.step))
            action, cords = snake.act(net, seen, cords)
            snake.sim.step(action=action.numpy())
    return el.Run(directory)


def draw(snake: Snake, net: torch.nn.Module, history: list[float], frames: int, path: str) -> None:
    """The learning curve, the network's output, and the middle line on its way."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    with torch.no_grad():
        out = swim(snake, net, frames)
        outputs = [float(net(seen)) for seen in out.observations]
    figure, (learning, output, way) = pyplot.subplots(3, 1, figsize=(8, 9), layout="constrained")
    learning.plot(history)
    learning.set(title="Learning", xlabel="epoch", ylabel="reward")
    output.plot(outputs)
    output.set(title="The network's output", xlabel="frame", ylim=(-1.05, 1.05))
    for frame in np.linspace(0, frames, 5).astype(int):
        line = out.positions[frame, snake.line].numpy()
        way.plot(line[:, 0], line[:, 1], label=f"{0.0333 * frame:.1f} s")
    way.set(title="The middle line", xlabel="x, m", ylabel="y, m", aspect="equal")
    way.legend(loc="upper left", bbox_to_anchor=(1.02, 1.0))
    figure.savefig(path, dpi=110)
    pyplot.close(figure)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", default="runs/swim", help="where the run and the picture go")
    parser.add_argument("--epochs", type=int, default=60)
    parser.add_argument("--frames", type=int, default=200)
    parser.add_argument("--seed", type=int, default=13)
    options = parser.parse_args()
    begun, sim = time.monotonic(), make_simulator(options.frames)
    snake, net = Snake(sim), make_network(options.seed)
    history = train(snake, net, options.epochs, options.frames)
    with torch.no_grad():
        history.append(float(reward(snake, swim(snake, net, options.frames))))
    print(f"{time.monotonic() - begun:.1f} s; reward {history[0]:.3g} → {history[-1]:.3g}, the best {max(history):.3g}")
    os.makedirs(options.out, exist_ok=True)
    record(snake, net, options.frames, os.path.join(options.out, "swim"))
    draw(snake, net, history, options.frames, os.path.join(options.out, "swim.png"))


if __name__ == "__main__":
    main()
