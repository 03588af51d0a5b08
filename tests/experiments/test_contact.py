#!/usr/bin/python3
"""`electret reproduce`: the experiments with obstacles."""

import sys
import unittest

import numpy as np

from report import ReportTest, claims_of, rows


class Contact(ReportTest):
    """Those in which solid bodies touch obstacles."""

    def test_rolling_sphere(self):
        folder = self.run_quick("rolling-sphere")
        runs = rows(folder / "runs.csv")
        self.assertEqual({row["law"] for row in runs}, {"sticking", "exact"})
        for row in runs:
            self.assertEqual(row["capped steps"], "0", row)
            self.assertGreater(min(float(row["forward (ms a frame)"]), float(row["backward (ms a frame)"])), 0)
        losses = [float(row["loss"]) for row in runs if row["law"] == "sticking"]
        np.testing.assert_allclose(losses[1], losses[0], rtol=1e-2)
        # The start is the published one: NumPy's numbers, in the order of the published vertices.
        random = np.random.RandomState(42)
        random.normal(size=2 * 3 * 823)
        noise = random.normal(scale=1e-3, size=3 * 823).reshape(-1, 3)
        start = np.loadtxt(folder / "inputs" / "start.csv", delimiter=",", skiprows=1)
        np.testing.assert_allclose(100 * (start - noise), np.round(100 * (start - noise)), atol=1e-9)
        velocities = np.loadtxt(folder / "inputs" / "velocities.csv", delimiter=",", skiprows=1)
        np.testing.assert_allclose(velocities, np.cross([0.0, 10.0, 0.0], start), atol=1e-12)

    def test_slope(self):
        folder = self.run_quick("slope")
        ways = {row["friction"]: float(row["way down (m)"]) for row in rows(folder / "runs.csv")}
        self.assertEqual(list(ways), ["k_f = 1", "k_f = 0.5", "k_f = 0.3", "k_f = 0.1", "exact"])
        slides = [ways[name] for name in list(ways)[:4]]
        self.assertEqual(slides, sorted(slides))
        self.assertLess(abs(ways["exact"]), 0.5 * slides[0])
        self.assertEqual(claims_of(folder)["less friction_stiffness, and the duck slides farther"][0], "reproduced")

    def test_napkin(self):
        folder = self.run_quick("napkin")
        verdicts = {text: verdict for text, (verdict, _) in claims_of(folder).items()}
        for claim in ["(ours) as many vertices may touch as published", "(ours) the first frame with contact is 32, ±1",
                      "(ours) the mean height is that of an independent program", "(ours) no step misses its tolerance"]:
            self.assertEqual(verdicts[claim], "reproduced", claim)
        steps = rows(folder / "steps.csv")
        self.assertEqual([row["law"] for row in steps], ["sticking", "exact"])
        self.assertEqual(steps[0]["may touch"], "484")

    def test_bouncing_ball(self):
        folder = self.run_quick("bouncing-ball")
        self.assertEqual(claims_of(folder)["(ours) until it touches, the ball falls as implicit Euler does, to 1e-8 m"][0],
                         "reproduced")
        for row in rows(folder / "found.csv"):
            self.assertLess(float(row["loss"]), float(row["loss at the start"]), row)
            self.assertGreater(float(row["loss at the start"]), 0)


if __name__ == "__main__":
    unittest.main(argv=[*sys.argv, "-v"])
