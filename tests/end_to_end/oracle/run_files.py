"""Writes a trajectory of the oracle as the files of an Electret run that the comparison reads."""
import json
from pathlib import Path

import h5py
import numpy as np

from .energies import TABLE


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
    rows = np.column_stack([trajectory.times] + [trajectory.energies[name] for name in TABLE])
    text = "\n".join(",".join(f"{number:.17g}" for number in row) for row in rows)
    (folder / "energy.csv").write_text("time," + ",".join(TABLE) + "\n" + text + "\n")
    summary = {
        "status": "complete", "steps": scene.steps, "frames": len(trajectory.times), "vertices": len(scene.masses),
        "springs": len(scene.springs), "largest_relative_energy_change": trajectory.largest_relative_energy_change,
        **trajectory.account,
    }  # fmt: skip
    (folder / "summary.json").write_text(json.dumps(summary, indent=2))
