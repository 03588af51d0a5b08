#!/usr/bin/python3
"""`electret reproduce`: bodies that networks move through water, and the material of one from markers."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy as np

from report import ReportTest, claims_of, rows

SOURCE = pathlib.Path(os.environ["ELECTRET_SOURCE"])


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


class Documented(unittest.TestCase):
    """The swimmer of docs/applications.md."""

    def forward(self, *changes):
        text = (SOURCE / "docs/applications.md").read_text()
        with tempfile.TemporaryDirectory() as folder:
            scene = pathlib.Path(folder) / "snake.toml"
            scene.write_text(text.split("```toml\n")[1].split("```")[0])
            command = [os.environ["ELECTRET"], "gradient", str(scene), "--loss", "forward:1,0,0", "--wrt", "body.snake.muscle.0.A"]
            for change in changes:
                command += ["--set", change]
            answer = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        return -answer["loss"], -answer["gradient"]["body.snake.muscle.0.A"]

    def test_swims(self):
        forward, by_amplitude = self.forward()
        self.assertAlmostEqual(forward, 0.22, delta=0.005)
        self.assertGreater(by_amplitude, 0.1)

    def test_stays_without_a_wave(self):
        forward, _ = self.forward("body.0.muscle.0.constants.p=0", "body.0.muscle.1.constants.p=0")
        self.assertLess(abs(forward), 1e-6)

    def test_swims_back(self):
        forward, _ = self.forward("body.0.muscle.0.constants.p=-2", "body.0.muscle.1.constants.p=-2")
        self.assertAlmostEqual(forward, -0.22, delta=0.005)


if __name__ == "__main__":
    unittest.main(argv=[*sys.argv, "-v"])
