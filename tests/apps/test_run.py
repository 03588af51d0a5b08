#!/usr/bin/python3
"""`electret run`: outputs, exit statuses, what must not happen."""

import csv
import math
import os
import re
import signal
import subprocess
import sys
import time
import unittest

import numpy as np

from run_case import LONG, RunCase, datasets
from support import SCENE, SECONDS


class Run(RunCase):
    def test_writes_what_the_contract_names(self):
        self.scene()
        done = self.electret("run", "scene.toml", check=0)
        run = self.folder / "runs" / "scene"
        names = {"trajectory.h5", "energy.csv", "observables.csv", "energy.svg", "index.html", "summary.json",
                 "checkpoint.h5"}
        self.assertEqual({p.name for p in run.iterdir()}, names)
        self.assertIn("runs/scene", done.stdout)
        data = datasets(run / "trajectory.h5")
        self.assertEqual(data["positions"].shape, (21, data["masses"].size, 3))
        np.testing.assert_allclose(data["time"], 0.01 * np.arange(21), rtol=0, atol=1e-15)
        with open(run / "energy.csv") as file:
            rows = list(csv.reader(file))
        self.assertEqual(rows[0], "time,kinetic,elastic,coulomb,external,gravity,total,work,dissipation".split(","))
        self.assertEqual(len(rows), 22)
        for row in rows[1:]:
            values = [float(v) for v in row]
            self.assertAlmostEqual(sum(values[1:6]), values[6], delta=1e-12 * max(map(abs, values)))
        summary = self.summary("runs/scene")
        self.assertEqual(summary["status"], "done")
        self.assertEqual(summary["steps"], 20)
        self.assertEqual(summary["frames"], 21)
        self.assertEqual(summary["integrator"], "imex")
        self.assertEqual((summary["time_step"], summary["overrides"], summary["elements"]), (0.01, [], 0))
        self.assertAlmostEqual(summary["simulated_time"], 0.2, delta=1e-15)
        self.assertRegex(summary["machine"]["date"], r"^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertGreaterEqual(summary["machine"]["threads"], 1)
        self.assertGreater(len(summary["machine"]["processor"]), 0)
        self.assertGreaterEqual(summary["field_evaluations"], 20)
        self.assertEqual(set(summary["wall_s"]), {"field", "elastic", "output", "total"})

    def test_says_which_steps_no_frame_holds(self):
        self.scene()
        said = "the last frame is that of step 18, the last state is in checkpoint.h5"
        self.assertIn(said, self.electret("run", "scene.toml", "--set", "output.every=3", check=0).stderr)
        self.assertNotIn("last frame", self.electret("run", "scene.toml", "--set", "output.every=4", check=0).stderr)

    def test_is_bitwise_the_same_at_any_number_of_threads(self):
        self.scene(SCENE.replace("vertices = 60", "vertices = 700"))
        for method in ["imex", "verlet"]:
            for threads in [1, 2, 7]:
                self.electret("run", "scene.toml", "-o", f"{method}{threads}", "--threads", threads, "--set",
                              f"integrator.method={method}", check=0)
            for threads in [2, 7]:
                self.assert_same_data(f"{method}1", f"{method}{threads}")
                for name in ["energy.csv", "observables.csv"]:
                    self.assertEqual((self.folder / f"{method}1" / name).read_bytes(),
                                     (self.folder / f"{method}{threads}" / name).read_bytes())

    def test_set_takes_several_and_any_order(self):
        self.scene()
        self.electret("run", "--set", "time.steps=3", "time.step=0.02", "scene.toml", "-o", "a", check=0)
        self.assertEqual(self.summary("a")["steps"], 3)
        self.electret("run", "scene.toml", "--set=time.steps=4", "-o", "b", check=0)
        self.assertEqual(self.summary("b")["steps"], 4)

    def test_unset_removes_a_key_and_is_kept(self):
        self.scene()
        self.electret("run", "scene.toml", "-o", "a", "--unset", "time.steps", "--set", "time.duration=0.05", check=0)
        self.assertEqual(self.summary("a")["steps"], 5)
        text = self.electret("info", "a", check=0).stdout
        self.assertRegex(text, r"--unset +time.steps\n--set +time.duration=0.05\n")
        self.assertRegex(self.electret("run", "scene.toml", "--unset", "body.0.mass", check=2).stderr,
                         '^--unset body.0.mass: error: body "ball" has no mass')
        self.assertFalse((self.folder / "runs").exists())

    def test_warnings_are_said_kept_and_shown(self):
        self.scene(SCENE.replace("stiffness = 50.0", "stiffness = 1e8").replace("[coulomb]", "[coulomb]\nddef.grid_points = 5"))
        said = self.electret("run", "scene.toml", "-o", "a", check=0).stderr.splitlines()
        self.assertRegex(said[0], '^scene.toml:12:20: warning: "ddef.grid_points" is used only by the solver ddef')
        self.assertRegex(said[1], "^scene.toml:5:8: warning: the step of 0.01 s is .* times .* imex stays stable and damps")
        self.assertEqual(self.summary("a")["warnings"], said)
        rows = [line for line in self.electret("info", "a", check=0).stdout.splitlines() if line.startswith("warning ")]
        self.assertEqual([re.sub("^warning +", "", row) for row in rows], [line.replace("warning: ", "") for line in said])
        self.electret("run", "scene.toml", "-o", "a", "--resume", "--set", "time.steps=30", check=0)
        self.assertEqual(self.summary("a")["warnings"], said, "once, though two legs told them")

    def test_warnings_are_errors_where_asked(self):
        self.scene(SCENE.replace("[coulomb]", "[coulomb]\nddef.grid_points = 5"))
        for command in ["check", "run"]:
            done = self.electret(command, "scene.toml", "--stop-on-warning", check=2)
            self.assertRegex(done.stderr, '^scene.toml:12:20: error: "ddef.grid_points" is used .*--stop-on-warning')
            self.assertEqual((len(done.stderr.splitlines()), done.stdout), (1, ""))
            self.electret(command, "scene.toml", "--stop-on-warning", "--unset", "coulomb.ddef", check=0)
        self.scene(SCENE.replace("charge = 1e-6", "charge = 1e-4"))  # What the first frame would say.
        done = self.electret("run", "scene.toml", "-o", "out", "--stop-on-warning", check=2)
        self.assertIn("error: ", done.stderr)
        self.assertFalse((self.folder / "out").exists())

    def test_a_step_far_too_large_for_the_charges_is_warned_of_once(self):
        self.scene(SCENE.replace("charge = 1e-6", "charge = 1e-3").replace("[gravity]", "[damping]").replace("acceleration", "# "))
        said = self.electret("check", "scene.toml", check=0).stderr
        self.assertRegex(said, r"^scene.toml:5:8: warning: the step of 0.01 s is .* times the .* which is that of the charges of vertices \d+ and \d+, [^ ]* m apart: imex treats "
                               "charges explicitly, so that .*; use a smaller step or softening\n$")
        self.assertEqual(self.electret("run", "scene.toml", "-o", "a", "--set", "time.steps=1", check=0).stderr, said)
        self.assertEqual(self.summary("a")["warnings"], [said.rstrip("\n")])
        self.electret("run", "scene.toml", "-o", "a", "--resume", "--set", "time.steps=2", check=0)
        self.assertEqual(self.summary("a")["warnings"], [said.rstrip("\n")])
        softened = self.electret("check", "scene.toml", "--set", "coulomb.softening=0.001", check=0).stderr
        self.assertIn("; use a smaller step or more softening than 0.001 m\n", softened)
        # Springs that are as much too stiff are warned of; the charges then have a warning of their own.
        # Springs that are as much too stiff do no harm under imex, but verlet has to resolve both.
        both = ["check", "scene.toml", "--set", "body.0.springs.0.stiffness=1e12"]
        self.assertRegex(self.electret(*both, check=0).stderr,
                         r"^[^\n]*that of the charges of vertices \d+ and \d+, [^ ]* m apart: imex treats charges explicitly[^\n]*; use a smaller step or softening\n$")
        diverges = self.electret(*both, "integrator.method=verlet", check=0).stderr.splitlines()
        self.assertRegex(diverges[0], "that of springs: verlet will diverge; use a smaller step or softer springs$")
        self.assertRegex(diverges[1], "the time step is too large for the charges of vertices")
        self.assertEqual(len(diverges), 2)

    # Frequencies of the sphere of SCENE in 1/s: springs of 1e9 N/m about 3e5, charges of 1e-4 C 240, at half of the
    # distances 670, which counts for the suggested step. h is 0.01 s.
    KEY_FRAMED = '\n[[body.group]]\nname = "all"\nbox = [[-9, -9, -9], [9, 9, 9]]\n[[body.group_charge]]\ngroup = "all"\n' \
                 'times = [0.0, 0.1]\nvalues = [0.0, {}]\n'

    def step_warnings(self, stiffness, charge, method, key_framed, command="check"):
        scene = SCENE.replace("stiffness = 50.0", f"stiffness = {stiffness}")
        scene = scene + self.KEY_FRAMED.format(charge) if key_framed else scene.replace("charge = 1e-6", f"charge = {charge}")
        self.scene(scene)
        done = self.electret(command, "scene.toml", "--set", f"integrator.method={method}", check=0)
        return [line.split("warning: ")[1] for line in done.stderr.splitlines() if "warning: " in line], done.stdout

    def test_the_warning_of_the_step_advises_what_mends_its_cause(self):
        for key_framed in (False, True):
            for method in ("imex", "newton", "kick_trbdf2", "kick_midpoint"):
                with self.subTest(method, key_framed=key_framed):
                    said, text = self.step_warnings(1e9, 1e-4, method, key_framed)
                    self.assertEqual(len(said), 1)
                    found = re.match(rf"the step of 0.01 s is (\S+) times the (\S+) s that resolves .* that of the charges of vertices \d+ and \d+, [^ ]* m apart: {method} treats "
                                     "charges explicitly.*; use a smaller step or softening$", said[0])
                    ratio, step = map(float, found.groups())
                    self.assertAlmostEqual(ratio * step, 0.01, delta=1e-4)
                    self.assertLess(ratio, 100)  # The springs' is 10 000.
                    self.assertIn(f", {found[2]} s that of the charges as they are there; yours is {found[1]} times larger than this: ", text)
                    mended = self.electret("check", "scene.toml", "--set", f"integrator.method={method}", f"time.step={step}",
                                             f"time.steps={math.ceil(0.2 / step)}", check=0)
                    self.assertNotIn("charges explicitly", mended.stderr)
                    self.assertNotIn("too large for the charges", mended.stderr)
            for charge in ("1e-7", "0.0"):  # The springs are fastest, and the charges are resolved.
                said, text = self.step_warnings(1e9, charge, "imex", key_framed)
                self.assertRegex(said[0], "that of springs: imex stays stable and damps .* a smaller step or softer springs; slower")
                said, text = self.step_warnings(1e9, charge, "verlet", key_framed)
                self.assertRegex(said[0], "that of springs: verlet will diverge; use a smaller step or softer springs$")
            said, _ = self.step_warnings(1e9, 0.1, "verlet", key_framed)  # The charges are fastest, springs diverge.
            self.assertRegex(said[0], r"that of the charges of vertices \d+ and \d+, [^ ]* m apart: verlet will diverge; use a smaller step or softer springs and softening$")
            said, _ = self.step_warnings(1.0, 0.1, "verlet", key_framed)  # The charges alone.
            self.assertRegex(said[0], r"that of the charges of vertices \d+ and \d+, [^ ]* m apart: verlet treats charges explicitly.*; use a smaller step or softening$")

    def test_the_step_named_for_charges_is_the_one_that_a_run_would_advise(self):
        """Whatever the springs that hold them, and whether they or the charges are fastest."""
        for key_framed in (False, True):
            alone = re.search(r"of vertices (\d+ and \d+): .* at (\S+) m, .*use a step below (\S+) s or", self.step_warnings(50.0, 1e-4, "imex", key_framed)[0][0])
            for stiffness in (1e9, 1e12):
                said = self.step_warnings(stiffness, 1e-4, "imex", key_framed)[0][0]
                held = re.search(r"times the (\S+) s that .* of vertices (\d+ and \d+), (\S+) m apart:", said)
                self.assertEqual((held[2], held[3], held[1]), alone.groups())
            said = self.step_warnings(50.0, 1e-2, "imex", key_framed)[0][0]  # The charges are fastest.
            self.assertAlmostEqual(float(re.search(r"times the (\S+) s that", said)[1]) / (float(alone[3]) / 100), 1.0, delta=0.01)

    def test_check_names_the_step_of_charges_that_are_key_framed_from_0(self):
        said, text = self.step_warnings(50.0, 1e-4, "imex", True)
        self.assertEqual(len(said), 1)
        self.assertRegex(said[0], "^with the largest key-framed charges, the time step is too large for the charges of vertices .*; "
                                  "use a step below .* s or softening$")
        at_once, _ = self.step_warnings(50.0, 1e-4, "imex", False)
        self.assertEqual(said[0], "with the largest key-framed charges, " + at_once[0])
        self.assertEqual(self.step_warnings(50.0, 1e-6, "imex", True)[0], [])
        of_run, _ = self.step_warnings(50.0, 1e-4, "imex", True, "run")
        self.assertNotIn(said[0], of_run, "a run tells when it comes to that")

    def test_what_is_beyond_numbers_is_said_so(self):
        self.scene(SCENE.replace("[gravity]", "[damping]").replace("acceleration", "# "))
        done = self.electret("check", "scene.toml", "--set", "body.0.charge=1e308", check=0)
        self.assertRegex(done.stderr, "^[^\n]*the force between the charges of vertices .* is beyond float64; use smaller charges\n$")
        self.assertRegex(done.stdout, "suggested step +none: the fastest oscillation at the start is beyond float64")
        done = self.electret("run", "scene.toml", "--set", "body.0.charge=1e308", check=1)
        self.assertIn("beyond float64; use smaller charges", done.stderr)
        done = self.electret("check", "scene.toml", "--set", "body.0.springs.0.stiffness=1e300", "integrator.method=verlet", check=0)
        self.assertIn("beyond float64; use softer springs", done.stderr)

    def test_a_warning_on_the_way_ends_a_run_where_asked(self):
        later = """\n  [[body.group]]\n  name = "all"\n  box = [[-9, -9, -9], [9, 9, 9]]\n
          [[body.group_charge]]\n  group = "all"\n  times = [0.0, 0.05, 0.06, 0.2]\n  values = [0, 0, 1e-4, 1e-4]\n"""
        self.scene(SCENE + later)
        done = self.electret("run", "scene.toml", "-o", "out", "--stop-on-warning", "--unset", "gravity")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("everything up to the warning is in out", done.stderr)
        summary = self.summary("out")
        self.assertEqual((summary["status"], summary["steps"]), ("failed", 6))
        self.assertEqual([summary["failure"]["cause"]], summary["warnings"])
        self.assertIn(summary["failure"]["cause"], done.stderr)

    def test_bad_scene_writes_nothing(self):
        self.scene(SCENE.replace("mass = 0.1", "mas = 0.1").replace("stiffness = 50.0", "stiffness = -1"))
        done = self.electret("run", "scene.toml", "-o", "out", check=2)
        self.assertFalse((self.folder / "out").exists())
        self.assertEqual(done.stdout, "")
        self.assertIn("scene.toml:19:1: error:", done.stderr)
        self.assertIn("mass", done.stderr)
        self.assertIn("scene.toml:24:", done.stderr)

    def test_missing_scene(self):
        done = self.electret("run", "nowhere.toml", check=2)
        self.assertIn("nowhere.toml", done.stderr)
        self.assertFalse((self.folder / "runs").exists())

    def test_an_empty_path_is_refused(self):
        self.scene()
        (self.folder / "q.csv").write_text("x,y,z,q\n0,0,0,1\n")
        for arguments in [["run", "scene.toml", "-o", ""], ["run", "scene.toml", "--output="], ["check", "scene.toml", "-o", ""],
                          ["field", "q.csv", "-o", ""], ["field", "q.csv", "--at", ""], ["reproduce", "-o", ""]]:
            done = self.electret(*arguments, check=2)
            self.assertEqual(done.stdout, "")
            self.assertEqual({path.name for path in self.folder.iterdir()}, {"scene.toml", "q.csv"}, arguments)
        self.assertIn("--output: the value is empty", done.stderr)

    def test_a_scene_on_standard_input(self):
        done = self.electret("run", "-", input=SCENE, check=0)
        self.assertIn("results in runs/stdin", done.stdout)
        self.assertEqual(self.summary("runs/stdin")["scene_file"], "standard input")
        refused = "holds a run of a scene from standard input; --overwrite replaces it, another output folder"
        self.assertIn(refused, self.electret("run", "-", input=SCENE.replace("steps = 20", "steps = 9"), check=2).stderr)
        self.scene()
        self.assertIn(refused, self.electret("run", "scene.toml", "-o", "runs/stdin", check=2).stderr)
        self.electret("run", "-", "--resume", "--set", "time.steps=30", input=SCENE, check=0)
        self.assertEqual(self.summary("runs/stdin")["frames"], 31)
        process = self.start("run", "-", "-o", "cut", stdin=subprocess.PIPE)
        process.stdin.write(LONG)
        process.stdin.close()
        process.stdin = None
        self.wait_for_frames("cut", process)
        process.send_signal(signal.SIGINT)
        self.assertIn("go on with: electret run - -o cut --resume < SCENE\n", process.communicate(timeout=SECONDS)[1])

    def test_refuses_a_folder_that_is_not_its_own(self):
        self.scene()
        (self.folder / "out").mkdir()
        (self.folder / "out" / "thesis.txt").write_text("precious")
        done = self.electret("run", "scene.toml", "-o", "out", check=2)
        self.assertIn("out", done.stderr)
        self.assertEqual((self.folder / "out" / "thesis.txt").read_text(), "precious")
        self.assertEqual(len(list((self.folder / "out").iterdir())), 1)

    def test_replaces_its_own_earlier_run(self):
        self.scene()
        self.electret("run", "scene.toml", "-o", "out", check=0)
        self.electret("run", "scene.toml", "-o", "out", "--set", "time.steps=5", check=0)
        self.assertEqual(self.summary("out")["frames"], 6)

    def test_an_unfinished_run_or_another_scenes_is_not_replaced_in_silence(self):
        self.scene(LONG)
        process = self.start("run", "scene.toml")
        self.wait_for_frames("runs/scene", process)
        process.kill()
        process.communicate()
        before = (self.folder / "runs/scene/checkpoint.h5").read_bytes()
        done = self.electret("run", "scene.toml", check=2)
        self.assertIn("holds an unfinished run: its status is running; --resume goes on with it, --overwrite "
                      "replaces it, another output folder (-o) leaves it alone", done.stderr)
        self.assertEqual((self.folder / "runs/scene/checkpoint.h5").read_bytes(), before)
        self.electret("run", "scene.toml", "--overwrite", "--set", "time.steps=5", check=0)
        self.electret("run", "scene.toml", "--set", "time.steps=6", check=0)
        (self.folder / "b").mkdir()
        self.scene(LONG, "b/scene.toml")
        done = self.electret("run", "b/scene.toml", "--set", "time.steps=7", check=2)
        self.assertRegex(done.stderr, r'"runs/scene" holds a run of another scene file, /.*/scene\.toml;')
        self.assertEqual(self.summary("runs/scene")["steps"], 6)
        self.electret("run", "b/scene.toml", "--set", "time.steps=7", "--overwrite", check=0)
        self.assertEqual(self.summary("runs/scene")["scene_file"], str((self.folder / "b/scene.toml").resolve()))
        self.electret("run", "scene.toml", "--overwrite", "--resume", check=2)

    def test_divergence_keeps_the_good_frames(self):
        self.scene(SCENE.replace('"imex"', '"explicit_euler"').replace("step = 0.01", "step = 0.5")
                   .replace("steps = 20", "steps = 2000").replace("stiffness = 50.0", "stiffness = 5000.0"))
        done = self.electret("run", "scene.toml", "-o", "out", check=1)
        self.assertRegex(done.stderr, r"diverged at step \d+")
        self.assertIn("vertex", done.stderr)
        self.assertEqual(self.summary("out")["status"], "diverged")
        data = datasets(self.folder / "out" / "trajectory.h5")
        self.assertGreater(len(data["time"]), 0)
        self.assertTrue(np.isfinite(data["positions"]).all())

    def test_threads_are_as_many_as_asked(self):
        self.scene(LONG)
        counts = []
        for threads in [1, 3]:
            process = self.start("run", "scene.toml", "-o", f"t{threads}", "--threads", threads)
            self.wait_for_frames(f"t{threads}", process)
            count = lambda: len(os.listdir(f"/proc/{process.pid}/task"))
            if counts:  # TBB starts its threads one after the other, as they get a processor.
                self.wait_until(lambda: count() >= counts[0] + 2, "two more threads")
                time.sleep(0.3)  # For one too many.
            counts.append(count())
            process.kill()
            process.communicate()
        self.assertEqual(counts[1] - counts[0], 2, counts)

    def test_says_how_many_steps_hit_the_cap(self):
        self.scene()
        done = self.electret("run", "scene.toml", "--set", "integrator.max_iterations=1", check=0)
        self.assertIn("20 of 20 steps ended before integrator.tolerance was met, within integrator.max_iterations = 1", done.stderr)
        self.assertNotIn("max_iterations", self.electret("run", "scene.toml", check=0).stderr)

    def test_says_how_many_steps_hit_the_cap_before_a_divergence(self):
        self.scene(SCENE + '[[electric_field]]\nexpression = ["1e3*exp(8000*t)", "0", "0"]\n')
        done = self.electret("run", "scene.toml", "--set", "integrator.max_iterations=1", check=1)
        good = int(re.search(r"diverged at step (\d+)", done.stderr).group(1)) - 1
        self.assertGreater(good, 2)
        self.assertIn(f"{good} of {good} steps ended before integrator.tolerance was met, within integrator.max_iterations = 1", done.stderr)

    def test_the_largest_energy_change_is_explained(self):
        row = lambda *settings: re.search("largest energy change +(.*)", self.electret(
            "run", "scene.toml", "--overwrite", *settings, check=0).stdout).group(1)
        self.scene()
        self.assertRegex(row(), r"^[0-9.e+-]+ % of the largest energies, lost to the damping of imex$")
        self.assertRegex(row("--set", "damping.drag=5.0"), r"^\S+ % of .* imex; not counting [0-9.e-]+ J taken by damping$")
        self.assertRegex(row("--set", "electric_field.0.expression=['1e5', '0', '0']"),
                         r"; not counting [0-9.e-]+ J of work by fields and loads$")
        self.assertRegex(row("--set", "body.0.charge=1e-4"), r"% of .* \(see the warning: the step is too large for the charges\)$")
        self.assertRegex(row("--set", "integrator.method=verlet"), r"^\S+ % of the largest energies, (lost|gained)$")
        shown = re.search("energy change +(.*)", self.electret("info", "runs/scene", check=0).stdout).group(1)
        self.assertEqual(shown, row("--set", "integrator.method=verlet"))
        self.assertIn(shown, (self.folder / "runs/scene/index.html").read_text())

    def test_the_energy_change_of_a_driven_run_is_that_of_its_method(self):
        """Charges that are key-framed from 0 give the body all of its energy; drag takes some of it again."""
        self.scene(SCENE.replace("charge = 1e-6", "charge = 0").replace("[gravity]", "[damping]").replace(
            "acceleration = [0.0, 0.0, -9.81]", "drag = 1.0") + self.KEY_FRAMED.format(3e-5))
        changes = []
        for step in (1e-3, 5e-4):
            self.electret("run", "scene.toml", "-o", "out", "--overwrite", "--set", f"time.step={step}", "integrator.method=verlet",
                          "--unset", "time.steps", "--set", "time.duration=0.2", check=0)
            summary = self.summary("out")
            with open(self.folder / "out" / "energy.csv") as file:
                table = np.array([[float(v) for v in row] for row in list(csv.reader(file))[1:]])
            _, *parts, total, work, dissipation = table.T
            balance = total - total[0] - work + dissipation
            sizes = sum(abs(part) for part in parts)
            self.assertGreater(abs(total[-1] - total[0]), 0.5 * sizes.max())  # The old rule's change.
            self.assertAlmostEqual(summary["largest_relative_energy_change"], abs(balance).max() / sizes.max(), delta=1e-12)
            self.assertAlmostEqual(summary["largest_energy_change"], balance[abs(balance).argmax()], delta=1e-12 * sizes.max())
            self.assertAlmostEqual(work[-1], summary["field_work"] + summary["keyframe_work"] + summary["pin_work"],
                                   delta=1e-12 * sizes.max())
            self.assertEqual(dissipation[-1], summary["dissipation"])
            changes.append(summary["largest_relative_energy_change"])
        self.assertLess(changes[0], 0.05)
        self.assertLess(changes[1], 0.6 * changes[0])

    def test_an_energy_change_from_nothing_is_measured_by_what_comes(self):
        self.scene(SCENE.replace("[coulomb]", "").replace('shape = "sphere", vertices = 60', 'shape = "grid"'))
        done = self.electret("run", "scene.toml", check=0)
        self.assertNotIn("inf", done.stdout)
        self.assertRegex(done.stdout, r"largest energy change +[0-9.e-]+ % of the largest energies, lost to the damping of imex\n")
        self.assertIn("done", self.electret("info", "runs/scene", check=0).stdout)

    @unittest.skipIf(os.geteuid() == 0, "root may write anywhere")
    def test_unwritable_folder(self):
        self.scene()
        (self.folder / "locked").mkdir(mode=0o555)
        done = self.electret("run", "scene.toml", "-o", "locked/out")
        self.assertIn(done.returncode, (1, 2))
        self.assertIn("locked", done.stderr)

    def test_a_file_where_the_folder_should_be(self):
        self.scene()
        (self.folder / "out").write_text("a file")
        done = self.electret("run", "scene.toml", "-o", "out/deeper")
        self.assertIn(done.returncode, (1, 2))
        self.assertIn("out", done.stderr)
        self.assertEqual((self.folder / "out").read_text(), "a file")

    def test_energy_plot_is_svg(self):
        self.scene()
        self.electret("run", "scene.toml", "-o", "out", check=0)
        self.assertTrue((self.folder / "out" / "energy.svg").read_text().lstrip().startswith("<"))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
