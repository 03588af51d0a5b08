#!/usr/bin/python3
"""Does the fast multipole method let the energy drift? Verlet on the charged torus, once with direct sums and once with
fmm at accuracy 1e-4; the slopes of total energy against time, fitted by least squares, with their standard errors.

    compare_energy_drift.py BINARY [--steps 10000] [--vertices 10000]

A symmetric, total-order expansion has forces that are the exact gradient of the energy they belong to, so long as the lists
stay as they are; lists change from step to step, which is noise, not drift."""

import argparse
import json
import math
import pathlib
import subprocess
import tempfile


def scene_text(vertices, steps, solver):
    accuracy = "accuracy = 1e-4" if solver == "fmm" else ""
    return f"""
[time]
step = 0.002
steps = {steps}
[integrator]
method = "verlet"
[coulomb]
solver = "{solver}"
{accuracy}
[output]
every = {max(1, steps // 1000)}
velocities = false
[[body]]
name = "torus"
generate = {{ shape = "torus", vertices = {vertices} }}
mass = 1.0
charge = {145 * 6e-6 / vertices!r}
[[body.springs]]
from = "edges"
stiffness = 10.0
"""


def energies(binary, folder, vertices, steps, solver):
    scene = folder / f"{solver}.toml"
    scene.write_text(scene_text(vertices, steps, solver))
    out = folder / solver
    subprocess.run([binary, "run", scene, "-o", out], check=True, capture_output=True)
    lines = (out / "energy.csv").read_text().splitlines()
    columns = lines[0].split(",")
    rows = [[float(value) for value in line.split(",")] for line in lines[1:]]
    seconds = json.loads((out / "summary.json").read_text())["wall_s"]["field"]
    return [row[0] for row in rows], [row[columns.index("total")] for row in rows], seconds


def fitted_slope(times, values):
    """Slope of the least-squares line and its standard error."""
    n = len(times)
    mean_t, mean_v = sum(times) / n, sum(values) / n
    spread = sum((t - mean_t) ** 2 for t in times)
    slope = sum((t - mean_t) * (v - mean_v) for t, v in zip(times, values)) / spread
    residual = sum((v - mean_v - slope * (t - mean_t)) ** 2 for t, v in zip(times, values))
    return slope, math.sqrt(residual / (n - 2) / spread)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary")
    parser.add_argument("--steps", type=int, default=10000)
    parser.add_argument("--vertices", type=int, default=10000)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        for solver in ("direct", "fmm"):
            times, values, seconds = energies(arguments.binary, pathlib.Path(folder), arguments.vertices,
                                              arguments.steps, solver)
            slope, error = fitted_slope(times, values)
            results[solver] = {"slope_W": slope, "standard_error_W": error, "energy_J": values[0],
                               "largest_change_J": max(abs(v - values[0]) for v in values), "field_s": seconds}
    direct, fmm = results["direct"], results["fmm"]
    error = math.hypot(direct["standard_error_W"], fmm["standard_error_W"])
    results["standard_errors_apart"] = abs(fmm["slope_W"] - direct["slope_W"]) / error
    if arguments.json:
        print(json.dumps(results, indent=2))
        return
    for solver in ("direct", "fmm"):
        r = results[solver]
        print(f"{solver}: energy {r['energy_J']:.6g} J at the start, slope {r['slope_W']:.3e} ± {r['standard_error_W']:.1e} W, "
              f"largest change {r['largest_change_J']:.2e} J, field {r['field_s']:.1f} s")
    print(f"slopes are {results['standard_errors_apart']:.2f} standard errors apart")


if __name__ == "__main__":
    main()
