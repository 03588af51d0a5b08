#!/usr/bin/python3
"""`electret reproduce`: the experiments with obstacles."""

import sys
import tomllib
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
            self.assertLess(float(row["loss"]), float(row["loss at the published start"]), row)
            self.assertGreater(float(row["loss at the published start"]), 0)

    def test_bunny_bounce(self):
        folder = self.run_quick("bunny-bounce")
        found = {row["law"]: row for row in rows(folder / "found.csv")}
        self.assertEqual(set(found), {"sticking", "exact"})
        for row in found.values():
            self.assertLess(float(row["loss"]), float(row["loss at the start"]), row)
        self.assertEqual(found["sticking"]["capped steps"], "0")
        # The published start: NumPy's numbers between the published bounds.
        third = np.pi / 3
        low, high = [-third, -third, -third, -0.01, -0.01, 0.19, -1.5, -1.5, -5.0], [third, third, third, 0.01, 0.01, 0.21, 1.5, 1.5, -3.0]
        how = np.random.RandomState(42).uniform(low, high)
        start = np.loadtxt(folder / "inputs" / "start.csv", delimiter=",", skiprows=1)
        np.testing.assert_allclose(start.mean(axis=0), how[3:6], atol=1e-12)
        scene = tomllib.loads((folder / "inputs" / "bunny_bounce.toml").read_text())
        np.testing.assert_allclose(scene["body"][0]["velocity"], how[6:], atol=1e-12)

    def test_bunny_bounce_with_a_body_of_ones_own(self):
        # Three cubes in a row, as the published program writes them: z is fastest, and a matrix stands row by row.
        places = np.array([(x, y, z) for x in range(4) for y in range(2) for z in range(2)], dtype="<f8") / 3
        cubes = np.array([[4 * c + k for k in range(8)] for c in range(3)], dtype="<i4")
        (self.folder / "bunny_watertight.bin").write_bytes(
            np.array([3, 8, 3, 16], dtype="<i4").tobytes() + places.T.tobytes() + np.array([8, 3], dtype="<i4").tobytes()
            + cubes.T.tobytes())
        self.electret("reproduce", "bunny-bounce", "--quick", "--data", ".", "-o", "own", check=0)
        report = (self.folder / "own" / "bunny-bounce" / "report.md").read_text()
        self.assertIn("3 cubes, 16 vertices, 8 of one cube alone", report)
        self.assertIn("the published voxels", report)
        self.electret("check", "inputs/bunny_bounce.toml", where=self.folder / "own" / "bunny-bounce", check=0)

    def test_duck(self):
        folder = self.run_quick("duck")
        verdicts = claims_of(folder)
        self.assertEqual(verdicts["(ours) the derivatives by the slide's three numbers are those of differences, to 1e-4"][0],
                         "reproduced")
        slides = {row["slide"]: row for row in rows(folder / "slides.csv")}
        # The published script draws a start that it does not use, and then the one here.
        random = np.random.RandomState(42)
        random.uniform([2, 0, 3], [4, 1, 5])
        drawn = random.uniform([2, 0, 3], [4, 1, 5])
        first = [float(slides["random 1"][name]) for name in ["log10 stiffness", "friction_stiffness (N s/m)", "log10 friction"]]
        np.testing.assert_allclose(first, drawn, atol=1e-12)
        self.assertLess(float(slides["found"]["loss"]), float(slides["random 1"]["loss"]))


if __name__ == "__main__":
    unittest.main(argv=[*sys.argv, "-v"])
