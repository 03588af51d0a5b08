#!/usr/bin/python3
"""`electret reproduce soft-starfish --data`: recordings in the published form, read again by numpy, and what is wrong with others.

The body is a bar, and the recording is made up: its markers go to +x while the tendon is pulled."""

import math
import re
import sys

import h5py
import numpy as np

from report import ReportTest, claims_of, rows

BELOW = "a fit to real markers ends below the best of four random materials"
RECORDING = "data_horizontal_cyclic2.csv"
HEADER = "Time (ms),Tendon Contraction (mm),M1 X (mm),M1Y,M2 X,M2 Y,M3 X,M3Y,M4X,M4Y"
HEIGHTS = (-0.07, -0.04, 0.0362, 0.0632)
WEIGHTS = (10, 1, 1, 10)
FIRST = 4  # Rows before: two without a contraction, two whose contraction is still the first.


def bar():
    """A closed surface between x = -17.5 mm and the flat side at 0, 150 mm along z."""
    corners = [(x, y, z) for x in (-0.0175, 0) for y in (-0.0075, 0.0075) for z in (-0.075, 0.075)]
    faces = [(1, 2, 4, 3), (5, 7, 8, 6), (1, 5, 6, 2), (3, 4, 8, 7), (1, 3, 7, 5), (2, 6, 8, 4)]
    lines = ["v {} {} {}".format(*x) for x in corners] + ["f {} {} {} {}".format(*face) for face in faces]
    return "\n".join(lines) + "\n"


def recorded_rows():
    """Time (ms), contraction (mm) and eight coordinates (mm) of each row."""
    table = []
    for k in range(20):
        pulled = 0.5 if k < FIRST else 8 + 6 * math.sin(0.9 * (k - FIRST))
        moved = 0.0 if k < FIRST else 0.6 * (k - FIRST)
        contraction = math.nan if k in (0, 1, 19) else pulled
        places = []
        for m, height in enumerate(HEIGHTS):
            bent = moved * (height / 0.07) ** 2
            places += [300 + m + bent, 100 - 1e3 * height + 0.1 * moved * math.copysign(1, height)]
        table.append([5 + 50 / 3 * k, contraction, *places])
    return table


def csv_of(table, header=HEADER):
    cell = lambda value: "NaN" if math.isnan(value) else f"{value:.6f}"
    return "\r\n".join([header, *(",".join(map(cell, row)) for row in table)])


class RecordedStarfish(ReportTest):
    def test_a_recording(self):
        (self.folder / "starfish_half.obj").write_text(bar())
        (self.folder / RECORDING).write_text(csv_of(recorded_rows()))
        folder = self.run_quick("soft-starfish", data=".")
        self.assertEqual(claims_of(folder)[BELOW][0], "reproduced")
        self.assertNotIn("synthetic", (folder / "report.md").read_text())
        self.assertEqual([row["recording"] for row in rows(folder / "recordings.csv")], [RECORDING])
        self.assertEqual(int(rows(folder / "recordings.csv")[0]["rows that count"]), 15)

        # The draws are NumPy's, and the best of them is the start.
        random = np.random.RandomState(42)
        lows, highs = np.log([1e4, 0.2]), np.log([5e6, 0.45])
        draws = rows(folder / "draws.csv")
        for row in draws:
            drawn = [math.exp(random.uniform(low, high)) for low, high in zip(lows, highs)]
            np.testing.assert_allclose([float(row["E (Pa)"]), float(row["ν"])], drawn, rtol=1e-12)
        found = {row["material"]: row for row in rows(folder / "found.csv")}
        best = min(draws, key=lambda row: float(row["loss (m²)"]))
        path = rows(folder / "evaluations.csv")
        self.assertEqual([path[0]["youngs_modulus"], path[0]["poissons_ratio"]], [best["E (Pa)"], best["ν"]])
        self.assertEqual(float(found["best of four draws"]["loss (m²)"]), float(best["loss (m²)"]))

        # The command's run with the found material is as far from the recording as the report says.
        last = min(path, key=lambda row: float(row["loss"]))
        loss, distances = self.distances(folder, last)
        self.assertAlmostEqual(float(found["found"]["loss (m²)"]), loss, delta=1e-6 * loss)
        self.assertAlmostEqual(float(found["found"]["mean distance (mm)"]), distances.mean(), delta=1e-4)
        self.assertAlmostEqual(float(found["found"]["largest distance (mm)"]), distances.max(), delta=1e-4)

    def distances(self, folder, material):
        scene = RECORDING.replace(".csv", ".toml")
        self.electret("run", f"inputs/{scene}", "-o", "again", "--set",
                      f"body.0.material.0.youngs_modulus={material['youngs_modulus']}", "--set",
                      f"body.0.material.0.poissons_ratio={material['poissons_ratio']}", where=folder, check=0)
        with h5py.File(folder / "again" / "trajectory.h5") as run:
            positions = run["positions"][::5]
        rest = positions[0]
        seen = np.array(recorded_rows())[FIRST:FIRST + len(positions), 2:].reshape(-1, 4, 2)
        off = []
        for m, height in enumerate(HEIGHTS):
            near = [v for v, x in enumerate(rest) if abs(x[0]) <= 1e-3 and abs(x[2] - height) <= 5e-3]
            moved = positions[:, min(near, key=lambda v: rest[v][1])] - rest[min(near, key=lambda v: rest[v][1])]
            wanted = 1e-3 * (seen[:, m] - seen[0, m])
            off.append(np.stack([moved[1:, 0] - wanted[1:, 0], moved[1:, 2] + wanted[1:, 1]], axis=-1))
        squares = (np.array(off) ** 2).sum(axis=-1)
        return (np.array(WEIGHTS)[:, None] * squares).mean(), 1e3 * np.sqrt(squares)

    def test_what_is_wrong_with_the_files(self):
        def refused(text, body=bar()):
            (self.folder / RECORDING).write_text(text)
            (self.folder / "starfish_half.obj").unlink(missing_ok=True)
            if body is not None:
                (self.folder / "starfish_half.obj").write_text(body)
            done = self.electret("reproduce", "soft-starfish", "--quick", "--data", ".", "-o", "out", check=2)
            self.assertFalse((self.folder / "out").exists())
            return done.stderr

        good = recorded_rows()
        self.assertIn(f".: error: has {RECORDING}, but no starfish_half.obj", refused(csv_of(good), None))
        self.assertIn("starfish_half.obj: error: is not half a starfish", refused(csv_of(good), bar().replace("0.075", "0.03")))
        self.assertIn(f"{RECORDING}:1:1: error: the columns are not those of a recording",
                      refused(csv_of(good, HEADER.replace("M1Y", "M5Y"))))
        self.assertIn("has 3 rows from that on in which the tendon begins to pull", refused(csv_of(good[:FIRST + 3])))
        lines = csv_of(good).split("\r\n")

        def with_cell(line, column, text):
            cells = lines[line - 1].split(",")
            place = len(",".join(cells[:column])) + 2
            cells[column] = text
            changed = [*lines[:line - 1], ",".join(cells), *lines[line:]]
            return f"{RECORDING}:{line}:{place}: error:", refused("\n".join(changed))

        for line, column, text, message in [(8, 3, "abc", '"abc" is not a number'), (9, 4, "NaN", "is not finite"),
                                            (10, 1, "65", "the tendon is not as long"), (11, 5, "", "an empty value")]:
            place, said = with_cell(line, column, text)
            self.assertRegex(said, re.escape(place) + ".*" + re.escape(message))
        later = [row if k < 10 else [row[0] + 9, *row[1:]] for k, row in enumerate(good)]
        self.assertRegex(refused(csv_of(later)), re.escape(f"{RECORDING}:12:1: error: is 25.6") + ".* after the row before it")


if __name__ == "__main__":
    import unittest

    unittest.main(argv=[*sys.argv, "-v"])
