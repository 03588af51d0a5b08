#!/usr/bin/python3
"""`electret reproduce tennis-balls`: a clip of two balls, beside a numpy program of the camera and the draws."""

import math
import shutil
import sys
import tomllib
import unittest

import h5py
import numpy as np

from report import ReportTest, claims_of, rows

PUBLISHED = "(ours) the balls are the published ones"
ROLLING = "(ours) the published contact turns spin into rolling at 0.3985 ω r, to 2 %"
OF_CAMERA = "(ours) derivatives by the camera's numbers are those of differences, to 1e-8"
OF_STARTS = "(ours) derivatives by the balls' starts and contact are those of differences, to 1e-6"
BOUNDS = ([(1.5, 2.0)] * 2 + [(0.3, 0.7)] * 2 + [(-0.05, 0.05)] * 2 + [(2.0, 4.0)] * 2 + [(-0.04, 0.04)] * 4
          + [(-0.2, 0.2)] * 3 + [(-0.1, 0.1)] * 3 + [(0.8, 1.2)])


def turn(axis, degrees):
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    i, j = (axis + 1) % 3, (axis + 2) % 3
    matrix = np.eye(3)
    matrix[i, i], matrix[i, j], matrix[j, i], matrix[j, j] = c, -s, s, c
    return matrix


def seen(camera, x):
    """X = Rz Ry Rx A x + t - A position; the picture is zoom f (X_x, X_y)/(-X_z)."""
    back = -np.array(camera["towards"], float) / np.linalg.norm(camera["towards"])
    right = np.cross(camera.get("up", (0, 0, 1)), back)
    right /= np.linalg.norm(right)
    axes = np.array([right, np.cross(back, right), back])
    turns = camera.get("rotate", (0, 0, 0))
    matrix = turn(2, turns[2]) @ turn(1, turns[1]) @ turn(0, turns[0]) @ axes
    own = matrix @ np.array(x) + camera.get("translate", (0, 0, 0)) - axes @ np.array(camera["position"], float)
    return camera.get("zoom", 1.0) * camera["focal_length"] * own[:2] / -own[2]


class Tennis(ReportTest):
    def check_searches(self, folder):
        evaluations = rows(folder / "evaluations.csv")
        searches = rows(folder / "searches.csv")
        for row in searches:
            losses = [float(each["loss (px²)"]) for each in evaluations
                      if (each["contact"], each["start"]) == (row["contact"], row["start"])]
            self.assertEqual(float(row["loss at the start (px²)"]), losses[0])
            self.assertEqual(float(row["least loss (px²)"]), min(losses))
            self.assertEqual(int(row["runs"]), len(losses))
            self.assertAlmostEqual(float(row["residual (px)"]) ** 2, min(losses), delta=1e-9 * min(losses))
        return searches

    def test_a_synthetic_clip_and_then_the_same_as_the_users(self):
        folder = self.run_quick("tennis-balls")
        claims = claims_of(folder)
        for text in (PUBLISHED, ROLLING, OF_CAMERA, OF_STARTS):
            self.assertEqual(claims[text][0], "reproduced", claims[text])
        self.assertIn("163 vertices and 320 tetrahedra", claims[PUBLISHED][1])
        self.assertIn("synthetic", (folder / "report.md").read_text())
        searches = self.check_searches(folder)
        self.assertEqual([(row["contact"], row["start"]) for row in searches],
                         [("published", "published start"), ("published", "best of 16"), ("bodies", "best of 16"),
                          ("bodies, camera known", "estimate")])

        # NumPy's draws, after one that does not count.
        random = np.random.RandomState(0)
        draws = [[random.uniform(low, high) for low, high in BOUNDS] for _ in range(3)][1:]
        best = np.argmin([float(row["published contact (px²)"]) for row in rows(folder / "samples.csv")])
        start = [float(row["at the start"]) for row in rows(folder / "numbers.csv")
                 if (row["contact"], row["start"]) == ("published", "best of 16")]
        np.testing.assert_allclose(start, draws[best], rtol=1e-12, atol=1e-13)

        # What was found, run by the command and seen by numpy's camera, is what the report shows and counts.
        pictures = rows(folder / "pictures.csv")
        for scene, name in (("tennis_balls", "published"), ("rolling_balls", "bodies")):
            self.electret("run", f"inputs/{scene}.toml", "-o", scene, where=folder, check=0)
            camera = tomllib.loads((folder / "inputs" / f"{scene}.toml").read_text())["camera"][0]
            with h5py.File(folder / scene / "trajectory.h5") as run:
                positions = run["positions"][::3]
            squares = []
            for k, row in enumerate(pictures):
                ball = slice(0, 163) if row["ball"] == "left" else slice(163, 326)
                at = seen(camera, positions[k // 2][ball].mean(axis=0))
                np.testing.assert_allclose(at, [float(row[f"u {name}"]), float(row[f"v {name}"])], atol=1e-3)
                if k >= 2:
                    squares.append(((at - [float(row["u"]), float(row["v"])]) ** 2).sum())
            least = min(float(row["least loss (px²)"]) for row in searches if row["contact"] == name)
            self.assertAlmostEqual(np.mean(squares), least, delta=1e-3 * least)
            shutil.rmtree(folder / scene)

        # The same clip and camera, as a user gives them, make the same searches; nobody knows the truth.
        data = self.folder / "data"
        data.mkdir()
        shutil.copy(folder / "inputs" / "tennis_balls.csv", data)
        (data / "camera.toml").write_text('[[camera]]\nname = "above"\nposition = [0.55, 0.0, 1.2]\n'
                                          "towards = [0.0, 0.335, -1.2]\nfocal_length = 1100.0\n")
        self.electret("reproduce", "tennis-balls", "--quick", "--data", "data", "-o", "again", "--threads", 3, check=0)
        again = self.folder / "again" / "tennis-balls"
        self.assertNotIn("(ours) the camera known, speeds and spins are found within 2 %, places within 2 mm", claims_of(again))
        self.assertNotIn("synthetic clip", (again / "report.md").read_text())
        theirs = rows(again / "searches.csv")
        self.assertEqual(len(theirs), 3)
        for mine, own in zip(searches, theirs):
            self.assertAlmostEqual(float(mine["least loss (px²)"]), float(own["least loss (px²)"]),
                                   delta=1e-6 * float(own["least loss (px²)"]))

    def test_what_is_wrong_with_the_users_files(self):
        def refused(camera=None, clip=None):
            for file, text in (("camera.toml", camera), ("tennis_balls.csv", clip)):
                (self.folder / file).unlink(missing_ok=True)
                if text is not None:
                    (self.folder / file).write_text(text)
            done = self.electret("reproduce", "tennis-balls", "--quick", "--data", ".", "-o", "out", check=2)
            self.assertFalse((self.folder / "out").exists())
            return done.stderr

        head = "time,marker,u,v,weight\n"
        self.assertIn("tennis_balls.csv:2:3: error: unknown marker \"ball\"", refused(clip=head + "0,ball,1,2,1\n"))
        self.assertIn("does not show both balls at 0 s", refused(clip=head + "0,left.ball,1,2,1\n"))
        self.assertIn("camera.toml:2:8: error: \"zoom\"", refused("[[camera]]\nzoom = -1\n"))
        self.assertIn("camera.toml: error: has 0 cameras", refused("[scene]\nname = \"none\"\n"))


if __name__ == "__main__":
    unittest.main(argv=[*sys.argv, "-v"])
