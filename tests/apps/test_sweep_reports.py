#!/usr/bin/python3
"""`electret sweep`: what --check and --watch say, tasks on the same runs, and parts of several instruction sets."""

import json
import re
import shlex
import shutil
import signal
import unittest

import h5py

from support import SECONDS
from sweep_support import JOB, SweepTest


class SweepReports(SweepTest):
    def test_check_says_what_it_takes_and_writes_nothing(self):
        before = sorted(self.folder.iterdir())
        out = self.sweep("s", "--check").stdout
        for said in [r"runs +20", r"keys +body\.0\.charge, integrator\.method", r"run 0 +done", r"swing +\d", r"CPU time of run 0 .*, all runs ",
                     r"memory +\d.* for each worker", r"files +about 9, ", r"disk +about \d"]:
            self.assertRegex(out, rf"(?m)^  {said}")
        self.assertEqual(sorted(self.folder.iterdir()), before)

    def test_watch_waits_for_the_end(self):
        self.sweep("s", "--runs", "0-9")
        watching = self.start("sweep", "s", "--watch")
        self.sweep("s", "--runs", "10-19")
        out, err = watching.communicate(timeout=SECONDS)
        self.assertEqual(watching.returncode, 0, err)
        self.assertIn("done         20", out)
        # Of a sweep that nobody does it is ended by the user, who is told how far it is.
        self.sweep("t", "--runs", "0-9")
        watching = self.start("sweep", "t", "--watch")
        self.wait_until(lambda: self.catches(watching, signal.SIGTERM), "the watch")
        watching.send_signal(signal.SIGTERM)
        out, err = watching.communicate(timeout=SECONDS)
        self.assertEqual(watching.returncode, 143, err)
        self.assertIn("missing      10", out)

    def catches(self, process, number):
        """Whether the process has a handler for the signal by now."""
        with open(f"/proc/{process.pid}/status") as file:
            caught = re.search(r"SigCgt:\s*(\w+)", file.read())
        return int(caught[1], 16) >> (number - 1) & 1

    def test_two_tasks_on_the_same_runs_give_the_same_results(self):
        self.sweep("one")
        self.sweep("s", "--list")
        tasks = [self.start("sweep", "s", "--runs", "0-19") for _ in range(2)]
        for task in tasks:
            _, err = task.communicate(timeout=SECONDS)
            self.assertEqual(task.returncode, 0, err)
        self.assertEqual(self.electret("sweep", "s", "--merge", check=0).stderr, "")
        for name, values in self.results("one").items():
            self.assertEqual(values.tobytes(), self.results("s")[name].tobytes(), name)

    def test_show_gives_the_command_of_loss_and_gradient(self):
        (self.folder / "goal").mkdir()
        (self.folder / "job.toml").write_text(JOB + "loss = 'final_position:goal/goal.obj'\ngradient = ['body.ball.charge', 'body.ball.stiffness']\n")
        self.electret("run", "scene.toml", "-o", "alone", check=0)
        with h5py.File(self.folder / "alone/trajectory.h5") as file:
            (self.folder / "goal/goal.obj").write_text("".join(f"v {x} {y} {z}\n" for x, y, z in 1.1 * file["positions"][0]))
        self.sweep("s")
        lines = self.electret("sweep", "s", "--show", 7, check=0).stdout.splitlines()
        commands = [shlex.split(line) for line in lines if line.startswith("electret ")]
        self.assertEqual([command[1] for command in commands], ["gradient", "run"])
        found = json.loads(self.electret(*commands[0][1:], check=0).stdout)
        results = self.results("s")
        self.assertEqual(found["loss"], results["loss"][7])
        self.assertEqual([found["gradient"]["body.ball.charge"], found["gradient"]["body.ball.stiffness"]], list(results["gradient"][7]))

    def test_show_gives_the_command_of_a_loss_without_its_gradient(self):
        (self.folder / "job.toml").write_text(JOB + "loss = 'centre_of_mass:0,0,1'\n")
        self.sweep("s")
        commands = [shlex.split(line) for line in self.electret("sweep", "s", "--show", 7, check=0).stdout.splitlines() if line.startswith("electret ")]
        self.assertEqual([command[1] for command in commands], ["gradient", "run"])
        self.assertNotIn("--wrt", commands[0])
        found = json.loads(self.electret(*commands[0][1:], check=0).stdout)
        self.assertEqual(found, {"loss": self.results("s")["loss"][7]})

    def test_show_says_which_inputs_have_changed(self):
        mesh = self.folder / "ball.obj"
        mesh.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n")
        scene = self.folder / "scene.toml"
        scene.write_text(re.sub(r"generate = .*", 'mesh = "ball.obj"', scene.read_text()))
        (self.folder / "job.toml").write_text(JOB + "loss = 'final_position:ball.obj'\n")
        self.sweep("s", "--runs", "0")
        self.assertEqual(self.electret("sweep", "s", "--show", 0, check=0).stderr, "")
        mesh.write_text(mesh.read_text().replace("v 1 0 0", "v 2 0 0"))
        told = self.electret("sweep", "s", "--show", 0, check=0).stderr
        self.assertEqual(told.count(f"{mesh} has changed since the sweep began; what was run is in s/inputs\n"), 2, told)  # As mesh and as goal.
        scene.write_text(scene.read_text() + "# more\n")
        self.assertIn(f"{scene} has changed since", self.electret("sweep", "s", "--show", 0, check=0).stderr)
        mesh.unlink()
        self.assertIn(f"{mesh} has changed since", self.electret("sweep", "s", "--show", 0, check=0).stderr)

    def test_a_sweep_runs_the_mesh_that_it_began_with(self):
        """However the scene names it."""
        mesh, scene = self.folder / "ball.obj", self.folder / "scene.toml"
        text, of_mesh = scene.read_text(), "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n"
        for number, name in enumerate(["ball.obj", "./ball.obj", f"../{self.folder.name}/ball.obj", str(mesh)]):
            mesh.write_text(of_mesh)
            scene.write_text(re.sub(r"generate = .*", f'mesh = "{name}"', text))
            whole, parts = f"whole{number}", f"s{number}"
            self.sweep(whole)
            self.sweep(parts, "--runs", "0-9")
            # From another working directory.
            self.electret("sweep", self.folder / "job.toml", "-o", self.folder / parts, "--runs", "10-11", check=0)
            mesh.write_text(of_mesh.replace("v 1 0 0", "v 2 0 0"))
            self.assertIn("the file ball.obj differs", self.sweep(parts, "--runs", "12-19", check=2).stderr, name)
            self.electret("sweep", parts, check=0)  # The folder stands alone.
            self.assertEqual(self.digest(parts), self.digest(whole), name)

    def test_faults_of_many_parts_are_counted(self):
        self.sweep("s", "--runs", "0-3")
        (self.folder / "job.toml").write_text(JOB.replace("last of", "min of"))
        self.sweep("other", "--runs", "0")
        part = next((self.folder / "other/parts").glob("*.h5"))
        for k in range(30):
            shutil.copy(part, self.folder / f"s/parts/foreign-{k}.h5")
        for way in (["--status"], ["--merge"]):
            errors = self.electret("sweep", "s", *way, check=1).stderr
            self.assertEqual(errors.count("the part is of a sweep of another job or scene"), 20, errors)
            self.assertIn("… and 10 more faults of parts and rows\n", errors)

    def test_all_pictures_are_named(self):
        (self.folder / "job.toml").write_text(
            "[sweep]\nscene = 'scene.toml'\n[[vary]]\nkey = 'body.0.charge'\nrange = [1e-7, 1e-6]\npoints = 2\n[[vary]]\n"
            "key = 'body.0.mass'\nvalues = [0.1, 0.2]\n[keep.quantities]\na = 'max of kinetic'\nb = 'last of total'\n")
        self.assertIn(": runs.csv, sweep.h5, sweep.svg, sweep-b.svg, summary.json\n", self.sweep("s").stdout)
        with (self.folder / "job.toml").open("a") as job:
            job.write("c = 'last of total'\nd = 'last of total'\n")
        self.assertIn(": runs.csv, sweep.h5, sweep.svg and 3 further sweep-NAME.svg, summary.json\n", self.sweep("t").stdout)

    def test_several_instruction_sets_are_told(self):
        sets = re.search(r"supported here: ([\w, ]+)\)", self.electret("--version", check=0).stdout)[1].split(", ")
        if len(sets) < 2:
            self.skipTest("the processor has one instruction set")
        for folder, chosen in {"mixed": sets[:2], "alike": sets[:1] * 2}.items():
            for runs, own in zip(["0-9", "10-19"], chosen):
                self.sweep(folder, "--runs", runs, "--instructions", own)
            errors = self.electret("sweep", folder, "--merge", check=0).stderr
            self.assertEqual("several instruction sets" in errors, folder == "mixed", errors)
            self.assertEqual(sorted(self.summary(folder)["instruction_sets"]), sorted(set(chosen)))
        self.sweep("one", "--workers", 2, "--instructions", sets[0])
        self.assertEqual(self.digest("alike"), self.digest("one"))
        self.assertEqual(self.results("mixed")["end"][:10].tobytes(), self.results("one")["end"][:10].tobytes())


if __name__ == "__main__":
    unittest.main()
