#!/usr/bin/python3
"""`electret render`: pictures of runs, and what is said of wrong wishes."""

import pathlib
import struct
import unittest

import h5py
import numpy
from support import SCENE, CommandTest


def size_of(png):
    data = pathlib.Path(png).read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n" and data[-8:-4] == b"IEND", png
    return struct.unpack(">II", data[16:24])


class Render(CommandTest):
    def setUp(self):
        super().setUp()
        (self.folder / "scene.toml").write_text(SCENE)
        self.electret("run", "scene.toml", "-o", "run", check=0)

    def names(self, folder):
        return sorted(path.name for path in (self.folder / folder).iterdir())

    def test_six_frames_and_a_strip_without_further_wishes(self):
        done = self.electret("render", "run", "--size", "96x64", check=0)
        self.assertEqual(done.stdout, "run/pictures\n")
        self.assertEqual(self.names("run/pictures"), [f"frame_{k:04}.png" for k in (0, 4, 8, 12, 16, 20)] + ["strip.png"])
        self.assertEqual(size_of(self.folder / "run/pictures/frame_0008.png"), (96, 64))
        # The run is still one, and may be replaced.
        self.electret("info", "run", check=0)
        self.electret("run", "scene.toml", "-o", "run", check=0)

    def test_frames_times_and_ranges(self):
        small = ["--size", "32x32", "-o", "out"]
        for wish, frames in [(["--frames", "1:3:9223372036854775807"], [1]), (["--frames", "3, last"], [3, 20]), (["--frames", "0:last:10"], [0, 10, 20]),
                             (["--times", "0.05,0.1"], [5, 10]), (["--frames", "2,2,2"], [2])]:
            self.electret("render", "run", *small, *wish, check=0)
            self.assertEqual(self.names("out"), [f"frame_{k:04}.png" for k in frames], wish)
            for name in self.names("out"):
                (self.folder / "out" / name).unlink()

    def test_same_bytes_at_any_number_of_threads(self):
        for threads in ["1", "3"]:
            self.electret("render", "run", "--frames", "7", "--size", "80x60", "--threads", threads, "-o", threads, check=0)
        self.assertEqual((self.folder / "1/frame_0007.png").read_bytes(), (self.folder / "3/frame_0007.png").read_bytes())

    def test_turntable(self):
        self.electret("render", "run", "--turntable", "3", "--size", "32x32", "-o", "out", "--strip", check=0)
        self.assertEqual(self.names("out"), ["strip.png", "turn_000.png", "turn_001.png", "turn_002.png"])

    def test_every_wrong_wish_is_told_at_once_and_nothing_is_written(self):
        done = self.electret("render", "run", "--size", "99999x3", "--camera", "1", "--target", "1,2,x", "-o", "out")
        self.assertEqual(done.returncode, 2)
        for word in ["--size", "99999x3", "16 to 8192", "--camera", "--target", "1,2,x"]:
            self.assertIn(word, done.stderr)
        for wish in [["--frames", "21"], ["--frames", "-1"], ["--frames", "5:2"], ["--frames", "a"], ["--times", "9"],
                     ["--times", "nan"], ["--frames", "0:4:0"], ["--size", "0x0"], ["--samples", "0"],
                     ["--eye", "0,0,0", "--target", "0,0,0"], ["--turntable", "1"], ["--frames", "1", "--times", "0"],
                     ["--zoom", "0"], ["--zoom", "1e-300"],
                     ["--frames", "1:3:0"], ["--eye", "1e19,0,0", "--target", "0,0,0"],
                     ["--target", "1e300,0,0", "--eye", "0,0,0"], ["--up", "w"], ["--turntable", "4", "--frames", "0,1"]]:
            done = self.electret("render", "run", "-o", "out", *wish)
            self.assertEqual(done.returncode, 2, wish)
            self.assertIn(wish[0], done.stderr)
            self.assertFalse((self.folder / "out").exists(), wish)
        self.assertIn("0 to 20", self.electret("render", "run", "--frames", "21").stderr)

    def test_arrows_of_a_run_without_fields_are_refused(self):
        said = self.electret("render", "run", "--field", 3, "-o", "out", check=2).stderr
        self.assertIn("--field: error: the run's scene has no [[electric_field]]", said)
        self.assertFalse((self.folder / "out").exists())
        (self.folder / "field.toml").write_text(SCENE + '[[electric_field]]\nexpression = ["1", "0", "0"]\n')
        self.electret("run", "field.toml", "-o", "in_field", check=0)
        self.electret("render", "in_field", "--field", 3, "--frames", 0, "--size", "32x32", "-o", "out", check=0)

    def test_another_runs_folder_is_refused(self):
        self.electret("run", "scene.toml", "-o", "other", check=0)
        before = self.names("other")
        said = self.electret("render", "run", "--frames", 0, "-o", "other", check=2).stderr
        self.assertIn('other: error: holds another run; give a folder for the pictures of this run, such as "run/pictures"',
                      said)
        self.assertEqual(self.names("other"), before)
        self.electret("render", "run", "--frames", 0, "--size", "32x32", "-o", "run", check=0)
        self.assertIn("frame_0000.png", self.names("run"))

    def test_what_is_no_run_is_told(self):
        (self.folder / "empty").mkdir()
        for folder in ["none", "empty", "scene.toml"]:
            done = self.electret("render", folder)
            self.assertEqual(done.returncode, 2, folder)
            self.assertIn(folder, done.stderr)
        (self.folder / "broken").mkdir()
        (self.folder / "broken/summary.json").write_bytes((self.folder / "run/summary.json").read_bytes())
        (self.folder / "broken/trajectory.h5").write_bytes((self.folder / "run/trajectory.h5").read_bytes()[:3000])
        done = self.electret("render", "broken")
        self.assertEqual(done.returncode, 2)
        self.assertIn("trajectory.h5", done.stderr)

    def test_an_unfinished_run_is_drawn_as_far_as_it_goes(self):
        (self.folder / "run/summary.json").unlink()
        with h5py.File(self.folder / "run/trajectory.h5", "r+") as file:
            file["positions"].resize(6, axis=0)
        self.electret("render", "run", "--frames", "last", "--size", "32x32", "-o", "out", check=0)
        self.assertEqual(self.names("out"), ["frame_0005.png"])

    def test_positions_that_are_not_finite_do_not_harm(self):
        with h5py.File(self.folder / "run/trajectory.h5", "r+") as file:
            file["positions"][3, 5] = numpy.nan
        self.electret("render", "run", "--frames", "3", "--size", "32x32", "-o", "out", check=0)

    def test_a_movie_goes_through_ffmpeg(self):
        tools = self.folder / "tools"
        tools.mkdir()
        done = self.electret("render", "run", "--movie", "-o", "out", env={"PATH": str(tools)})
        self.assertEqual(done.returncode, 2)
        self.assertIn("ffmpeg is not installed", done.stderr)
        self.assertFalse((self.folder / "out").exists())
        # In its place one that keeps what it is given, and one that fails.
        for text, status in [('for last; do :; done; exec cat > "${last#file:}"', 0), ("cat > /dev/null; echo no codec >&2; exit 1", 1),
                             ("echo gone >&2; exit 1", 1)]:
            (tools / "ffmpeg").write_text("#!/bin/sh\n" + text + "\n")
            (tools / "ffmpeg").chmod(0o755)
            done = self.electret("render", "run", "--movie", "--frames", "0:4", "--size", "32x32", "-o", "out",
                                 env={"PATH": f"{tools}:/usr/bin:/bin"})
            self.assertEqual(done.returncode, status, done.stderr)
            if status == 0:
                pictures = b"".join((self.folder / f"out/frame_{k:04}.png").read_bytes() for k in range(5))
                self.assertEqual((self.folder / "out/movie.mp4").read_bytes(), pictures)
                (self.folder / "out/movie.mp4").unlink()
            else:
                self.assertFalse((self.folder / "out/movie.mp4").exists())
                self.assertIn("ffmpeg", done.stderr)
            self.assertFalse([name for name in self.names("out") if "part" in name])


if __name__ == "__main__":
    unittest.main()
