#!/usr/bin/python3
"""Every scene of examples/ is checked and run whole, with both implicit and explicit results finite; every fit ends
well."""

import csv
import re
import shutil
import sys
import unittest

import h5py
import numpy as np

from support import SOURCE, CommandTest


class Examples(CommandTest):
    def test_every_scene_runs(self):
        scenes = sorted((SOURCE / "examples").glob("*.toml"))
        self.assertGreaterEqual(len(scenes), 5)
        for scene in scenes:
            with self.subTest(scene=scene.name):
                self.electret("check", scene, check=0)
                done = self.electret("run", scene, "-o", scene.stem, check=0)
                self.assertIn(scene.stem, done.stdout)
                # On a slow machine the run tells how far it is.
                told = [line for line in done.stderr.splitlines() if not line.startswith("electret: step ")]
                self.assertEqual(told, [], "an example gives no cause for warnings")
                with h5py.File(self.folder / scene.stem / "trajectory.h5") as h5:
                    positions = h5["positions"][:]
                self.assertEqual(self.summary(scene.stem)["capped_steps"], 0, "its tolerance is not met")
                self.assertTrue(np.isfinite(positions).all())
                self.assertGreater(np.abs(positions[-1] - positions[0]).max(), 1e-3, "nothing moved")
                self.assertLess(np.abs(positions[-1]).max(), 1e3, "it flew away")

    def test_every_scene_of_the_gallery_starts(self):
        """The first steps; of the largest one with fewer vertices."""
        scenes = sorted((SOURCE / "examples/gallery").glob("*.toml"))
        self.assertGreaterEqual(len(scenes), 10)
        page = (SOURCE / "docs/gallery.md").read_text(encoding="utf-8")
        for scene in scenes:
            with self.subTest(scene=scene.name):
                self.assertIn(f"(../examples/gallery/{scene.name})", page)
                whole = self.electret("check", scene, check=0)
                self.assertNotIn("warning", whole.stderr, "an example gives no cause for warnings")
                short = ["--unset", "time.duration", "--set", "time.steps=5", "--set", "output.every=5"]
                if scene.stem == "star":
                    short += ["--set", "body.0.generate.vertices=2000"]
                self.electret("run", scene, "-o", scene.stem, *short, check=0)
                with h5py.File(self.folder / scene.stem / "trajectory.h5") as h5:
                    positions = h5["positions"][:]
                self.assertEqual(self.summary(scene.stem)["capped_steps"], 0, "its tolerance is not met")
                self.assertTrue(np.isfinite(positions).all())
                size = np.ptp(positions[0], axis=0).max()
                self.assertGreater(np.abs(positions[-1] - positions[0]).max(), 0.0, "nothing moved")
                self.assertLess(np.abs(positions[-1] - positions[0]).max(), size, "it flew away")

    def way(self, scene, *changes):
        """How far the middle of the gallery's scene gets, m."""
        self.electret("run", SOURCE / "examples/gallery" / scene, "-o", "way", "--overwrite", *changes, check=0)
        with h5py.File(self.folder / "way/trajectory.h5") as h5:
            return h5["positions"][-1].mean(axis=0) - h5["positions"][0].mean(axis=0)

    def test_a_field_steers_the_swimmer(self):
        """Without the field it swims straight on, and without its strokes the field does not move it."""
        steered = self.way("steered_swimmer.toml")
        self.assertGreater(steered[0], 5.0)
        self.assertGreater(steered[1], 3.0)
        alone = self.way("steered_swimmer.toml", "--unset", "electric_field")
        self.assertGreater(alone[0], 7.0)
        self.assertLess(abs(alone[1]), 0.5)
        still = [f"body.0.muscle.{k}.constants.A=0" for k in range(10)]
        self.assertLess(np.abs(self.way("steered_swimmer.toml", *(word for change in still for word in ("--set", change)))).max(), 0.5)

    def test_the_sheet_swims_against_the_wave(self):
        """A wave that runs the other way takes it as far back, a standing one nowhere, and without water nothing does."""
        ahead = self.way("swimming_sheet.toml")
        self.assertGreater(ahead[0], 0.8)
        back = self.way("swimming_sheet.toml", "--set", "electric_field.0.constants.k=-3.141592653589793")
        self.assertAlmostEqual(back[0], -ahead[0], delta=0.2)
        standing = 'electric_field.0.expression.2="E*min(t, 1)*sin(k*x)*sin(w*t)"'
        self.assertLess(abs(self.way("swimming_sheet.toml", "--set", standing)[0]), 0.1)
        self.assertLess(abs(self.way("swimming_sheet.toml", "--unset", "hydrodynamics")[0]), 1e-6)

    def test_the_walker_crosses_the_ceiling(self):
        """It gets more than 10 cm far in 3 s, and hangs all the while; without the electrodes' field it falls."""
        ahead = self.way("ceiling_walker.toml")
        self.assertGreater(ahead[0], 0.1)
        self.assertLess(abs(ahead[1]), 0.02)
        with h5py.File(self.folder / "way/trajectory.h5") as h5:
            heights = h5["positions"][:, :, 2]
        self.assertLess(np.abs(heights.mean(axis=1) - heights[0].mean()).max(), 0.01)
        self.assertGreater(heights.max(axis=1).min(), -1e-3, "some foot is at the ceiling at all times")
        short = ["--unset", "time.duration", "--set", "time.steps=100"]
        fallen = self.way("ceiling_walker.toml", *short, "--set", "electric_field.0.constants.e=0")
        self.assertLess(fallen[2], -0.5)
        held = self.way("ceiling_walker.toml", *short)
        self.assertLess(abs(held[2]), 0.01)

    def test_every_picture_of_the_gallery_is_there(self):
        page = (SOURCE / "docs/gallery.md").read_text(encoding="utf-8")
        pictures = sorted((SOURCE / "docs/images/gallery").glob("*.png"))
        self.assertEqual(sorted(f"images/gallery/{picture.name}" for picture in pictures),
                         sorted(re.findall(r"\]\((images/gallery/\w+\.png)\)", page)))  # fmt: skip
        for picture in pictures:
            self.assertLess(picture.stat().st_size, 150_000, picture.name)

    def test_every_sweep_has_all_its_results(self):
        for job in sorted((SOURCE / "examples/sweeps").glob("*.toml")):
            with self.subTest(job.name):
                self.electret("sweep", job, "-o", job.stem, check=0)
                self.assertTrue((self.folder / job.stem / "sweep.svg").exists())

    def test_every_fit_ends_well(self):
        """In a copy: the target of `material.toml` is a run beside it."""
        shutil.copytree(SOURCE / "examples/fits", self.folder / "fits")
        self.electret("run", "fits/muscle_beam.toml", "-o", "fits/target", check=0)
        for job, loss in (("reach", 1e-10), ("material", 1e-10), ("return", 1e-10), ("throw", 1e-7)):
            with self.subTest(job):
                self.electret("fit", f"fits/{job}.toml", "-o", job, check=0)
                with open(self.folder / job / "fit.csv", encoding="utf-8") as file:
                    best = min(float(row["loss"]) for row in csv.DictReader(file))
                self.assertLess(best, loss)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
