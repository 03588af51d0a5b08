#!/usr/bin/python3
"""`electret render`: pictures of runs, and what is said of wrong wishes."""

import json
import os
import pathlib
import shutil
import struct
import subprocess
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
        for wish in (["--frames", "21"], ["--frames", "0:500"], ["--times", "5"]):
            said = self.electret("render", "run", *wish).stderr
            self.assertIn(f'"{wish[1]}" is out of range', said)
            self.assertIn("0 to", said)
        self.assertIn('"x" cannot be read', self.electret("render", "run", "--times", "x").stderr)

    def test_unknown_options_are_told_in_their_order_with_what_may_be_meant(self):
        for words, expected in (
                (["--fps", "30"], 'there is no option "--fps"; did you mean --rate N, in pictures per second?'),
                (["--gif"], 'there is no option "--gif"; did you mean --movie; movies are MP4 files?'),
                (["--transparent"], 'there is no option "--transparent"; did you mean --no-ground'),
                (["--zom=2"], 'there is no option "--zom"; did you mean "--zoom"?'),
                (["--quux", "a"], 'there is no option "--quux"'),
                (["--background", "black", "--sise", "3x3"], 'there is no option "--background"; did you mean --no-ground; without a '
                 'floor the background is white?; there is no option "--sise"; did you mean "--size"?'),
                (["red", "green"], 'there is no place for "red", "green"')):
            self.assertIn("electret: error: " + expected + "\n" if words[0] in ("--fps", "--background", "red") else expected,
                          self.electret("render", "run", *words, check=2).stderr)

    def test_a_file_where_a_folder_is_meant(self):
        for name, words, expected in (("a.mp4", [], "add --movie to make this movie"), ("a.png", [], "its pictures are called frame_0010.png"),
                                      ("a.gif", ["--movie"], "or the movie as NAME.mp4")):
            said = self.electret("render", "run", "-o", name, *words, check=2).stderr
            self.assertIn(f'"{name}" is the name of a file, and -o names the folder of the pictures; ', said)
            self.assertIn(expected, said)
            self.assertFalse((self.folder / name).exists())
        (self.folder / "b.png").mkdir()
        (self.folder / "views").write_text("mine")
        self.assertEqual(self.electret("render", "run", "-o", "views", "--frames", 0, check=2).stderr,
                         "views: error: is a file; give a folder for the pictures\n")
        self.assertEqual((self.folder / "views").read_text(), "mine")
        self.electret("render", "run", "-o", "b.png", "--frames", 0, "--size", "32x32", check=0)

    def test_bodies_of_any_usual_size_are_drawn_alike_and_others_refused(self):
        with h5py.File(self.folder / "run/trajectory.h5", "r+") as file:
            start = {name: file[name][()] for name in ("positions", "rest_positions")}
        drawn = {}
        for scale in (1.0, 2.0**-60, 2.0**-300, 2.0**300, 2.0**-340, 2.0**340, 2.0**520, 2.0**-1000):
            with h5py.File(self.folder / "run/trajectory.h5", "r+") as file:
                for name in start:
                    file[name][...] = scale * start[name]
            done = self.electret("render", "run", "--frames", 20, "--size", "48x48", "--no-labels", "-o", "out")
            if 1e-100 < scale < 1e100:
                self.assertEqual(done.returncode, 0, done.stderr)
                drawn[scale] = (self.folder / "out/frame_0020.png").read_bytes()
                self.assertEqual(drawn[scale], drawn[1.0], scale)
            else:
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertRegex(done.stderr, r"the bodies are \S+ m wide.* in the frames to be drawn; pictures show bodies of 1e-100 to 1e\+100 m")
        with h5py.File(self.folder / "run/trajectory.h5", "r+") as file:
            for name in start:
                file[name][...] = start[name]
            file["positions"][20, 3, 1] = 1e300
        said = self.electret("render", "run", "--frames", 20, "-o", "out", check=2).stderr
        self.assertIn("the bodies are 1e+300 m wide and reach 1e+300 m from the origin", said)

    def test_a_new_run_removes_the_pictures_of_the_former_one(self):
        self.electret("render", "run", "--frames", "0,20", "--strip", "--size", "32x32", check=0)
        self.electret("render", "run", "--turntable", 3, "--size", "32x32", check=0)
        self.electret("render", "run", "--frames", "5", "--size", "32x32", "-o", "run/views", check=0)
        self.electret("render", "run", "--frames", "5", "--size", "32x32", "-o", "out", check=0)
        self.assertEqual(self.names("run/pictures"), ["frame_0000.png", "frame_0020.png", "strip.png", "turn_000.png", "turn_001.png",
                                                      "turn_002.png"])
        (self.folder / "run/pictures/mine.png").write_bytes(b"mine")
        (self.folder / "run/pictures/frame_0019.png").write_bytes(b"mine, too")
        self.electret("run", "scene.toml", "-o", "run", "--set", "time.steps=10", check=0)
        self.assertEqual(self.names("run/pictures"), ["frame_0019.png", "mine.png"])
        self.assertFalse((self.folder / "run/views").exists())
        self.assertEqual(self.names("out"), ["frame_0005.png"], "a folder elsewhere is its user's")
        self.assertNotIn(".electret-pictures.json", self.names("run"))

    def test_a_list_of_pictures_reaches_nothing_else(self):
        (self.folder / "other").mkdir()
        (self.folder / "run/away").symlink_to(self.folder / "other")
        kept = [self.folder / "a.png", self.folder / "other/b.png", self.folder / "run/thesis.txt"]
        for path in kept:
            path.write_text("mine")
        (self.folder / "run/.electret-pictures.json").write_text(json.dumps({"files": [
            "../a.png", str(self.folder / "a.png"), "pictures/../../a.png", "away/b.png", "thesis.txt"]}))
        self.electret("run", "scene.toml", "-o", "run", check=0)
        for path in kept:
            self.assertEqual(path.read_text(), "mine")

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
        done = self.electret("render", "run", "--movie", "-o", "out", env={**os.environ, "PATH": str(tools)})
        self.assertEqual(done.returncode, 2)
        self.assertIn("ffmpeg is not installed", done.stderr)
        self.assertFalse((self.folder / "out").exists())
        # In its place one that keeps what it is given, and one that fails.
        for text, status in [('for last; do :; done; exec cat > "${last#file:}"', 0), ("cat > /dev/null; echo no codec >&2; exit 1", 1),
                             ("echo gone >&2; exit 1", 1)]:
            (tools / "ffmpeg").write_text("#!/bin/sh\n" + text + "\n")
            (tools / "ffmpeg").chmod(0o755)
            done = self.electret("render", "run", "--movie", "--frames", "0:4", "--size", "32x32", "-o", "out",
                                 env={**os.environ, "PATH": f"{tools}:/usr/bin:/bin"})
            self.assertEqual(done.returncode, status, done.stderr)
            if status == 0:
                # 0.04 s of the run in real time are two pictures of 1/25 s: frames 0 and 4.
                pictures = b"".join((self.folder / f"out/frame_{k:04}.png").read_bytes() for k in (0, 4))
                self.assertEqual(done.stdout, "out\nout/movie.mp4: 0.08 s, plays in real time\n")
                self.assertEqual((self.folder / "out/movie.mp4").read_bytes(), pictures)
                (self.folder / "out/movie.mp4").unlink()
            else:
                self.assertFalse((self.folder / "out/movie.mp4").exists())
                self.assertIn("ffmpeg", done.stderr)
            self.assertFalse([name for name in self.names("out") if "part" in name])

    def movie(self, *words, check=0):
        """What the command says, and the pictures that ffmpeg would get, by frame: an ffmpeg that keeps what it is given."""
        tools = self.folder / "tools"
        tools.mkdir(exist_ok=True)
        (tools / "ffmpeg").write_text('#!/bin/sh\nfor last; do :; done; exec cat > "${last#file:}"\n')
        (tools / "ffmpeg").chmod(0o755)
        done = self.electret("render", "run", "--movie", "--size", "32x32", *words, check=check,
                             env={**os.environ, "PATH": f"{tools}:/usr/bin:/bin"})
        return done.stdout + done.stderr

    def shown(self, path, folder):
        data, frames = (self.folder / path).read_bytes(), []
        pictures = {(self.folder / folder / name).read_bytes(): int(name[6:10]) for name in self.names(folder) if name.startswith("frame")}
        while data:
            frames.append(next(frame for picture, frame in pictures.items() if data.startswith(picture)))
            data = data[(self.folder / folder / f"frame_{frames[-1]:04}.png").stat().st_size:]
        return frames

    def test_a_movie_plays_in_real_time(self):
        """The run lasts 0.2 s and has a frame each 0.01 s."""
        self.assertIn("run/pictures/movie.mp4: 0.24 s, plays in real time\n", self.movie())
        self.assertEqual(self.shown("run/pictures/movie.mp4", "run/pictures"), [0, 4, 8, 12, 16, 20])
        self.assertEqual(self.names("run/pictures"), [f"frame_{k:04}.png" for k in (0, 4, 8, 12, 16, 20)] + ["movie.mp4"])
        self.assertIn("0.22 s, plays in real time\n", self.movie("--rate", 50, "-o", "out"))
        self.assertEqual(self.shown("out/movie.mp4", "out"), list(range(0, 21, 2)))

    def test_a_movie_in_slow_motion(self):
        self.assertIn("out/movie.mp4: 1.64 s, plays 8 times slower than real time\n", self.movie("--speed", 0.125, "-o", "out"))
        shown = self.shown("out/movie.mp4", "out")
        self.assertEqual(len(shown), 41)
        self.assertEqual(shown, [int(picture / 2 + 0.5) for picture in range(41)], "of two as near the later")

    def test_a_movie_of_chosen_frames_shows_them_at_their_times(self):
        self.movie("--frames", "0,4,20", "-o", "out")
        self.assertEqual(self.shown("out/movie.mp4", "out"), [0, 4, 4, 20, 20, 20])
        self.assertIn("--frames: error: is not in the order of time", self.movie("--frames", "4,0", "-o", "out", check=2))

    def test_a_movie_that_nobody_can_watch_is_refused(self):
        said = self.movie("--speed", 100, "-o", "new", check=2)
        self.assertIn("--speed: error: at a speed of 100, 0.2 s of the run are a movie of 1 picture; a movie has 2 to 1000000 pictures: "
                      "--speed 0.04 plays them in about 5 s", said)
        self.assertIn("of 5e+09 pictures", self.movie("--speed", 1e-9, "-o", "new", check=2))
        self.assertFalse((self.folder / "new").exists())
        self.assertIn("--speed excludes --turntable", self.movie("--turntable", 4, "--speed", 2, check=2))

    def test_a_movie_of_its_own_name(self):
        self.assertIn("films/a.mp4: 0.24 s, plays in real time", self.movie("-o", "films/a.mp4"))
        self.assertEqual(self.names("films"), ["a.mp4"])
        self.assertEqual(self.shown("films/a.mp4", "run/pictures"), [0, 4, 8, 12, 16, 20])

    @unittest.skipUnless(shutil.which("ffprobe"), "ffmpeg is not installed")
    def test_ffmpeg_makes_a_movie_that_lasts_as_long_as_the_run(self):
        self.electret("render", "run", "--movie", "--size", "32x32", "--speed", 0.5, "-o", "out", check=0)
        told = subprocess.run(["ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", "out/movie.mp4"],
                              cwd=self.folder, capture_output=True, text=True, check=True).stdout
        self.assertAlmostEqual(float(told), 0.2 / 0.5 + 0.04, delta=1e-3)


if __name__ == "__main__":
    unittest.main()
