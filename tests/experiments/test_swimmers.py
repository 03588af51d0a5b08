#!/usr/bin/python3
"""`electret reproduce`: bodies that networks move through water, and the material of one from markers."""

import sys
import unittest

import numpy as np

from report import ReportTest, claims_of, rows


class Swimmers(ReportTest):
    def check_learning(self, name, outputs):
        folder = self.run_quick(name)
        networks, curves, signals = (rows(folder / f"{table}.csv") for table in ("networks", "curves", "signals"))
        self.assertEqual([row["seed"] for row in networks], ["0", "1"])
        for row in networks:
            rewards = [float(one["reward"]) for one in curves if one["seed"] == row["seed"]]
            self.assertEqual(float(row["first reward"]), rewards[0])
            self.assertEqual(float(row["best reward"]), max(rewards))
            self.assertEqual(row["end"], "")
        trained = max(networks, key=lambda row: int(row["epochs"]))
        self.assertGreater(float(trained["best reward"]), float(trained["first reward"]))
        values = np.array([float(row["value"]) for row in signals]).reshape(-1, outputs)
        self.assertLess(np.abs(values).max(), 1)
        self.assertGreater(np.ptp(values, axis=0).min(), 0, "the network sees how the body moves")
        return claims_of(folder)

    def test_snake(self):
        claims = self.check_learning("snake", 1)
        self.assertEqual(claims["(ours) under prescribed signals the script's snake moves as an independent program's"][0],
                         "reproduced")

    def test_starfish(self):
        claims = self.check_learning("starfish", 4)
        self.assertEqual(claims["(ours) under prescribed signals the script's starfish moves as an independent program's"][0],
                         "reproduced")

    def test_shark(self):
        self.check_learning("shark", 1)

    def test_soft_starfish(self):
        folder = self.run_quick("soft-starfish")
        claims = claims_of(folder)
        self.assertEqual(claims["(ours) so does a fit to synthetic markers"][0], "reproduced")
        found = {row["material"]: row for row in rows(folder / "found.csv")}
        self.assertLess(float(found["found"]["from the truth (mm)"]), float(found["best of four draws"]["from the truth (mm)"]))
        # The noise is what the report says: of 1 mm, on two coordinates.
        self.assertEqual(float(found["truth"]["from the truth (mm)"]), 0)
        self.assertAlmostEqual(float(found["truth"]["from the recording (mm)"]), np.sqrt(np.pi / 2), delta=0.2)


if __name__ == "__main__":
    unittest.main(argv=[*sys.argv, "-v"])
