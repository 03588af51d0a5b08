"""What the tests of `electret reproduce` share: a run of a small version, and its report's form, tables and verdicts."""

import csv
import re
import struct
import tomllib
import xml.etree.ElementTree

import numpy as np

from support import CommandTest


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


def claims_of(folder):
    """The verdict and the figure of each claim."""
    lines = re.findall(r"^\* (.+) — ((?:not )?reproduced|not measured) — (.+)$", (folder / "report.md").read_text(), re.M)
    return {text: (verdict, figure) for text, verdict, figure in lines}


def motion_of(table, **keys):
    """The rows of a method and step as arrays of floats, a column each."""
    chosen = [row for row in table if all(row[key] == value if isinstance(value, str) else float(row[key]) == value
                                          for key, value in keys.items())]
    numbers = [name for name in chosen[0] if name not in ("method", "body")]
    return {name: np.array([float(row[name]) for row in chosen]) for name in numbers}


class ReportTest(CommandTest):
    """A small run of an experiment leaves a whole report."""

    def run_quick(self, name, data=None, **options):
        given = [] if data is None else ["--data", data]
        done = self.electret("reproduce", name, "--quick", *given, "-o", "out", "--threads", 3, **options)
        if done.returncode == 2 and "not available" in done.stderr:
            self.skipTest(done.stderr.strip())
        self.assertEqual(done.returncode, 0, done.stderr)
        folder = self.folder / "out" / name
        self.check_report(done.stdout, folder)
        return folder

    def check_report(self, printed, folder):
        report = (folder / "report.md").read_text()
        claims = re.findall(r"^\* (.+ — (?:(?:not )?reproduced|not measured) — .+)$", report, re.M)
        self.assertTrue(claims)
        for claim in claims:
            self.assertIn(claim + "\n", printed)
        self.assertIn("## Settings", report)
        tables = re.findall(r"^\|(.+\|\n\|)( --- \|)+\n((?:\|.+\n)+)", report, re.M)
        self.assertTrue(tables)
        for head, _, body in tables:
            cells = len(re.findall(r"(?<!\\)\|", head)) - 1
            for line in body.splitlines():
                self.assertEqual(len(re.findall(r"(?<!\\)\|", line)) - 1, cells, line)
        self.assertIn("small version", report)
        self.assertIn(", 3 thread(s), ", report)
        files = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()} - {"report.md"}
        linked = set(re.findall(r"^\* \[.+\]\((.+)\)$", report, re.M))
        self.assertEqual(linked, files)
        pictures = [name for name in files if name.endswith(".png")]
        self.assertTrue(pictures)
        for name in pictures:
            width, height = png_size(folder / name)
            self.assertEqual(width, 1920)
            self.assertTrue(height > 400 if "strip" in name else height == 1200, name)
            self.assertGreater((folder / name).stat().st_size, 20_000, "an empty picture is smaller")
            self.assertLess((folder / name).stat().st_size, 1_500_000)
            self.assertIn(f"]({name})", report)
            root = xml.etree.ElementTree.parse(folder / name.replace(".png", ".svg")).getroot()
            self.assertTrue(root.tag.endswith("svg"))
        for name in files:
            if name.startswith("inputs/") and name.endswith(".toml"):
                is_job = "sweep" in tomllib.loads((folder / name).read_text())
                self.electret(*(["sweep", name, "--check"] if is_job else ["check", name]), where=folder, check=0)
            elif name.endswith(".npy"):
                table = np.load(folder / name)
                self.assertEqual((table.ndim, table.dtype), (2, np.dtype("<f8")))
                self.assertTrue(np.isfinite(table).all())
