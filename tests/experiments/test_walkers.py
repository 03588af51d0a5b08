#!/usr/bin/python3
"""`electret reproduce`: bodies that walk or roll by their muscles."""

import sys
import unittest

import numpy as np

from report import ReportTest, claims_of, rows

DIFFERENCES = "(ours) derivatives by the gait's numbers are those of differences, to 1e-6"
TURN = 2 * np.pi


def box(low, high, first):
    """A box as OBJ, its vertices numbered from `first` on, in the axes of Spot's file: x ahead is -z there, z up is y."""
    corners = [(x, y, z) for z in (low[2], high[2]) for y in (low[1], high[1]) for x in (low[0], high[0])]
    quads = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    return ("".join(f"v {-y} {z} {-x}\n" for x, y, z in corners)
            + "".join("f " + " ".join(str(first + corner) for corner in quad) + "\n" for quad in quads))


class Walkers(ReportTest):
    def reproduced(self, claims, *texts):
        for text in texts:
            self.assertEqual(claims[text][0], "reproduced", claims[text])

    def check_search(self, folder):
        """Every search ends where its least loss is, and none is worse than where it began."""
        searches = rows(folder / "searches.csv")
        self.assertEqual({row["law"] for row in searches}, {"sticking", "exact"})
        evaluations = rows(folder / "evaluations.csv")
        for row in searches:
            losses = [float(each["loss"]) for each in evaluations
                      if (each["law"], each["start"]) == (row["law"], row["start"])]
            self.assertEqual(float(row["loss at the start"]), losses[0])
            self.assertEqual(float(row["least loss"]), min(losses))
            self.assertEqual(int(row["runs"]), len(losses))
        samples = rows(folder / "samples.csv")
        for law in ("sticking", "exact"):
            best = min(float(row[f"loss by {law}"]) for row in samples)
            start = next(row for row in searches if row["law"] == law and row["start"] == "best sample")
            self.assertAlmostEqual(float(start["loss at the start"]), best, places=9)
        return searches

    def starts(self, folder, start):
        return [float(row["at the start"]) for row in rows(folder / "gaits.csv")
                if row["law"] == "sticking" and row["start"] == start]

    def check_start_among(self, folder, drawn):
        start = self.starts(folder, "best sample")
        self.assertLess(min(np.abs(np.array(start) - sample).max() for sample in drawn), 1e-12)

    def test_torus_roll(self):
        folder = self.run_quick("torus-roll")
        self.reproduced(claims_of(folder), "(ours) the ring is the published one", DIFFERENCES,
                        "(ours) the first sample moves as an independent program's, to 1e-8 m")
        self.check_search(folder)
        random = np.random.RandomState(42)
        random.uniform(0, 2, 160)  # a start that is not used
        self.check_start_among(folder, [random.uniform(0, 2, 160) for _ in range(2)])

    def test_quadruped(self):
        folder = self.run_quick("quadruped")
        self.reproduced(claims_of(folder), "(ours) the quadruped is the published one", DIFFERENCES,
                        "(ours) from the published start it moves as an independent program's, to 1e-7 m")
        self.check_search(folder)
        low, high = [0.5, 0.5, TURN / 100], [1, 1, TURN / 5]
        random = np.random.RandomState(42)
        random.uniform(low, high)
        self.check_start_among(folder, [random.uniform(low, high) for _ in range(2)])
        np.testing.assert_allclose(self.starts(folder, "published start"), low, rtol=1e-14)
        scan = rows(folder / "landscape.csv")
        np.testing.assert_allclose([float(row["w"]) for row in scan], np.linspace(low[2], high[2], len(scan)), rtol=1e-12)

    def test_cow_of_boxes(self):
        """Spot is not ours to give, so that four legs and a back stand in."""
        parts = [((0, 0, 4), (15, 8, 8)), *[((x, y, 0), (x + width, y + 3, 4)) for x, width in ((0, 3), (8, 2)) for y in (0, 5)]]
        (self.folder / "spot.obj").write_text("".join(box(low, high, 8 * k + 1) for k, (low, high) in enumerate(parts)))
        self.electret("reproduce", "cow", "--quick", "--data", ".", "-o", "out", "--threads", 3, check=0)
        folder = self.folder / "out" / "cow"
        claims = claims_of(folder)
        self.reproduced(claims, DIFFERENCES)
        self.assertIn("600 cubes, ", claims["(ours) the cow has the published cubes"][1])
        self.assertIn("muscles of 24, 24, 24, 48 cubes", claims["(ours) the cow has the published cubes"][1])
        self.check_search(folder)
        random = np.random.RandomState(42)
        low, high = [0, 0, TURN / 575], [1.45, 0.85, TURN / 12]
        np.testing.assert_allclose(self.starts(folder, "published start"), random.uniform(low, high), rtol=1e-12)
        self.electret("check", "inputs/cow.toml", where=folder, check=0)


if __name__ == "__main__":
    unittest.main(argv=[*sys.argv, "-v"])
