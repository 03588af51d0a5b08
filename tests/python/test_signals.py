"""Ctrl-C: the step under way ends, KeyboardInterrupt comes, and going on gives the bits of an uninterrupted run.

Acceptance point 10; a simulator's `run` and `el.run` are in test_simulator.py and test_run.py, too.
"""

import os
import signal
import threading
import time

import numpy as np
import pytest

import electret as el
from conftest import jelly

LATEST = 0.5  # s; 0.1 s and a step on an idle machine.


class Interrupt:
    """Sends SIGINT after a while; `delay` is the time from then until the block was left."""

    def __init__(self, after):
        self.after, self.sent = after, None

    def __enter__(self):
        def send():
            self.sent = time.monotonic()
            os.kill(os.getpid(), signal.SIGINT)

        self.timer = threading.Timer(self.after, send)
        self.timer.start()
        return self

    def __exit__(self, *_):
        self.delay = time.monotonic() - self.sent if self.sent else np.inf
        self.timer.cancel()
        self.timer.join()


def interrupted(call, after=0.2):
    with Interrupt(after) as it:
        with pytest.raises(KeyboardInterrupt):
            call()
    assert it.delay < LATEST


def test_in_run():
    sim, fresh = (el.Simulator(jelly(steps=10**6, count=64), threads=1) for _ in range(2))
    interrupted(sim.run)
    done = sim.steps_done
    assert 0 < done < 10**6
    sim.run(5)
    fresh.run(done + 5)
    assert np.array_equal(sim.positions, fresh.positions) and sim.work == fresh.work


def test_with_a_callback_that_catches_nothing():
    sim = el.Simulator(jelly(steps=10**6), threads=1)
    interrupted(lambda: sim.run(callback=lambda sim: None))
    assert 0 < sim.steps_done < 10**6


def test_in_both_sweeps():
    scene = jelly(steps=12000, count=64)
    sim = el.Simulator(scene, threads=1)
    roll = el.Rollout(sim, wrt=["body.jelly.stiffness"], memory="20MB")
    interrupted(roll.forward, 0.1)
    with pytest.raises(RuntimeError, match="forward"):
        roll.vjp({"energy": 1.0})
    roll.forward()
    wanted = roll.vjp({"energy": 1.0})["body.jelly.stiffness"]
    interrupted(lambda: roll.vjp({"energy": 1.0}), 0.1)
    assert roll.vjp({"energy": 1.0})["body.jelly.stiffness"] == wanted
    assert sim.steps_done == 0


def test_a_handler_of_the_users(scene):
    """What a handler raises arrives; one that returns is no interruption."""
    seen, sim = [], el.Simulator(jelly(steps=10**6), threads=1)
    before = signal.signal(signal.SIGINT, lambda *_: seen.append(True))
    try:
        with Interrupt(0.1):
            sim.run(callback=lambda sim: (_ for _ in ()).throw(el.Stop) if seen else None)
    finally:
        signal.signal(signal.SIGINT, before)
    assert len(seen) == 1
