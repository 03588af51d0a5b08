#!/usr/bin/python3
"""`electret reproduce`: its list, its reports, and what it leaves alone."""

import csv
import re
import signal
import struct
import sys
import time
import unittest
import xml.etree.ElementTree

import numpy as np

from support import CommandTest

NAMES = ["ddef-error", "ddef-farfield", "field-runtime"]


def png_size(path):
    """Width and height, after checking that it is a whole PNG of 8-bit colours."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", path
    assert data[-8:-4] == b"IEND", path
    width, height, depth, colours = struct.unpack(">IIBB", data[16:26])
    assert (depth, colours) == (8, 2), path
    return width, height


def rows(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


class List(CommandTest):
    def test_without_a_name_it_lists(self):
        lines = self.electret("reproduce", check=0).stdout.splitlines()
        self.assertEqual([line.split()[0] for line in lines], NAMES)
        self.assertTrue(all("[MSC]" in line and len(line) < 120 for line in lines))
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_unknown_names(self):
        done = self.electret("reproduce", "ddef-eror", "nothing-like-it", check=2)
        self.assertIn('did you mean "ddef-error"', done.stderr)
        self.assertIn("nothing-like-it", done.stderr)
        self.assertIn("field-runtime", done.stderr)


class Quick(CommandTest):
    """A small run of each experiment leaves a whole report."""

    def run_quick(self, name):
        done = self.electret("reproduce", name, "--quick", "-o", "out", "--threads", 3)
        if done.returncode == 2 and "not available" in done.stderr:
            self.skipTest(done.stderr.strip())
        self.assertEqual(done.returncode, 0, done.stderr)
        folder = self.folder / "out" / name
        self.check_report(done.stdout, folder)
        return folder

    def check_report(self, printed, folder):
        report = (folder / "report.md").read_text()
        claims = re.findall(r"^\* (.+ — (?:(?:not )?reproduced|not measured) — .+)$", report, re.M)
        self.assertGreaterEqual(len(claims), 2)
        for claim in claims:
            self.assertIn(claim + "\n", printed)
        self.assertIn("## Settings", report)
        self.assertIn("small version", report)
        self.assertIn(", 3 thread(s), ", report)
        files = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()} - {"report.md"}
        linked = set(re.findall(r"^\* \[.+\]\((.+)\)$", report, re.M))
        self.assertEqual(linked, files)
        pictures = [name for name in files if name.endswith(".png")]
        self.assertTrue(pictures)
        for name in pictures:
            self.assertEqual(png_size(folder / name), (1920, 1200))
            self.assertGreater((folder / name).stat().st_size, 20_000, "an empty picture is smaller")
            self.assertLess((folder / name).stat().st_size, 1_000_000)
            self.assertIn(f"]({name})", report)
            root = xml.etree.ElementTree.parse(folder / name.replace(".png", ".svg")).getroot()
            self.assertTrue(root.tag.endswith("svg"))
        for name in files:
            if name.startswith("inputs/"):
                table = np.load(folder / name)
                self.assertEqual((table.ndim, table.dtype), (2, np.dtype("<f8")))
                self.assertTrue(np.isfinite(table).all())

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


class Folder(CommandTest):
    def test_an_earlier_report_is_replaced_and_nothing_else(self):
        report = self.folder / "out" / "field-runtime"
        report.mkdir(parents=True)
        (report / "notes.txt").write_text("mine")
        done = self.electret("reproduce", "field-runtime", "--quick", "-o", "out", check=2)
        self.assertIn("something else", done.stderr)
        self.assertEqual([path.name for path in report.iterdir()], ["notes.txt"])
        (report / "notes.txt").unlink()
        self.electret("reproduce", "field-runtime", "--quick", "-o", "out", check=0)
        (report / "times.csv").write_text("old")
        self.electret("reproduce", "field-runtime", "--quick", "-o", "out", check=0)
        self.assertNotEqual((report / "times.csv").read_text(), "old")
        self.assertEqual([path.name for path in (self.folder / "out").iterdir()], ["field-runtime"])

    def test_where_nothing_can_be_written_nothing_is_run(self):
        (self.folder / "file").write_text("mine")
        for place in ["/proc/zz", "/proc", "file", "file/deeper", "/dev/null"]:
            done = self.electret("reproduce", "field-runtime", "-o", place, check=2)  # in full it takes minutes
            self.assertIn(place.split("/deeper")[0], done.stderr)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["file"])

    def test_an_interruption_leaves_nothing(self):
        process = self.start("reproduce", "field-runtime", "-o", "out")
        time.sleep(1.0)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, said)
        self.assertIn("interrupted", said)
        self.assertFalse((self.folder / "out").exists())


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
