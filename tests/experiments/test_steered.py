#!/usr/bin/python3
"""`electret reproduce`: the experiments that are steered from outside."""

import re
import sys
import unittest

import h5py
import numpy as np

from report import ReportTest, claims_of, motion_of, rows


class Steered(ReportTest):
    """Runs that are steered from outside: the tables are those of the scene's own run, and verdicts follow from them."""

    def all_reproduced(self, folder):
        for claim, (verdict, figure) in claims_of(folder).items():
            self.assertEqual(verdict, "reproduced", f"{claim}: {figure}")

    def run_again(self, folder, name):
        """The trajectory of one of the report's commands."""
        command = re.search(rf"^electret (run .* -o {name})$", (folder / "report.md").read_text(), re.M).group(1)
        self.electret(*command.split(), where=folder, check=0)
        return h5py.File(folder / name / "trajectory.h5")

    def test_charge_keyframes(self):
        folder = self.run_quick("charge-keyframes")
        self.all_reproduced(folder)
        table = motion_of(rows(folder / "motion.csv"))
        ears_on, belly_on = (table["time"] > 1.5) & (table["time"] < 3.5), (table["time"] > 5.5) & (table["time"] < 7.5)
        np.testing.assert_allclose(table["left_ear_charge"][ears_on], 4e-7)
        np.testing.assert_allclose(table["right_ear_charge"][ears_on], -4e-7)
        np.testing.assert_allclose(table["belly_charge"][belly_on], 8e-7)
        self.assertTrue(np.all(table["belly_charge"][ears_on] == 0) and np.all(table["left_ear_charge"][belly_on] == 0))
        self.assertLess(table["ear_distance"][ears_on].min(), 0.5 * table["ear_distance"][0])
        self.assertGreater(table["belly_size"][belly_on].min(), 1.05 * table["belly_size"][0])
        with self.run_again(folder, "run") as file:
            times, groups = file["time"][:], file["groups"]["bunny"]
            apart = np.linalg.norm(file["positions"][-1] - file["positions"][0], axis=1).max()
            self.assertLess(apart, 0.1, "the shape comes back")
            self.assertIn(f"farther than {apart:.2g} m", claims_of(folder)["(ours) without charges the shape comes back"][1])
            for time, distance, size in list(zip(table["time"], table["ear_distance"], table["belly_size"]))[::7]:
                x = file["positions"][int(np.argmin(np.abs(times - time)))]
                left, right, belly = (x[groups[name][:]] for name in ["left_ear", "right_ear", "belly"])
                self.assertAlmostEqual(np.linalg.norm(left.mean(0) - right.mean(0)), distance, places=6)
                self.assertAlmostEqual(np.sqrt(((belly - belly.mean(0))**2).sum(1).mean()), size, places=6)

    def test_external_charge(self):
        folder = self.run_quick("external-charge")
        self.all_reproduced(folder)
        table = motion_of(rows(folder / "motion.csv"))
        place = np.array([table[f"charge_{axis}"] for axis in "xyz"]).T
        middle = np.array([table[f"centre_{axis}"] for axis in "xyz"]).T
        np.testing.assert_allclose(np.linalg.norm(place, axis=1), 8.0, atol=0.1)
        advance = ((middle - middle[0]) * place).sum(1) / 8.0
        self.assertGreater(advance.mean(), 1.0)
        with self.run_again(folder, "with") as file:
            axes = []
            for time in [6.0, 60.0]:
                x = file["positions"][int(np.argmin(np.abs(file["time"][:] - time)))]
                np.testing.assert_allclose(x.mean(0), middle[np.argmin(np.abs(table["time"] - time))], atol=1e-5)
                axes.append(np.linalg.svd(x - x.mean(0))[2][2])
            turned = np.degrees(np.arccos(abs(axes[0] @ axes[1])))
            self.assertAlmostEqual(turned, table["angle_of_axis"][-1], places=2)

    def test_rotating_field(self):
        folder = self.run_quick("rotating-field")
        self.all_reproduced(folder)
        speeds = {(row["method"], float(row["charge"])): float(row["final"]) for row in rows(folder / "speeds.csv")}
        for (method, charge), speed in speeds.items():
            self.assertAlmostEqual(speed / (charge * 62500.0 / 0.5), 1.0, delta=0.12)
            self.assertGreater(speed * charge, 0.0)
        with self.run_again(folder, "run_3") as file:
            x, v = file["positions"][-1], file["velocities"][-1]
            x, v = x - x.mean(0), v - v.mean(0)
            spin = np.cross(x, v)[:, 2].sum() / (x[:, :2]**2).sum()
            self.assertAlmostEqual(spin, speeds["imex", -4e-6], places=5)


if __name__ == "__main__":
    unittest.main(argv=[*sys.argv, "-v"])
