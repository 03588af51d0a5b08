#!/usr/bin/python3
"""`electret sweep` against a process for each run, and its costs for many runs: medians of three. Run it on an idle
machine of two cores.

    ./dev bench sweep [--json] [--long]

--long adds 100 000 runs of one step, of which it times --status and --merge, and the memory of a job of a million runs.
"""

import argparse
import json
import pathlib
import resource
import statistics
import subprocess
import tempfile
import time

SCENE = """\
[time]
step = 0.03
steps = STEPS
[integrator]
method = "imex"
[coulomb]
solver = "direct"
[output]
every = STEPS
[[body]]
name = "torus"
generate = { shape = "torus", major_radius = 1.0, minor_radius = 0.4, vertices = 145 }
mass = 1.0
charge = 6e-6
[[body.springs]]
from = "nearest"
neighbours = 24
stiffness = 10.0
"""
SMALL = """\
[time]
step = 0.01
steps = 1
[integrator]
method = "verlet"
[[body]]
name = "chain"
generate = { shape = "chain", vertices = 4, length = 1.0 }
mass = 1.0
[[body.springs]]
from = "edges"
stiffness = 10.0
"""
JOB = """\
[sweep]
scene = "scene.toml"
samples = RUNS
[[vary]]
key = "body.0.mass"
range = [0.5, 2.0]
[keep]
quantities = { end = "last of total", size = "max of radius_of_gyration" }
[limits]
failures = 1.0
"""


class Bench:
    def __init__(self, electret, folder):
        self.electret, self.folder, self.rows = electret, pathlib.Path(folder), []

    def call(self, *arguments, may_fail=False):
        """Runs the command in the folder; its wall time."""
        start = time.perf_counter()
        subprocess.run([self.electret, *map(str, arguments)], cwd=self.folder, check=not may_fail, capture_output=True)
        return time.perf_counter() - start

    def write(self, scene, runs):
        (self.folder / "scene.toml").write_text(scene)
        (self.folder / "job.toml").write_text(JOB.replace("RUNS", str(runs)))

    def row(self, name, value, unit, limit, at_least):
        self.rows.append({"name": name, "value": value, "unit": unit, "limit": limit, "at_least": at_least,
                          "met": value >= limit if at_least else value <= limit})  # fmt: skip

    def sweep(self, workers):
        return statistics.median(self.call("sweep", "job.toml", "-o", "s", "--overwrite", "--workers", workers) for _ in range(3))

    def against_processes(self, steps, runs, limit):
        self.write(SCENE.replace("STEPS", str(steps)), runs)
        one, two = self.sweep(1), self.sweep(2)
        alone = statistics.median(self.call("run", "scene.toml", "-o", "r", "--threads", 1) for _ in range(9))
        self.row(f"a process for each run, of {steps} steps, against one worker", alone * runs / one, "times", limit, True)
        return one / two

    def many(self):
        runs = 100_000
        self.write(SMALL, runs)
        seconds = self.call("sweep", "job.toml", "-o", "many", "--workers", 2)
        self.row(f"{runs} runs of one step", 1e3 * seconds / runs, "ms a run", 5.0, False)
        self.row(f"--status of {runs} runs", statistics.median(self.call("sweep", "many", "--status") for _ in range(3)), "s", 2.0, False)
        self.row(f"--merge of {runs} runs", statistics.median(self.call("sweep", "many", "--merge") for _ in range(3)), "s", 5.0, False)
        self.write(SMALL, 1_000_000)
        self.call("sweep", "job.toml", "-o", "million", "--list")
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        self.row("memory for a job of a million runs", before / 1024, "MiB", 300.0, False)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("electret", help="the built command")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    parser.add_argument("--long", action="store_true", help="with a sweep of 100 000 runs")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(str(pathlib.Path(options.electret).resolve()), folder)
        speedup = bench.against_processes(200, 400, 5.0)
        bench.against_processes(2, 1000, 15.0)
        bench.row("two workers against one", speedup, "times", 1.9, True)
        if options.long:
            bench.many()
    if options.json:
        print(json.dumps({row["name"]: row for row in bench.rows}, indent=1))
        return
    print("| what | measured | target | |\n| --- | --- | --- | --- |")
    for row in bench.rows:
        print(f"| {row['name']} | {row['value']:.3g} {row['unit']} | {'≥' if row['at_least'] else '≤'} {row['limit']:g} | {'' if row['met'] else '**missed**'} |")


if __name__ == "__main__":
    main()
