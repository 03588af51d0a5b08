"""Functions that sweeps call in processes of their own, which import them from here."""

import os
import signal
import sys
import threading
import time

import numpy as np

import electret as el


def rolled(scene, values, run):
    """A driven run: what it is driven by is drawn from the run's number."""
    sim = el.Simulator(scene, controls=["body.jelly.forces"], threads=1)
    numbers = np.random.default_rng(run)
    for _ in range(5):
        sim.step(numbers.normal(size=sim.controls.size) * 1e-3)
    return {"height": sim.positions[:, 2].mean(), "path": sim.positions[0], "charge": values["body.0.charge"]}


def failing(scene, values, run):
    if run == 1:
        raise ValueError("no run of this kind")
    if run == 2:
        return {"other": 1.0}
    return {"number": float(run)}


def fails_at_odd_runs(scene, values, run):
    if run % 2:
        raise ValueError("an odd run")
    return {"number": float(run)}


def never_fails(scene, values, run):
    return {"number": float(run)}


def late(scene, values, run):
    """The first runs have no result, each for another reason."""
    if run == 0:
        raise ZeroDivisionError("no result yet")
    if run == 1:
        raise el.DivergenceError("it diverged", 3, -1, "it diverged", "take shorter steps")
    if run == 2:
        raise el.InputError([el.Finding("scene", 0, 0, "it is wrong", "take another")])
    return {"number": float(run)}


def kills():
    return os.path.getsize("kills") if os.path.exists("kills") else 0


def dying(scene, values, run):
    """Run 2 kills its process three times, each time while another process is in run 3."""
    if run == 2:
        while not os.path.exists("busy"):
            time.sleep(0.01)
        os.remove("busy")
        with open("kills", "a") as file:
            file.write("x")
        os.kill(os.getpid(), signal.SIGKILL)
    if run == 3 and kills() < 3:
        open("busy", "w").close()
        while True:  # Until the pool ends this process, too.
            time.sleep(0.01)
    return {"number": float(run)}


def busy(scene, values, run):
    """Takes 20 ms of its thread's processor time."""
    start = time.thread_time()
    while time.thread_time() - start < 0.02:
        pass
    return {"number": 1.0}


def exiting(scene, values, run):
    if run == 1:
        sys.exit(3)
    return {"number": float(run)}


def endless(scene, values, run):
    """Never ends in three runs, each in its own way. What waits in the system, or is in the library, is ended in a main thread alone."""
    is_main = threading.current_thread() is threading.main_thread()
    while run == 1:
        try:
            sum(range(1000))
        except Exception:
            pass
    if run == 2 and is_main:
        time.sleep(1e6)
    while run == 2:
        el.Simulator(scene, threads=1).step()
    if run == 3 and is_main:
        scene.set("time.steps", 100_000_000)
        el.run(scene, "endless")
    while run == 3:
        pass
    return {"number": float(run)}
