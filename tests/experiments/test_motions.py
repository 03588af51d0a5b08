#!/usr/bin/python3
"""`electret reproduce`: the experiments that simulate springs."""

import os
import re
import shutil
import signal
import sys
import time
import tomllib
import unittest

import h5py
import numpy as np

from report import ReportTest, claims_of, motion_of, rows
from support import SECONDS


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
        # The sweep over the same keys gives the same table: runs of verlet and imex take turns, the stiffness changes faster.
        self.electret("sweep", "inputs/map.toml", "-o", "map", where=folder, check=0)
        with h5py.File(folder / "map" / "sweep.h5") as file:
            verlet, imex = ({name: file["results"][name][k::2] for name in ("start", "end", "size")} for k in range(2))
            charges = np.array(file["design/body.0.charge"][()][::2], float)
        np.testing.assert_allclose(1e6 * charges, table["charge"], rtol=1e-14)
        for column, ours in [("energy_error", np.abs(imex["end"] - verlet["end"]) / np.abs(verlet["end"])),
                             ("gyration_error", np.abs(imex["size"] - verlet["size"]) / verlet["size"]),
                             ("reference_drift", np.abs(verlet["end"] / verlet["start"] - 1))]:
            np.testing.assert_allclose(ours, table[column], rtol=1e-12, atol=1e-15, err_msg=column)

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
        program.write_text("#!/bin/sh\necho $$ > started\nexec sleep 10000\n")
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
        process.communicate(timeout=SECONDS)
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


if __name__ == "__main__":
    unittest.main(argv=[*sys.argv, "-v"])
