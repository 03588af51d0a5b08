#!/usr/bin/python3
"""`electret reproduce`: the experiments of solid bodies."""

import re
import sys
import tomllib
import unittest

import h5py
import numpy as np

from report import ReportTest, claims_of, motion_of, rows


class Solids(ReportTest):
    """Those of solid bodies."""

    def test_cantilever(self):
        folder = self.run_quick("cantilever")
        runs = rows(folder / "runs.csv")
        self.assertEqual({row["solver"] for row in runs}, {"auto", "lbfgs"})
        for row in runs:
            self.assertLess(float(row["gradient norm (N)"]),
                            float(row["published norm (N)"]) * (1 if row["solver"] == "auto" else 3), row)
            self.assertGreater(min(float(row["forward (s)"]), float(row["backward (s)"])), 0)
        for solver in ["auto", "lbfgs"]:
            errors = [float(row["gradient error"]) for row in runs if (row["solver"], row["threads"]) == (solver, "3")]
            self.assertTrue(errors[0] > errors[1] > errors[2] > 0, errors)
            self.assertLess(errors[2], 1e-5)
        verdicts = {text: verdict for text, (verdict, _) in claims_of(folder).items()}
        for claim in ["loss and gradient at 1e-4 are those of a converged run, to 1 %",
                      "(ours) at 1e-4 every frame ends below the published gradient norm",
                      "(ours) loss and gradient have the same bits at any number of threads"]:
            self.assertEqual(verdicts[claim], "reproduced", claim)
        # The report's own command moves the same beam.
        command = re.search(r"^electret (run .*)$", (folder / "report.md").read_text(), re.M).group(1)
        self.electret(*command.split(), where=folder, check=0)
        with h5py.File(folder / "cantilever" / "trajectory.h5") as file:
            self.assertEqual(file["positions"].shape, (6, 13 * 4 * 4, 3))

    def test_random_numbers_are_numpys(self):
        """The published order of draws, checked on what the scene is made of."""
        folder = self.run_quick("cantilever")
        random = np.random.RandomState(42)
        vertices, elements = 13 * 4 * 4, 12
        for scale in [0.1, 1.0, 1.0]:
            random.normal(scale=scale, size=3 * vertices)
        activations = random.uniform(size=elements)
        forces = random.normal(scale=0.1, size=3 * vertices).reshape(13, 4, 4, 3) * 1e-3
        body = tomllib.loads((folder / "inputs" / "cantilever.toml").read_text())["body"][0]
        np.testing.assert_allclose(body["muscle"][0]["activations"], activations, rtol=1e-15)
        # Published: x slowest; ours: x fastest.
        ours = np.loadtxt(folder / "inputs" / "forces.csv", delimiter=",", skiprows=1)
        np.testing.assert_allclose(ours, forces.transpose(2, 1, 0, 3).reshape(-1, 3), rtol=1e-13)

    def test_landscape(self):
        folder = self.run_quick("landscape")
        lines = rows(folder / "lines.csv")
        self.assertEqual(len(lines), 2 * 2 * 7, "methods × directions × places")
        spread = {row["method"]: row for row in rows(folder / "spread.csv")}
        for what in ["loss", "gradient"]:
            ends = {}
            for method in ["imex", "symplectic_euler"]:
                change = []
                for direction in "01":
                    values = [float(row["loss" if what == "loss" else "gradient_norm"]) for row in lines
                              if (row["method"], row["direction"]) == (method, direction)]
                    change += [(values[k] - values[3]) / abs(values[3]) for k in [0, -1]]
                ends[method] = np.std(change)
                self.assertAlmostEqual(float(spread[method]["deviation of the " + what]) / ends[method], 1, places=9)
            self.assertGreater(min(ends.values()), 0)
        middles = {float(row["loss"]) for row in lines if row["method"] == "imex" and float(row["place"]) == 0}
        self.assertEqual(len(middles), 1, "all lines cross in the middle")

    def test_plant(self):
        folder = self.run_quick("plant")
        found = {row["fit"]: row for row in rows(folder / "found.csv")}
        self.assertAlmostEqual(float(found["growing"]["E (Pa)"]) / 1e6, 1, delta=0.01)
        self.assertAlmostEqual(float(found["growing"]["ν"]), 0.4, delta=0.004)
        self.assertEqual(claims_of(folder)["(ours) and from short runs of it first"][0], "reproduced")
        self.assertGreater(float(found["start"]["normalised loss"]), 100 * float(found["growing"]["normalised loss"]))

    def test_routing_tendon(self):
        folder = self.run_quick("routing-tendon")
        path = motion_of(rows(folder / "evaluations.csv"))
        self.assertLess(path["loss"].min(), 0.05 * path["loss"][0])
        np.testing.assert_allclose(path["miss"], 0.025 * np.sqrt(2 * path["loss"]))
        # What was found moves the end where the table says.
        command = re.search(r"^electret (run .* -o found)$", (folder / "report.md").read_text(), re.M).group(1)
        self.electret(*command.split(), where=folder, check=0)
        with h5py.File(folder / "found" / "trajectory.h5") as file:
            end = file["positions"][-1, -1]
        miss = np.linalg.norm(end - [0.2, 0.2, 0.45])
        self.assertAlmostEqual(miss, path["miss"].min(), delta=1e-5)

    def test_armadillo(self):
        folder = self.run_quick("armadillo")
        verdicts = {text: verdict for text, (verdict, _) in claims_of(folder).items()}
        for claim in ["the constant factor's iteration moves a neo-Hookean body as Newton's method does",
                      "(ours) so does the default", "(ours) no element inverts"]:
            self.assertEqual(verdicts[claim], "reproduced", claim)
        for row in rows(folder / "runs.csv"):
            self.assertEqual(row["capped steps"], "0")
        losses = [float(row["loss"]) for row in rows(folder / "forward_and_backward.csv")]
        self.assertEqual(len(losses), 3)
        np.testing.assert_allclose(losses, losses[0], rtol=1e-5)


if __name__ == "__main__":
    unittest.main(argv=[*sys.argv, "-v"])
