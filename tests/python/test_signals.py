"""Ctrl-C: the step under way ends, KeyboardInterrupt comes, and going on gives the bits of an uninterrupted run.

Acceptance point 10, but for `et.rollout`, which is in test_torch_rollout.py.
"""

import signal

import numpy as np
import pytest

import electret as el
from conftest import jelly
from interrupting import AFTER, Interrupt, interrupted

LONG = 10**6  # Steps that no test waits for.


def test_in_run():
    sim, fresh = (el.Simulator(jelly(steps=LONG, count=64), threads=1) for _ in range(2))
    interrupted(sim.run)
    done = sim.steps_done
    assert 0 < done < LONG
    sim.run(5)
    fresh.run(done + 5)
    assert np.array_equal(sim.positions, fresh.positions) and sim.work == fresh.work


def test_with_a_callback_that_catches_nothing():
    sim = el.Simulator(jelly(steps=LONG), threads=1)
    interrupted(lambda: sim.run(callback=lambda sim: None))
    assert 0 < sim.steps_done < LONG


def test_in_both_sweeps():
    sim = el.Simulator(jelly(steps=20000, count=64), threads=1)  # Many times longer than until the signal.
    roll = el.Rollout(sim, wrt=["body.jelly.stiffness"], memory="100MB")
    interrupted(roll.forward)
    with pytest.raises(RuntimeError, match="forward"):
        roll.vjp({"energy": 1.0})
    roll.forward()
    wanted = roll.vjp({"energy": 1.0})["body.jelly.stiffness"]
    interrupted(lambda: roll.vjp({"energy": 1.0}))
    assert roll.vjp({"energy": 1.0})["body.jelly.stiffness"] == wanted
    assert sim.steps_done == 0


@pytest.mark.parametrize("way", ["gradient", "value_and_grad"])
def test_in_gradients(way):
    scene = jelly(steps=LONG, count=64)
    roll = el.Rollout(el.Simulator(scene, threads=1), wrt=["body.jelly.stiffness"], memory="1MB")
    interrupted(lambda: el.gradient(scene, "energy", ["body.jelly.stiffness"], memory="1MB") if way == "gradient" else roll.value_and_grad("energy"))


def test_in_a_run_on_the_disk(tmp_path, command):
    """Its checkpoint is there, from which the command goes on."""
    scene = jelly(steps=LONG, count=64, output={"every": 100})
    scene.save(tmp_path / "scene.toml")
    folders = []  # Each try has its own, so that the signal waits for its rows.

    def call():
        folders.append(tmp_path / f"run{len(folders)}")
        el.run(tmp_path / "scene.toml", folders[-1], threads=1)

    def has_rows():
        rows = folders[-1] / "energy.csv" if folders else tmp_path / "none"
        return rows.exists() and rows.stat().st_size > 1000

    interrupted(call, 0.05, has_rows)
    run = el.Run(folders[-1])
    assert run.status == "interrupted" and run.summary["steps"] > 0
    steps = 100 * (run.summary["steps"] // 100 + 1)  # A frame.
    # A resumed run may be longer, not shorter: the checkpoint goes on in a copy of the scene that ends soon.
    said = command("run", tmp_path / "scene.toml", "-o", folders[-1], "--set", f"time.steps={steps}", "--resume")
    assert said.returncode == 0, said.stderr
    fresh = el.Simulator(scene)
    fresh.run(steps)
    assert np.array_equal(el.Trajectory(folders[-1]).positions[-1], fresh.positions)


def test_a_handler_of_the_users():
    """What a handler raises arrives; one that returns is no interruption."""
    seen, sim = [], el.Simulator(jelly(steps=10 * LONG), threads=1)
    before = signal.signal(signal.SIGINT, lambda *_: seen.append(True))
    try:
        with Interrupt(AFTER) as it:
            sim.run(callback=lambda sim: (_ for _ in ()).throw(el.Stop) if it.sent and seen else None)
    finally:
        signal.signal(signal.SIGINT, before)
    assert len(seen) == 1
