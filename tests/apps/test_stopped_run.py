#!/usr/bin/python3
"""`electret run` interrupted, killed or out of disk: what is told, what stands, and how it goes on."""

import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
import unittest

import h5py
import numpy as np

from run_case import LONG, RunCase, datasets
from support import ELECTRET, SCENE, SECONDS, SLOWNESS


def processor_time(pid):
    """How long a process has computed, s."""
    with open(f"/proc/{pid}/stat") as file:
        user, system = file.read().rsplit(")", 1)[1].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def processor_time_of_children():
    """How long those have computed that have ended, s."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class StoppedRun(RunCase):
    def test_interrupt_then_resume_is_bitwise_the_whole_run(self):
        self.scene(LONG)
        for stop, status in [(signal.SIGINT, 130), (signal.SIGTERM, 143)]:
            run = f"cut{status}"
            process = self.start("run", "scene.toml", "-o", run)
            self.wait_for_frames(run, process)
            process.send_signal(stop)
            _, errors = process.communicate(timeout=SECONDS)
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
        self.wait_for_checkpoint("slow", process)
        time.sleep(0.3)
        return process

    def is_given_up(self, signals, status):
        """Whether a second signal ended a run within its step. On a busy machine the step may end before that signal."""
        process = self.slow()
        process.send_signal(signals[0])
        lines = (line for line in process.stderr if not SLOWNESS.match(line))
        self.assertEqual(next(lines), "electret: finishing this step; a second signal stops without finishing it\n")
        time.sleep(0.7)
        checkpoint = (self.folder / "slow" / "checkpoint.h5").stat()
        earlier = processor_time_of_children()
        if process.poll() is not None:
            return False
        computed = processor_time(process.pid)
        process.send_signal(signals[1])
        _, errors = process.communicate(timeout=SECONDS)
        self.assertEqual(process.returncode, status, errors)
        step = re.search(r"interrupted after step (\d) of 9", errors).group(1)
        self.assertRegex(errors, "go on with: electret run scene.toml -o slow --resume")
        was_waited_for = (self.folder / "slow" / "checkpoint.h5").stat().st_mtime_ns != checkpoint.st_mtime_ns
        computed = processor_time_of_children() - earlier - computed
        summary = self.summary("slow")
        self.assertEqual(summary["status"], "interrupted")
        self.assertGreater(summary["wall_s"]["total"], 1.0, "the time of the step that was given up counts")
        self.assertEqual(list((self.folder / "slow").glob("*.part")), [])
        self.assertRegex(self.electret("info", "slow", check=0).stdout, f"resumable +from step {step}")
        return not was_waited_for and computed < 1.5

    def test_a_second_signal_does_not_wait_for_the_step(self):
        for signals, status in [((signal.SIGINT, signal.SIGTERM), 130), ((signal.SIGHUP, signal.SIGHUP), 129)]:
            for _ in range(6):
                is_given_up = self.is_given_up(signals, status)
                shutil.rmtree(self.folder / "slow")
                if is_given_up:
                    break
            self.assertTrue(is_given_up, "each time the step was waited for, or was too short for this test")

    def test_signals_that_come_together_are_one(self):
        self.scene(LONG)
        for _ in range(6):
            process = self.start("run", "scene.toml", "-o", "cut", "--overwrite")
            self.wait_for_frames("cut", process)
            for _ in range(2):  # As `timeout` does.
                process.send_signal(signal.SIGTERM)
                time.sleep(0.005)
            _, errors = process.communicate(timeout=SECONDS)
            self.assertIn("--resume", errors)
            self.assertEqual(self.summary("cut")["status"], "interrupted")
            # A signal that this test sends late, because the machine is busy, may find a process that has done all that is
            # to be done and hears none any more.
            if process.returncode != -signal.SIGTERM:
                break
        self.assertEqual(process.returncode, 143, errors)

    def test_hanging_up_is_an_interruption(self):
        self.scene(LONG)
        process = self.start("run", "scene.toml", "-o", "cut")
        self.wait_for_frames("cut", process)
        process.send_signal(signal.SIGHUP)
        self.assertIn("--resume", process.communicate(timeout=SECONDS)[1])
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
            process.communicate(timeout=SECONDS)
            self.assertEqual(process.returncode, status)

    def test_capped_steps_are_told_after_an_interruption(self):
        self.scene(LONG)
        process = self.start("run", "scene.toml", "-o", "cut", "--set", "integrator.max_iterations=1")
        self.wait_for_frames("cut", process)
        process.send_signal(signal.SIGINT)
        self.assertRegex(process.communicate(timeout=SECONDS)[1], r"\d+ of \d+ steps ended before integrator.tolerance was met, within integrator.max_iterations = 1")

    def test_info_tells_of_steps_beyond_the_last_frame(self):
        self.scene(LONG)
        process = self.start("run", "scene.toml", "-o", "cut", "--set", "output.every=100000")
        self.wait_for_frames("cut", process)
        checkpoint = self.folder / "cut" / "checkpoint.h5"
        first = checkpoint.stat().st_mtime_ns
        self.wait_until(lambda: checkpoint.stat().st_mtime_ns != first, "a checkpoint after the first")
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

    def test_progress_that_nobody_reads_ends_no_run(self):
        self.scene(SCENE.replace("steps = 20", "steps = 200"))
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run([os.path.abspath(ELECTRET), "run", "scene.toml", "-o", "out", "--set", "output.every=30"],
                              cwd=self.folder, stdout=subprocess.PIPE, stderr=writer, text=True)
        os.close(writer)
        self.assertEqual(done.returncode, 0)
        self.assertIn("results in out", done.stdout)
        self.assertEqual(self.summary("out")["status"], "done")

    def test_a_run_that_failed_at_its_start_is_described(self):
        self.scene()
        limit = 4000  # The summary has room, the trajectory has none.

        def small_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        self.electret("run", "scene.toml", "-o", "out", check=1, preexec_fn=small_files)
        self.assertEqual(self.summary("out")["status"], "failed")
        self.assertFalse((self.folder / "out" / "trajectory.h5").exists())
        told = self.electret("info", "out", check=0).stdout
        self.assertRegex(told, r"status +failed\nfailure +cannot write out/\S+: File too large\n")
        self.assertRegex(told, r"trajectory +there is no file out/trajectory\.h5\n")
        self.assertNotIn("frames", told)

    def refused(self, *options):
        """What `--resume` says; it changes no file."""
        before = {path.name: path.read_bytes() for path in (self.folder / "out").iterdir()}
        done = self.electret("run", "scene.toml", "-o", "out", "--resume", *options, check=2)
        self.assertEqual(before, {path.name: path.read_bytes() for path in (self.folder / "out").iterdir()})
        self.assertRegex(done.stderr, "error: cannot resume: .*; run with --overwrite to start afresh\n$")
        return done.stderr

    def test_a_damaged_run_is_not_resumed(self):
        """Whether something is left to do or not: a run that is done has no results without these files."""
        self.scene()
        self.electret("run", "scene.toml", "-o", "out", check=0)
        shutil.copytree(self.folder / "out", self.folder / "whole")
        tables = ["out/energy.csv has 100 bytes where the checkpoint has", "out/observables.csv has 100 bytes where"]
        for name, cut, gone in [("checkpoint.h5", "the checkpoint is damaged: out/checkpoint.h5: its sum is not at its end", None),
                                ("trajectory.h5", "out/trajectory.h5 has changed since the run ended", "there is no file out/trajectory.h5"),
                                ("energy.csv", tables[0], "there is no file out/energy.csv"),
                                ("observables.csv", tables[1], "there is no file out/observables.csv")]:
            path = self.folder / "out" / name
            os.truncate(path, 100)
            self.assertIn(cut, self.refused("--set", "time.steps=30"))
            self.assertIn(cut, self.refused())
            path.unlink()
            if gone:
                self.assertIn(gone, self.refused("--set", "time.steps=30"))
                self.assertIn(gone, self.refused())
            shutil.copy(self.folder / "whole" / name, path)
        for name in ("energy.csv", "trajectory.h5"):
            os.truncate(self.folder / "out" / name, 100)
        said = self.refused()
        for each in (tables[0], "out/trajectory.h5 has changed since the run ended"):
            self.assertIn(each, said)
        told = self.electret("info", "out")
        self.assertIn("out/trajectory.h5 is not a readable HDF5 file", told.stdout + told.stderr)
        self.electret("run", "scene.toml", "-o", "out", "--overwrite", check=0)
        self.assertIn("nothing was left to do", self.electret("run", "scene.toml", "-o", "out", "--resume", check=0).stderr)

    def test_a_checkpoint_of_another_version_is_not_resumed(self):
        self.scene()
        self.electret("run", "scene.toml", "-o", "out", check=0)
        with h5py.File(self.folder / "out" / "checkpoint.h5", "r+") as file:
            file.attrs["checkpoint_format_version"] = 4
        self.assertIn("cannot resume: the checkpoint is damaged: out/checkpoint.h5: its sum is not at its end: it was cut, changed by "
                      "another program, or written by an earlier version of Electret", self.refused())

    def test_a_shorter_trajectory_or_another_runs_is_not_resumed(self):
        self.scene()
        self.electret("run", "scene.toml", "-o", "out", check=0)
        self.electret("run", "scene.toml", "-o", "other", "--set", "body.0.generate.vertices=70", check=0)
        with h5py.File(self.folder / "out" / "trajectory.h5", "r+") as file:
            file["positions"].resize(7, axis=0)
        changed = "out/trajectory.h5 has changed since the run ended: its bytes are not those that were written"
        self.assertIn(changed, self.refused())
        shutil.copy(self.folder / "other" / "trajectory.h5", self.folder / "out")
        self.assertIn(changed, self.refused())


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
