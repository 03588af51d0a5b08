#!/usr/bin/python3
"""The numbers that `electret check`, `info` and `field` print, against their own definitions."""

import csv
import os
import re
import shlex
import signal
import sys
import textwrap
import unittest

import h5py
import numpy as np

from support import SCENE, SECONDS, CommandTest, without_sanitizers

# Two bodies that differ in every number, so that a sum over the wrong vertices shows.
TWO = textwrap.dedent("""\
    [time]
    step = 0.01
    steps = 40

    [output]
    every = 2

    [coulomb]

    [[body]]
    name = "first"
    generate = { shape = "chain", vertices = 4 }
    mass = 0.5
    charge = 1e-6

      [[body.springs]]
      stiffness = 5.0

    [[body]]
    name = "second"
    generate = { shape = "chain", vertices = 6 }
    translate = [0.0, 0.0, 3.0]
    mass = 2.0
    charge = -3e-6

      [[body.springs]]
      stiffness = 7.0

      [[body.group]]
      name = "ends"
      indices = [0, 5]

      [[body.group_charge]]
      group = "ends"
      value = 5e-6

      [[body.pin]]
      group = "ends"
    """)


def rows(text):
    """{label: text} of lines "label   text"."""
    return dict(re.split(r"\s{2,}", line, maxsplit=1) for line in text.splitlines())


def bytes_of(text):
    """"about 1.2 MB" → 1.2e6."""
    number, unit = re.search(r"([\d.e+]+) (\w+)$", text).groups()
    return float(number) * {"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9}[unit]


class Check(CommandTest):
    def test_bodies_and_totals(self):
        self.scene(TWO)
        text = rows(self.electret("check", "scene.toml", check=0).stdout)
        self.assertEqual(text["body first"], "4 vertices, 3 springs, 2 kg, 4e-06 C at the start")
        self.assertEqual(text["body second"], "6 vertices, 5 springs, 12 kg, -2e-06 C at the start")
        self.assertEqual(text["vertices"], "10 (2 pinned)")
        self.assertEqual(text["springs"], "8")
        self.assertEqual(text["total mass"], "14 kg")
        self.assertEqual(text["total charge"], "2e-06 C at the start")
        self.assertEqual(text["steps"], "40 of 0.01 s, 0.4 s in all")

    def test_says_of_each_method_what_it_is_good_for(self):
        self.scene()
        said = set()
        methods = ["imex", "linear_implicit", "kick_midpoint", "kick_trbdf2", "verlet", "symplectic_euler", "explicit_euler"]
        for method in methods:
            text = rows(self.electret("check", "scene.toml", "--set", f"integrator.method={method}", check=0).stdout)
            self.assertTrue(text["integrator"].startswith(method + ": "))
            said.add(text["integrator"].split(": ")[1])
        self.assertEqual(len(said), len(methods))

    def test_disk_is_what_the_run_takes(self):
        self.scene(SCENE.replace("vertices = 60", "vertices = 1500"))
        for k, settings in enumerate([[], ["time.steps=150"], ["output.every=4", "time.steps=400"],
                                      ["output.precision=single"], ["output.velocities=false"]]):
            changes = [part for setting in settings for part in ("--set", setting)]
            said = bytes_of(rows(self.electret("check", "scene.toml", *changes, check=0).stdout)["disk"])
            self.electret("run", "scene.toml", "-o", f"run{k}", *changes, check=0)
            taken = sum(file.stat().st_size for file in (self.folder / f"run{k}").iterdir())
            self.assertLess(abs(said - taken), 0.05 * taken, (settings, said, taken))

    @without_sanitizers
    def test_memory_is_what_the_run_takes(self):
        """The most that a run has in memory, of each kind of method: explicit, one matrix, matrices and grids. Bodies are so
        large that this is more than Python takes, which a process is charged with until it has become another program."""
        solid = '[[body.material]]\nmodel = "corotated"\nyoungs_modulus = 1e-3\npoissons_ratio = 0.3\n'
        for shape, springs in [("shape = 'grid', rows = 250, columns = 250", ["edges", "diagonals", "bending"]),
                               ("shape = 'lattice', nx = 28, ny = 28, nz = 28", ["nearest"]),
                               ("shape = 'box', cells = [28, 28, 28], element = 'hex'", []),
                               ("shape = 'box', cells = [20, 20, 20], element = 'tet'", [])]:
            group = "top" if "grid" in shape else "left"
            self.scene(f"""[time]
step = 0.01
steps = 2
[gravity]
acceleration = [0, 0, -9.81]
[[body]]
name = "b"
generate = {{ {shape} }}
mass = 1e-3
[[body.group]]
name = "held"
attribute = "{group}"
[[body.pin]]
group = "held"
""" + "".join(f'[[body.springs]]\nfrom = "{kind}"\nstiffness = 1\n' for kind in springs)
                       + ("" if springs else solid))  # fmt: skip
            for method in ["verlet", "imex", "newton", "kick_midpoint", "kick_trbdf2", "linear_implicit"]:
                if method == "linear_implicit" and not springs:
                    continue
                change = ["--set", f"integrator.method={method}", "--threads", "1"]
                said = bytes_of(rows(self.electret("check", "scene.toml", *change, check=0).stdout)["memory"])
                with self.start("run", "scene.toml", "--overwrite", "-o", "out", *change) as run:
                    _, status, usage = os.wait4(run.pid, 0)
                    run.returncode = os.waitstatus_to_exitcode(status)
                self.assertEqual(run.returncode, 0)
                taken = 1024 * usage.ru_maxrss
                # Before a run nobody knows which preconditioner Newton's method will need: what is told has room for
                # the larger one.
                self.assertGreater(said, 0.75 * taken, (shape, method, said, taken))
                self.assertLess(said, (1.25 if method in ["verlet", "linear_implicit"] else 2.0) * taken, (shape, method, said, taken))


class Info(CommandTest):
    def test_totals_and_energies(self):
        self.scene(TWO)
        self.electret("run", "scene.toml", "-o", "out", check=0)
        text = rows(self.electret("info", "out", check=0).stdout)
        self.assertEqual(text["total mass"], "14 kg")
        self.assertEqual(text["total charge"], "2e-06 C")
        self.assertEqual(text["bodies"], "2")
        self.assertEqual(text["resumable"], "from step 40")
        with open(self.folder / "out" / "energy.csv") as file:
            totals = [float(row["total"]) for row in csv.DictReader(file)]
        first, last = map(float, re.match(r"(\S+) J at the start, (\S+) J at the end", text["total energy"]).groups())
        self.assertAlmostEqual(first, totals[0], delta=1e-8 * abs(totals[0]))
        self.assertAlmostEqual(last, totals[-1], delta=1e-8 * abs(totals[-1]))
        self.assertNotEqual(first, last)


class Observables(CommandTest):
    def test_columns_are_what_the_header_says(self):
        self.scene(TWO + "\n[gravity]\nacceleration = [0.3, -0.2, -9.81]\n")
        self.electret("run", "scene.toml", "-o", "out", "--set", "body.0.velocity=[0.1, 0.7, -0.2]", check=0)
        with h5py.File(self.folder / "out" / "trajectory.h5") as run:
            x, v, m, q = (run[name][()] for name in ["positions", "velocities", "masses", "charges"])
        table = np.genfromtxt(self.folder / "out" / "observables.csv", delimiter=",", names=True)
        weight = m[None, :, None]
        centre = (weight * x).sum(axis=1) / m.sum()
        spread = (m * ((x - centre[:, None, :]) ** 2).sum(axis=2)).sum(axis=1) / m.sum()
        expected = {"centre_of_mass": centre, "linear_momentum": (weight * v).sum(axis=1),
                    "angular_momentum": (weight * np.cross(x, v)).sum(axis=1)}  # fmt: skip
        for name, values in expected.items():
            columns = [column for column in table.dtype.names if column.startswith(name)]
            self.assertEqual([column[-1] for column in columns], list("xyz"))
            found = np.column_stack([table[column] for column in columns])
            np.testing.assert_allclose(found, values, rtol=0, atol=1e-12 * np.abs(values).max(), err_msg=name)
        np.testing.assert_allclose(table["radius_of_gyration"], np.sqrt(spread), rtol=1e-13)
        charged = x[:, q != 0.0]
        pairs = np.linalg.norm(charged[:, :, None] - charged[:, None], axis=3) + 1e9 * np.eye(charged.shape[1])
        np.testing.assert_allclose(table["smallest_charge_distance"], pairs.min(axis=(1, 2)), rtol=1e-13)


class Field(CommandTest):
    def setUp(self):
        super().setUp()
        self.points = np.random.default_rng(8).uniform(-1, 1, (40, 3))
        self.charges = np.random.default_rng(9).choice([-1e-6, 2e-6], 40)
        np.savetxt(self.folder / "q.csv", np.column_stack([self.points, self.charges]), delimiter=",",
                   header="x,y,z,q", comments="", fmt="%.17g")

    def field(self, *options):
        done = self.electret("field", "q.csv", *options, check=0)
        return np.array([[float(v) for v in line.split(",")] for line in done.stdout.splitlines()[1:]]), done.stderr

    def expected(self, constant=8.9875517923e9, softening=0.0):
        r = self.points[:, None] - self.points[None]
        rho = np.sqrt((r**2).sum(axis=2) + softening**2)
        np.fill_diagonal(rho, np.inf)
        return constant * np.column_stack([np.einsum("j,ijk,ij->ik", self.charges, r, rho**-3),
                                           (self.charges / rho).sum(axis=1)])  # fmt: skip

    def test_constant_and_softening(self):
        for options, wanted in [(["--constant", "2.5"], self.expected(2.5)),
                                (["--softening", "0.4"], self.expected(softening=0.4))]:
            found, _ = self.field(*options)
            np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-12 * np.abs(wanted).max())

    def test_accuracy_chooses_the_arithmetic(self):
        wanted = self.expected()
        error = {}
        for accuracy in ["1e-3", "1e-5", "1e-9"]:
            found, said = self.field("--accuracy", accuracy, "--verify", "40")
            error[accuracy] = np.linalg.norm((found - wanted)[:, :3]) / np.linalg.norm(wanted[:, :3])
            self.assertLess(error[accuracy], float(accuracy))
            told = re.search(r"true error on 40 targets: (\S+) \(relative L2\)", said).group(1)
            self.assertAlmostEqual(float(told), error[accuracy], delta=0.01 * error[accuracy] + 1e-15)
        self.assertGreater(error["1e-3"], error["1e-5"])
        self.assertGreater(error["1e-5"], error["1e-9"])


class Resume(CommandTest):
    def test_the_command_it_names_is_the_one_to_type(self):
        self.scene(SCENE.replace("vertices = 60", "vertices = 300"), "my scene.toml")
        changes = ["--set", "time.steps=100000", "--set", "scene.name=it's"]
        process = self.start("run", "my scene.toml", *changes)
        self.wait_until((self.folder / "runs/my scene/checkpoint.h5").exists, "a checkpoint")
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=SECONDS)
        self.assertEqual(process.returncode, 130, errors)
        command = re.search("go on with: (.*)", errors).group(1)
        self.assertEqual(shlex.split(command),
                         ["electret", "run", "my scene.toml", "-o", "runs/my scene", *changes, "--resume"])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
