#!/usr/bin/python3
"""`electret run`: outputs, exit statuses, interruption, resuming, what must not happen."""

import csv
import os
import resource
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest

import h5py
import numpy as np

from support import SCENE, CommandTest

LONG = SCENE.replace("steps = 20", "steps = 200000").replace("vertices = 60", "vertices = 300")


def datasets(path):
    with h5py.File(path) as h5:
        return {name: h5[name][()] for name in h5 if isinstance(h5[name], h5py.Dataset)}


class Run(CommandTest):
    def assert_same_data(self, a, b):
        first, second = datasets(self.folder / a / "trajectory.h5"), datasets(self.folder / b / "trajectory.h5")
        self.assertEqual(first.keys(), second.keys())
        for name in first:
            np.testing.assert_array_equal(first[name], second[name], err_msg=name)

    def test_writes_what_the_contract_names(self):
        self.scene()
        done = self.electret("run", "scene.toml", check=0)
        run = self.folder / "runs" / "scene"
        names = {"trajectory.h5", "energy.csv", "observables.csv", "energy.svg", "summary.json", "checkpoint.h5"}
        self.assertEqual({p.name for p in run.iterdir()}, names)
        self.assertIn("runs/scene", done.stdout)
        data = datasets(run / "trajectory.h5")
        self.assertEqual(data["positions"].shape, (21, data["masses"].size, 3))
        np.testing.assert_allclose(data["time"], 0.01 * np.arange(21), rtol=0, atol=1e-15)
        with open(run / "energy.csv") as file:
            rows = list(csv.reader(file))
        self.assertEqual(rows[0], "time,kinetic,elastic,coulomb,external,gravity,total".split(","))
        self.assertEqual(len(rows), 22)
        for row in rows[1:]:
            values = [float(v) for v in row]
            self.assertAlmostEqual(sum(values[1:6]), values[6], delta=1e-12 * max(map(abs, values)))
        summary = self.summary("runs/scene")
        self.assertEqual(summary["status"], "done")
        self.assertEqual(summary["steps"], 20)
        self.assertEqual(summary["frames"], 21)
        self.assertEqual(summary["integrator"], "imex")
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
        self.assertRegex(said[0], '^scene.toml:12:20: warning: "ddef.grid_points" is used by the solver ddef alone')
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
        self.assertRegex(said, "^scene.toml:5:8: warning: the step of 0.01 s is .* times the .* that of charges: charges act "
                               "explicitly in imex: .*; use a smaller step or softening\n$")
        self.assertEqual(self.electret("run", "scene.toml", "-o", "a", "--set", "time.steps=1", check=0).stderr, said)
        self.assertEqual(self.summary("a")["warnings"], [said.rstrip("\n")])
        self.electret("run", "scene.toml", "-o", "a", "--resume", "--set", "time.steps=2", check=0)
        self.assertEqual(self.summary("a")["warnings"], [said.rstrip("\n")])
        softened = self.electret("check", "scene.toml", "--set", "coulomb.softening=0.001", check=0).stderr
        self.assertIn("; use a smaller step or more softening than 0.001 m\n", softened)
        # Springs that are as much too stiff are warned of; the charges then have a warning of their own.
        both = self.electret("check", "scene.toml", "--set", "body.0.springs.0.stiffness=1e12", check=0).stderr.splitlines()
        self.assertRegex(both[0], "that of springs: .*; use a smaller step or softer springs")
        self.assertRegex(both[1], "the time step is too large for the charges of vertices")
        self.assertEqual(len(both), 2)

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
        self.assertIn("--output: the path is empty", done.stderr)

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
        self.assertIn("go on with: electret run - -o cut --resume < SCENE\n", process.communicate(timeout=60)[1])

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

    def wait_for_frames(self, run, process):
        path = self.folder / run / "checkpoint.h5"
        end = time.monotonic() + 30
        while not path.exists() and time.monotonic() < end and process.poll() is None:
            time.sleep(0.02)
        time.sleep(0.3)

    def test_interrupt_then_resume_is_bitwise_the_whole_run(self):
        self.scene(LONG)
        for stop, status in [(signal.SIGINT, 130), (signal.SIGTERM, 143)]:
            run = f"cut{status}"
            process = self.start("run", "scene.toml", "-o", run)
            self.wait_for_frames(run, process)
            process.send_signal(stop)
            _, errors = process.communicate(timeout=60)
            self.assertEqual(process.returncode, status, errors)
            self.assertIn("--resume", errors)
            summary = self.summary(run)
            self.assertEqual(summary["status"], "interrupted")
            steps = summary["steps"] + 30
            self.electret("run", "scene.toml", "-o", run, "--resume", "--set", f"time.steps={steps}", check=0)
            self.electret("run", "scene.toml", "-o", "whole", "--set", f"time.steps={steps}", check=0)
            self.assert_same_data(run, "whole")
            for name in ["energy.csv", "observables.csv"]:
                self.assertEqual((self.folder / run / name).read_bytes(), (self.folder / "whole" / name).read_bytes())

    def slow(self):
        """A run whose every step takes seconds, started and within a step after its first checkpoint."""
        self.scene(SCENE.replace("vertices = 60", "vertices = 100000").replace('"sphere"', '"torus"').replace("charge = 1e-6", "charge = 1e-9")
                   .replace("[coulomb]", "[coulomb]\nsolver = 'direct'").replace("steps = 20", "steps = 9"))
        process = self.start("run", "scene.toml", "-o", "slow", "--threads", "1")
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        end = time.monotonic() + 100
        while not (self.folder / "slow" / "checkpoint.h5").exists() and time.monotonic() < end and process.poll() is None:
            time.sleep(0.02)
        self.assertIsNone(process.poll())
        time.sleep(0.3)
        return process

    def test_a_second_signal_does_not_wait_for_the_step(self):
        for signals, status in [((signal.SIGINT, signal.SIGTERM), 130), ((signal.SIGHUP, signal.SIGHUP), 129)]:
            process = self.slow()
            process.send_signal(signals[0])
            lines = (line for line in process.stderr if not line.startswith("electret: step "))
            self.assertEqual(next(lines), "electret: finishing this step; once more stops without it\n")
            time.sleep(0.7)
            self.assertIsNone(process.poll(), "the step is too short for this test")
            checkpoint = (self.folder / "slow" / "checkpoint.h5").stat()
            process.send_signal(signals[1])
            begun = time.monotonic()
            _, errors = process.communicate(timeout=60)
            self.assertLess(time.monotonic() - begun, 3.0)
            self.assertEqual(process.returncode, status, errors)
            self.assertRegex(errors, "interrupted after step [01] of 9")
            self.assertRegex(errors, "go on with: electret run scene.toml -o slow --resume")
            self.assertEqual((self.folder / "slow" / "checkpoint.h5").stat().st_mtime_ns, checkpoint.st_mtime_ns, "the step was waited for")
            summary = self.summary("slow")
            self.assertEqual(summary["status"], "interrupted")
            self.assertGreater(summary["wall_s"]["total"], 1.0, "the time of the step that was given up counts")
            self.assertEqual(list((self.folder / "slow").glob("*.part")), [])
            self.assertRegex(self.electret("info", "slow", check=0).stdout, "resumable +from step [01]")
            shutil.rmtree(self.folder / "slow")

    def test_signals_that_come_together_are_one(self):
        self.scene(LONG)
        process = self.start("run", "scene.toml", "-o", "cut")
        self.wait_for_frames("cut", process)
        for _ in range(2):  # As `timeout` does.
            process.send_signal(signal.SIGTERM)
            time.sleep(0.005)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 143, errors)
        self.assertIn("--resume", errors)
        self.assertEqual(self.summary("cut")["status"], "interrupted")

    def test_hanging_up_is_an_interruption(self):
        self.scene(LONG)
        process = self.start("run", "scene.toml", "-o", "cut")
        self.wait_for_frames("cut", process)
        process.send_signal(signal.SIGHUP)
        self.assertIn("--resume", process.communicate(timeout=60)[1])
        self.assertEqual((process.returncode, self.summary("cut")["status"]), (129, "interrupted"))

    def test_a_signal_ignored_at_the_start_stays_ignored(self):
        self.scene(LONG)
        for ignored, other, status in [(signal.SIGHUP, signal.SIGINT, 130), (signal.SIGINT, signal.SIGTERM, 143)]:
            process = self.start("run", "scene.toml", "-o", f"deaf{status}", preexec_fn=lambda: signal.signal(ignored, signal.SIG_IGN))
            self.wait_for_frames(f"deaf{status}", process)
            process.send_signal(ignored)
            time.sleep(0.5)
            self.assertIsNone(process.poll())
            process.send_signal(other)
            process.communicate(timeout=60)
            self.assertEqual(process.returncode, status)

    def test_capped_steps_are_told_after_an_interruption(self):
        self.scene(LONG)
        process = self.start("run", "scene.toml", "-o", "cut", "--set", "integrator.max_iterations=1")
        self.wait_for_frames("cut", process)
        process.send_signal(signal.SIGINT)
        self.assertRegex(process.communicate(timeout=60)[1], r"\d+ of \d+ steps stopped at integrator.max_iterations = 1")

    def test_threads_are_as_many_as_asked(self):
        self.scene(LONG)
        counts = []
        for threads in [1, 3]:
            process = self.start("run", "scene.toml", "-o", f"t{threads}", "--threads", threads)
            self.wait_for_frames(f"t{threads}", process)
            counts.append(len(os.listdir(f"/proc/{process.pid}/task")))
            process.kill()
            process.communicate()
        self.assertEqual(counts[1] - counts[0], 2, counts)

    def test_info_tells_of_steps_beyond_the_last_frame(self):
        self.scene(LONG)
        process = self.start("run", "scene.toml", "-o", "cut", "--set", "output.every=100000")
        self.wait_for_frames("cut", process)
        time.sleep(1.0)
        process.kill()
        process.communicate()
        steps = re.search(r"^steps +at least (\d+)$", self.electret("info", "cut", check=0).stdout, re.M).group(1)
        self.assertGreater(int(steps), 0)

    def test_killed_then_resumed_is_bitwise_the_whole_run(self):
        self.scene(LONG)
        process = self.start("run", "scene.toml", "-o", "cut")
        self.wait_for_frames("cut", process)
        process.kill()
        process.communicate()
        frames = len(datasets(self.folder / "cut" / "trajectory.h5")["time"])
        self.assertGreater(frames, 0)
        steps = frames + 30
        self.electret("run", "scene.toml", "-o", "cut", "--resume", "--set", f"time.steps={steps}", check=0)
        self.electret("run", "scene.toml", "-o", "whole", "--set", f"time.steps={steps}", check=0)
        self.assert_same_data("cut", "whole")

    def test_info_of_a_killed_run_says_what_its_files_hold(self):
        self.scene(LONG)
        process = self.start("run", "scene.toml", "-o", "cut", "--set", "output.every=3")
        self.wait_for_frames("cut", process)
        process.kill()
        process.communicate()
        text = self.electret("info", "cut", check=0).stdout
        frames = len(datasets(self.folder / "cut" / "trajectory.h5")["time"])
        self.assertRegex(text, rf"frames +{frames} ")
        self.assertGreaterEqual(int(re.search(r"^steps +at least (\d+)$", text, re.M).group(1)), 3 * (frames - 1))
        self.assertRegex(text, "status +running, or killed, or its disk was full: this run has not ended")
        self.assertNotIn("wall time", text)
        self.assertNotIn("at the end", text)

    def test_resume_refuses_a_changed_scene_and_knows_a_finished_run(self):
        self.scene()
        done = self.electret("run", "scene.toml", "-o", "out", "--resume", check=0)
        self.assertIn("afresh", done.stderr)
        again = self.electret("run", "scene.toml", "-o", "out", "--resume", check=0)
        self.assertIn("finished already", again.stderr)
        changed = self.electret("run", "scene.toml", "-o", "out", "--resume", "--set", "body.0.mass=0.2", check=2)
        self.assertIn("changed", changed.stderr)
        self.electret("run", "scene.toml", "-o", "out", "--resume", "--set", "time.steps=25", check=0)
        self.assertEqual(self.summary("out")["frames"], 26)

    def test_full_disk_is_an_error_with_a_readable_trajectory(self):
        self.scene(LONG)
        limit = 3_000_000

        def small_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        done = self.electret("run", "scene.toml", "-o", "out", check=1, preexec_fn=small_files)
        self.assertIn("out", done.stderr)
        data = datasets(self.folder / "out" / "trajectory.h5")
        frames = min(len(data["time"]), len(data["positions"]), len(data["velocities"]))
        self.assertGreater(frames, 0)
        self.assertTrue(np.isfinite(data["positions"][:frames]).all())
        self.assertRegex(done.stderr, r"go on with: electret run scene\.toml -o out --resume")
        self.assertRegex(self.electret("info", "out").stdout, r"failure +cannot write out/trajectory\.h5: File too large\n")

    def test_a_cut_trajectory_is_not_resumed(self):
        self.scene()
        self.electret("run", "scene.toml", "-o", "out", check=0)
        os.truncate(self.folder / "out" / "trajectory.h5", 100)
        done = self.electret("run", "scene.toml", "-o", "out", "--resume", "--set", "time.steps=30", check=1)
        self.assertIn("cannot go on with out/trajectory.h5: it is not a readable HDF5 file; run with --overwrite", done.stderr)
        self.assertRegex(self.electret("info", "out").stderr, "trajectory.h5")

    def test_a_lost_trajectory_is_not_resumed(self):
        self.scene()
        self.electret("run", "scene.toml", "-o", "out", check=0)
        (self.folder / "out" / "trajectory.h5").unlink()
        done = self.electret("run", "scene.toml", "-o", "out", "--resume", "--set", "time.steps=30", check=1)
        self.assertIn("there is no out/trajectory.h5 any more; run with --overwrite", done.stderr)

    def test_says_how_many_steps_hit_the_cap(self):
        self.scene()
        done = self.electret("run", "scene.toml", "--set", "integrator.max_iterations=1", check=0)
        self.assertIn("20 of 20 steps stopped at integrator.max_iterations = 1", done.stderr)
        self.assertNotIn("max_iterations", self.electret("run", "scene.toml", check=0).stderr)

    def test_the_largest_energy_change_is_explained(self):
        row = lambda *settings: re.search("largest energy change +(.*)", self.electret(
            "run", "scene.toml", "--overwrite", *settings, check=0).stdout).group(1)
        self.scene()
        self.assertRegex(row(), r"^[0-9.e+-]+ % of the start's$")
        self.assertRegex(row("--set", "damping.drag=5.0"), r"^\S+ % of the start's; damping took [0-9.e-]+ J$")
        self.assertRegex(row("--set", "electric_field.0.expression=['1e5', '0', '0']"), r"; fields and loads did [0-9.e-]+ J of work$")
        self.assertRegex(row("--set", "body.0.charge=1e-4"), "% of the start's; see the warning: the step is too large for the charges$")

    def test_an_energy_change_from_nothing_is_not_a_percentage(self):
        self.scene(SCENE.replace("[coulomb]", "").replace('shape = "sphere", vertices = 60', 'shape = "grid"'))
        done = self.electret("run", "scene.toml", check=0)
        self.assertNotIn("inf", done.stdout)
        self.assertIn("from 0 J", done.stdout)
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
