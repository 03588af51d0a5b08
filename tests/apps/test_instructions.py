#!/usr/bin/python3
"""--instructions and ELECTRET_INSTRUCTIONS: one word chooses the kernels of every room."""

import os
import re
import unittest

import h5py
import numpy as np
from support import SCENE, CommandTest

SOLID = """
[[body]]
name = "block"
generate = { shape = "box", cells = [2, 2, 2], cell_size = 0.1, element = "hex" }
density = 100.0

  [[body.material]]
  model = "stable_neo_hookean"
  youngs_modulus = 1e4
  poissons_ratio = 0.3

  [[body.group]]
  name = "wall"
  attribute = "left"

  [[body.pin]]
  group = "wall"
"""


def with_variable(value):
    return dict(os.environ, ELECTRET_INSTRUCTIONS=value)


class Instructions(CommandTest):
    def setUp(self):
        super().setUp()
        told = self.electret("--version", check=0, env=with_variable("")).stdout
        words = re.search(r"\ninstruction set (\w+) \(supported here: ([\w, ]+)\)\n$", told)
        self.best, self.sets = words[1], words[2].split(", ")

    def test_the_best_set_is_taken_unless_another_is_asked_for(self):
        self.assertEqual(self.best, self.sets[-1])
        self.assertEqual(self.sets, [each for each in ("portable", "avx2", "avx512") if each in self.sets])
        for each in self.sets:
            self.assertIn(f"\ninstruction set {each} ", self.electret("--version", check=0, env=with_variable(each)).stdout)

    def positions(self, run):
        with h5py.File(self.folder / run / "trajectory.h5") as file:
            return file["positions"][-1]

    def test_a_run_that_goes_on_with_another_set_says_so(self):
        if len(self.sets) == 1:
            self.skipTest("this processor has one set")
        self.scene(SCENE)
        self.electret("run", "scene.toml", "--instructions", self.best, "-o", "out", check=0)
        longer = ("run", "scene.toml", "--set", "time.steps=30", "-o", "out", "--resume", "--instructions", "portable")
        told = self.electret(*longer, check=0).stderr
        words = f"computed with the instruction set {self.best} until here and is computed with portable from here on"
        self.assertIn(words, told)
        self.assertIn(words, str(self.summary("out")["warnings"]))

    def test_a_run_has_the_bits_of_its_set_at_any_number_of_threads(self):
        self.scene(SCENE + SOLID)
        ends = {}
        for each in self.sets:
            self.electret("run", "scene.toml", "--instructions", each, "--threads", 1, "-o", f"{each}-1", check=0)
            self.electret("run", "scene.toml", "--threads", 2, "-o", f"{each}-2", check=0, env=with_variable(each))
            ends[each] = self.positions(f"{each}-1")
            np.testing.assert_array_equal(self.positions(f"{each}-2"), ends[each])
            for threads in (1, 2):
                self.assertEqual(self.summary(f"{each}-{threads}")["instruction_set"], each)
        np.testing.assert_allclose(ends[self.best], ends["portable"], rtol=0, atol=1e-6)
        if self.best != "portable":
            self.assertGreater(np.abs(ends[self.best] - ends["portable"]).max(), 0)

    def test_every_command_that_computes_takes_it(self):
        self.scene()
        (self.folder / "charges.csv").write_text("x,y,z,q\n0,0,0,1\n1,0,0,1\n")
        (self.folder / "job.toml").write_text('[fit]\nscene = "scene.toml"\n[[parameter]]\n'
                                              'name = "body.ball.charge"\n[optimiser]\nloss_tolerance = 1000\n[[loss]]\nof = "centre_of_mass:0,0,0"\n')
        commands = {"run": ["scene.toml"], "check": ["scene.toml"], "field": ["charges.csv"], "fit": ["job.toml"],
                    "gradient": ["scene.toml", "--loss", "energy", "--wrt", "body.ball.charge"]}
        for command, arguments in commands.items():
            with self.subTest(command=command):
                self.electret(command, *arguments, "--instructions", "portable", check=0, env=with_variable("nonsense"))
                before = sorted(self.folder.rglob("*"))
                for faulty, variable, source in [("sse", "", "--instructions"), ("avx2\n", "", "--instructions"), (None, "AVX2", "ELECTRET_INSTRUCTIONS")]:
                    option = [] if faulty is None else ["--instructions", faulty]
                    done = self.electret(command, *arguments, *option, check=2, env=with_variable(variable))
                    self.assertIn(f"{source}: ", done.stderr)
                    self.assertIn(f"allowed here: {', '.join(self.sets)}\n", done.stderr)
                self.assertEqual(sorted(self.folder.rglob("*")), before)

    def test_the_commands_say_which_kernels_they_take(self):
        self.scene()
        (self.folder / "charges.csv").write_text("x,y,z,q\n0,0,0,1\n1,0,0,1\n")
        self.assertIn("(portable kernels)", self.electret("check", "scene.toml", "--instructions", "portable", check=0).stdout)
        self.assertIn("(portable kernels)", self.electret("field", "charges.csv", "--instructions", "portable", check=0).stderr)

    def test_a_wrong_variable_stops_no_help(self):
        for arguments in (["--help"], ["run", "--help"]):
            self.electret(*arguments, check=0, env=with_variable("sse"))
        for arguments in (["--version"], ["info", "absent"]):
            self.assertIn("allowed here: portable", self.electret(*arguments, check=2, env=with_variable("sse")).stderr)


if __name__ == "__main__":
    unittest.main()
