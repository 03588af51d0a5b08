#!/usr/bin/python3
"""`electret sweep` against a plain loop over the library, against a process for each run, and its costs for many runs: medians
of three, those that are compared in turns. Run it on an idle machine of two cores.

    ./dev bench sweep [--json] [--long]

--long adds 30 kills at random moments, 100 000 runs of one step, of which it times --status and --merge, and the command's memory
for a million runs.
"""

import argparse
import json
import os
import pathlib
import random
import shutil
import signal
import statistics
import subprocess
import tempfile
import time

import h5py

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

    def memory(self, *arguments):
        """The most memory that the command holds, MiB."""
        process = subprocess.Popen([self.electret, *map(str, arguments)], cwd=self.folder, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        if status != 0:
            raise RuntimeError(f"electret {arguments} ended with {status}")
        return usage.ru_maxrss / 1024

    def program(self, name):
        return pathlib.Path(self.electret).parent / name

    def write(self, scene, runs):
        (self.folder / "scene.toml").write_text(scene)
        (self.folder / "job.toml").write_text(JOB.replace("RUNS", str(runs)))

    def row(self, name, value, unit, limit, at_least):
        self.rows.append({"name": name, "value": value, "unit": unit, "limit": limit, "at_least": at_least,
                          "met": value >= limit if at_least else value <= limit})  # fmt: skip

    def sweep(self, workers):
        return self.call("sweep", "job.toml", "-o", "s", "--overwrite", "--workers", workers)

    def plain_loop(self):
        """The seconds of a loop over the same runs."""
        done = subprocess.run([self.program("bench_sweep_loop"), "scene.toml", "s/design.csv"], cwd=self.folder, check=True, capture_output=True, text=True)
        return json.loads(done.stdout)["seconds"]

    def against_loop_and_processes(self, steps, runs, limit):
        """How much faster two workers are than one."""
        self.write(SCENE.replace("STEPS", str(steps)), runs)
        one, two, loop = (statistics.median(times) for times in zip(*[(self.sweep(1), self.sweep(2), self.plain_loop()) for _ in range(3)]))
        # What a run may cost beyond 1.02 times the loop's.
        self.row(f"one worker beyond 1.02 times a plain loop, {steps} steps", 1e3 * (one - 1.02 * loop) / runs, "ms a run", 1.0, False)
        alone = statistics.median(self.call("run", "scene.toml", "-o", "r", "--threads", 1) for _ in range(9))
        self.row(f"a process for each run, of {steps} steps, against one worker", alone * runs / one, "times", limit, True)
        return one / two

    def digest(self, folder):
        return json.loads((self.folder / folder / "summary.json").read_text())["digest"]

    def kills(self, count=30):
        """Kills workers, or the command, at random moments, and goes on."""
        self.write(SCENE.replace("STEPS", "200"), 400)
        self.call("sweep", "job.toml", "-o", "whole")
        numbers, done, wrong, repeated = random.Random(1), 0, 0, 0
        while done < count:
            shutil.rmtree(self.folder / "killed", ignore_errors=True)
            while True:
                process = subprocess.Popen([self.electret, "sweep", "job.toml", "-o", "killed"], cwd=self.folder, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
                time.sleep(1.5 * numbers.random())
                workers = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children")
                if process.poll() is not None:
                    break
                children = []
                try:
                    children = [int(word) for word in workers.read_text().split()]
                    os.kill(numbers.choice([process.pid, *children]), signal.SIGKILL)
                    done += 1
                except OSError:
                    pass  # It has just ended.
                process.wait()
                while any(pathlib.Path(f"/proc/{child}/exe").exists() for child in children):
                    time.sleep(0.05)  # Workers whose command is gone end after their run.
            wrong += self.digest("killed") != self.digest("whole")
            runs = []
            for part in (self.folder / "killed" / "parts").glob("*.h5"):
                with h5py.File(part) as file:
                    runs += list(file["run"][()])
            repeated += len(runs) - len(set(runs))
        self.row(f"sweeps whose results differ after {done} kills", wrong, "sweeps", 0, False)
        self.row(f"finished runs that were repeated after {done} kills", repeated, "runs", 0, False)

    def many(self):
        runs = 100_000
        self.write(SMALL, runs)
        seconds = self.call("sweep", "job.toml", "-o", "many", "--workers", 2)
        self.row(f"{runs} runs of one step", 1e3 * seconds / runs, "ms a run", 5.0, False)
        self.row(f"--status of {runs} runs", statistics.median(self.call("sweep", "many", "--status") for _ in range(3)), "s", 2.0, False)
        self.row(f"--merge of {runs} runs", statistics.median(self.call("sweep", "many", "--merge") for _ in range(3)), "s", 5.0, False)

    def million(self):
        """Memory of the command for a million runs, whose results are made up."""
        self.write(SMALL, 1_000_000)
        parts = {"to begin with none done": ["--list", "--block", 1000], "--status": ["--status"], "--merge": ["--merge"]}
        for name, arguments in parts.items():
            if name == "--status":
                subprocess.run([self.program("bench_sweep_rows"), "million"], cwd=self.folder, check=True)
            self.row(f"memory for a million runs, {name}", self.memory("sweep", "job.toml", "-o", "million", *arguments), "MiB", 300.0, False)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("electret", help="the built command")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    parser.add_argument("--long", action="store_true", help="with a sweep of 100 000 runs")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(str(pathlib.Path(options.electret).resolve()), folder)
        speedup = bench.against_loop_and_processes(200, 400, 5.0)
        bench.against_loop_and_processes(2, 1000, 15.0)
        bench.row("two workers against one", speedup, "times", 1.9, True)
        if options.long:
            bench.kills()
            bench.many()
            bench.million()
    if options.json:
        print(json.dumps({row["name"]: row for row in bench.rows}, indent=1))
        return
    print("| what | measured | target | |\n| --- | --- | --- | --- |")
    for row in bench.rows:
        print(f"| {row['name']} | {row['value']:.3g} {row['unit']} | {'≥' if row['at_least'] else '≤'} {row['limit']:g} | {'' if row['met'] else '**missed**'} |")


if __name__ == "__main__":
    main()
