#!/usr/bin/python3
"""Sweeps whose runs are done by GNU parallel, make and Slurm."""

import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import unittest

import h5py

import slurm_cluster
from support import ELECTRET, SECONDS
from sweep_support import JOB, SweepTest

SWEEPS = pathlib.Path(__file__).resolve().parents[2] / "docs" / "sweeps.md"


class SweepEngines(SweepTest):
    @unittest.skipUnless(shutil.which("parallel"), "GNU parallel is not installed")
    def test_gnu_parallel_does_the_list(self):
        self.sweep("one")
        commands = self.sweep("s", "--list", "--block", 3).stdout
        path = {**os.environ, "PATH": f"{pathlib.Path(ELECTRET).resolve().parent}:{os.environ['PATH']}", "HOME": str(self.folder)}
        subprocess.run(["parallel", "--will-cite", "-j", "3"], input=commands, text=True, cwd=self.folder, env=path, check=True, capture_output=True)
        self.electret("sweep", "s", "--merge", check=0)
        self.assertEqual(self.digest("s"), self.digest("one"))
        for name, values in self.results("one").items():
            self.assertEqual(values.tobytes(), self.results("s")[name].tobytes(), name)

    @unittest.skipUnless(shutil.which("make"), "make is not installed")
    def test_make_does_the_list_and_what_a_killed_make_left(self):
        """The recipe of docs/sweeps.md, in a folder with a space."""
        self.sweep("one")
        (self.folder / "a b").mkdir()
        rules = next(text for text in re.findall(r"```sh\n(.*?)```", SWEEPS.read_text(), re.DOTALL) if "make -" in text)
        writes, makes = [line.replace("sweeps/map", "'a b/s'") for line in rules.splitlines() if line.startswith(("electret sweep job.toml", "make"))]
        self.shell(writes)
        makefile = self.folder / "map.mk"
        whole = makefile.read_text()
        self.assertEqual(whole.count("\n\telectret sweep "), 1, "20 runs are one block of the recipe's 20")
        self.shell(writes.replace("--block 20", "--block 3"))
        self.assertEqual(makefile.read_text().count("\n\telectret sweep "), 7)
        # As after a kill: two of the blocks are done.
        self.shell("make -j 2 -f map.mk run2 run5")
        self.assertEqual(len(set(self.rows("a b/s"))), 6)
        self.shell(makes)
        self.electret("sweep", "a b/s", "--merge", check=0)
        self.assertEqual(self.digest("a b/s"), self.digest("one"))
        self.assertEqual(self.rows("a b/s"), list(range(20)), "no run that has ended is repeated")

    def shell(self, line):
        path = {**os.environ, "PATH": f"{pathlib.Path(ELECTRET).resolve().parent}:{os.environ['PATH']}"}
        subprocess.run(["bash", "-c", line], cwd=self.folder, env=path, check=True, capture_output=True)

    def test_slurm_s_script_does_the_missing_runs(self):
        (self.folder / "a b").mkdir()
        self.sweep("a b/s", "--runs", "0,5-7,19")
        line = self.sweep("a b/s", "--slurm", "--block", 4, "--slurm-option=--time=1:00:00", "--slurm-option=--partition=x").stdout
        folder = (self.folder / "a b" / "s").resolve()
        self.assertRegex(line, r"^job=\$\(sbatch --parsable '.*/a b/s/slurm.sh'\) && sbatch --dependency=afterany:\$job ")
        script = folder / "slurm.sh"
        subprocess.run(["bash", "-n", script], check=True)
        text = script.read_text()
        for option in ["--array=0-3", "--time=1:00:00", "--partition=x", "--requeue", "--signal=B:TERM@120"]:
            self.assertIn(f"#SBATCH {option}\n", text)
        self.assertEqual(self.tasks_of(script), ["1-4", "8-11", "12-15", "16-18"])
        # Slurm keeps a script from when it was submitted, whatever is written after that.
        kept = pathlib.Path(shutil.copy(script, self.folder / "kept.sh"))
        for task in [3, 0, 2, 1, 1]:
            subprocess.run(["bash", kept], env={**os.environ, "SLURM_ARRAY_TASK_ID": str(task)}, check=True, capture_output=True, timeout=SECONDS)
            self.sweep("a b/s", "--slurm", "--block", 2)
        self.assertIn("have ended already", self.sweep("a b/s", "--slurm").stderr)
        # The merging job's command, as the line has it.
        words = shlex.split(line)
        self.assertEqual(words[-3:-1], ["--time=1:00:00", "--partition=x"], "the site asks for them, too")
        merging = words[-1].removeprefix("--wrap=")
        subprocess.run(merging, shell=True, check=True, capture_output=True)
        self.sweep("whole")
        self.assertEqual(self.digest("a b/s"), self.digest("whole"))
        # Without a finished run the first one is done; many runs make at most 1000 tasks.
        (self.folder / "job.toml").write_text(JOB.replace("samples = 10", "samples = 2000"))
        self.sweep("many", "--slurm", "--block", 1)
        tasks = self.tasks_of(self.folder / "many" / "slurm.sh")
        self.assertEqual((len(tasks), tasks[0]), (1000, "1-4"))

    def tasks_of(self, script):
        """The runs of each task."""
        return re.search(r"<<'RUNS'\n(.*)RUNS\n", script.read_text(), re.DOTALL).group(1).split()

    def submit(self, cluster, *options):
        """Writes the script for the missing runs of "a b/s", and gives the line to a shell. False if none is missing."""
        line = self.sweep("a b/s", "--slurm", *options).stdout
        if line:
            cluster.shell(line, cwd=self.folder)
        return bool(line)

    def rows(self, folder):
        """The runs of all rows in all parts."""
        runs = []
        for part in (self.folder / folder / "parts").glob("*.h5"):
            with h5py.File(part) as file:
                runs += list(file["run"][()])
        return sorted(runs)

    @unittest.skipIf(slurm_cluster.why_not(), slurm_cluster.why_not())
    def test_slurm_does_the_sweep_and_merges_it(self):
        self.sweep("whole")
        with slurm_cluster.SlurmCluster(self.folder / "cluster", SECONDS) as cluster:
            self.submit(cluster, "--block", 4)
            cluster.wait()
        self.assertEqual(self.digest("a b/s"), self.digest("whole"))
        for name, values in self.results("whole").items():
            self.assertEqual(values.tobytes(), self.results("a b/s")[name].tobytes(), name)
        self.assertEqual(self.rows("a b/s"), list(range(20)))
        # The first run was done for its time, the others by five tasks.
        self.assertEqual(len(list((self.folder / "a b" / "s").glob("slurm-*_*.log"))), 5)

    def tasks(self, folder):
        """The processes that write parts now, each with the daemon of Slurm that follows it."""
        for part in (self.folder / folder / "parts").glob("*.h5"):
            process = part.stem.rsplit(".", 1)[1].split("-")[0]
            try:
                words = pathlib.Path(f"/proc/{process}/cmdline").read_text().split("\0")
                parent = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2].split()[1]
            except OSError:
                continue
            if "--runs" in words and str((self.folder / folder).resolve()) in words:
                yield int(process), int(parent)

    def end_node(self, cluster):
        """The node is gone with all that it did, and comes back."""
        cluster.kill("slurmd")
        for process, parent in self.tasks("a b/s"):
            for each in {parent, process} - {1}:
                try:
                    os.kill(each, signal.SIGKILL)
                except ProcessLookupError:
                    pass
        cluster.start("slurmd", "-D")

    @unittest.skipIf(slurm_cluster.why_not(), slurm_cluster.why_not())
    def test_slurm_s_tasks_that_are_killed_or_requeued_lose_no_finished_run(self):
        (self.folder / "job.toml").write_text(JOB.replace("samples = 10", "samples = 20").replace("[sweep]", "[sweep]\nset = ['time.steps=20000']"))
        ends = {"killed": lambda task: cluster.call("scancel", "--signal=KILL", "--full", task, check=False),
                "stopped, as before a time limit": lambda task: cluster.call("scancel", "--signal=TERM", "--batch", task, check=False),
                "cancelled": lambda task: cluster.call("scancel", task, check=False),
                "requeued": lambda task: cluster.call("scontrol", "requeue", task, check=False),
                "gone with its node": lambda _: self.end_node(cluster)}
        ended = []
        with slurm_cluster.SlurmCluster(self.folder / "cluster", SECONDS) as cluster:
            while self.submit(cluster, "--block", 20):
                while cluster.jobs():
                    before = len(self.rows("a b/s"))
                    cluster.until(lambda: len(self.rows("a b/s")) > before or not cluster.jobs(), "a further run")
                    running = [name for name, state in cluster.jobs().items() if state == "RUNNING" and "_" in name]
                    if running and len(ended) < len(ends):
                        ended.append(list(ends)[len(ended)])
                        ends[ended[-1]](running[0])
                    else:
                        cluster.wait()
        self.assertGreaterEqual(len(ended), 1)
        self.sweep("a b/s")
        self.sweep("whole")
        self.assertEqual(self.digest("a b/s"), self.digest("whole"), ended)
        self.assertEqual(self.rows("a b/s"), list(range(40)), f"no run that has ended is repeated: {ended}")


if __name__ == "__main__":
    unittest.main()
