#!/usr/bin/python3
"""The scene files of the experiments: each can be run as it stands, but for the files that an experiment makes."""

import sys
import tomllib
import unittest

from support import SOURCE, CommandTest

SCENES = sorted((SOURCE / "experiments" / "scenes").glob("*.toml"))
MADE = {"cantilever.toml": ["turned.csv", "forces.csv"], "duck.toml": ["duck.obj"],
        "plant.toml": ["plant.mesh"], "push.toml": ["plant.mesh"], "slope.toml": ["duck.obj"],
        "rolling_sphere.toml": ["ball.mesh"],
        "napkin.toml": ["napkin.mesh"], "bouncing_ball.toml": ["ball.mesh"], "bunny_bounce.toml": ["bunny.mesh"],
        "duck_slide.toml": ["duck.obj"], "soft_starfish.toml": ["starfish.mesh"],
        "recorded_starfish.toml": ["starfish_half.obj"],
        "swimmer.toml": ["swimmer.mesh"], "torus_roll.toml": ["torus.mesh"],
        "quadruped.toml": ["quadruped.mesh"], "cow.toml": ["spot.obj"],
        "tennis_balls.toml": ["left.csv", "right.csv"], "rolling_balls.toml": ["left.csv", "right.csv"]}


class Scenes(CommandTest):
    def test_each_passes_its_check(self):
        self.assertGreater(len(SCENES), 12)
        for scene in SCENES:
            made = MADE.get(scene.name, [])
            done = self.electret("check", scene, check=2 if made else 0)
            for file in made:
                self.assertIn(f'file "{file}" cannot be read', done.stderr)
            self.assertEqual(done.stderr.count("error:"), len(made), done.stderr)

    def test_each_belongs_to_an_experiment(self):
        sources = "".join(path.read_text() for path in (SOURCE / "experiments").glob("*.cpp"))
        for scene in SCENES:
            tomllib.loads(scene.read_text())
            self.assertIn(f'"{scene.name}"', sources)


if __name__ == "__main__":
    unittest.main(argv=[*sys.argv, "-v"])
