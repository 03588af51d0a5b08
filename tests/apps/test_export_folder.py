#!/usr/bin/python3
"""`electret export`: nothing but a whole export bears its name, one that was interrupted goes on to the same bytes,
large runs take little memory, and damaged ones are told."""

import hashlib
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time

import h5py
import numpy as np

from export_readers import read_pc2
from support import ELECTRET, SCENE, SECONDS, CommandTest, unittest, without_sanitizers

FORMATS = ("vtu", "vtp", "obj", "ply", "pc2", "mdd", "glb", "csv")
NOTE = ".electret-export.json"
SMALL = SCENE.replace("steps = 20", "steps = 1")


def contents(folder):
    """Each file's name, length and digest."""
    return {path.name: (path.stat().st_size, hashlib.blake2b(path.read_bytes()).hexdigest()) for path in folder.iterdir()
            if path.name != NOTE}


# A fresh process measures: what a child is said to have needed counts its parent's memory at the fork.
MEASURE = """
import os, subprocess, sys
process = subprocess.Popen(sys.argv[1:])
_, status, usage = os.wait4(process.pid, 0)
print(status, usage.ru_maxrss, file=sys.stderr)
"""


class Folder(CommandTest):
    def make_run(self, vertices, frames, name="run", seed=1):
        """A run whose later frames are random numbers; with seed None they are none, and take no room."""
        self.scene(SMALL.replace("vertices = 60", f"vertices = {vertices}").replace("charge = 1e-6\n", "charge = 0.0\n"))
        self.electret("run", "scene.toml", "-o", name, "--overwrite", check=0)
        with h5py.File(self.folder / name / "trajectory.h5", "r+") as file:
            for dataset in ("time", "positions", "velocities"):
                file[dataset].resize(frames, axis=0)
            file["time"][:] = 0.01 * np.arange(frames)
            if seed is not None:
                random = np.random.default_rng(seed)
                for frame in range(2, frames):
                    file["positions"][frame] = random.normal(size=file["positions"].shape[1:])
                    file["velocities"][frame] = random.normal(size=file["positions"].shape[1:])

    def part_way(self, form, options=(), end=signal.SIGKILL):
        """Interrupts an export when some of its frames are noted; returns how many, and what it said. One that is
        whole before it can be interrupted is taken away, and another one tried."""
        for _ in range(30):
            process = self.start("export", "run", "--to", form, "-o", "out", *options)
            os.setpriority(os.PRIO_PROCESS, process.pid, 10)
            note, frames = self.folder / "out.part" / ".electret-export.json", 0
            while frames == 0 and process.poll() is None:
                time.sleep(0.01)
                try:
                    noted = json.loads(note.read_text())
                    frames = 0 if noted["done"] else noted["frames"]
                except FileNotFoundError:  # Not yet, or, as all is written, no longer.
                    pass
            process.send_signal(end)
            said = process.communicate()[1]
            if not (self.folder / "out").exists():
                return frames, said, process.returncode
            shutil.rmtree(self.folder / "out")
        self.fail(f"{form}: it was always whole before it could be interrupted")

    def check_resumed(self, form, end=signal.SIGKILL):
        self.make_run(2000, 1200)
        self.electret("export", "run", "--to", form, "-o", "whole", check=0)
        frames, said, status = self.part_way(form, end=end)
        self.assertTrue(0 < frames < 1200)
        refused = self.electret("export", "run", "--to", form, "-o", "out", check=2).stderr
        self.assertIn('out.part" holds an unfinished export; --resume goes on with it, --overwrite starts afresh', refused)
        other = "pc2" if form != "pc2" else "mdd"
        refused = self.electret("export", "run", "--to", other, "-o", "out", "--resume", check=2).stderr
        self.assertIn("holds an unfinished export of something else", refused)
        told = self.electret("export", "run", "--to", form, "-o", "out", "--resume", check=0).stderr
        self.assertRegex(told, r"going on behind \d+ of 1200 frames")
        self.assertEqual(contents(self.folder / "out"), contents(self.folder / "whole"))
        self.assertFalse((self.folder / "out.part").exists())
        return said, status

    def test_a_killed_table_goes_on_to_the_same_bytes(self):
        self.check_resumed("csv")

    def test_a_series_of_files_goes_on_after_ctrl_c(self):
        said, status = self.check_resumed("obj", signal.SIGINT)
        self.assertEqual(status, 130)
        self.assertIn("interrupted; out was not written; the same command with --resume goes on", said)

    def check_full_disk(self, form):
        """Every format, stopped by a limit of the files' length wherever it falls, goes on to the same bytes."""
        self.electret("export", "run", "--to", form, "-o", f"whole_{form}", check=0)
        longest = max(size for size, _ in contents(self.folder / f"whole_{form}").values())
        limit = int(0.6 * longest)
        failed = self.electret("export", "run", "--to", form, "-o", f"out_{form}", check=1,
                               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        self.assertIn("cannot write", failed.stderr)
        self.assertFalse((self.folder / f"out_{form}").exists())
        self.electret("export", "run", "--to", form, "-o", f"out_{form}", "--resume", check=0)
        self.assertEqual(contents(self.folder / f"out_{form}"), contents(self.folder / f"whole_{form}"))

    def test_a_full_disk_leaves_nothing_under_the_final_name(self):
        self.make_run(60, 40)
        for form in FORMATS:
            with self.subTest(form):
                self.check_full_disk(form)

    def test_caches_go_on_from_every_note(self):
        """As a kill at any frame would leave them: files longer than the note says, their ends wrong."""
        self.make_run(60, 40)
        for form in ("pc2", "mdd", "glb", "csv"):
            self.make_note_at(form, 17)
            self.electret("export", "run", "--to", form, "-o", f"{form}_out", "--resume", check=0)
            self.assertEqual(contents(self.folder / f"{form}_out"), contents(self.folder / f"{form}_whole"), form)
            for folder in (f"{form}_out", f"{form}_whole"):
                self.assertEqual(json.loads((self.folder / folder / NOTE).read_text())["frames"], 40, folder)

    def make_note_at(self, form, frames):
        """An unfinished export of that many frames, followed by noise."""
        whole = self.folder / f"{form}_whole"
        self.electret("export", "run", "--to", form, "-o", whole.name, check=0)
        limit = 100
        self.electret("export", "run", "--to", form, "-o", f"{form}_out", check=1,
                      preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        self.assertFalse((self.folder / f"{form}_out.part").exists(), "nothing of worth stays")
        frame_bytes = {"pc2": 720, "mdd": 720, "glb": 720}
        data = (whole / f"ball.{form}").read_bytes()
        if form == "csv":
            length = data.index(f"\n{frames},".encode()) + 1
        else:
            length = len(data) - (40 - frames) * frame_bytes[form]
        part = self.folder / f"{form}_out.part"
        part.mkdir()
        begun = data[:length]
        if form == "glb":  # The text comes last.
            size = int.from_bytes(data[12:16], "little")
            begun = data[:20] + b" " * size + data[20 + size:length]
        (part / f"ball.{form}").write_bytes(begun + b"noise" * 1000)
        trajectory = self.folder / "run" / "trajectory.h5"
        of = {"bytes": trajectory.stat().st_size, "every": 1, "format": form, "frames": 40,
              "trajectory": str(trajectory.resolve()), "version": self.electret("--version").stdout.split()[1]}
        note = {"frames": frames, "lengths": {f"ball.{form}": length}, "of": json.dumps(of)}
        (part / ".electret-export.json").write_text(json.dumps(note))
        told = self.electret("export", "run", "--to", form, "-o", f"{form}_out", "--resume", check=2).stderr
        self.assertIn("the run has changed since", told)  # Its time is not in our note.
        of["changed"] = trajectory.stat().st_mtime_ns - int(6437664000e9)  # std::filesystem counts from 2174.
        note["of"] = json.dumps(of, sort_keys=True, separators=(",", ":"))
        (part / ".electret-export.json").write_text(json.dumps(note))

    def test_frames_that_were_lost_are_told(self):
        """As a loss of power may leave them: a file of a noted frame is empty, or gone."""
        for form, lose in (("ply", lambda path: path.write_bytes(b"")), ("obj", lambda path: path.unlink())):
            with self.subTest(form):
                self.make_run(3000, 1200)
                self.part_way(form)
                lost = sorted((self.folder / "out.part").glob(f"*.{form}"))[1]
                lose(lost)
                told = self.electret("export", "run", "--to", form, "-o", "out", "--resume", check=2).stderr
                self.assertIn(f'whose "{lost.name}" is damaged; --overwrite starts afresh', told)
                self.assertFalse((self.folder / "out").exists())
                self.electret("export", "run", "--to", form, "-o", "out", "--overwrite", check=0)
                self.assertEqual(len(list((self.folder / "out").glob(f"*.{form}"))), 1200)
                shutil.rmtree(self.folder / "out")

    def test_an_export_is_replaced_by_one_of_the_same_run_and_format(self):
        self.make_run(60, 5)
        self.electret("export", "run", "--to", "obj", "-o", "out", check=0)
        (self.folder / "out" / "notes.txt").write_text("mine")
        (self.folder / "out" / "scenes").mkdir()
        (self.folder / "out" / "scenes" / "a.blend").write_text("mine")
        self.make_run(60, 3, seed=2)
        for option in ((), ("--overwrite",)):
            said = self.electret("export", "run", "--to", "obj", "-o", "out", *option, check=0).stdout
            self.assertEqual(said, "4 files in out\n")
            self.electret("export", "run", "--to", "obj", "-o", f"new{len(option)}", check=0)
            (self.folder / "out" / "scenes").rename(self.folder / "scenes")
            found = contents(self.folder / "out")
            (self.folder / "scenes").rename(self.folder / "out" / "scenes")
            del found["notes.txt"]
            self.assertEqual(found, contents(self.folder / f"new{len(option)}"))
        self.assertFalse((self.folder / "out.part").exists())

    def test_an_export_of_another_run_or_format_is_not_replaced(self):
        self.make_run(60, 3)
        self.make_run(60, 4, name="other")
        self.electret("export", "run", "--to", "obj", "-o", "out", check=0)
        before = contents(self.folder / "out")
        for option in ((), ("--overwrite",), ("--resume",)):
            told = self.electret("export", "other", "--to", "obj", "-o", "out", *option, check=2).stderr
            self.assertRegex(told, r'out" holds an export of another run, ".*run/trajectory.h5"; give another folder')
        told = self.electret("export", "run", "--to", "pc2", "-o", "out", check=2).stderr
        self.assertIn('out" holds an export to obj; --overwrite replaces it, another folder (-o) leaves it alone', told)
        self.assertEqual(contents(self.folder / "out"), before)
        self.electret("export", "run", "--to", "pc2", "-o", "out", "--overwrite", check=0)
        self.assertEqual(set(contents(self.folder / "out")), {"ball.pc2", "ball.json"})

    def test_a_complete_export_is_not_resumed(self):
        self.make_run(60, 3)
        self.electret("export", "run", "--to", "csv", "-o", "out", check=0)
        before = contents(self.folder / "out")
        done = self.electret("export", "run", "--to", "csv", "-o", "out", "--resume", check=0)
        self.assertIn("the export is complete already; nothing was left to do", done.stderr)
        self.assertEqual(done.stdout, "2 files in out\n")
        told = self.electret("export", "run", "--to", "csv", "-o", "out", "--every", 2, "--resume", check=2).stderr
        self.assertIn('out" holds a complete export that is not this one', told)
        self.assertEqual(contents(self.folder / "out"), before)
        os.truncate(self.folder / "out" / "ball.csv", 10)
        told = self.electret("export", "run", "--to", "csv", "-o", "out", "--resume", check=2).stderr
        self.assertIn('whose "ball.csv" is damaged; --overwrite starts afresh', told)

    def test_a_kill_at_the_first_note_leaves_nothing_in_the_way(self):
        self.make_run(60, 3)
        for number, options in enumerate(((), ("--resume",), ("--overwrite",))):
            part = self.folder / f"out{number}.part"
            part.mkdir()
            (part / f"{NOTE}.{number + 1}-0.part").write_text("{")
            self.electret("export", "run", "--to", "csv", "-o", f"out{number}", *options, check=0)
            self.assertEqual({path.name for path in (self.folder / f"out{number}").iterdir()}, {NOTE, "ball.csv", "ball.json"})
            self.assertFalse(part.exists())

    def test_an_unfinished_export_without_a_frame_is_in_nobodys_way(self):
        self.make_run(60, 3)
        part = self.folder / "out.part"
        for options in ((), ("--resume",)):
            part.mkdir()
            (part / NOTE).write_text(json.dumps({"of": "anything", "frames": 0, "lengths": {}}))
            (part / "ball.csv").write_text("frame,time,ver")
            told = self.electret("export", "run", "--to", "csv", "-o", "out", *options, check=0).stderr
            self.assertEqual("the unfinished export has no frame yet: starting afresh" in told, bool(options))
            self.assertEqual(set(contents(self.folder / "out")), {"ball.csv", "ball.json"})
            shutil.rmtree(self.folder / "out")

    def test_resume_without_anything_starts_afresh(self):
        self.make_run(60, 5)
        told = self.electret("export", "run", "--to", "pc2", "-o", "out", "--resume", check=0).stderr
        self.assertIn("there is no unfinished export: starting afresh", told)

    def test_overwrite_starts_afresh(self):
        self.make_run(2000, 1200)
        self.part_way("csv")
        self.electret("export", "run", "--to", "pc2", "-o", "out", "--overwrite", check=0)
        self.assertEqual(set(contents(self.folder / "out")), {"ball.pc2", "ball.json"})

    def test_a_folder_of_somebody_else_is_left_alone(self):
        self.make_run(60, 5)
        (self.folder / "out.part").mkdir()
        (self.folder / "out.part" / "thesis.txt").write_text("mine")
        for option in ((), ("--resume",), ("--overwrite",)):
            told = self.electret("export", "run", "--to", "pc2", "-o", "out", *option, check=2).stderr
            self.assertIn('out.part" is there and is no unfinished export', told)
        self.assertEqual([path.name for path in (self.folder / "out.part").iterdir()], ["thesis.txt"])

    def test_places(self):
        self.make_run(60, 5)
        for place in ("a/b/out", "slash/", "./a/../plain"):
            self.electret("export", "run", "--to", "pc2", "-o", place, check=0)
            self.assertTrue((self.folder / place / "ball.pc2").exists())
        (self.folder / "file").write_text("")
        self.assertIn("is no folder", self.electret("export", "run", "--to", "pc2", "-o", "file", check=2).stderr)

    def test_every(self):
        self.make_run(60, 11)
        self.electret("export", "run", "--to", "pc2", "-o", "all", check=0)
        self.electret("export", "run", "--to", "pc2", "-o", "some", "--every", 4, check=0)
        np.testing.assert_array_equal(read_pc2(self.folder / "some" / "ball.pc2"), read_pc2(self.folder / "all" / "ball.pc2")[::4])
        self.electret("export", "run", "--to", "pc2", "-o", "none", "--every", 0, check=2)

    @without_sanitizers
    def test_a_long_run_takes_little_memory(self):
        """240 MB of positions."""
        self.make_run(20000, 500, seed=None)
        for form in ("pc2", "glb"):
            done = subprocess.run([sys.executable, "-c", MEASURE, os.path.abspath(ELECTRET), "export", "run", "--to", form,
                                   "-o", form], cwd=self.folder, text=True, capture_output=True, timeout=SECONDS)
            status, peak = map(int, done.stderr.split())
            self.assertEqual(status, 0)
            self.assertGreater((self.folder / form / f"ball.{form}").stat().st_size, 119e6)
            self.assertLess(peak, 60e3)  # kB

    def test_a_glb_beyond_its_format_is_refused(self):
        self.make_run(20000, 20000, seed=None)
        told = self.electret("export", "run", "--to", "glb", "-o", "out", check=2).stderr
        self.assertRegex(told, r'"ball.glb" would have \d+ bytes; the format takes 4294967295: fewer frames \(--every\)')
        self.assertFalse((self.folder / "out.part").exists())

    def test_a_damaged_trajectory_is_bad_input(self):
        self.make_run(60, 5)
        self.electret("run", "scene.toml", "-o", "other", check=0)
        path = self.folder / "run" / "trajectory.h5"
        os.truncate(path, path.stat().st_size // 2)
        for command in (("export", "run", "--to", "pc2", "-o", "out"), ("render", "run", "-o", "pictures"),
                        ("compare", "run", "other"), ("compare", "other", "run"), ("info", "run")):
            told = self.electret(*command, check=2).stderr
            self.assertIn("trajectory.h5 is not a readable HDF5 file; give the directory of a run whose", told)
        path.unlink()
        self.assertIn("there is no file", self.electret("export", "run", "--to", "pc2", "-o", "out", check=2).stderr)
        self.assertFalse((self.folder / "out").exists())


if __name__ == "__main__":
    unittest.main()
