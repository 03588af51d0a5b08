"""`python3 -m oracle run SCENE -o DIR`: writes trajectory.h5, energy.csv and summary.json as `electret run` does,
enough of them to try compare_with_oracle.py without Electret."""
import argparse
import json
from pathlib import Path

import h5py
import numpy as np

from . import load_scene, simulate
from .energies import COLUMNS


def write_run(scene, trajectory, folder):
    """The three files of a run that the comparison reads."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    with h5py.File(folder / "trajectory.h5", "w") as file:
        file["time"], file["positions"] = trajectory.times, trajectory.positions
        file["velocities"], file["masses"] = trajectory.velocities, scene.masses
        file["charges"] = trajectory.charges if scene.charges_move else trajectory.charges[0]
        file["springs"], file["spring_stiffness"] = scene.springs.astype(np.int32), scene.stiffness
        file["spring_rest_length"], file["rest_positions"] = scene.rest_length, scene.rest_positions
        file["body_offsets"] = scene.body_offsets
    rows = np.column_stack([trajectory.times] + [trajectory.energies[name] for name in COLUMNS])
    text = "\n".join(",".join(f"{number:.17g}" for number in row) for row in rows)
    (folder / "energy.csv").write_text("time," + ",".join(COLUMNS) + "\n" + text + "\n")
    summary = {
        "status": "complete", "steps": scene.steps, "frames": len(trajectory.times), "vertices": len(scene.masses),
        "springs": len(scene.springs), "largest_relative_energy_change": trajectory.largest_relative_energy_change,
        **trajectory.account,
    }  # fmt: skip
    (folder / "summary.json").write_text(json.dumps(summary, indent=2))


def main():
    parser = argparse.ArgumentParser(prog="oracle", description=__doc__)
    parser.add_argument("command", choices=["run"])
    parser.add_argument("scene")
    parser.add_argument("-o", dest="folder", required=True)
    arguments = parser.parse_args()
    scene = load_scene(arguments.scene)
    write_run(scene, simulate(scene), arguments.folder)


main()
