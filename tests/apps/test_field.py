#!/usr/bin/python3
"""`electret field`: its tables in and out, its solvers, and what it says."""

import os
import re
import resource
import subprocess
import sys
import unittest

import numpy as np

from support import ELECTRET, SECONDS, CommandTest

COULOMB = 8.9875517923e9


def reference_field(targets, sources, charges, skip_self):
    """E and phi by two plain loops, float64."""
    field, potential = np.zeros((len(targets), 3)), np.zeros(len(targets))
    for i, target in enumerate(targets):
        for j, source in enumerate(sources):
            d = target - source
            r = np.sqrt(d @ d)
            if r == 0 or (skip_self and i == j):
                continue
            field[i] += COULOMB * charges[j] * d / r**3
            potential[i] += COULOMB * charges[j] / r
    return np.column_stack([field, potential])


class FieldCase(CommandTest):
    """Fifty charges in charges.csv."""

    def setUp(self):
        super().setUp()
        generator = np.random.default_rng(5)
        self.points = generator.uniform(-1, 1, (50, 3))
        self.charges = generator.choice([-1e-6, 2e-6], 50)
        self.write("charges.csv", "x,y,z,q", np.column_stack([self.points, self.charges]))

    def write(self, name, header, table):
        np.savetxt(self.folder / name, table, delimiter=",", header=header, comments="", fmt="%.17g")


class Field(FieldCase):
    def test_at_the_charges(self):
        done = self.electret("field", "charges.csv", "--verify", 10, check=0)
        lines = done.stdout.splitlines()
        self.assertEqual(lines[0], "Ex,Ey,Ez,phi")
        ours = np.array([[float(v) for v in line.split(",")] for line in lines[1:]])
        expected = reference_field(self.points, self.points, self.charges, True)
        np.testing.assert_allclose(ours, expected, rtol=1e-10, atol=1e-8 * np.abs(expected).max())
        self.assertIn("error", done.stderr)

    def test_at_points_with_a_source_on_one(self):
        targets = np.vstack([self.points[3], [[2.0, 0.0, 0.0], [0.1, 0.2, 0.3]]])
        self.write("points.csv", "x,y,z", targets)
        done = self.electret("field", "charges.csv", "--at", "points.csv", "-o", "out.csv", check=0)
        self.assertEqual(done.stdout, "")
        ours = np.loadtxt(self.folder / "out.csv", delimiter=",", skiprows=1)
        expected = reference_field(targets, self.points, self.charges, False)
        np.testing.assert_allclose(ours, expected, rtol=1e-10, atol=1e-8 * np.abs(expected).max())
        self.assertIn("electret: 1 ordered pair at distance 0 left out\n", done.stderr)
        self.assertIn("electret: 50 charges, 3 targets, ", done.stderr)

    def test_one_of_a_kind_and_none(self):
        self.write("one.csv", "x,y,z,q", [[0, 0, 0, 1e-6]])
        (self.folder / "none.csv").write_text("x,y,z\n")
        said = self.electret("field", "one.csv", "--verify", 5, "--threads", 1, check=0).stderr
        for words in ["electret: 1 charge, 1 target, ", "; 1 thread\n", "true error on 1 target: "]:
            self.assertIn(words, said)
        said = self.electret("field", "one.csv", "--at", "none.csv", "--verify", 5, check=0).stderr
        self.assertIn("electret: 1 charge, 0 targets, ", said)
        self.assertIn("electret: no true error: there are no targets\n", said)

    def test_a_table_without_charges_is_bad_input(self):
        (self.folder / "none.csv").write_text("x,y,z,q\n")
        np.save(self.folder / "none.npy", np.empty((0, 4)))
        for name in ["none.csv", "none.npy"]:
            done = self.electret("field", name, "-o", "out.csv", check=2)
            self.assertEqual(done.stderr, f"{name}: error: holds no charges; one row x,y,z,q per charge\n")
            self.assertFalse((self.folder / "out.csv").exists())
        said = self.electret("field", "-", input="x,y,z,q\n", check=2).stderr
        self.assertEqual(said, "standard input: error: holds no charges; one row x,y,z,q per charge\n")

    def test_pairs_at_distance_0_are_counted_from_both_sides(self):
        self.write("two.csv", "x,y,z,q", [[0, 0, 0, 1e-6], [0, 0, 0, 2e-6], [1, 0, 0, 1e-6]])
        done = self.electret("field", "two.csv", check=0)
        self.assertIn("electret: 2 ordered pairs at distance 0 left out\n", done.stderr)

    def test_pairs_that_rounding_puts_together_are_not_said_to_be_at_distance_0(self):
        self.write("three.csv", "x,y,z,q", [[0, 0, 0, 1e-6], [1, 0, 0, -1e-6], [0, 0.5, 0, 2e-6]])
        self.write("far.csv", "x,y,z", [[0.5, 0, 0], [1, 0, 0], [1e200, 0, 0]])
        said = self.electret("field", "three.csv", "--at", "far.csv", check=0).stderr
        self.assertRegex(said, "electret: 6 ordered pairs left out, of which 1 is at distance 0: the others are so much closer than")
        self.write("near.csv", "x,y,z", [[0.5, 0, 0], [1, 0, 0]])
        said = self.electret("field", "three.csv", "--at", "near.csv", check=0).stderr
        self.assertIn("electret: 1 ordered pair at distance 0 left out\n", said)

    def test_accuracy_is_met_by_the_single_precision_kernel(self):
        done = self.electret("field", "charges.csv", "--accuracy", "1e-4", check=0)
        ours = np.array([[float(v) for v in line.split(",")] for line in done.stdout.splitlines()[1:]])
        expected = reference_field(self.points, self.points, self.charges, True)
        self.assertLess(np.linalg.norm(ours[:, :3] - expected[:, :3]), 1e-4 * np.linalg.norm(expected[:, :3]))

    def test_an_output_that_is_no_file_stays_what_it_is(self):
        pipe, target, link = (self.folder / name for name in ["pipe", "target.csv", "link.csv"])
        os.mkfifo(pipe)
        reader = subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE, text=True)
        self.electret("field", "charges.csv", "-o", "pipe", check=0)
        self.assertTrue(reader.communicate(timeout=SECONDS)[0].startswith("Ex,Ey,Ez,phi\n"))
        self.assertTrue(pipe.is_fifo())
        link.symlink_to("target.csv")
        for _ in range(2):  # A link to nothing, then to a file.
            self.electret("field", "charges.csv", "-o", "link.csv", check=0)
            self.assertTrue(link.is_symlink())
            self.assertTrue(target.read_text().startswith("Ex,Ey,Ez,phi\n"))

    def test_an_output_that_cannot_be_written_is_found_before_the_sums(self):
        (self.folder / "folder").mkdir()
        (self.folder / "loop.csv").symlink_to("loop.csv")
        (self.folder / "astray.csv").symlink_to("nowhere/out.csv")
        before = sorted(self.folder.iterdir())
        cannot = "cannot be written; give a path in a writable folder"
        for path, words in [("nowhere/out.csv", cannot), ("charges.csv/out.csv", cannot), ("/proc/out.csv", cannot),
                            ("loop.csv", cannot), ("astray.csv", cannot), ("n" * 300 + ".csv", cannot),
                            ("folder", "is a folder; give the path of a file")]:
            done = self.electret("field", "charges.csv", "-o", path, check=2)
            self.assertEqual(done.stderr, f"{path}: error: {words}\n")
        done = self.electret("field", "charges.csv", "-o", "folder", "--accuracy", "0", check=2)
        self.assertEqual(len(done.stderr.splitlines()), 2)  # Told with all else that is wrong: nothing was summed.
        self.assertEqual(sorted(self.folder.iterdir()), before)

    def test_no_input_is_written_over(self):
        self.write("points.csv", "x,y,z", self.points + 1)
        (self.folder / "soft.csv").symlink_to("charges.csv")
        os.link(self.folder / "points.csv", self.folder / "hard.csv")
        before = {path.name: path.read_bytes() for path in self.folder.iterdir()}
        for inputs, output, words in [(["charges.csv"], "charges.csv", "is the input"),
                                      (["charges.csv"], "./charges.csv", 'is the same file as the input "charges.csv"'),
                                      (["charges.csv"], "soft.csv", 'is the same file as the input "charges.csv"'),
                                      (["soft.csv"], "charges.csv", 'is the same file as the input "soft.csv"'),
                                      (["charges.csv", "--at", "points.csv"], "points.csv", "is the input"),
                                      (["charges.csv", "--at", "hard.csv"], "points.csv", "is the same file")]:
            done = self.electret("field", *inputs, "-o", output, check=2)
            self.assertTrue(done.stderr.startswith(f"{output}: error: {words}"), done.stderr)
            self.assertIn("; give another path: no command writes over its input\n", done.stderr)
            self.assertEqual({path.name: path.read_bytes() for path in self.folder.iterdir()}, before)

    def test_only_a_field_is_replaced_unasked(self):
        np.save(self.folder / "three.npy", self.points)
        files = {"trajectory.h5": b"\x89HDF\r\n\x1a\n" + bytes(2000), "energy.csv": b"time,total\n0,1\n", "note": b"Ex,Ey\n",
                 "three.npy": (self.folder / "three.npy").read_bytes(), "cut.npy": b"\x93NUMPY\x01\x00\x76\x00{'descr': '<f8'"}
        for name, content in files.items():
            (self.folder / name).write_bytes(content)
            done = self.electret("field", "charges.csv", "-o", name, check=2)
            self.assertEqual(done.stderr, f"{name}: error: is there already and is no field; take another file, or --overwrite\n")
            self.assertEqual((self.folder / name).read_bytes(), content)
            self.electret("field", "charges.csv", "-o", name, "--overwrite", check=0)
            before = (self.folder / name).read_bytes()
            self.assertNotEqual(before, content)
            self.electret("field", "charges.csv", "-o", name, "--constant", 2, check=0)
            self.assertNotEqual((self.folder / name).read_bytes(), before, "a field is replaced")
        (self.folder / "empty").touch()
        self.electret("field", "charges.csv", "-o", "empty", check=0)

    def test_a_file_read_from_standard_input_is_not_written_over(self):
        before = (self.folder / "charges.csv").read_bytes()
        with open(self.folder / "charges.csv", "rb") as charges:
            done = self.electret("field", "-", "-o", "charges.csv", stdin=charges, check=2)
        self.assertIn("no command writes over its input", done.stderr)
        self.assertEqual((self.folder / "charges.csv").read_bytes(), before)

    def test_standard_output_is_added_to_not_replaced(self):
        wanted = self.electret("field", "charges.csv", check=0).stdout
        for output in ("/dev/stdout", "-"):
            log = self.folder / "log"
            log.write_text("before\n")
            with open(log, "a") as file:
                subprocess.run([os.path.abspath(ELECTRET), "field", "charges.csv", "-o", output], cwd=self.folder,
                               stdout=file, stderr=subprocess.DEVNULL, timeout=SECONDS, check=True)
            self.assertEqual(log.read_text(), "before\n" + wanted)
        self.assertFalse((self.folder / "-").exists())

    def test_a_link_to_nothing_in_another_folder_is_followed(self):
        (self.folder / "deep").mkdir()
        (self.folder / "deep" / "link.csv").symlink_to("made.csv")
        self.electret("field", "charges.csv", "-o", "deep/link.csv", check=0)
        self.assertTrue((self.folder / "deep" / "made.csv").is_file())
        self.assertFalse((self.folder / "made.csv").exists())

    def test_reads_stdin(self):
        wanted = self.electret("field", "charges.csv", check=0).stdout
        text = (self.folder / "charges.csv").read_text()
        self.assertEqual(self.electret("field", "-", input=text, check=0).stdout, wanted)
        self.assertIn("both", self.electret("field", "-", "--at", "-", input=text, check=2).stderr)
        for text, fault in [("x,y,z,q\n1,2\n", "2:3: error: 2 values"), ("x,y\n1,2\n", "1:1: error: the header is")]:
            self.assertTrue(self.electret("field", "-", input=text, check=2).stderr.startswith(f"standard input:{fault}"))
        self.assertTrue(self.electret("field", "-", check=2, preexec_fn=lambda: os.close(0)).stderr.startswith(
            "standard input: error: cannot be read"))

    def test_one_target_is_verified(self):
        self.assertIn("true error on 1 target: ", self.electret("field", "charges.csv", "--verify", 1, check=0).stderr)

    def test_what_is_left_out_is_counted_last(self):
        (self.folder / "comma.csv").write_text("x,y,z,q\n" + "0,1\n" * 100)
        lines = self.electret("field", "comma.csv", check=2).stderr.splitlines()
        self.assertEqual(len(lines), 51)
        self.assertIn("and 50 more like these", lines[-1])

    def test_options_out_of_range(self):
        for option, what in [("--accuracy", "number > 0"), ("--constant", "number > 0"), ("--softening", "number ≥ 0"),
                             ("--verify", "whole number > 0"), ("--threads", "whole number from 0 to 4096"),
                             ("--grid-points", "whole number from 1 to 1000000")]:
            for value in ["-1", "one", "", "inf"]:
                done = self.electret("field", "charges.csv", option, value, check=2)
                self.assertIn(f"electret: error: {option}: \"{value}\" is not a {what}", done.stderr)
        self.assertIn('--verify: "1e3" is not a whole number > 0', self.refused("--verify", "1e3"))

    def test_everything_wrong_is_told_at_once(self):
        (self.folder / "bad.csv").write_text("x,y,z,q\n0,0,0,1\n0,zero,0,1\n")
        (self.folder / "points.csv").write_text("a,b,c\n0,0,0\n")
        done = self.electret("field", "bad.csv", "--at", "points.csv", "--solver", "banana", "--accuracy", 0,
                             "--grid-points", 0, "--softening", "-1", "--verify", 0, check=2)
        lines = done.stderr.splitlines()
        for option in ["--solver", "--accuracy", "--grid-points", "--softening", "--verify"]:
            self.assertEqual(len([line for line in lines if line.startswith(f"electret: error: {option}")]), 1)
        for place in ["bad.csv:3:3: ", "points.csv:1:1: "]:
            self.assertEqual(len([line for line in lines if line.startswith(place)]), 1)
        self.assertEqual((len(lines), done.stdout), (7, ""))

    def refused(self, *options):
        """What is said of options that are refused; nothing is written."""
        done = self.electret("field", "charges.csv", *options, "-o", "refused.csv", check=2)
        self.assertEqual(done.stdout, "")
        self.assertEqual([path.name for path in self.folder.iterdir()], ["charges.csv"])
        self.assertNotIn("coulomb.", done.stderr)
        return done.stderr

    def test_options_are_refused_by_their_own_names(self):
        self.assertIn('--solver "dirct" is no field solver; did you mean "direct"?', self.refused("--solver", "dirct"))
        self.assertIn('--solver "Direct" is no field solver; did you mean "direct"?',
                      self.refused("--solver", "Direct"))
        self.assertIn('--solver "gpu" is no field solver; for a GPU: --device gpu; allowed: auto, direct', self.refused("--solver", "gpu"))
        self.assertIn("--accuracy 1e-12 is beyond what the solver fmm promises; allowed: 1e-10 or more",
                      self.refused("--solver", "fmm", "--accuracy", "1e-12"))
        self.assertIn('--accuracy: "5" is not a number > 0 and ≤ 1', self.refused("--accuracy", "5"))

    def test_settings_of_another_solver_are_refused(self):
        for options in [["--grid-points", 50], ["--half-taylor"]]:
            for solver in ["auto", "direct", "fmm"]:
                said = self.refused("--solver", solver, *options)
                self.assertIn(f"{options[0]} is used only by the solver ddef", said)
                self.assertIn(solver, said)
        both = self.refused("--grid-points", 50, "--half-taylor")
        self.assertEqual(both.count("give --solver ddef"), 2)

    def test_grid_points_have_a_bound(self):
        for points in [0, 1_000_001]:
            self.assertIn("1000000", self.refused("--solver", "ddef", "--grid-points", points))

    def test_help_says_what_accuracy_is(self):
        said = " ".join(self.electret("field", "--help", check=0).stdout.split())
        for words in ["relative L2 error of the field over all targets", "> 0 and ≤ 1", "direct meets any A down to the rounding of float64",
                      "fmm meets 1e-10 or more; 1e-3 without --accuracy", "ddef has an error without a bound"]:
            self.assertIn(words, said)

    def test_bad_input_is_located(self):
        (self.folder / "bad.csv").write_text("x,y,z,q\n0,0,0,1\n0,zero,0,1\n")
        done = self.electret("field", "bad.csv", check=2)
        self.assertIn("bad.csv:3:", done.stderr)
        (self.folder / "bad.csv").write_text("a,b\n0,0\n")
        self.assertIn("x,y,z,q", self.electret("field", "bad.csv", check=2).stderr)
        self.electret("field", "nowhere.csv", check=2)

    def offered(self):
        """The solvers of this version, in the words of the library's own list."""
        message = self.electret("field", "charges.csv", "--solver", "none", check=2).stderr
        self.assertIn("\"none\"", message)
        solvers = message.split("allowed: ")[1].strip().split(", ")
        self.assertIn("auto", solvers)
        self.assertIn("direct", solvers)
        return solvers

    def test_every_solver_offered(self):
        expected = reference_field(self.points, self.points, self.charges, True)
        for solver in self.offered():
            done = self.electret("field", "charges.csv", "--solver", solver, "--accuracy", "1e-3", "-o", "out.npy", check=0)
            if solver != "auto":
                self.assertIn(f"targets, {solver}", done.stderr)
            ours = np.load(self.folder / "out.npy")
            limit = 0.3 if solver == "ddef" else 1e-3
            for part in [slice(0, 3), slice(3, 4)]:
                self.assertLess(np.linalg.norm(ours[:, part] - expected[:, part]),
                                limit * np.linalg.norm(expected[:, part]), solver)

    def test_ddef_takes_its_settings(self):
        if "ddef" not in self.offered():
            self.skipTest("this version has no ddef")
        results = []
        for settings in [["--grid-points", 5], ["--grid-points", 200], ["--grid-points", 200, "--half-taylor"]]:
            self.electret("field", "charges.csv", "--solver", "ddef", *settings, "-o", "out.npy", check=0)
            results.append(np.load(self.folder / "out.npy"))
        self.assertGreater(np.abs(results[0] - results[1]).max(), 0)
        self.assertGreater(np.abs(results[1] - results[2]).max(), 0)

    def test_says_which_settings_fmm_takes_at_points(self):
        self.write("points.csv", "x,y,z", self.points + 0.01)
        said = [self.electret("field", "charges.csv", "--solver", "fmm", *at, check=0).stderr
                for at in [[], ["--at", "points.csv"]]]
        apart = "with the settings for 3.33333e-05, because the targets are not the charges"
        self.assertNotIn(apart, said[0])
        self.assertIn(apart, said[1])

    def test_too_little_memory_for_the_grid_is_said_in_a_line(self):
        # A thread of OpenBLAS's own takes 128 MiB, and one that cannot have it never ends.
        alone = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}

        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (300 << 20, 300 << 20))

        if self.electret("--version", preexec_fn=limit, env=alone).returncode != 0:
            self.skipTest("this build reserves more memory than that (sanitizers)")
        if "ddef" not in self.offered():
            self.skipTest("this version has no ddef")
        done = self.electret("field", "charges.csv", "--solver", "ddef", "--grid-points", 100_000, "--threads", 1,
                             check=1, preexec_fn=limit, env=alone)
        self.assertRegex(done.stderr, r"\Aelectret: error: out of memory[^\n]*\n\Z")
        self.assertEqual(done.stdout, "")

    def test_says_where_the_time_went(self):
        done = self.electret("field", "charges.csv", "--threads", 1, "--verify", 5, check=0)
        self.assertRegex(done.stderr, r"read \S+ s, prepare \S+ s, field \S+ s, write \S+ s; 1 thread\n")
        self.assertRegex(done.stderr, r"true error on 5 targets: \S+ \(relative L2\)")

    def test_says_where_the_field_is_not_finite(self):
        self.write("huge.csv", "x,y,z,q", [[0, 0, 0, 1e300], [1, 0, 0, 1e300]])
        self.write("points.csv", "x,y,z", [[0.5, 0, 0], [1e20, 0, 0], [1, 1, 0]])
        for at, where in [([], "2 of 2 targets"), (["--at", "points.csv"], "2 of 3 targets")]:
            done = self.electret("field", "huge.csv", *at, check=0)
            said = [line for line in done.stderr.splitlines() if "not finite" in line]
            self.assertEqual(said, [f"electret: field or potential is not finite at {where}: beyond the range of "
                                    "floating-point numbers"])
        self.assertNotIn("not finite", self.electret("field", "charges.csv", check=0).stderr)

    def test_verify_reports_field_and_potential(self):
        for at in [[], ["--at", "points.csv"]]:
            self.write("points.csv", "x,y,z", self.points + 0.01)
            for softening in [0, 0.1]:
                done = self.electret("field", "charges.csv", *at, "--softening", softening, "--accuracy", 1e-6,
                                     "--verify", 30, check=0)
                numbers = re.search(r"on 30 targets: (\S+) \(relative L2\), .* of the potential (\S+) \(relative L2\)",
                                    done.stderr)
                for number in numbers.groups():
                    self.assertLess(float(number), 1e-6)


class Npy(FieldCase):
    """NumPy's arrays in and out."""

    def npy(self, name, array, **options):
        np.save(self.folder / name, array, **options)

    def table(self):
        return np.column_stack([self.points, self.charges])

    def test_round_trip_gives_the_bits_of_csv(self):
        targets = np.random.default_rng(6).normal(size=(20, 3))
        self.npy("charges.npy", self.table())
        self.npy("points.npy", targets)
        self.write("points.csv", "x,y,z", targets)
        for at in [[], ["--at", "points.csv"]]:
            self.electret("field", "charges.csv", *at, "-o", "out.csv", check=0)
            text = np.loadtxt(self.folder / "out.csv", delimiter=",", skiprows=1)
            at = [word.replace("csv", "npy") for word in at]
            self.electret("field", "charges.npy", *at, "-o", "out.npy", check=0)
            binary = np.load(self.folder / "out.npy")
            self.assertEqual((binary.dtype, binary.shape), (np.dtype("<f8"), text.shape))
            self.assertTrue(binary.flags.c_contiguous)
            np.testing.assert_array_equal(binary, text)

    def test_float32_every_version_and_upper_case(self):
        self.npy("single.npy", self.table().astype("<f4"))
        self.npy("double.NPY", self.table().astype("<f4").astype("<f8"))
        (self.folder / "double.NPY.npy").rename(self.folder / "double.NPY")
        self.electret("field", "single.npy", "-o", "a.npy", check=0)
        self.electret("field", "double.NPY", "-o", "b.npy", check=0)
        for version in [(1, 0), (2, 0), (3, 0)]:
            with open(self.folder / "version.npy", "wb") as file:
                np.lib.format.write_array(file, self.table().astype("<f4"), version=version)
            self.electret("field", "version.npy", "-o", "c.npy", check=0)
            np.testing.assert_array_equal(np.load(self.folder / "a.npy"), np.load(self.folder / "c.npy"))
        np.testing.assert_array_equal(np.load(self.folder / "a.npy"), np.load(self.folder / "b.npy"))

    def test_malformed(self):
        good = self.table()
        self.npy("good.npy", good)
        whole = (self.folder / "good.npy").read_bytes()
        nan = good.copy()
        nan[7, 2] = np.nan
        arrays = {"fortran": (np.asfortranarray(good), "Fortran order"), "integers": (np.ones((3, 4), int), "<i8"),
                  "big endian": (good.astype(">f8"), ">f8"), "half": (good.astype("<f2"), "<f2"),
                  "flat": (good.ravel(), "shape is (200,)"), "points": (good[:, :3].copy(), "(50, 3); expected (n, 4)"),
                  "three": (good.reshape(50, 2, 2), "(50, 2, 2)"), "nan": (nan, "row 7, column 2 is NaN"),
                  "records": (np.zeros(3, dtype=[("x", "f8")]), "records"),
                  "objects": (np.array([[None] * 4]), "|O")}
        files = {"magic": (b"\x92" + whole[1:], "no .npy file"), "text": (b"x,y,z,q\n", "no .npy file"),
                 "version": (whole[:6] + b"\x09" + whole[7:], "version 9.0"), "empty": (b"", "empty"),
                 "header": (whole[:40], "within its header"), "short": (whole[:-1], "after 49 of 50 rows"),
                 "long": (whole + b"\n", "1 bytes after the array")}
        for name, (array, _) in arrays.items():
            self.npy(f"{name}.npy", array)
        for name, (data, _) in files.items():
            (self.folder / f"{name}.npy").write_bytes(data)
        for name, (_, words) in {**arrays, **files}.items():
            with self.subTest(name):
                done = self.electret("field", f"{name}.npy", check=2)
                self.assertTrue(done.stderr.startswith(f"{name}.npy: error: "), done.stderr)
                self.assertIn(words, done.stderr)
                self.assertEqual(done.stdout, "")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
