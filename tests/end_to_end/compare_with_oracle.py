#!/usr/bin/python3
"""Runs Electret on small scenes and compares every file it writes with the oracle's double-precision solution.

    compare_with_oracle.py ELECTRET_BINARY [--scenes DIR] [--keep DIR] [--only WORD]

Without --scenes the scenes are those of scenes.py, each with every method that is stable on it (imex at tolerance
1e-11); with it, every DIR/*.toml as it stands. One line a run: largest differences in

    setup       masses, charges, springs, stiffness, rest lengths, rest positions; each relative to its largest entry
    positions   relative to the largest displacement + the diagonal of the first frame's bounding box
    velocities  relative to the fastest vertex's speed
    energies    relative to the largest entry of all columns
    summary     energy change and accumulated work, relative to the largest energy; `-` where summary.json lacks them

Exit status 1 if any run fails or differs by more than its tolerance; the last line is `N passed, M failed`.
"""
import argparse
import json
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

import h5py
import numpy as np

from oracle import load_scene, simulate
from oracle.energies import TABLE
from known_words import known_words
from scene_files import toml_text
from scenes import IMPLICIT, METHODS, SCENES

TOLERANCE = {"setup": 1e-12, "positions": 1e-8, "velocities": 1e-8, "energies": 1e-9, "summary": 1e-7}
TIGHT = {"tolerance": 1e-11, "max_iterations": 1000}
# The quantities of summary.json that the specification defines to rounding, by the names that they may bear.
SUMMARY_NAMES = {
    "largest_relative_energy_change": ("largest_relative_energy_change", "max_relative_energy_change",
                                       "relative_energy_change"),
    "field_work": ("field_work", "electric_field_work", "work_field", "work_by_fields"),
}  # fmt: skip


class Difference(Exception):
    """The run cannot be compared, or differs in kind rather than in digits."""


def generated_scenes(folder, only=""):
    """Writes the scenes of scenes.py: (label, path) of each scene and method."""
    cases = []
    for seed, (name, (build, methods)) in enumerate(SCENES.items()):
        scene_folder = folder / name
        scene_folder.mkdir(parents=True, exist_ok=True)
        tables = build(scene_folder, np.random.default_rng(1000 + seed))
        for method in methods:
            path = scene_folder / f"{method}.toml"
            integrator = {"method": method, **(TIGHT if method in IMPLICIT else {})}
            path.write_text(toml_text({**tables, "integrator": integrator}))
            if only in f"{name}/{method}":
                cases.append((f"{name}/{method}", path))
    return cases


def compare(electret, scene_path, run_folder, settings=()):
    """Errors of one run, by the keys of TOLERANCE (None: not reported by the run)."""
    command = [electret, "run", str(scene_path), "-o", str(run_folder), *settings]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1800, check=False)
    if done.returncode != 0:
        raise Difference(f"exit status {done.returncode}: {(done.stderr.strip() or 'no message').splitlines()[-1]}")
    with h5py.File(run_folder / "trajectory.h5") as run:
        scene = load_scene(scene_path, run)
        expected = simulate(scene)
        frames = run["time"].shape[0]
        if frames != len(expected.times) or not np.array_equal(run["time"][:], expected.times):
            raise Difference(f"/time has {frames} frames to {run['time'][-1]}, not {len(expected.times)} at n * step")
        errors = {"setup": setup_error(run, scene, expected)}
        size = np.linalg.norm(np.ptp(expected.positions[0], axis=0))
        moved = np.max(np.linalg.norm(expected.positions - expected.positions[0], axis=2))
        errors["positions"] = largest(run["positions"][:] - expected.positions) / (size + moved)
        speed = np.max(np.linalg.norm(expected.velocities, axis=2))
        errors["velocities"] = largest(run["velocities"][:] - expected.velocities) / (speed or 1.0)
    errors["energies"] = energy_error(run_folder / "energy.csv", expected)
    errors["summary"] = summary_error(json.loads((run_folder / "summary.json").read_text()), scene, expected)
    return errors


def largest(array):
    """max |a|; infinite if anything is not a number."""
    return float(np.max(np.abs(array), initial=0.0)) if np.all(np.isfinite(array)) else np.inf


def setup_error(run, scene, expected):
    springs = np.array(run["springs"]).reshape(-1, 2)
    if not np.array_equal(springs, scene.springs):
        raise Difference(f"/springs: {len(springs)} differ in number or order from the expected {len(scene.springs)}")
    charges = expected.charges if scene.charges_move else expected.charges[0]
    pairs = {"masses": scene.masses, "charges": charges, "spring_stiffness": scene.stiffness,
             "spring_rest_length": scene.rest_length, "rest_positions": scene.rest_positions}  # fmt: skip
    worst = 0.0
    for name, values in pairs.items():
        if run[name].shape != values.shape:
            raise Difference(f"/{name} has shape {run[name].shape}, not {values.shape}")
        worst = max(worst, largest(run[name][()] - values) / (largest(values) or 1.0))
    return worst


def energy_error(path, expected):
    header, *rows = path.read_text().splitlines()
    if header != "time," + ",".join(TABLE):
        raise Difference(f"energy.csv starts with {header!r}")
    table = np.array([[float(cell) for cell in row.split(",")] for row in rows])
    if len(table) != len(expected.times) or not np.array_equal(table[:, 0], expected.times):
        raise Difference("energy.csv has other times than trajectory.h5")
    columns = np.column_stack([expected.energies[name] for name in TABLE])
    return largest(table[:, 1:] - columns) / (largest(columns) or 1.0)


def summary_error(summary, scene, expected):
    counts = {"steps": scene.steps, "frames": len(expected.times), "vertices": len(scene.masses),
              "springs": len(scene.springs)}  # fmt: skip
    for name, count in counts.items():
        if summary.get(name) != count:
            raise Difference(f"summary.json: {name} is {summary.get(name)}, not {count}")
    scale = max(largest(column) for column in expected.energies.values()) or 1.0
    errors = []
    found = find_number(summary, SUMMARY_NAMES["field_work"])
    if found is not None:
        errors.append(abs(found - expected.account["field_work"]) / scale)
    found = find_number(summary, SUMMARY_NAMES["largest_relative_energy_change"])
    if found is not None:
        change = expected.largest_relative_energy_change
        errors.append(abs(found - change) / max(change, 1.0))
    return max(errors) if errors else None


def find_number(tree, names):
    """The first number in nested tables under one of the names."""
    for key, value in tree.items():
        if key in names and isinstance(value, (int, float)):
            return float(value)
    inner = (find_number(value, names) for value in tree.values() if isinstance(value, dict))
    return next((value for value in inner if value is not None), None)


def settings_for(path):
    """--set arguments that let a scene that was not made here be compared."""
    integrator = tomllib.loads(path.read_text()).get("integrator", {})
    wanted = TIGHT if method_of(path) in IMPLICIT else {}
    changes = [f"integrator.{key}={value}" for key, value in wanted.items() if integrator.get(key) != value]
    return [part for change in changes for part in ("--set", change)]


def method_of(path):
    return tomllib.loads(path.read_text()).get("integrator", {}).get("method", "imex")


def report(label, errors, remark):
    cells = " ".join(f"{'-' if errors.get(key) is None else format(errors[key], '.1e'):>10}" for key in TOLERANCE)
    print(f"{label:<36} {cells}  {remark}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("electret", help="the electret command")
    parser.add_argument("--scenes", type=Path, help="compare every *.toml of this folder instead")
    parser.add_argument("--keep", type=Path, help="where scenes and runs are kept; a temporary folder otherwise")
    parser.add_argument("--only", default="", help="only generated scenes whose NAME/METHOD contains this")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="electret-oracle-") as temporary:
        folder = arguments.keep or Path(temporary)
        if arguments.scenes:
            paths = sorted(arguments.scenes.glob("*.toml"))
            cases = [(path.stem, path) for path in paths if method_of(path) in METHODS]
        else:
            cases = generated_scenes(folder / "scenes", arguments.only)
        print(f"{'scene/method':<36} " + " ".join(f"{key:>10}" for key in TOLERANCE))
        is_whole = not arguments.scenes and not arguments.only
        left_out = set(known_words(arguments.electret, "method")) - {"auto", *METHODS} if is_whole else set()
        for method in sorted(left_out):
            print(f"{method}: FAILED: the command knows a method that scenes.py does not compare")
        failed = len(left_out)
        for label, path in cases:
            errors, remark = {}, "ok"
            try:
                settings = settings_for(path) if arguments.scenes else []
                errors = compare(arguments.electret, path, folder / "runs" / label, settings)
                wrong = [key for key, limit in TOLERANCE.items() if not (errors[key] or 0.0) <= limit]
                remark = "FAILED: " + ", ".join(wrong) if wrong else "ok"
            except (Difference, OSError, KeyError, ValueError, subprocess.TimeoutExpired) as problem:
                remark = f"FAILED: {type(problem).__name__}: {problem}"
            failed += remark != "ok"
            report(label, errors, remark)
    print(f"{len(cases) - failed + len(left_out)} passed, {failed} failed")
    return 1 if failed or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
