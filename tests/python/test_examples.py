"""The example programs: what they are said to reach.

Acceptance point 20: steer.py's figures, and that a wrong sign in any input's cotangent makes it fail. Of swim.py, that its body
moves as an independent program's, and that its gradient is that of differences.
"""

import math
import os
import subprocess
import sys
import time

import numpy as np
import pytest

from with_torch import torch

import electret as el
import electret._torch_loop as loop
from conftest import SOURCE

FOLDER = SOURCE / "examples" / "python"
sys.path.insert(0, str(FOLDER))
import steer  # noqa: E402
import swim  # noqa: E402


def figures(iterations):
    sim, net = steer.make_simulator(), steer.make_network()
    steer.train(sim, net, steer.circle(6), iterations)
    return np.mean(steer.distances(sim, net, steer.circle(6))), max(steer.distances(sim, net, steer.circle(6, 0.5)))


def test_steer_reaches_its_figures():
    """In 90 s of processor time, of all threads: on two cores in no more, if nothing else is at work."""
    before = time.process_time()
    mean, worst = figures(60)
    assert mean <= 0.1 and worst <= 0.25
    assert "ELECTRET_SANITIZED" in os.environ or time.process_time() - before < 90.0


@pytest.mark.parametrize("wrong", [0, 1])
def test_a_wrong_sign_in_any_inputs_cotangent_makes_it_fail(wrong, monkeypatch):
    right = loop.Loop._transpose

    def faulty(self, answer, by_action, *more):
        by_action = by_action.clone()
        by_action[wrong] *= -1.0
        return right(self, answer, by_action, *more)

    monkeypatch.setattr(loop.Loop, "_transpose", faulty)
    mean, _ = figures(40)  # With the right signs it is 0.12 m by then.
    assert mean > 0.3


def test_steer_as_a_program(tmp_path):
    """In a short form: it says its figures, records a walk that `electret` reads, and draws."""
    pytest.importorskip("matplotlib")
    said = subprocess.run([sys.executable, FOLDER / "steer.py", "--iterations", "2", "--out", tmp_path], capture_output=True, text=True, check=False,
                          env={**os.environ, "MPLCONFIGDIR": str(tmp_path)})
    assert said.returncode == 0, said.stderr
    assert "unseen: mean" in said.stdout and (tmp_path / "steer.png").stat().st_size > 10000
    run = el.Run(tmp_path / "walk")
    assert run.status == "done" and len(run.trajectory.times) == 51 and np.asarray(run.trajectory.charges).shape == (51, 32)
    assert len(np.unique(np.asarray(run.trajectory.charges)[:, 0])) > 10 and list((tmp_path / "pictures").glob("*.png"))


def test_swims_body_moves_as_an_independent_programs():
    """Under w_t = ½ sin(2πt/20): the middle line's mean velocity after 20 frames, which was computed without Electret."""
    snake = swim.Snake(swim.make_simulator(20, threads=1, tolerance=1e-11))
    frames = iter(range(20))
    out = swim.swim(snake, Signal(lambda: 0.5 * math.sin(2 * math.pi * next(frames) / 20)), 20)
    np.testing.assert_allclose(out.velocities[20, snake.line].mean(0).detach(), [-0.00025243673, 0.0070914093, 0.0], rtol=0, atol=1e-8)
    assert float(swim.reward(snake, out)) == pytest.approx(0.0059945527, abs=6e-7)


class Signal(torch.nn.Module):
    """A network that does not look: its output is what a function says, times a weight of 1."""

    def __init__(self, value):
        super().__init__()
        self.value, self.weight = value, torch.nn.Parameter(torch.ones(1, dtype=torch.float64))

    def forward(self, seen):
        return self.weight * self.value()


def test_swims_gradient_is_that_of_differences():
    snake, net = swim.Snake(swim.make_simulator(10, threads=1, tolerance=1e-12)), swim.make_network(2)
    swim.reward(snake, swim.swim(snake, net, 10)).backward()
    generator = torch.Generator().manual_seed(0)
    direction = [torch.randn(p.shape, generator=generator, dtype=torch.float64) for p in net.parameters()]
    slope = sum(float((p.grad * d).sum()) for p, d in zip(net.parameters(), direction))
    start = [p.detach().clone() for p in net.parameters()]

    def at(offset):
        with torch.no_grad():
            for p, s, d in zip(net.parameters(), start, direction):
                p.copy_(s + offset * d)
            return float(swim.reward(snake, swim.swim(snake, net, 10)))

    h = 1e-4
    wanted = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h)
    assert slope == pytest.approx(wanted, rel=1e-6)


def test_swim_as_a_program(tmp_path):
    """In a short form: it learns, records, and draws."""
    pytest.importorskip("matplotlib")
    said = subprocess.run([sys.executable, FOLDER / "swim.py", "--epochs", "2", "--frames", "12", "--out", tmp_path], capture_output=True, text=True, check=False,
                          env={**os.environ, "MPLCONFIGDIR": str(tmp_path)})
    assert said.returncode == 0, said.stderr
    first, last = (float(word) for word in said.stdout.split("reward ")[1].split(",")[0].split(" → "))
    assert last > first and (tmp_path / "swim.png").stat().st_size > 10000
    run = el.Run(tmp_path / "swim")
    assert run.status == "done" and len(run.trajectory.times) == 13
