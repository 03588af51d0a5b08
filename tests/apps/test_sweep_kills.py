#!/usr/bin/python3
"""`electret sweep` whose workers, command or disk end before it does."""

import collections
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import time
import unittest

import h5py

from support import SECONDS
from sweep_support import JOB, SweepTest


class SweepKills(SweepTest):
    def test_kills_lose_only_the_run_in_progress(self):
        (self.folder / "job.toml").write_text(JOB.replace("samples = 10", "samples = 60").replace("[sweep]", "[sweep]\nset = ['time.steps=2000']"))
        self.sweep("whole", "--workers", 2)
        numbers = random.Random(4)
        deaths = 0

        def killed(whom):
            """Begins the sweep or goes on with it, and kills workers or command; false if all was over before."""
            process = self.start("sweep", "job.toml", "-o", "killed", "--workers", "2")
            workers = self.busy_workers_of(process, "killed", 2)
            time.sleep(0.3 * numbers.random())
            if whom == "command":
                process.kill()
            for worker in workers if whom == "workers" else []:
                try:
                    os.kill(worker, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            nonlocal deaths
            deaths += len(workers) if whom == "workers" else 0
            out, err = process.communicate(timeout=SECONDS)
            if whom == "workers":
                self.assertEqual(process.returncode, 0, out + err)
                return len(workers) > 0
            # Workers whose command is gone end after the run in progress.
            self.wait_until(lambda: not any(pathlib.Path(f"/proc/{worker}/exe").exists() for worker in workers), "the workers' end")
            return process.returncode == -signal.SIGKILL

        for round, whom in enumerate(["workers", "command", "workers"]):
            for _ in range(10):
                was_in_time = killed(whom)
                if was_in_time:
                    break
                shutil.rmtree(self.folder / "killed")
                deaths = 0
            self.assertTrue(was_in_time, "the sweep was always over before the kill")
            if round == 0:
                self.assertEqual(self.digest("killed"), self.digest("whole"))
                (self.folder / "killed").rename(self.folder / "first")
                deaths = 0
        self.sweep("killed", "--workers", 2)
        self.assertEqual(self.digest("killed"), self.digest("whole"))
        runs = []
        for part in (self.folder / "killed" / "parts").glob("*.h5"):
            with h5py.File(part) as file:
                runs += list(file["run"][()])
        self.assertEqual(sorted(set(runs)), list(range(120)))
        # A worker may be killed when its row is written and not told yet: such runs alone are done again.
        self.assertLessEqual(len(runs) - 120, deaths, "finished runs are repeated")

    def test_interrupted_it_goes_on(self):
        (self.folder / "job.toml").write_text(JOB.replace("[sweep]", "[sweep]\nset = ['time.steps=100000000']"))
        for number, status in [(signal.SIGINT, 130), (signal.SIGTERM, 143)]:
            process = self.start("sweep", "job.toml", "-o", "s", "--workers", "2")
            self.assertEqual(len(self.busy_workers_of(process, "s", 2)), 2)
            time.sleep(0.3)
            process.send_signal(number)
            _, err = process.communicate(timeout=SECONDS)
            self.assertEqual(process.returncode, status, err)
            self.assertIn("go on with: electret sweep s", err)
        state = self.electret("sweep", "s", "--status", check=1).stdout
        self.assertIn("missing", state)
        # Runs that were stopped on request are no attempts.
        for part in (self.folder / "s" / "parts").glob("*.h5"):
            with h5py.File(part) as file:
                started = list(file["started"][()])
                self.assertEqual({run for run in started if run >= 0} - set(file["run"][()]), {-1 - run for run in started if run < 0})

    def test_a_run_that_takes_its_process_down_is_lost_and_ends_no_other(self):
        (self.folder / "job.toml").write_text(
            "[sweep]\nscene = 'scene.toml'\n[[vary]]\nkey = 'time.steps'\nvalues = [10, 20, 100000000, 30]\n[limits]\nattempts = 2\n")
        process = self.start("sweep", "job.toml", "-o", "s", "--workers", "1")
        killed = set()
        while process.poll() is None:
            for worker in set(self.workers_of(process)) - killed:  # The killed one is there until the command looks for it.
                part = next((self.folder / "s" / "parts").glob(f"*.{worker}.h5"), None)
                try:
                    with h5py.File(part) as file:
                        is_in_it = list(file["started"][()])[-1:] == [2]
                except (OSError, TypeError, KeyError):
                    continue
                if is_in_it:
                    os.kill(worker, signal.SIGKILL)
                    killed.add(worker)
            time.sleep(0.05)
        out, err = process.communicate(timeout=SECONDS)
        self.assertEqual((process.returncode, len(killed)), (1, 2), out + err)
        self.assertIn("run 2: lost: its process died 2 times", out)
        self.assertIn("electret sweep s --runs 2", out)
        self.assertEqual(self.summary("s")["status"], {"done": 3, "lost": 1, "diverged": 0, "refused": 0, "failed": 0, "timeout": 0})

    def test_workers_that_die_before_they_begin_a_run_take_none_with_them(self):
        """Workers are killed as soon as they are seen. Whatever they had begun by then, a run is given up only if it was begun so often."""
        process = self.start("sweep", "job.toml", "-o", "s", "--workers", "2")
        killed = set()
        while process.poll() is None and len(killed) < 6:
            for worker in self.workers_of(process):
                if worker not in killed:
                    try:
                        os.kill(worker, signal.SIGKILL)
                    except ProcessLookupError:
                        continue
                    killed.add(worker)
        out, err = process.communicate(timeout=SECONDS)
        begun = collections.Counter()
        for part in (self.folder / "s" / "parts").glob("*.h5"):
            with h5py.File(part) as file:
                begun.update(run for run in file["started"][()] if run >= 0)
        lost = [int(run) for run in re.findall(r"run (\d+): lost", out)]
        self.assertTrue(all(begun[run] >= 3 for run in lost), (out, err, begun))
        self.assertEqual(process.returncode, 1 if lost else 0, out + err)

    def test_no_room_for_the_first_file_is_told(self):
        def limited():
            resource.setrlimit(resource.RLIMIT_FSIZE, (512, 512))

        for more in [[], ["--runs", "0"], ["--list"], ["--slurm"]]:
            self.assertIn("File too large", self.electret("sweep", "job.toml", "-o", "s", *more, check=1, preexec_fn=limited).stderr)
        self.assertEqual([path.name for path in (self.folder / "s").rglob("*.part")], [])
        self.sweep("s")
        done = self.electret("sweep", "s", "--merge", check=1, preexec_fn=limited)
        self.assertIn("sweep.h5", done.stderr)
        self.assertEqual([path.name for path in (self.folder / "s").rglob("*.part")], [])
        self.sweep("whole")
        self.assertEqual(self.digest("s"), self.digest("whole"))

    def test_a_full_disk_ends_it_with_nothing_torn(self):
        limit = 40000
        (self.folder / "job.toml").write_text(JOB.replace("samples = 10", "samples = 100"))

        def limited():
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        done = self.electret("sweep", "job.toml", "-o", "s", "--workers", "1", check=1, preexec_fn=limited)
        self.assertNotIn("internal error", done.stderr)
        self.assertIn("File too large", done.stderr)
        self.sweep("s")
        self.sweep("whole")
        self.assertEqual(self.digest("s"), self.digest("whole"))
        # Also where a run has a folder of its own, which is full first.
        (self.folder / "job.toml").write_text(JOB + "[limits]\nresumable = true\nattempts = 1\n")
        for _ in range(2):
            done = self.electret("sweep", "job.toml", "-o", "r", "--workers", "1", check=1, preexec_fn=limited)
            self.assertNotIn("internal error", done.stderr)
            self.assertIn("too large", done.stderr.lower())
        self.sweep("r")
        (self.folder / "job.toml").write_text(JOB)
        self.sweep("few")
        self.assertEqual(self.digest("r"), self.digest("few"))

    def test_a_resumable_run_that_is_killed_goes_on_to_the_same_bits(self):
        text = JOB.replace("samples = 10", "samples = 1").replace("[sweep]", "[sweep]\nset = ['time.steps=6000', 'output.every=20']")
        (self.folder / "job.toml").write_text(text + "velocities = true\nloss = 'centre_of_mass:0,0,1'\n")
        self.sweep("whole", "--workers", 1)
        (self.folder / "job.toml").write_text(text + "velocities = true\nloss = 'centre_of_mass:0,0,1'\n[limits]\nresumable = true\nattempts = 10\n")
        checkpoint, trajectory = (self.folder / "s/runs/0" / name for name in ("checkpoint.h5", "trajectory.h5"))

        def written():
            try:
                return checkpoint.stat().st_mtime_ns
            except OSError:
                return 0

        seen = []
        for how in [signal.SIGKILL, signal.SIGTERM, signal.SIGKILL]:
            process, before = self.start("sweep", "job.toml", "-o", "s", "--runs", "0-1"), written()
            self.wait_until(lambda: written() not in (0, before) or process.poll() is not None, "a checkpoint that is further")
            try:
                node = trajectory.stat().st_ino
            except OSError:
                node = 0  # The run has ended, and its folder is gone.
            process.send_signal(how)
            process.communicate(timeout=SECONDS)
            if process.returncode in (-how, 128 + how) and node:
                seen.append(node)
        self.assertGreaterEqual(len(seen), 1)
        self.assertEqual(len(set(seen)), 1, "it goes on with the files that are there")
        self.sweep("s")
        self.assertEqual(self.digest("s"), self.digest("whole"))
        for name, values in self.results("whole").items():
            self.assertEqual(values.tobytes(), self.results("s")[name].tobytes(), name)
        self.assertFalse((self.folder / "s/runs").exists())


if __name__ == "__main__":
    unittest.main()
