#!/usr/bin/python3
"""`electret sweep` in a folder that somebody has damaged, and what it says of runs without a result."""

import shutil
import unittest

import h5py

from sweep_support import JOB, SweepTest


class SweepDamage(SweepTest):
    def parts(self, folder="s"):
        return sorted((self.folder / folder / "parts").glob("*.h5"))

    def test_a_merge_keeps_results_whose_parts_are_gone(self):
        for runs in ["0-7", "8-19"]:
            self.sweep("s", "--runs", runs)
        self.sweep("s")
        merged = {name: (self.folder / "s" / name).read_bytes() for name in ("sweep.h5", "runs.csv", "summary.json", "sweep.svg")}
        gone = self.parts()[0]
        self.assertTrue(gone.name.startswith("0-7."))
        gone.unlink()
        errors = self.electret("sweep", "s", "--merge", check=2).stderr
        self.assertIn(f"s/sweep.h5: error: it has results of 8 runs that the parts no longer have: 0-7, from {gone.name}; ", errors)
        self.assertIn("move sweep.h5 away", errors)
        for name, bytes in merged.items():
            self.assertEqual((self.folder / "s" / name).read_bytes(), bytes, name)
        # As the message says: without them, or by doing them again.
        shutil.copytree(self.folder / "s", self.folder / "t")
        (self.folder / "t" / "sweep.h5").rename(self.folder / "earlier.h5")
        self.electret("sweep", "t", "--merge", check=1)
        self.assertEqual(list(self.results("t")["run"]), list(range(8, 20)))
        with h5py.File(self.folder / "s" / "sweep.h5", "r+") as file:
            del file["parts"]
        self.assertIn("no longer have: 0-7; bring", self.electret("sweep", "s", "--merge", check=2).stderr)
        self.sweep("s")
        self.assertEqual((self.folder / "s" / "runs.csv").read_bytes(), merged["runs.csv"])

    def test_a_sweep_that_ends_early_keeps_them_too(self):
        self.sweep("s")
        results = (self.folder / "s" / "sweep.h5").read_bytes()
        for part in self.parts():
            part.unlink()
        # [limits] may change while a sweep goes on.
        (self.folder / "job.toml").write_text(JOB + "[limits]\ncpu_hours = 0.0000001\n")
        errors = self.sweep("s", "--workers", 1, "--block", 1, check=1).stderr
        self.assertIn("that the parts no longer have", errors)
        self.assertIn("cpu_hours", errors.splitlines()[-1])
        self.assertEqual((self.folder / "s" / "sweep.h5").read_bytes(), results)

    def test_a_damaged_part_is_named(self):
        for runs in ["0-7", "8-19"]:
            self.sweep("s", "--runs", runs)
        part = self.parts()[0]
        part.write_bytes(part.read_bytes()[:3000])
        said = f"s/parts/{part.name}: error: it is not a readable HDF5 file; its runs are done again when the sweep goes on\n"
        for what in ["--status", "--merge"]:
            done = self.electret("sweep", "s", what, check=1)
            self.assertEqual(done.stderr, said, what)
            self.assertIn("missing      8", done.stdout)
        self.assertEqual(list(self.results("s")["run"]), list(range(8, 20)), "the rest counts")
        self.sweep("s")
        self.sweep("whole")
        self.assertEqual(self.digest("s"), self.digest("whole"))

    def test_a_damaged_design_is_refused(self):
        self.sweep("s")
        design = self.folder / "s" / "design.csv"
        text = design.read_text()
        lines = text.splitlines(keepends=True)
        ways = {"": "s/design.csv: error: it is empty", "\n": "s/design.csv: error: it is empty", "a,b\n": 's/design.csv:1:1: error: the first column is not "run"',
                "".join(lines[:4]): "s/design.csv: error: it has 3 runs, and the sweep began with 20", lines[0]: "s/design.csv: error: it has 0 runs",
                lines[0] + "".join(lines[2:]): "s/design.csv:2:1: error: the row is not that of run 0"}
        for damaged, said in ways.items():
            design.write_text(damaged)
            for more in [["--status"], ["--merge"], ["--runs", "0"], ["--show", "1"]]:
                self.assertIn(said, self.electret("sweep", "s", *more, check=2).stderr, more)
        # What is only cut short is written again by the job; any other table comes from another folder.
        design.write_text("".join(lines[:4]))
        self.sweep("s")
        self.assertEqual(design.read_text(), text)
        self.sweep("other", "--list")
        self.assertEqual((self.folder / "other" / "design.csv").read_text(), text)

    def test_a_task_says_how_its_runs_ended(self):
        (self.folder / "job.toml").write_text(
            "[sweep]\nscene = 'scene.toml'\n[[vary]]\nkey = 'time.steps'\nvalues = [10, 3, 20]\n[keep]\nframes = 4\n")
        self.assertEqual(self.sweep("s", "--runs", "0").stdout, "runs 0: 1 done here; 1 of 1 have a result\n")
        out = self.sweep("s", "--runs", "1", check=1).stdout
        self.assertRegex(out, r"^runs 1: 1 refused here; 0 of 1 have a result\n  run 1: refused: .*the run has 3 steps.*\n$")
        cause = out.splitlines(keepends=True)[1]
        for said in ["1 done here; 2 of 3", "none done here; 2 of 3"]:
            self.assertEqual(self.sweep("s", "--runs", "0-2", check=1).stdout, f"runs 0-2: {said} have a result\n{cause}")
        self.sweep("t", "--runs", "2")
        self.assertEqual(self.sweep("t", "--runs", "0-2", check=1).stdout, f"runs 0-2: 1 done, 1 refused here; 2 of 3 have a result\n{cause}")

    def test_runs_that_there_are_not_touch_nothing(self):
        self.sweep("s", "--runs", "0-5")
        before = {path: path.read_bytes() for path in (self.folder / "s").rglob("*") if path.is_file()}
        for more in [[], ["--overwrite"]]:
            self.assertIn("allowed: numbers from 0 to 19", self.sweep("s", "--runs", "3,20", *more, check=2).stderr)
        self.assertEqual(before, {path: path.read_bytes() for path in (self.folder / "s").rglob("*") if path.is_file()})
        self.sweep("new", "--runs", "20", check=2)
        self.assertFalse((self.folder / "new").exists())
        self.assertIn("allowed: numbers from 0 to 19", self.electret("sweep", "s", "--runs", "20", check=2).stderr)

    def test_a_name_may_begin_with_a_dash(self):
        self.assertIn("results in ./-s: ", self.sweep("-s").stdout)
        for words in [["./-s", "--status"], ["--status", "--", "-s"], ["job.toml", "-o", "-s", "--status"]]:
            self.assertIn("done         20", self.electret("sweep", *words, check=0).stdout)
        errors = self.electret("sweep", "-s", "--status", check=2).stderr
        self.assertIn('there is no option "-s"; if that is a file or folder, write "./-s"', errors)
        self.assertIn('write "./-scene.toml"', self.electret("run", "-scene.toml", check=2).stderr)


if __name__ == "__main__":
    unittest.main()
