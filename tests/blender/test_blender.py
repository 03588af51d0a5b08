#!/usr/bin/python3
"""The add-on in Blender without a display: a mesh with vertex groups out of a .blend becomes a scene, the scene a run, and
the run a Mesh Cache whose vertices are the run's float32 numbers. Without Blender it is skipped, and says so."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest
import zipfile

import h5py
import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
ELECTRET = os.path.abspath(os.environ.get("ELECTRET", "build/release/bin/electret"))
ZIP = os.path.abspath(os.environ.get("ELECTRET_BLENDER_ZIP", "build/release/share/electret_blender.zip"))


class Addon(unittest.TestCase):
    def test_zip_is_of_this_version(self):
        with zipfile.ZipFile(ZIP) as archive:
            names = archive.namelist()
            text = archive.read("electret/__init__.py").decode()
        self.assertTrue(all(name.startswith("electret/") for name in names))
        self.assertFalse([name for name in names if "__pycache__" in name])
        version = ".".join(re.search(r'"version": \((\d+), (\d+), (\d+)\)', text).groups())
        told = subprocess.run([ELECTRET, "--version"], capture_output=True, text=True, check=True).stdout
        self.assertEqual(told.split()[1], version)


@unittest.skipUnless(shutil.which("blender"), "Blender is not installed (apt-get install --no-install-recommends blender)")
class RoundTrip(unittest.TestCase):
    def blender(self, script, **arguments):
        arguments.update(zip=ZIP, electret=ELECTRET, script=str(HERE / script))
        environment = dict(os.environ, BLENDER_USER_RESOURCES=str(self.folder / "blender"), HOME=str(self.folder))
        done = subprocess.run(["blender", "-b", "--factory-startup", "--python-exit-code", "7", "-P", HERE / "in_blender.py", "--",
                               json.dumps(arguments)], capture_output=True, text=True, env=environment, timeout=600)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_round_trip(self):
        with tempfile.TemporaryDirectory() as folder:
            self.folder = pathlib.Path(folder)
            self.round_trip()

    def round_trip(self):
        path = {name: str(self.folder / name) for name in ("a.blend", "new/scene.toml", "run", "result.npz", "picture.png")}
        self.blender("make_blend.py", blend=path["a.blend"], scene=path["new/scene.toml"])
        done = subprocess.run([ELECTRET, "run", path["new/scene.toml"], "-o", path["run"]], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        with h5py.File(path["run"] + "/trajectory.h5") as file:
            positions, charges = file["positions"][()], file["charges"][()]
            groups = {name: rows[()] for name, rows in file["groups"]['ball "ä"'].items()}
            masses, times = file["masses"][()], file["time"][()]
        self.check_scene(positions, charges, groups, masses, times)
        self.blender("import_back.py", blend=path["a.blend"], run=path["run"], result=path["result.npz"], picture=path["picture.png"])
        result = np.load(path["result.npz"])
        for name in ("old", "new"):
            np.testing.assert_array_equal(result[name], positions.astype("f4"))
            part = charges / np.abs(charges).max()
            np.testing.assert_allclose(result[name + "_colours"][..., 0], np.where(part > 0, 1, 1 - np.abs(part)), atol=1e-6)
            np.testing.assert_allclose(result[name + "_colours"][..., 2], np.where(part < 0, 1, 1 - np.abs(part)), atol=1e-6)
        self.check_times(result, positions, charges)
        # In a turned and scaled object's own coordinates and back, each rounded to float32.
        np.testing.assert_allclose(result["moved"], positions, rtol=0, atol=3e-6)
        self.assertEqual(sorted(each.name for each in self.folder.glob("run*")), ["run", "run-blender"])
        said = json.loads(str(result["said"]))
        self.assertIn("is moved by key-frames", said["key-framed"])
        self.assertEqual((said["end of slow motion"], said["scale of few frames"]), (49, [62.5]))
        self.assertRegex(said["cube"], r'"Cube" has 8 vertices, the run\'s body "ball "ä"" has 86')
        self.assertIn("holds no export of Electret", said["no run"])
        self.assertEqual(said["groups"], ["bottom", "the top"])
        picture = pathlib.Path(path["picture.png"]).read_bytes()
        self.assertTrue(picture.startswith(b"\x89PNG") and len(picture) > 1000)

    def check_times(self, result, positions, charges):
        """The run has 13 frames, 25 in a second; four times slower, it lasts 49 frames at 25, and 25 frames at 50."""
        x = positions.astype("f4")
        np.testing.assert_array_equal(result["slow"][::4], x)
        for quarter in (1, 2, 3):
            np.testing.assert_allclose(result["slow"][quarter::4], x[:-1] + quarter / 4 * (x[1:] - x[:-1]), rtol=0, atol=1e-6)
        np.testing.assert_array_equal(result["at 50"][::2], x)
        np.testing.assert_allclose(result["at 50"][1::2], (x[:-1] + x[1:]) / 2, rtol=0, atol=1e-6)
        part = charges[np.floor(np.arange(49) / 4 + 0.5).astype(int)] / np.abs(charges).max()
        np.testing.assert_allclose(result["slow_colours"][..., 0], np.where(part > 0, 1, 1 - np.abs(part)), atol=1e-6)

    def check_scene(self, positions, charges, groups, masses, times):
        self.assertEqual(positions.shape, (13, 86, 3))
        np.testing.assert_allclose(positions[0].mean(0), [0.1, 0.2, 1.5], atol=1e-6)
        np.testing.assert_allclose(times, np.arange(13) / 25, atol=1e-12)
        np.testing.assert_array_equal(masses.astype("f4"), np.array([0.25 + 0.001 * k for k in range(86)], "f4"))
        z = positions[0, :, 2] - 1.5
        np.testing.assert_array_equal(groups["the top"], np.flatnonzero(z > 0.5))
        np.testing.assert_array_equal(groups["bottom"], np.flatnonzero(z < -0.5))
        expected = np.full((13, 86), 0.5e-6)
        expected[:, groups["the top"]] = np.interp(np.arange(13), [0, 5, 12], [1e-6, -3e-6, 2e-6])[:, None]
        expected[:, groups["bottom"]] = -4e-6
        np.testing.assert_allclose(charges, expected, rtol=1e-9, atol=1e-20)


if __name__ == "__main__":
    unittest.main()
