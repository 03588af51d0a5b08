#!/usr/bin/python3
"""Electret against LAMMPS on the charged torus: time a step, one thread against one rank, in one run.

The torus is sampled by best candidates, each point joined to its 24 nearest, k = 10 N/m, 1 kg a vertex, and the
charge of the whole kept at that of 145 points of 6 microcoulomb. The LAMMPS deck solves the same equations (harmonic
bonds, K = k/2, one bond type a rest length; Coulomb forces without a cut-off inside the body; no neighbour-list rebuild
while it is timed) and its positions are compared with Electret's Verlet after a few steps.

From FMM_FROM vertices on, Electret also runs with the fast multipole method at accuracy 1e-3; LAMMPS's sum stays without a cut-off.

    bench/lammps/compare_lammps.py build/release/bin/electret [--json] [--repeat 3] [--sizes 145,1000,5000,20000]
"""

import argparse
import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

import h5py
import numpy as np

STEPS = {145: 20000, 1000: 500, 5000: 30, 20000: 5}  # about a second each
FMM_FROM = 20000
FMM_STEPS = 100
TOTAL_CHARGE = 145 * 6e-6  # C
VERLET_STEP = 0.015  # s
IMEX_STEP = 0.03  # s
COMPARED_STEPS = 20
LAMMPS_COULOMB = 8987600000.0  # LAMMPS 'units si' constant (force->qqr2e); Electret is given the same


def scene_text(n, method, step, steps, accuracy, solver):
    accuracy_line = f"accuracy = {accuracy}" if accuracy else ""
    return f"""
[time]
step = {step}
steps = {steps}
[integrator]
method = "{method}"
[coulomb]
solver = "{solver}"
constant = {LAMMPS_COULOMB}
{accuracy_line}
[output]
every = {steps}
[[body]]
name = "torus"
generate = {{ shape = "torus", vertices = {n}, sampling = "best_candidate" }}
mass = 1.0
charge = {TOTAL_CHARGE / n!r}
[[body.springs]]
from = "nearest"
neighbours = 24
stiffness = 10.0
"""


def run_electret(binary, folder, n, method, step, steps, accuracy=None, name="scene", solver="direct"):
    scene = folder / f"{name}.toml"
    scene.write_text(scene_text(n, method, step, steps, accuracy, solver))
    out = folder / f"{name}_out"
    subprocess.run([binary, "run", scene, "-o", out, "--threads", "1"], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return out, json.loads((out / "summary.json").read_text())


def write_data(path, run):
    with h5py.File(run / "trajectory.h5") as h5:
        x, masses = h5["positions"][0], h5["masses"][:]
        charges = np.atleast_2d(h5["charges"][:])[0]
        springs, stiffness = h5["springs"][:], h5["spring_stiffness"][:]
        rest = h5["spring_rest_length"][:]
    low, high = x.min() - 50, x.max() + 50
    lines = ["charged torus", "", f"{len(x)} atoms", f"{len(springs)} bonds", "1 atom types",
             f"{len(springs)} bond types", "", f"{low} {high} xlo xhi", f"{low} {high} ylo yhi",
             f"{low} {high} zlo zhi", "", "Masses", "", f"1 {masses[0]}", "", "Bond Coeffs", ""]
    lines += [f"{s + 1} {stiffness[s] / 2} {rest[s]}" for s in range(len(springs))]
    lines += ["", "Atoms # full", ""]
    lines += [f"{i + 1} 1 1 {charges[i]} {p[0]} {p[1]} {p[2]}" for i, p in enumerate(x)]
    lines += ["", "Bonds", ""]
    lines += [f"{s + 1} {s + 1} {i + 1} {j + 1}" for s, (i, j) in enumerate(springs)]
    path.write_text("\n".join(lines) + "\n")
    bonds = np.bincount(springs.ravel(), minlength=len(x)).max()
    return int(bonds)


def deck(data, bonds, steps, dump):
    extra = f"extra/bond/per/atom {bonds} extra/special/per/atom {bonds * bonds}"
    dump_lines = "" if not dump else f"""
dump positions all custom {steps} {dump} id x y z
dump_modify positions sort id format float %.17g
"""
    return f"""
units si
atom_style full
boundary f f f
newton on
special_bonds lj/coul 1 1 1
pair_style coul/cut 30.0
bond_style harmonic
atom_modify map array sort 0 0
read_data {data} {extra}
pair_coeff * *
neighbor 10.0 bin
neigh_modify delay 1000000 every 1000000 check no one 20000 page 400000
comm_modify cutoff 45.0
timestep {VERLET_STEP}
thermo {max(steps, 1)}
fix integrate all nve
{dump_lines}
run {steps}
"""


def run_lammps(folder, data, bonds, steps, dump=None):
    script = folder / "deck.in"
    script.write_text(deck(data, bonds, steps, dump))
    done = subprocess.run(["lmp", "-in", script, "-log", "none", "-echo", "none"], cwd=folder,
                          env={"OMP_NUM_THREADS": "1", "PATH": "/usr/bin:/bin"}, text=True, capture_output=True)
    loop = re.search(r"Loop time of (\S+) on 1 procs", done.stdout)
    if done.returncode != 0 or not loop:
        sys.exit(f"LAMMPS failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return float(loop.group(1)) / steps


def same_motion(binary, folder, n, data, bonds):
    """Largest distance of the two Verlet solutions after COMPARED_STEPS, relative to the largest displacement."""
    run, _ = run_electret(binary, folder, n, "verlet", VERLET_STEP, COMPARED_STEPS, name="compare")
    run_lammps(folder, data, bonds, COMPARED_STEPS, folder / "dump.txt")
    rows = (folder / "dump.txt").read_text().splitlines()[-n:]  # the last frame; frame 0 is written too
    theirs = np.array([row.split()[1:] for row in rows], dtype=float)
    with h5py.File(run / "trajectory.h5") as h5:
        start, ours = h5["positions"][0], h5["positions"][-1]
    return float(np.abs(theirs - ours).max() / np.abs(ours - start).max())


def rows_of(n):
    """What is timed beside LAMMPS: a name, method, step, solver, accuracy and number of steps."""
    steps = STEPS.get(n, max(10, int(2e9 / n**2 / 40)))
    rows = [("verlet_float64", "verlet", VERLET_STEP, "direct", None, steps),
            ("verlet_float32", "verlet", VERLET_STEP, "direct", 1e-4, steps),
            ("imex_float64", "imex", IMEX_STEP, "direct", None, steps),
            ("imex_float32", "imex", IMEX_STEP, "direct", 1e-4, steps)]
    if n >= FMM_FROM:
        rows += [("verlet_fmm", "verlet", VERLET_STEP, "fmm", 1e-3, FMM_STEPS),
                 ("imex_fmm", "imex", IMEX_STEP, "fmm", 1e-3, FMM_STEPS)]
    return steps, rows


def measure(binary, n, repeat):
    steps, rows = rows_of(n)
    times = {"lammps_verlet": [], **{row[0]: [] for row in rows}}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        start, summary = run_electret(binary, folder, n, "verlet", VERLET_STEP, 1, name="start")
        bonds = write_data(folder / "torus.data", start)
        difference = same_motion(binary, folder, n, folder / "torus.data", bonds)
        for _ in range(repeat):
            times["lammps_verlet"].append(run_lammps(folder, folder / "torus.data", bonds, steps))
            for row, method, step, solver, accuracy, count in rows:
                _, summary = run_electret(binary, folder, n, method, step, count, accuracy, solver=solver)
                times[row].append(summary["wall_s"]["total"] / count)
    result = {key: 1e3 * statistics.median(values) for key, values in times.items()}
    return {"n": n, "springs": summary["springs"], "position_difference": difference, "ms_per_step": result}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("electret", type=pathlib.Path)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--sizes", default="145,1000,5000,20000")
    options = parser.parse_args()
    results = [measure(options.electret.resolve(), int(n), options.repeat) for n in options.sizes.split(",")]
    if options.json:
        print(json.dumps(results, indent=1))
        return
    print("ms per step, one thread (median); in brackets LAMMPS / Electret")
    for r in results:
        times = r["ms_per_step"]
        base = times["lammps_verlet"]
        cells = "  ".join(f"{key} {value:.4g} ({base / value:.2f})" for key, value in times.items())
        print(f"n = {r['n']}, {r['springs']} springs, positions differ by {r['position_difference']:.1e}: {cells}")


if __name__ == "__main__":
    main()
