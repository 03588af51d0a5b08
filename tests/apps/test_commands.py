#!/usr/bin/python3
"""`electret check`, `field`, `info`, `compare`, `completion`, help and usage errors."""

import os
import subprocess
import sys
import unittest

import h5py
import numpy as np

from support import ELECTRET, SCENE, CommandTest

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


class Help(CommandTest):
    def test_version_and_help(self):
        self.assertRegex(self.electret("--version", check=0).stdout, r"^electret \d+\.\d+\.\d+")
        top = self.electret("--help", check=0).stdout
        for command in ["run", "check", "field", "info", "compare", "completion"]:
            self.assertIn(command, top)
            text = self.electret(command, "--help", check=0).stdout
            self.assertIn("Examples:", text, command)
            self.assertIn(f"Usage: electret {command} [OPTIONS]", text)

    def test_usage_errors_exit_with_2_and_say_what_is_allowed(self):
        for arguments in [["fly"], ["run"], ["run", "a.toml", "--sett", "x=1"], ["run", "a.toml", "--threads", "-3"],
                          ["field"], ["compare", "one"], []]:
            done = self.electret(*arguments)
            self.assertEqual(done.returncode, 2, arguments)
        self.assertIn("there is no command \"fly\"", self.electret("fly").stderr)
        self.assertIn("there is no command \"render\"", self.electret("render", "a", "b").stderr)

    @unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full")
    def test_output_that_cannot_be_written_is_a_failure(self):
        self.scene()
        for arguments in [["check", "scene.toml"], ["completion", "bash"], ["--help"]]:
            with open("/dev/full", "w") as full:
                done = subprocess.run([os.path.abspath(ELECTRET), *arguments], cwd=self.folder, stdout=full,
                                      stderr=subprocess.PIPE, text=True)
            self.assertEqual(done.returncode, 1, arguments)
            self.assertIn("could not be written", done.stderr)

    def test_completion_scripts_name_every_command(self):
        for shell in ["bash", "zsh", "fish"]:
            text = self.electret("completion", shell, check=0).stdout
            for word in ["run", "check", "field", "resume"]:
                self.assertIn(word, text)
        script = self.folder / "electret.bash"
        script.write_text(self.electret("completion", "bash", check=0).stdout)
        done = subprocess.run(["bash", "-c", f"source {script}; COMP_WORDS=(electret ru); COMP_CWORD=1; _electret; "
                               'echo "${COMPREPLY[@]}"'], text=True, capture_output=True)
        self.assertEqual(done.stdout.strip(), "run")


class Check(CommandTest):
    def test_says_what_would_run(self):
        self.scene()
        text = self.electret("check", "scene.toml", check=0).stdout
        for word in ["ball", "vertices", "springs", "charge", "direct", "imex", "step", "memory", "disk"]:
            self.assertIn(word, text)
        self.assertEqual(len(list(self.folder.iterdir())), 1)

    def test_notes_that_nearest_joins_all(self):
        chain = SCENE.replace('shape = "sphere", vertices = 60', 'shape = "chain", vertices = 4, length = 1.0')
        for neighbours, is_noted in [(4, True), (3, False)]:
            springs = f'from = "nearest"\n  neighbours = {neighbours}'
            self.scene(chain.replace('from = "edges"', springs))
            text = self.electret("check", "scene.toml", check=0).stdout
            self.assertEqual("4 vertices of body ball are all joined with each other" in text, is_noted)

    def test_reports_all_findings(self):
        self.scene(SCENE.replace("mass = 0.1", "mas = 0.1").replace('"imex"', '"newton"'))
        done = self.electret("check", "scene.toml", check=2)
        self.assertIn("did you mean \"mass\"", done.stderr)
        self.assertIn("not available in this version", done.stderr)


class Field(CommandTest):
    def setUp(self):
        super().setUp()
        generator = np.random.default_rng(5)
        self.points = generator.uniform(-1, 1, (50, 3))
        self.charges = generator.choice([-1e-6, 2e-6], 50)
        self.write("charges.csv", "x,y,z,q", np.column_stack([self.points, self.charges]))

    def write(self, name, header, table):
        np.savetxt(self.folder / name, table, delimiter=",", header=header, comments="", fmt="%.17g")

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
        self.assertIn("1 pair", done.stderr)

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
        self.assertTrue(reader.communicate(timeout=30)[0].startswith("Ex,Ey,Ez,phi\n"))
        self.assertTrue(pipe.is_fifo())
        link.symlink_to("target.csv")
        for _ in range(2):  # A link to nothing, then to a file.
            self.electret("field", "charges.csv", "-o", "link.csv", check=0)
            self.assertTrue(link.is_symlink())
            self.assertTrue(target.read_text().startswith("Ex,Ey,Ez,phi\n"))

    def test_options_out_of_range(self):
        for option in ["--accuracy", "--constant", "--verify"]:
            done = self.electret("field", "charges.csv", option, "-1", check=2)
            self.assertIn("\"-1\" is not a number > 0", done.stderr)

    def test_bad_input_is_located(self):
        (self.folder / "bad.csv").write_text("x,y,z,q\n0,0,0,1\n0,zero,0,1\n")
        done = self.electret("field", "bad.csv", check=2)
        self.assertIn("bad.csv:3:", done.stderr)
        (self.folder / "bad.csv").write_text("a,b\n0,0\n")
        self.assertIn("x,y,z,q", self.electret("field", "bad.csv", check=2).stderr)
        self.assertIn("not available", self.electret("field", "charges.csv", "--solver", "fmm", check=2).stderr)
        self.electret("field", "nowhere.csv", check=2)


class InfoAndCompare(CommandTest):
    def setUp(self):
        super().setUp()
        self.scene()
        self.electret("run", "scene.toml", "-o", "a", check=0)

    def test_info(self):
        text = self.electret("info", "a", check=0).stdout
        for word in ["frames", "21", "vertices", "imex", "done"]:
            self.assertIn(word, text)

    def test_info_shows_what_was_set(self):
        self.assertNotIn("--set", self.electret("info", "a", check=0).stdout)
        self.electret("run", "scene.toml", "-o", "b", "--set", "time.steps=3", "--set", "scene.name=other", check=0)
        text = self.electret("info", "b", check=0).stdout
        self.assertRegex(text, r"--set +time.steps=3\n--set +scene.name=other\n")
        with h5py.File(self.folder / "b" / "trajectory.h5") as run:
            self.assertEqual(run.attrs["overrides"], "time.steps=3\nscene.name=other")
            self.assertEqual(run.attrs["scene"], SCENE)
        with h5py.File(self.folder / "a" / "trajectory.h5") as run:
            self.assertEqual(run.attrs["overrides"], "")

    def test_info_of_something_else(self):
        self.assertIn("nowhere", self.electret("info", "nowhere", check=2).stderr)

    def test_compare_same_and_different(self):
        self.electret("run", "scene.toml", "-o", "b", check=0)
        same = self.electret("compare", "a", "b", check=0).stdout
        self.assertIn("identical", same)
        self.electret("run", "scene.toml", "-o", "c", "--set", "body.0.charge=2e-6", check=0)
        different = self.electret("compare", "a", "c", check=0).stdout
        self.assertIn("frame", different)
        self.assertIn("vertex", different)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
