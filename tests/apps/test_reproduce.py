#!/usr/bin/python3
"""`electret reproduce`: its list, its reports, and what it leaves alone."""

import csv
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import time
import tomllib
import unittest
import xml.etree.ElementTree

import h5py
import numpy as np

from support import CommandTest

NAMES = ["ddef-error", "ddef-farfield", "field-runtime", "torus-energy", "bunny-timestep", "parameter-map", "error-15",
         "lammps-torus", "tshirt", "fit-stiffness", "fit-charge", "charge-keyframes", "external-charge", "rotating-field",
         "four-particles", "cantilever", "landscape", "plant", "routing-tendon", "armadillo"]


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
        self.assertTrue(all(re.search(r"\[(MSC|IE|DiffPD)\]", line) and len(line) < 120 for line in lines))
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_unknown_names(self):
        done = self.electret("reproduce", "ddef-eror", "nothing-like-it", check=2)
        self.assertIn('did you mean "ddef-error"', done.stderr)
        self.assertIn("nothing-like-it", done.stderr)
        self.assertIn("field-runtime", done.stderr)

    def test_without_the_program_of_the_experiments(self):
        alone = self.folder / "electret"
        shutil.copy(os.environ["ELECTRET"], alone)
        done = subprocess.run([alone, "reproduce"], text=True, capture_output=True, timeout=60)
        self.assertEqual(done.returncode, 1)
        self.assertIn("electret-experiments", done.stderr)
        self.assertIn("./dev build", done.stderr)


class ReportTest(CommandTest):
    """A small run of an experiment leaves a whole report."""

    def run_quick(self, name, **options):
        done = self.electret("reproduce", name, "--quick", "-o", "out", "--threads", 3, **options)
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
                tomllib.loads((folder / name).read_text())
                self.electret("check", name, where=folder, check=0)
            elif name.endswith(".npy"):
                table = np.load(folder / name)
                self.assertEqual((table.ndim, table.dtype), (2, np.dtype("<f8")))
                self.assertTrue(np.isfinite(table).all())


class Fields(ReportTest):
    """Those that evaluate fields."""

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


class Motions(ReportTest):
    """Those that simulate: the numbers are of real runs, and the verdicts are those of the numbers."""

    def test_torus_energy(self):
        folder = self.run_quick("torus-energy")
        table = rows(folder / "motions.csv")
        imex = motion_of(table, method="imex", h=0.15)
        self.assertTrue(np.all((imex["energy_error"] < 0.15) & (imex["gyration"] > 1.0) & (imex["gyration"] < 2.0)))
        self.assertLess(motion_of(table, method="verlet", h=0.015)["energy_error"].max(), 1e-3)
        self.assertGreater(motion_of(table, method="verlet", h=0.15)["energy_error"].max(), 1)
        self.assertLess(motion_of(table, method="kick_midpoint", h=0.03)["energy_error"].max(), 1e-3)
        starts = {row["energy"] for row in table if float(row["time"]) == 0}
        self.assertEqual(len({float(energy).hex()[:12] for energy in starts}), 1, "all start from one state")
        verdicts = {text: verdict for text, (verdict, _) in claims_of(folder).items()}
        for claim in ["imex is less accurate than Verlet at small steps", "imex is stable: less than 15 % error at every step",
                      "(ours) kick_midpoint's energy error at h = 0.03 s is at most 0.001", "Verlet fails at a large step",
                      "the explicit-explicit method is quickly unusable"]:
            self.assertEqual(verdicts[claim], "reproduced")
        # The report's command gives the table's numbers.
        self.electret("run", "inputs/torus.toml", "--set", "time.duration=4.5", "-o", "run", where=folder, check=0)
        run = rows(folder / "run" / "energy.csv")
        ours = motion_of(table, method="imex", h=0.03)
        np.testing.assert_allclose([float(row["total"]) for row in run][::5], ours["energy"], rtol=1e-14)
        shape = rows(folder / "run" / "observables.csv")
        np.testing.assert_allclose([float(row["radius_of_gyration"]) for row in shape][::5], ours["gyration"], rtol=1e-14)

    def test_bunny_timestep(self):
        folder = self.run_quick("bunny-timestep")
        table = rows(folder / "errors.csv")
        self.assertEqual(len(table), 2 * 3 * 3, "charges × methods × steps")
        for row in table:
            self.assertLess(0, float(row["mean"]))
            self.assertLessEqual(float(row["mean"]), float(row["worst"]))
        self.assertLess(max(float(row["mean"]) for row in table if row["method"] == "imex"), 1)
        means = {row["method"]: float(row["mean"]) for row in table if (row["charge"], row["h"][:4]) == ("6", "0.05")}
        self.assertLess(means["verlet"], means["imex"])

    def test_parameter_map(self):
        folder = self.run_quick("parameter-map")
        table = motion_of(rows(folder / "errors.csv"))
        self.assertEqual(sorted(set(table["stiffness"])), [2, 6, 10])
        low, high = (table["energy_error"][table["charge"] == charge] for charge in [1, 6])
        self.assertTrue(np.all((low > 0) & (low < 0.5 * high) & (high < 0.3)))
        self.assertTrue(np.all(table["reference_drift"] < 0.1 * table["energy_error"]))

    def test_error_15(self):
        folder = self.run_quick("error-15")
        table = motion_of(rows(folder / "motions.csv"))
        np.testing.assert_allclose(table["time"], 0.15 * np.arange(101))
        np.testing.assert_allclose(table["energy_error"], np.abs(table["energy"] / table["energy_reference"] - 1), atol=1e-12)
        self.assertTrue(0.03 < table["energy_error"][-1] < 0.3)
        self.assertEqual(claims_of(folder)["the motion looks reasonable all the same"][0], "reproduced")
        shown = re.findall(r"^\| (1\.5|3\.75|7\.5|11\.2|15) \|", (folder / "report.md").read_text(), re.M)
        self.assertEqual(len(shown), 5)

    def test_the_number_of_threads_changes_no_result(self):
        folders = []
        for threads in ["1", "2"]:
            self.electret("reproduce", "error-15", "--quick", "--threads", threads, "-o", threads, check=0)
            folders.append(self.folder / threads / "error-15")
        for name in ["motions.csv", "strip.png", "strip.svg", "motion.png"]:
            self.assertEqual((folders[0] / name).read_bytes(), (folders[1] / name).read_bytes(), name)

    def test_lammps_torus(self):
        folder = self.run_quick("lammps-torus")
        table = rows(folder / "motions.csv")
        for step, most in [(0.1, 0.5), (0.005, 0.1)]:
            self.assertLess(motion_of(table, method="imex", h=step)["gyration_error"].max(), most)
        agrees = claims_of(folder)["(ours) LAMMPS's Verlet and ours agree to three digits"]
        if shutil.which("lmp"):
            self.assertEqual(agrees[0], "reproduced")
            self.assertLess(motion_of(table, method="LAMMPS", h=0.005)["energy_error"].max(), 1e-3)
        else:
            self.assertEqual(agrees[0], "not measured")

    def test_without_lammps_it_says_so(self):
        folder = self.run_quick("lammps-torus", env={**os.environ, "PATH": str(self.folder)})
        verdict, figure = claims_of(folder)["(ours) LAMMPS's Verlet and ours agree to three digits"]
        self.assertEqual(verdict, "not measured")
        self.assertIn("not installed", figure)
        self.assertNotIn("LAMMPS", {row["method"] for row in rows(folder / "motions.csv")})

    def test_a_lammps_that_fails_is_no_result(self):
        program = self.folder / "lmp"
        program.write_text("#!/bin/sh\ngrep SigIgn /proc/$$/status > ignored\necho ERROR: lost atoms\nexit 1\n")
        program.chmod(0o755)
        folder = self.run_quick("lammps-torus", env={**os.environ, "PATH": f"{self.folder}:/usr/bin:/bin"})
        self.assertEqual(claims_of(folder)["(ours) LAMMPS's Verlet and ours agree to three digits"][0], "not reproduced")
        ignored = int((self.folder / "ignored").read_text().split()[1], 16)
        self.assertEqual(ignored >> (signal.SIGPIPE - 1) & 1, 0, "LAMMPS would not end at a closed pipe")

    def test_an_interruption_ends_lammps(self):
        program = self.folder / "lmp"
        program.write_text("#!/bin/sh\necho $$ > started\nexec sleep 100\n")
        program.chmod(0o755)
        temporary = self.folder / "temporary"
        temporary.mkdir()
        process = self.start("reproduce", "lammps-torus", "--quick", "-o", "out",
                             env={**os.environ, "PATH": f"{self.folder}:/usr/bin:/bin", "TMPDIR": str(temporary)})
        started = self.folder / "started"
        while not (started.exists() and started.read_text()):
            self.assertIsNone(process.poll())
            time.sleep(0.05)
        self.assertEqual(len(list(temporary.iterdir())), 1)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 143)
        with self.assertRaises(ProcessLookupError):
            os.kill(int(started.read_text()), 0)
        self.assertEqual(list(temporary.iterdir()), [])
        self.assertFalse((self.folder / "out").exists())

    def test_tshirt(self):
        folder = self.run_quick("tshirt")
        table = motion_of(rows(folder / "frames.csv"))
        self.assertEqual(len(table["frame"]), 121)
        self.assertEqual(table["distance"][0], 0)
        self.assertTrue(0 < table["distance"].max() < 0.01 < table["distance_10_iterations"].max())
        self.assertLess(table["energy"][-1], table["energy"][0], "it has come down")

    def test_fit_stiffness(self):
        folder = self.run_quick("fit-stiffness")
        fits = rows(folder / "fits.csv")
        found = {(row["method"], row["target"]): float(row["found (N/m)"]) for row in fits}
        self.assertEqual(len(found), 4 * 3)
        self.assertTrue(all(float(row["start (N/m)"]) == 20 for row in fits))
        self.assertAlmostEqual(found["imex, h = 0.01 s", "its own"], 50, delta=0.05)
        self.assertAlmostEqual(found["verlet, h = 0.001 s", "its own, horizons"], 50, delta=0.05)
        self.assertEqual(claims_of(folder)["the fit from 20 N/m finds the target's 50 N/m"][0], "reproduced")
        # The landscape is lowest at the truth, and the runs go down to it.
        for method in {row["method"] for row in fits}:
            landscape = motion_of(rows(folder / "landscape.csv"), method=method)
            if "imex" in method:
                self.assertAlmostEqual(landscape["stiffness"][np.argmin(landscape["loss"])], 50, delta=7)
        losses = [float(row["loss"]) for row in rows(folder / "runs.csv") if row["target"] == "its own"
                  and row["method"] == "imex, h = 0.01 s"]
        self.assertLess(losses[-1], 1e-9 * losses[0])

    def test_fit_charge(self):
        folder = self.run_quick("fit-charge")
        verdicts = {text: verdict for text, (verdict, _) in claims_of(folder).items()}
        self.assertEqual(verdicts["(ours) each method at each step finds the charge behind a target of its own making to 1e-4"],
                         "reproduced")
        self.assertEqual(verdicts["expanding duck: both methods work at h = 0.009 s"], "reproduced")
        self.assertEqual(verdicts["collapsing duck: both methods work at h = 0.009 s"], "not reproduced")
        fits = rows(folder / "fits.csv")
        self.assertEqual(len(fits), 2 * 6 + 6)
        for row in fits:
            found = [float(value) for value in row["found / true q"].split(", ")]
            self.assertEqual(len(found), 4)
            if (row["body"], row["h (s)"]) == ("expanding", "0.17999999999999999"):
                self.assertLess(max(abs(value - 1) for value in found), 0.06)
        landscape = rows(folder / "landscape.csv")
        verlet = motion_of(landscape, body="expanding", method="verlet", h=0.009)
        self.assertAlmostEqual(verlet["charge"][np.argmin(verlet["loss"])], 80e-6, delta=5e-6)

    def test_four_particles(self):
        """Against the document's formulas once more: eq. 28, 36, 37, 41 and 49."""
        folder = self.run_quick("four-particles")
        body = tomllib.loads((folder / "inputs" / "particles.toml").read_text())["body"][0]
        x, v = np.array(body["initial_positions"]), np.array(body["velocities"])
        springs, h = body["springs"][0], 0.02
        jacobian, force = np.zeros((12, 12)), np.zeros((4, 3))
        for (i, j), length in zip(springs["pairs"], springs["rest_lengths"]):
            d = x[j] - x[i]
            k, distance = springs["modulus"] / length, np.linalg.norm(d)
            block = k * (-np.eye(3) + length / distance * (np.eye(3) - np.outer(d, d) / distance**2))
            sign = np.zeros(4)
            sign[[i, j]] = 1, -1
            jacobian += np.kron(np.outer(sign, sign), block)
            force[i] += k * (distance - length) * d / distance
            force[j] -= k * (distance - length) * d / distance
        table = motion_of(rows(folder / "jacobian.csv"))
        np.testing.assert_allclose(np.array([table[name] for name in table]).T, jacobian, atol=1e-12)
        masses = np.repeat(body["masses"], 3)
        system = np.diag(masses) - h**2 * jacobian
        right = masses * (v + h * np.array([0, 0, -9.81])).ravel() + h * force.ravel()
        exact = np.linalg.solve(system, right)
        for solver in ["jacobi", "cg"]:
            command = re.search(rf"^electret (run .* -o {solver})$", (folder / "report.md").read_text(), re.M).group(1)
            self.electret(*command.split(), where=folder, check=0)
            with h5py.File(folder / solver / "trajectory.h5") as file:
                np.testing.assert_allclose(file["velocities"][-1].ravel(), exact, rtol=1e-8, atol=1e-8)
        for omega in [0.5, 0.35, 0.2]:
            ours = motion_of(rows(folder / "iterations.csv"), omega=omega)
            guess, errors = np.zeros(12), []
            for _ in ours["iteration"]:
                errors.append(np.linalg.norm(guess - exact) / np.linalg.norm(exact))
                guess = guess + omega * (right - system @ guess) / np.diag(system)
            np.testing.assert_allclose(ours["error"], errors, rtol=1e-3, atol=1e-14)
            self.assertLess(ours["error"][-1], 1e-9)


class Steered(ReportTest):
    """Runs that are steered from outside: the tables are those of the scene's own run, and verdicts follow from them."""

    def all_reproduced(self, folder):
        for claim, (verdict, figure) in claims_of(folder).items():
            self.assertEqual(verdict, "reproduced", f"{claim}: {figure}")

    def run_again(self, folder, name):
        """The trajectory of one of the report's commands."""
        command = re.search(rf"^electret (run .* -o {name})$", (folder / "report.md").read_text(), re.M).group(1)
        self.electret(*command.split(), where=folder, check=0)
        return h5py.File(folder / name / "trajectory.h5")

    def test_charge_keyframes(self):
        folder = self.run_quick("charge-keyframes")
        self.all_reproduced(folder)
        table = motion_of(rows(folder / "motion.csv"))
        ears_on, belly_on = (table["time"] > 1.5) & (table["time"] < 3.5), (table["time"] > 5.5) & (table["time"] < 7.5)
        np.testing.assert_allclose(table["left_ear_charge"][ears_on], 4e-7)
        np.testing.assert_allclose(table["right_ear_charge"][ears_on], -4e-7)
        np.testing.assert_allclose(table["belly_charge"][belly_on], 8e-7)
        self.assertTrue(np.all(table["belly_charge"][ears_on] == 0) and np.all(table["left_ear_charge"][belly_on] == 0))
        self.assertLess(table["ear_distance"][ears_on].min(), 0.5 * table["ear_distance"][0])
        self.assertGreater(table["belly_size"][belly_on].min(), 1.05 * table["belly_size"][0])
        with self.run_again(folder, "run") as file:
            times, groups = file["time"][:], file["groups"]["bunny"]
            apart = np.linalg.norm(file["positions"][-1] - file["positions"][0], axis=1).max()
            self.assertLess(apart, 0.1, "the shape comes back")
            self.assertIn(f"farther than {apart:.2g} m", claims_of(folder)["(ours) without charges the shape comes back"][1])
            for time, distance, size in list(zip(table["time"], table["ear_distance"], table["belly_size"]))[::7]:
                x = file["positions"][int(np.argmin(np.abs(times - time)))]
                left, right, belly = (x[groups[name][:]] for name in ["left_ear", "right_ear", "belly"])
                self.assertAlmostEqual(np.linalg.norm(left.mean(0) - right.mean(0)), distance, places=6)
                self.assertAlmostEqual(np.sqrt(((belly - belly.mean(0))**2).sum(1).mean()), size, places=6)

    def test_external_charge(self):
        folder = self.run_quick("external-charge")
        self.all_reproduced(folder)
        table = motion_of(rows(folder / "motion.csv"))
        place = np.array([table[f"charge_{axis}"] for axis in "xyz"]).T
        middle = np.array([table[f"centre_{axis}"] for axis in "xyz"]).T
        np.testing.assert_allclose(np.linalg.norm(place, axis=1), 8.0, atol=0.1)
        advance = ((middle - middle[0]) * place).sum(1) / 8.0
        self.assertGreater(advance.mean(), 1.0)
        with self.run_again(folder, "with") as file:
            axes = []
            for time in [6.0, 60.0]:
                x = file["positions"][int(np.argmin(np.abs(file["time"][:] - time)))]
                np.testing.assert_allclose(x.mean(0), middle[np.argmin(np.abs(table["time"] - time))], atol=1e-5)
                axes.append(np.linalg.svd(x - x.mean(0))[2][2])
            turned = np.degrees(np.arccos(abs(axes[0] @ axes[1])))
            self.assertAlmostEqual(turned, table["angle_of_axis"][-1], places=2)

    def test_rotating_field(self):
        folder = self.run_quick("rotating-field")
        self.all_reproduced(folder)
        speeds = {(row["method"], float(row["charge"])): float(row["final"]) for row in rows(folder / "speeds.csv")}
        for (method, charge), speed in speeds.items():
            self.assertAlmostEqual(speed / (charge * 62500.0 / 0.5), 1.0, delta=0.12)
            self.assertGreater(speed * charge, 0.0)
        with self.run_again(folder, "run_3") as file:
            x, v = file["positions"][-1], file["velocities"][-1]
            x, v = x - x.mean(0), v - v.mean(0)
            spin = np.cross(x, v)[:, 2].sum() / (x[:, :2]**2).sum()
            self.assertAlmostEqual(spin, speeds["imex", -4e-6], places=5)


class Solids(ReportTest):
    """Those of solid bodies."""

    def test_cantilever(self):
        folder = self.run_quick("cantilever")
        runs = rows(folder / "runs.csv")
        self.assertEqual({row["solver"] for row in runs}, {"auto", "lbfgs"})
        for row in runs:
            self.assertLess(float(row["gradient norm (N)"]),
                            float(row["published norm (N)"]) * (1 if row["solver"] == "auto" else 3), row)
            self.assertGreater(min(float(row["forward (s)"]), float(row["backward (s)"])), 0)
        for solver in ["auto", "lbfgs"]:
            errors = [float(row["gradient error"]) for row in runs if (row["solver"], row["threads"]) == (solver, "3")]
            self.assertTrue(errors[0] > errors[1] > errors[2] > 0, errors)
            self.assertLess(errors[2], 1e-5)
        verdicts = {text: verdict for text, (verdict, _) in claims_of(folder).items()}
        for claim in ["loss and gradient at 1e-4 are those of a converged run, to 1 %",
                      "(ours) at 1e-4 every frame ends below the published gradient norm",
                      "(ours) loss and gradient have the same bits at any number of threads"]:
            self.assertEqual(verdicts[claim], "reproduced", claim)
        # The report's own command moves the same beam.
        command = re.search(r"^electret (run .*)$", (folder / "report.md").read_text(), re.M).group(1)
        self.electret(*command.split(), where=folder, check=0)
        with h5py.File(folder / "cantilever" / "trajectory.h5") as file:
            self.assertEqual(file["positions"].shape, (6, 13 * 4 * 4, 3))

    def test_random_numbers_are_numpys(self):
        """The published order of draws, checked on what the scene is made of."""
        folder = self.run_quick("cantilever")
        random = np.random.RandomState(42)
        vertices, elements = 13 * 4 * 4, 12
        for scale in [0.1, 1.0, 1.0]:
            random.normal(scale=scale, size=3 * vertices)
        activations = random.uniform(size=elements)
        forces = random.normal(scale=0.1, size=3 * vertices).reshape(13, 4, 4, 3) * 1e-3
        body = tomllib.loads((folder / "inputs" / "cantilever.toml").read_text())["body"][0]
        np.testing.assert_allclose(body["muscle"][0]["activations"], activations, rtol=1e-15)
        # Published: x slowest; ours: x fastest.
        ours = np.loadtxt(folder / "inputs" / "forces.csv", delimiter=",", skiprows=1)
        np.testing.assert_allclose(ours, forces.transpose(2, 1, 0, 3).reshape(-1, 3), rtol=1e-13)

    def test_landscape(self):
        folder = self.run_quick("landscape")
        lines = rows(folder / "lines.csv")
        self.assertEqual(len(lines), 2 * 2 * 7, "methods × directions × places")
        spread = {row["method"]: row for row in rows(folder / "spread.csv")}
        for what in ["loss", "gradient"]:
            ends = {}
            for method in ["imex", "symplectic_euler"]:
                change = []
                for direction in "01":
                    values = [float(row["loss" if what == "loss" else "gradient_norm"]) for row in lines
                              if (row["method"], row["direction"]) == (method, direction)]
                    change += [(values[k] - values[3]) / abs(values[3]) for k in [0, -1]]
                ends[method] = np.std(change)
                self.assertAlmostEqual(float(spread[method]["deviation of the " + what]) / ends[method], 1, places=9)
            self.assertGreater(min(ends.values()), 0)
        middles = {float(row["loss"]) for row in lines if row["method"] == "imex" and float(row["place"]) == 0}
        self.assertEqual(len(middles), 1, "all lines cross in the middle")

    def test_plant(self):
        folder = self.run_quick("plant")
        found = {row["fit"]: row for row in rows(folder / "found.csv")}
        self.assertAlmostEqual(float(found["growing"]["E (Pa)"]) / 1e6, 1, delta=0.01)
        self.assertAlmostEqual(float(found["growing"]["ν"]), 0.4, delta=0.004)
        self.assertEqual(claims_of(folder)["(ours) and from short runs of it first"][0], "reproduced")
        self.assertGreater(float(found["start"]["normalised loss"]), 100 * float(found["growing"]["normalised loss"]))

    def test_routing_tendon(self):
        folder = self.run_quick("routing-tendon")
        path = motion_of(rows(folder / "evaluations.csv"))
        self.assertLess(path["loss"].min(), 0.05 * path["loss"][0])
        np.testing.assert_allclose(path["miss"], 0.025 * np.sqrt(2 * path["loss"]))
        # What was found moves the end where the table says.
        command = re.search(r"^electret (run .* -o found)$", (folder / "report.md").read_text(), re.M).group(1)
        self.electret(*command.split(), where=folder, check=0)
        with h5py.File(folder / "found" / "trajectory.h5") as file:
            end = file["positions"][-1, -1]
        miss = np.linalg.norm(end - [0.2, 0.2, 0.45])
        self.assertAlmostEqual(miss, path["miss"].min(), delta=1e-5)

    def test_armadillo(self):
        folder = self.run_quick("armadillo")
        verdicts = {text: verdict for text, (verdict, _) in claims_of(folder).items()}
        for claim in ["the constant factor's iteration moves a neo-Hookean body as Newton's method does",
                      "(ours) so does the default", "(ours) no element inverts"]:
            self.assertEqual(verdicts[claim], "reproduced", claim)
        for row in rows(folder / "runs.csv"):
            self.assertEqual(row["capped steps"], "0")
        losses = [float(row["loss"]) for row in rows(folder / "forward_and_backward.csv")]
        self.assertEqual(len(losses), 3)
        np.testing.assert_allclose(losses, losses[0], rtol=1e-5)


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
    unittest.main(argv=[*sys.argv, "-v"])
