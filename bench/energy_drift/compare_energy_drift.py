#!/usr/bin/python3
"""Does the fast multipole method let the energy drift? Verlet on the charged torus, once with direct sums and once
with fmm at accuracy 1e-4; the slopes of total energy against time, with their standard errors.

    compare_energy_drift.py BINARY [--steps 10000] [--vertices 10000] [--blocks 8] [--json]

The torus is solid: a jittered lattice of vertices, each joined to its 18 nearest at least. It is released away from
equilibrium, stretched by 5 % along x and its charge not yet borne by the springs, and swings with a period of 1.5 s:
the radius of gyration between 1.10 and 1.21 m, 1500 J going to and fro between springs and charge. (A skin of springs
alone will not do: it crumples, a chaos in which two runs soon have nothing in common but their laws, and their energies
wander apart by the integrator's error, whatever the field's.)

A symmetric, total-order expansion has forces that are the exact gradient of the energy they belong to, so long as the
lists stay as they are; lists change from step to step, which is noise, not drift. What both runs share is the
integrator's: Verlet conserves an energy that differs from the total by a term in the step's square, which varies with
the motion.

The standard error: the total energy swings with the motion, so that neighbouring frames do not err independently,
and the textbook's figure from all frames' residuals would be several times too small. The frames are therefore averaged
over blocks longer than a period, in which most of the swing cancels; a line is fitted to the blocks' means, and their
residuals, by now nearly independent, give the slope's standard error in the usual way. The same is done to the
difference of the two energies, frame by frame, from which what both runs share has gone: the sharper look."""

import argparse
import json
import math
import pathlib
import subprocess
import tempfile

import numpy as np


STEP = 0.002  # s
TOTAL_CHARGE = 2.3e-3  # C
TOTAL_MASS = 1e4  # kg
STIFFNESS = 1000.0  # N/m
RADII = 1.0, 0.4  # m


def torus(n):
    """n points of a cubic lattice, each jittered by up to a fifth of the spacing, in a solid torus (n×3, m)."""
    spacing = (2 * np.pi**2 * RADII[0] * RADII[1]**2 / n) ** (1 / 3)
    while True:
        axes = [np.arange(-limit, limit, spacing) + 0.5 * spacing for limit in (1.5, 1.5, 0.5)]
        x = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
        depth = np.hypot(np.hypot(x[:, 0], x[:, 1]) - RADII[0], x[:, 2])
        if np.count_nonzero(depth < RADII[1]) >= n:
            break
        spacing *= 0.999
    x = x[np.sort(np.argsort(depth, kind="stable")[:n])]
    return x + spacing * np.random.default_rng(3).uniform(-0.2, 0.2, x.shape)


def write_torus(folder, vertices):
    x = torus(vertices)
    (folder / "torus.obj").write_text("".join(f"v {a!r} {b!r} {c!r}\n" for a, b, c in x.tolist()))
    start = x * [1.05, 1.0, 1.0]
    (folder / "start.csv").write_text("x,y,z\n" + "".join(f"{a!r},{b!r},{c!r}\n" for a, b, c in start.tolist()))


def scene_text(vertices, steps, solver):
    accuracy = "accuracy = 1e-4" if solver == "fmm" else ""
    return f"""
[time]
step = {STEP}
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
mesh = "torus.obj"
initial_positions = "start.csv"
mass = {TOTAL_MASS / vertices!r}
charge = {TOTAL_CHARGE / vertices!r}
[[body.springs]]
from = "nearest"
neighbours = 18
stiffness = {STIFFNESS}
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


def block_means(values, blocks):
    length = len(values) // blocks
    return [sum(values[k * length:(k + 1) * length]) / length for k in range(blocks)]


def fitted_slope(times, values, blocks):
    """Slope of the least-squares line through the blocks' means and its standard error."""
    t, v = block_means(times, blocks), block_means(values, blocks)
    mean_t, mean_v = sum(t) / blocks, sum(v) / blocks
    spread = sum((a - mean_t) ** 2 for a in t)
    slope = sum((a - mean_t) * (b - mean_v) for a, b in zip(t, v)) / spread
    residual = sum((b - mean_v - slope * (a - mean_t)) ** 2 for a, b in zip(t, v))
    return slope, math.sqrt(residual / (blocks - 2) / spread)


def compare(binary, vertices, steps, blocks):
    results, series = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        write_torus(pathlib.Path(folder), vertices)
        for solver in ("direct", "fmm"):
            times, values, seconds = energies(binary, pathlib.Path(folder), vertices, steps, solver)
            slope, error = fitted_slope(times, values, blocks)
            series[solver] = values
            results[solver] = {"slope_W": slope, "standard_error_W": error, "energy_J": values[0],
                               "largest_change_J": max(abs(v - values[0]) for v in values), "field_s": seconds}
    direct, fmm = results["direct"], results["fmm"]
    error = math.hypot(direct["standard_error_W"], fmm["standard_error_W"])
    results["standard_errors_apart"] = abs(fmm["slope_W"] - direct["slope_W"]) / error
    slope, error = fitted_slope(times, [a - b for a, b in zip(series["fmm"], series["direct"])], blocks)
    results["difference"] = {"slope_W": slope, "standard_error_W": error}
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary")
    parser.add_argument("--steps", type=int, default=10000)
    parser.add_argument("--vertices", type=int, default=10000)
    parser.add_argument("--blocks", type=int, default=8)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    if arguments.blocks < 3 or arguments.steps < arguments.blocks:
        parser.error("--blocks must be at least 3, and no more than --steps")
    results = compare(arguments.binary, arguments.vertices, arguments.steps, arguments.blocks)
    if arguments.json:
        print(json.dumps(results, indent=2))
        return
    for solver in ("direct", "fmm"):
        r = results[solver]
        print(f"{solver}: energy {r['energy_J']:.6g} J at the start, slope {r['slope_W']:.2e} ± "
              f"{r['standard_error_W']:.1e} W, largest change {r['largest_change_J']:.2e} J, field {r['field_s']:.1f} s")
    print(f"slopes are {results['standard_errors_apart']:.2f} standard errors apart")
    d = results["difference"]
    print(f"of the energies' difference: slope {d['slope_W']:.2e} ± {d['standard_error_W']:.1e} W")


if __name__ == "__main__":
    main()
