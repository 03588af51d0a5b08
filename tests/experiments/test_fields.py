#!/usr/bin/python3
"""`electret reproduce`: the experiments that evaluate fields."""

import re
import sys
import unittest

import numpy as np

from report import ReportTest, rows


class Fields(ReportTest):
    """Those that evaluate fields."""

    def test_ddef_error(self):
        folder = self.run_quick("ddef-error")
        table = rows(folder / "errors.csv")
        self.assertEqual(len(table), 7 * 2 * 3, "curves (one random, twice three meshes) × n × m")
        for row in table:
            self.assertLess(0, float(row["mean"]))
            self.assertLessEqual(float(row["mean"]), float(row["worst"]))
        self.assertLess(np.mean([float(row["mean"]) for row in table]), 0.3)

    def test_ddef_farfield(self):
        folder = self.run_quick("ddef-farfield")
        table = rows(folder / "errors.csv")
        self.assertEqual(len(table), 4 * 3 * 2, "meshes × m × with and without")
        for mesh in {row["mesh"] for row in table}:
            for m in {row["m"] for row in table}:
                with_far, without = (next(float(row["mean"]) for row in table if row["mesh"] == mesh and
                                          row["m"] == m and row["far_field"] == kind) for kind in ["ddef", "ignored"])
                self.assertLess(2 * with_far, without)

    def test_field_runtime(self):
        folder = self.run_quick("field-runtime")
        table = rows(folder / "times.csv")
        self.assertEqual({row["charges"] for row in table}, {"torus", "cube"})
        self.assertGreaterEqual({row["solver"] for row in table}, {"direct, float64", "direct, 1e-3"})
        self.assertTrue(all(0 < float(row["fastest"]) <= float(row["seconds"]) < 60 for row in table))
        for row in table:
            asked = re.search(r"1e-\d", row["solver"])
            limit = float(asked.group()) if asked else 1e-9 if "float64" in row["solver"] else 0.5
            self.assertLess(float(row["relative_l2"]), limit, row)
        # The quick sizes end below the n that the claim is about.
        report = (folder / "report.md").read_text()
        self.assertEqual(report.count(" — not measured — the largest n of this run is 3000\n"), 2)

    def test_the_commands_of_a_report_work(self):
        folder = self.run_quick("field-runtime")
        commands = re.search(r"```sh\n(.+)```", (folder / "report.md").read_text(), re.S).group(1).splitlines()
        for command in commands:
            program, *arguments = command.split()
            self.assertEqual(program, "electret")
            done = self.electret(*arguments, where=folder)
            if done.returncode == 2 and "not available" in done.stderr:
                self.skipTest(done.stderr.strip())
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("true error on", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=[*sys.argv, "-v"])
