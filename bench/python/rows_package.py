"""Rows that need the package and numpy alone: steps, arrays, fields, gradients, trajectories, import, compilation."""

import json
import os
import pathlib
import resource
import shlex
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import tracemalloc
from concurrent.futures import ThreadPoolExecutor

import h5py
import numpy as np

import electret as el
from electret import _core
from measure import Clock, Length, Row, count_of, difference, native, pairs, ratio, repeats, seconds_of

BUILD = pathlib.Path(os.environ["ELECTRET_BUILD"])


def torus(n, steps=100000):
    """Charged torus: each vertex joined to its 24 nearest, 145 · 6 µC in all."""
    scene = el.Scene(time={"step": 0.03, "steps": steps}, coulomb={"solver": "direct"})
    body = scene.body(name="torus", generate={"shape": "torus", "vertices": n, "sampling": "best_candidate"}, mass=1.0, charge=145 * 6e-6 / n)
    body.springs("nearest", neighbours=24, stiffness=10.0)
    return scene


def loops(sim, steps):
    """Seconds of the same `steps` steps each time: native, by `step`, by `run`."""
    start = sim.state()

    def bare():
        sim.restore(start)
        return native(lambda: _core.native_steps(sim._core, steps))

    def stepping():
        sim.restore(start)

        def loop():
            for _ in range(steps):
                sim.step()

        return seconds_of(loop)

    def running():
        sim.restore(start)
        return seconds_of(lambda: sim.run(steps))

    return bare, stepping, running


def rows_of_steps():
    for n, steps, limit in ((145, 4000, 1.02), (1000, 150, 1.005)):
        sim = el.Simulator(torus(n), threads=1)
        sim.run(10)
        steps = count_of(steps)
        bare, stepping, running = loops(sim, steps)
        measured = pairs(stepping, bare)
        detail = f"{statistics.median(b for _, b in measured) / steps * 1e6:.0f} µs a step"
        yield Row(f"loop of sim.step() / native, n = {n}", ratio(measured), "×", limit, detail=detail)
        if n == 145:
            yield Row("sim.run(T) / native", ratio(pairs(running, bare)), "×", 1.005, detail=detail)


def rows_of_a_spinning_thread():
    """Both with a Python thread that never leaves the interpreter by itself, on the other core.

    It gives Python's lock away after 5 ms. `run` asks for it at its end and at each look for signals, so that short runs
    would be measured by their ends.
    """
    sim = el.Simulator(torus(145), threads=1)
    sim.run(10)
    bare, _, running = loops(sim, count_of(20000))
    is_over = threading.Event()
    Clock.now = time.perf_counter  # Processor time would count the other thread's.

    def spin():
        while not is_over.is_set():
            pass

    other = threading.Thread(target=spin)
    other.start()
    try:
        measured = pairs(running, bare)
    finally:
        is_over.set()
        other.join()
    yield Row("sim.run(T) beside a spinning Python thread / native", ratio(measured), "×", 1.15)


def rows_of_arrays():
    sim = el.Simulator(torus(145), threads=1)
    sim.run(10)
    count = count_of(100000)

    def ask():
        for _ in range(count):
            sim.positions

    def nothing():
        for _ in range(count):
            sim

    measured = pairs(lambda: seconds_of(ask), lambda: seconds_of(nothing))
    yield Row("sim.positions", difference(measured, count) * 1e6, "µs", 1.0)
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    held = sim.positions
    yield Row("sim.positions: memory allocated", tracemalloc.get_traced_memory()[0] - before, "bytes", 300)
    tracemalloc.stop()
    del held
    places = set()
    for _ in range(1000):
        places.add(sim.positions.__array_interface__["data"][0])
        sim.step()
    yield Row("sim.positions: addresses over 1000 steps", len(places), "", 1)


def rows_of_fields():
    random = np.random.default_rng(0)
    for n, count in ((100, 8000), (1000, 300)):
        count = count_of(count)
        x, q = random.uniform(-1, 1, (n, 3)), random.uniform(-1e-6, 1e-6, n)
        solver = el.FieldSolver(n, threads=1)
        solver.prepare(x)
        e, phi = np.empty((n, 3)), np.empty(n)

        def ours():
            for _ in range(count):
                solver.field(q, out=(e, phi))

        measured = pairs(lambda: seconds_of(ours), lambda: native(lambda: solver._core.native_fields(q, e, phi, count)))
        yield Row(f"FieldSolver.field(out=) over native, n = {n}", difference(measured, count) * 1e6, "µs", 5.0,
                  detail=f"{statistics.median(b for _, b in measured) / count * 1e6:.0f} µs a field")

    count = count_of(100)

    def once():
        for _ in range(count):
            el.field(x, q, threads=1)

    options = _core.FieldOptions("auto", None, None, 0.0, None, "cpu")
    measured = pairs(lambda: seconds_of(once), lambda: native(lambda: _core.native_fields(x, q, options, 1, count)))
    over = statistics.median(a - 1.05 * b for a, b in measured) / count
    yield Row("el.field, n = 1000, over 1.05 × native", over * 1e6, "µs", 10.0, detail=f"{ratio(measured):.3f} × native")


def rows_of_gradients():
    scene = torus(1000, 50)
    target = el.Simulator(scene, threads=1).positions + 0.1
    roll = el.Rollout(el.Simulator(scene, threads=1), wrt=["body.torus.stiffness", "body.torus.charges"])
    bare = _core.NativeGradient(scene.assembly(), 1)
    loss = el.loss.final_position(target)
    held = loss._made(scene.assembly(), 1000, 50)
    values = []
    measured = pairs(lambda: seconds_of(lambda: values.append(roll.value_and_grad(loss)[0])), lambda: native(lambda: bare.seconds(held, 50, 1)))
    assert set(values) == {bare.value}
    yield Row("value_and_grad / native, n = 1000, 50 steps", ratio(measured), "×", 1.02,
              detail=f"{statistics.median(b for _, b in measured):.2f} s")


def rows_of_two_threads():
    sims = [el.Simulator(torus(1000), threads=1) for _ in range(2)]
    for sim in sims:
        sim.run(5)
    starts = [sim.state() for sim in sims]
    Clock.now = time.perf_counter
    steps = count_of(60)

    def rewind():
        for sim, start in zip(sims, starts):
            sim.restore(start)

    def in_turn():
        rewind()
        return seconds_of(lambda: [sim.run(steps) for sim in sims])

    with ThreadPoolExecutor(2) as pool:
        def together():
            rewind()
            return seconds_of(lambda: list(pool.map(lambda sim: sim.run(steps), sims)))

        measured = pairs(in_turn, together)
    yield Row("two simulators: one after the other / in two threads", ratio(measured), "×", 1.8, at_least=True)


def rows_of_trajectories():
    with tempfile.TemporaryDirectory() as folder:
        times = count_of(20)
        run = el.run(torus(1000, 40), pathlib.Path(folder) / "run")
        with h5py.File(pathlib.Path(folder) / "run/trajectory.h5") as file:
            theirs, ours = file["positions"], run.trajectory.positions

            def read(array):
                for f in range(40):
                    array[f]

            measured = pairs(lambda: seconds_of(lambda: [read(ours) for _ in range(times)]), lambda: seconds_of(lambda: [read(theirs) for _ in range(times)]))
    yield Row("traj.positions[f] / h5py", ratio(measured), "×", 1.3,
              detail=f"{statistics.median(b for _, b in measured) / (40 * times) * 1e6:.0f} µs a frame of 1000 vertices")


def rows_of_import():
    def fresh(what):
        code = f"import time, numpy; start = time.perf_counter(); {what}; print(time.perf_counter() - start)"
        return float(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout)

    times = [fresh("import electret") for _ in range(repeats())]
    yield Row("import electret beyond numpy", statistics.median(times), "s", 0.1)


def rows_of_compilation():
    """User time of the compiler, without ccache: what one core needs. In the short form of the shortest file alone."""
    commands = json.loads((BUILD / "compile_commands.json").read_text())
    sources = [entry for entry in commands if "electret_python_module.dir" in entry["command"]]
    if Length.is_short:
        sources = [min(sources, key=lambda entry: pathlib.Path(entry["directory"], entry["file"]).stat().st_size)]
    times = {}
    for entry in sources:
        words = shlex.split(entry["command"])
        if pathlib.Path(words[0]).name == "ccache":
            words = words[1:]
        words[words.index("-o") + 1] = os.devnull
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(words, cwd=entry["directory"], check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times[pathlib.Path(entry["file"]).name] = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    worst = max(times, key=lambda name: times[name])
    yield Row("compiling the compiled part, all its files", sum(times.values()), "s", 120, detail=f"{len(times)} files")
    yield Row("compiling its largest file", times[worst], "s", 30, detail=worst)


# Name for --only, cores, rows.
ROWS = [("steps", 1, rows_of_steps), ("spinning", 2, rows_of_a_spinning_thread), ("arrays", 1, rows_of_arrays), ("fields", 1, rows_of_fields),
        ("gradients", 1, rows_of_gradients), ("threads", 2, rows_of_two_threads), ("trajectories", 1, rows_of_trajectories),
        ("import", 1, rows_of_import), ("compilation", 1, rows_of_compilation)]
