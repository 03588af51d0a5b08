#!/usr/bin/python3
"""`electret check`, `info`, `compare`, `completion`, help and usage errors."""

import json
import os
import re
import resource
import subprocess
import sys
import unittest

import h5py
import numpy as np
from support import ELECTRET, SCENE, CommandTest, without_sanitizers

class Help(CommandTest):
    def test_version_and_help(self):
        self.assertRegex(self.electret("--version", check=0).stdout, r"^electret \d+\.\d+\.\d+")
        top = self.electret("--help", check=0).stdout
        for command in ["run", "check", "edit", "studio", "field", "info", "compare", "export", "render", "reproduce", "completion"]:
            self.assertIn(command, top)
            text = self.electret(command, "--help", check=0).stdout
            self.assertIn("Examples:", text, command)
            self.assertIn(f"Usage: electret {command} [OPTIONS]", text)

    def test_usage_errors_exit_with_2_and_say_what_is_allowed(self):
        for arguments in [["fly"], ["run"], ["run", "a.toml", "--sett", "x=1"], ["run", "a.toml", "--threads", "-3"],
                          ["field"], ["field", "a.csv", "--grid-points", "0"], ["compare", "one"],
                          ["reproduce", "--fast"], []]:
            done = self.electret(*arguments)
            self.assertEqual(done.returncode, 2, arguments)
        self.assertIn("there is no command \"fly\"", self.electret("fly").stderr)
        self.assertIn("there is no command \"stage\"", self.electret("stage", "a", "b").stderr)

    @unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full")
    def test_output_that_cannot_be_written_is_a_failure(self):
        self.scene()
        for arguments in [["check", "scene.toml"], ["completion", "bash"], ["--help"]]:
            with open("/dev/full", "w") as full:
                done = subprocess.run([os.path.abspath(ELECTRET), *arguments], cwd=self.folder, stdout=full,
                                      stderr=subprocess.PIPE, text=True)
            self.assertEqual(done.returncode, 1, arguments)
            self.assertIn("could not be written", done.stderr)

    def test_a_closed_pipe_is_a_failed_write(self):
        self.scene()
        (self.folder / "charges.csv").write_text("x,y,z,q\n0,0,0,1\n1,0,0,1\n")
        for arguments in [["check", "scene.toml"], ["field", "charges.csv"]]:
            reader, writer = os.pipe()
            os.close(reader)
            done = subprocess.run([os.path.abspath(ELECTRET), *arguments], cwd=self.folder, stdout=writer,
                                  stderr=subprocess.PIPE, text=True)
            os.close(writer)
            self.assertEqual(done.returncode, 1, arguments)
            self.assertIn("could not be written", done.stderr)

    def closed(self, streams, *arguments):
        """Runs the command as daemons do, without the streams that `streams` closes."""
        return subprocess.run(["/bin/sh", "-c", f'exec "$@" {streams}', "sh", os.path.abspath(ELECTRET), *arguments],
                              cwd=self.folder, capture_output=True, text=True, timeout=120)

    def test_closed_input_cannot_be_read(self):
        for arguments in [["run", "-"], ["check", "-"], ["field", "-"]]:
            done = self.closed("<&-", *arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertRegex(done.stderr, r"^standard input: error: cannot be read", arguments)

    def test_a_run_whose_streams_are_closed_is_whole(self):
        # The scene has a warning, which goes to the closed stream.
        self.scene(SCENE + '[[body.group]]\nname = "unused"\nindices = [0]\n')
        whole = self.electret("run", "scene.toml", "-o", "open", check=0)
        self.assertIn("unused", whole.stderr)
        for streams in ["2>&-", "<&- 2>&-", "1>&- 2>&-", "<&- 1>&- 2>&-"]:
            done = self.closed(streams, "run", "scene.toml", "-o", "closed", "--overwrite")
            self.assertIn(done.returncode, [0, 1], streams)
            self.assertEqual(done.returncode, 1 if "1>&-" in streams else 0, streams)
            self.electret("compare", "open", "closed", check=0)

    def test_what_users_name_cannot_steer_the_terminal(self):
        name = b"q\x1b[31m\xff"
        scene, run = name + b".toml", name + b"-run"
        where = os.fsencode(self.folder)
        with open(os.path.join(where, scene), "w") as file:
            file.write(SCENE.replace('"ball"', '"b\\u001b[31m\\u0007"').replace('"test"', '"a\\u009b31m\\n"'))
        for arguments in [[b"check", scene], [b"check", scene, b"--parameters"], [b"run", scene, b"-o", run],
                          [b"info", run], [b"compare", run, run],
                          [b"gradient", scene, b"--loss", b"energy", b"--wrt", b"body.b\x1b[31m\x07.charge"]]:
            done = subprocess.run([os.fsencode(os.path.abspath(ELECTRET)), *arguments], cwd=where, capture_output=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            text = (done.stdout + done.stderr).decode()
            self.assertFalse([c for c in text if c != "\n" and (ord(c) < 32 or 127 <= ord(c) < 160)], text)
            if arguments[0] != b"gradient":
                self.assertIn(r"\x1b[31m", text)

    def test_an_override_is_utf8(self):
        self.scene()
        done = subprocess.run([os.path.abspath(ELECTRET), "check", "scene.toml", "--set", b"body.0.name=x\xff"],
                              cwd=self.folder, capture_output=True)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr, b"--set body.0.name: error: is set to a text that is not valid UTF-8; write it in UTF-8\n")

    def test_completion_scripts_name_every_command(self):
        for shell in ["bash", "zsh", "fish"]:
            text = self.electret("completion", shell, check=0).stdout
            for word in ["run", "check", "field", "reproduce", "grid-points", "resume"]:
                self.assertIn(word, text)
            if shell != "fish":
                line = next(line for line in text.splitlines() if line.strip().startswith("run)"))
                self.assertTrue({"-o", "-h", "--unset"} <= set(re.split(r'[\s"]+', line)), line)
        script = self.folder / "electret.bash"
        script.write_text(self.electret("completion", "bash", check=0).stdout)
        done = subprocess.run(["bash", "-c", f"source {script}; COMP_WORDS=(electret ru); COMP_CWORD=1; _electret; "
                               'echo "${COMPREPLY[@]}"'], text=True, capture_output=True)
        self.assertEqual(done.stdout.strip(), "run")


class Check(CommandTest):
    def test_reads_standard_input(self):
        self.scene()
        self.assertEqual(self.electret("check", "-", input=SCENE, check=0).stdout,
                         self.electret("check", "scene.toml", check=0).stdout)
        self.assertRegex(self.electret("check", "-", input=SCENE.replace("mass", "mas"), check=2).stderr,
                         r'^standard input:\d+:1: error: body "ball" has no mass')

    @without_sanitizers
    def test_out_of_memory_is_told(self):
        self.scene("[time]\nstep = 0.01\nsteps = 1\n[[body]]\nname = 'b'\ngenerate = { shape = 'grid', rows = 200, columns = 200 }\n"
                   "mass = 1\n[[body.springs]]\nstiffness = 1.0\n")

        def limited(*arguments, **options):
            return self.electret(*arguments, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)), **options)

        seen = set()
        for megabytes in range(650, 125, -25):
            limit = megabytes << 20
            try:
                # OpenBLAS takes its own memory before the program begins; version 0.3.29 takes 400 MB, and waits for ever for them.
                limited("--version", check=0, timeout=100)
            except (AssertionError, subprocess.TimeoutExpired):
                break
            done = limited("check", "scene.toml")
            seen.add(done.returncode)
            if done.returncode != 0:
                said = done.stderr.splitlines()[-1]  # METIS, which orders the matrix, has words of its own before.
                self.assertEqual((done.returncode, said), (
                    1, "electret: error: out of memory; take fewer vertices or springs, or a machine with more memory"))
        self.assertEqual(seen, {0, 1})

    def test_gives_a_sign_of_life(self):
        # What takes long is waiting for the scene, or for the job that a fit finds in a pipe.
        os.mkfifo(self.folder / "job.toml")
        started = [self.start("check", "-", stdin=subprocess.PIPE),
                   self.start("gradient", "-", "--loss", "energy", "--wrt", "gravity", stdin=subprocess.PIPE),
                   self.start("fit", "job.toml")]
        with open(self.folder / "job.toml", "w") as job:
            for process in started:
                self.assertEqual(process.stderr.readline(), "electret: reading the scene and preparing its bodies, 5 s so far\n")
            job.write("[fit]\n")
        said = [process.communicate(SCENE if process.stdin else None)[1] for process in started]
        self.assertEqual([process.returncode for process in started], [0, 0, 2], said)

    def test_lists_parameters(self):
        (self.folder / "scene.toml").write_text(SCENE + "[damping]\ndrag = 0.5\n")
        done = self.electret("check", "scene.toml", "--parameters", check=0)
        rows = {line.split()[0]: line.split()[1:] for line in done.stdout.splitlines()}
        self.assertEqual(rows["name"], ["unit", "count", "value", "or", "range"])
        self.assertEqual(rows["body.ball.charge"], ["C", "1", "1e-06"])
        self.assertEqual(rows["body.ball.positions"][:4], ["m", "60", "×", "3"])
        self.assertEqual(rows["body.ball.stiffness"], ["N/m", "1", "50"])
        self.assertRegex(" ".join(rows["body.ball.rest_lengths"]), r"^m \d+ 0\.\d+ … 0\.\d+$")
        self.assertEqual(rows["gravity"], ["m/s²", "3", "[0,", "0,", "-9.81]"])
        self.assertEqual(rows["damping.drag"], ["1/s", "1", "0.5"])
        self.assertEqual(rows["damping.spring"][-1], "0")
        self.assertNotIn("external_charge.0.charge", rows)
        wrong = ["--parameters", "--set", "time.step=0"]
        self.assertIn("out of range", self.electret("check", "scene.toml", *wrong, check=2).stderr)

    def test_says_what_would_run(self):
        self.scene()
        text = self.electret("check", "scene.toml", check=0).stdout
        for word in ["ball", "vertices", "springs", "charge", "direct", "imex", "step", "memory", "disk"]:
            self.assertIn(word, text)
        self.assertEqual(len(list(self.folder.iterdir())), 1)

    def test_warns_that_nearest_joins_all(self):
        chain = SCENE.replace('shape = "sphere", vertices = 60', 'shape = "chain", vertices = 4, length = 1.0')
        for neighbours, is_warned in [(4, True), (3, False)]:
            springs = f'from = "nearest"\n  neighbours = {neighbours}'
            self.scene(chain.replace('from = "edges"', springs))
            text = self.electret("check", "scene.toml", check=0).stderr
            self.assertEqual('each vertex of body "ball" has 3 others, so that all are joined' in text, is_warned)

    def test_warns_of_settings_of_another_solver(self):
        self.scene(SCENE.replace("[coulomb]", "[coulomb]\nddef.grid_points = 50"))
        for command in [["check", "scene.toml"], ["run", "scene.toml"]]:
            self.assertIn('scene.toml:12:20: warning: "ddef.grid_points"', self.electret(*command, check=0).stderr)
            with_ddef = self.electret(*command, "--set", "coulomb.solver=ddef")  # a build may lack it
            self.assertNotIn("warning", with_ddef.stderr)

    def test_later_and_close_names_are_told_as_elsewhere(self):
        self.scene()
        words = 'method "multirate" is not available in this version; allowed: '
        self.assertIn(words, self.electret("check", "scene.toml", "--set", "integrator.method=multirate", check=2).stderr)
        self.scene(SCENE.replace('"sphere"', '"spere"'))
        self.assertIn('did you mean "sphere"?', self.electret("check", "scene.toml", check=2).stderr)

    def test_takes_every_option_of_run(self):
        self.scene()
        options = ["-o", "out", "--threads", "1", "--resume", "--stop-on-warning", "--set", "time.steps=3"]
        self.assertEqual(self.electret("check", "scene.toml", *options, check=0).stdout,
                         self.electret("check", "scene.toml", "--set", "time.steps=3", check=0).stdout)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["scene.toml"])
        helps = [set(re.findall(r"--[a-z-]+", self.electret(command, "--help", check=0).stdout.split("Options:")[1]))
                 for command in ["run", "check"]]
        self.assertLessEqual(helps[0], helps[1] | {"--resume"})

    def test_says_what_a_step_that_is_too_large_does(self):
        self.scene(SCENE.replace("charge = 1e-6", "charge = 0"))
        for method, words in [("imex", "imex stays stable and damps"), ("verlet", "verlet will diverge"),
                              ("kick_midpoint", "kick_midpoint stays stable, with larger errors of the energy")]:
            done = self.electret("check", "scene.toml", "--set", f"integrator.method={method}",
                                 "body.0.springs.0.stiffness=1e8", check=0)
            self.assertRegex(done.stdout, rf"suggested step .* yours is .* times larger: {words}")
            self.assertRegex(done.stderr, rf"^scene.toml:5:8: warning: the step .* times .*: {words}")
            self.assertRegex(done.stderr, "only if vibration as fast .*, use a smaller step or softer springs; slower motion needs neither\n"
                             if method == "imex" else "; use a smaller step or softer springs\n")
        self.scene(SCENE.replace("charge = 1e-6", "charge = 1"))
        done = self.electret("check", "scene.toml", check=0)
        self.assertIn("imex treats charges explicitly", done.stderr)
        # Key-framed charges, 0 at the start, have the same words: the largest charge of the run counts.
        group = '[[body.group]]\nname = "all"\nbox = [[-9, -9, -9], [9, 9, 9]]\n[[body.group_charge]]\ngroup = "all"\n'
        bare = SCENE.replace("charge = 1e-6", "charge = 0").replace("[gravity]", "[damping]").replace("acceleration", "# ")
        self.scene(bare + group + "times = [0.0, 0.01]\nvalues = [0.0, 1e-3]\n")
        for command in [["check", "scene.toml"], ["run", "scene.toml", "-o", "out", "--set", "time.steps=1"]]:
            done = self.electret(*command, check=0)
            self.assertRegex(done.stderr, r"^[^\n]*which is that of the charges of vertices \d+ and \d+, [^ ]* m apart: imex treats charges explicitly[^\n]*\n$")
        self.scene()
        self.assertNotIn("warning", self.electret("check", "scene.toml", check=0).stderr)

    def test_warns_of_more_disk_than_there_is(self):
        self.scene()
        said = self.electret("check", "scene.toml", "--set", "time.steps=9007199254740992", check=0).stderr
        self.assertRegex(said, r"^electret: warning: a run takes about \S+ [TPE]B of disk, but only \S+ \S+ is free; write")

    def test_reports_all_findings(self):
        self.scene(SCENE.replace("mass = 0.1", "mas = 0.1").replace('"imex"', '"multirate"'))
        done = self.electret("check", "scene.toml", check=2)
        self.assertIn("did you mean \"mass\"", done.stderr)
        self.assertIn("not available in this version", done.stderr)

    def test_a_bodys_charge_is_the_one_in_force_at_the_start(self):
        groups = '''
  [[body.group]]
  name = "some"
  indices = [0, 1]
  [[body.group]]
  name = "other"
  indices = [2]
  [[body.group_charge]]
  group = "some"
  value = -5e-6
  [[body.group_charge]]
  group = "other"
  times = [0.0, 1.0]
  values = [3e-6, 9e-6]
'''
        self.scene(SCENE + groups)
        said = self.electret("check", "scene.toml", check=0).stdout
        self.assertRegex(said, r"body ball +60 vertices, .* kg, 5e-05 C at the start\n")  # 57·1 - 2·5 + 3 µC
        self.assertRegex(said, r"total charge +5e-05 C at the start\n")

    def test_a_long_name_is_followed_by_a_space(self):
        self.scene(SCENE.replace("ball", "b" * 300))
        self.assertIn("b" * 300 + "  60 vertices", self.electret("check", "scene.toml", check=0).stdout)


class ContactOfBodies(CommandTest):
    """What `check` says may touch, and what `info` says has touched."""

    BOXES = """
[time]
step = 0.01
steps = 6
[gravity]
acceleration = [0.0, 0.0, -9.81]
[contact]
against = ["bodies", "self"]
thickness = 0.001
friction = 0.5
  [[contact.pair]]
  between = ["slab", "slab"]
  ignore = true
""" + "".join(f"""
[[body]]
name = "{name}"
generate = {{ shape = "box", cells = [2, 2, 1], cell_size = 0.05 }}
translate = [{0.01 * height}, 0.0, {height}]
density = 1000.0
{pins}  [[body.material]]
  model = "stable_neo_hookean"
  youngs_modulus = 1e6
  poissons_ratio = 0.4
""" for name, height, pins in (("slab", 0.0, """  [[body.group]]
  name = "base"
  box = [[-1.0, -1.0, -0.026], [1.0, 1.0, -0.024]]
  [[body.pin]]
  group = "base"
"""), ("lower", 0.0509, ""), ("upper", 0.1025, "")))

    def test_check_says_what_may_touch_and_with_what_force_near_bodies_begin(self):
        self.scene(self.BOXES)
        said = self.electret("check", "scene.toml", check=0)
        self.assertRegex(said.stdout, r"contact of bodies +thickness 0.001 m, friction 0.5\n")
        self.assertRegex(said.stdout, r"may touch +slab and lower, slab and upper, lower and upper\n")
        self.assertRegex(said.stdout, r"may touch themselves +lower, upper\n")
        near = re.search(r'bodies "slab" and "lower" start 0.0009 m apart, within thickness = 0.001 m, and push each other '
                         r"with (\S+) N from the first step on", said.stderr)
        self.assertIsNotNone(near, said.stderr)
        self.assertEqual(said.stderr.count("m apart, within thickness"), 1)
        # It is what throws the lower box up in the first step, to the order: its own weight is 4.9 N.
        self.assertGreater(float(near[1]), 5.0)
        far = self.electret("check", "scene.toml", "--set", "body.1.translate=[0.0, 0.0, 0.0512]", check=0)
        self.assertNotIn("m apart", far.stderr)
        alone = self.electret("check", "scene.toml", "--set", 'contact.against=["bodies"]', "--unset", "contact.pair", check=0)
        self.assertRegex(alone.stdout, r"may touch themselves +none\n")

    def test_info_says_what_bodies_touch_and_with_what_force(self):
        self.scene(self.BOXES.replace("steps = 6", "steps = 60").replace("[contact]", "[integrator]\ntolerance = 1e-9\n[contact]"))
        self.electret("run", "scene.toml", "-o", "run", check=0)
        text = self.electret("info", "run", check=0).stdout
        sums = self.summary("run")["body_contact"]
        self.assertRegex(text, rf"contact of bodies +after 60 steps, smallest gap {sums['smallest_gap']:.3g} m, friction took "
                               rf"{sums['friction_work']:.3g} J, 0 steps unconverged\n")
        for first, second, weight in (("slab", "lower", 9.81), ("lower", "upper", 4.905)):
            found = re.search(rf"touch +{first} is pushed by {second} in \d+ pairs with \((\S+), (\S+), (\S+)\) N at the last frame\n", text)
            self.assertIsNotNone(found, text)
            self.assertAlmostEqual(float(found[3]), -weight, delta=2e-3 * weight)
        self.assertNotRegex(text, r"touch +slab is pushed by upper")


class InfoAndCompare(CommandTest):
    def setUp(self):
        super().setUp()
        self.scene()
        self.electret("run", "scene.toml", "-o", "a", check=0)

    def test_info(self):
        text = self.electret("info", "a", check=0).stdout
        for word in ["frames", "21", "vertices", "imex", "done"]:
            self.assertIn(word, text)
        self.assertRegex(text, r"made +20\d\d-.*Z, on \d+ threads?, .+\n")

    def test_grabs_are_checked_run_and_listed(self):
        grab = ("[[grab]]\nbody = \"ball\"\nvertices = [3, 5]\nweights = [0.75, 0.25]\nstiffness = 30.0\ndamping = 0.5\n"
                "times = [0.05, 0.1]\ntargets = [[2.0, 0.0, 0.0], [2.5, 0.0, 0.0]]\n")
        self.scene(SCENE + grab + "until = 0.15\n")
        said = self.electret("check", "scene.toml", check=0)
        self.assertRegex(said.stdout, r"grab 0 +2 vertices of ball, stiffness 30 N/m, damping 0.5 N s/m, from 0.05 s until 0.15 s\n")
        self.assertNotIn("grab", said.stderr)
        open_end = self.electret("check", "scene.toml", "--unset", "grab.0.until", check=0)
        self.assertIn("from 0.05 s to the end\n", open_end.stdout)
        late = self.electret("check", "scene.toml", "--set", "grab.0.times=[0.05, 1.0]", check=0)
        self.assertIn("1 of the 2 key-frames of grab 0 is after the end of the run", late.stderr)
        self.electret("run", "scene.toml", "-o", "run", check=0)
        self.assertRegex(self.electret("info", "run", check=0).stdout, r"grabs +1\n")
        summary = self.summary("run")
        self.assertGreater(summary["dissipation"], 0.0)
        self.assertNotEqual(summary["keyframe_work"], 0.0)
        bad = self.electret("check", "scene.toml", "--set", "grab.0.stiffness=-1", "--set", "grab.0.body=\"bal\"", check=2)
        self.assertEqual(bad.stderr.splitlines(), [
            '--set grab.0.body: error: the scene has no body "bal"; did you mean "ball"?',
            '--set grab.0.stiffness: error: "stiffness" in [[grab]] is -1, out of range; allowed: number ≥ 0, in N/m'])  # fmt: skip
        listed = self.electret("check", "scene.toml", "--parameters", check=0).stdout
        for name in ("grab.0.stiffness", "grab.0.damping", "grab.0.targets"):
            self.assertIn(name, listed)

    def test_check_and_info_say_how_large_bodies_are(self):
        (self.folder / "cloud.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 4 0\n")
        (self.folder / "one.obj").write_text("v 7 7 7\n")
        self.scene("""
[time]
step = 0.01
steps = 1
[[body]]
name = "beam"
generate = { shape = "box", cells = [4, 2, 1], cell_size = 0.25 }
density = 1000.0
  [[body.material]]
  model = "corotated"
  youngs_modulus = 1e5
  poissons_ratio = 0.3
[[body]]
name = "cloud"
mesh = "cloud.obj"
mass = 1.0
scale = 2.0
translate = [50.0, 0.0, 0.0]
[[body]]
name = "one"
mesh = "one.obj"
mass = 1.0
""")
        checked = self.electret("check", "scene.toml", check=0).stdout
        self.electret("run", "scene.toml", "-o", "sizes", check=0)
        shown = self.electret("info", "sizes", check=0).stdout
        for text in (checked, shown):
            self.assertRegex(text, r"size of beam +1 × 0.5 × 0.25 m; edges: 0.25 m the shortest, 0.25 m on average\n")
            self.assertRegex(text, r"size of cloud +2 × 8 × 0 m; from vertex to nearest vertex: 2 m the shortest, 5 m on average\n")
            self.assertRegex(text, r"size of one +0 × 0 × 0 m\n")
            self.assertRegex(text, r"elements +0 tetrahedra, 8 hexahedra")
        self.assertRegex(checked, r"body one +1 vertex, 0 springs, ")
        self.assertEqual(json.loads((self.folder / "sizes/summary.json").read_text())["elements"], 8)

    def test_info_says_why_a_summary_tells_nothing(self):
        summary = self.folder / "a" / "summary.json"
        summary.write_text('{"status": "do')
        self.assertRegex(self.electret("info", "a", check=0).stdout,
                         r"status +unknown: a/summary.json is not a summary of a run: .*\n")
        summary.unlink()
        self.assertRegex(self.electret("info", "a", check=0).stdout, "status +unknown: no summary.json\n")

    def test_info_shows_what_was_set(self):
        self.assertNotIn("--set", self.electret("info", "a", check=0).stdout)
        self.electret("run", "scene.toml", "-o", "b", "--set", "time.steps=3", "--set", "scene.name=other", check=0)
        text = self.electret("info", "b", check=0).stdout
        self.assertRegex(text, r"--set +time.steps=3\n--set +scene.name=other\n")
        with h5py.File(self.folder / "b" / "trajectory.h5") as run:
            self.assertEqual(run.attrs["overrides"], "time.steps=3\nscene.name=other")
            self.assertEqual(run.attrs["scene"], SCENE)
        with h5py.File(self.folder / "a" / "trajectory.h5") as run:
            self.assertEqual(run.attrs["overrides"], "")

    def test_info_of_something_else(self):
        self.assertIn("nowhere", self.electret("info", "nowhere", check=2).stderr)

    def test_a_folder_without_a_run_is_bad_input(self):
        (self.folder / "empty").mkdir()
        (self.folder / "other").mkdir()
        (self.folder / "other" / "trajectory.h5").write_text("none of ours")
        for name in ["empty", "other"]:
            self.assertIn(f"{name}: error: holds no Electret run", self.electret("info", name, check=2).stderr)
            self.assertIn(name, self.electret("compare", "a", name, check=2).stderr)
        both = self.electret("compare", "empty", "nowhere", check=2).stderr
        self.assertEqual(len(both.splitlines()), 2, both)

    def test_compare_same_and_different(self):
        self.electret("run", "scene.toml", "-o", "b", check=0)
        same = self.electret("compare", "a", "b", check=0).stdout
        self.assertIn("identical", same)
        self.electret("run", "scene.toml", "-o", "c", "--set", "body.0.charge=2e-6", check=0)
        different = self.electret("compare", "a", "c", check=0).stdout
        self.assertIn("frame", different)
        self.assertIn("vertex", different)

    def test_compare_two_tables_of_fields(self):
        first = np.random.default_rng(7).uniform(-1, 1, (9, 4))
        second = first * (1 + np.random.default_rng(8).uniform(-1e-3, 1e-3, (9, 4)))
        for name, table in [("first.csv", first), ("second.csv", second)]:
            np.savetxt(self.folder / name, table, delimiter=",", header="Ex,Ey,Ez,phi", comments="", fmt="%.17g")
        np.save(self.folder / "second.npy", second)
        errors = np.linalg.norm((first - second)[:, :3], axis=1) / np.linalg.norm(second[:, :3], axis=1)
        whole = [np.linalg.norm((first - second)[:, part]) / np.linalg.norm(second[:, part]) for part in [slice(3), 3]]
        said = [self.electret("compare", "first.csv", name, check=0).stdout for name in ["second.csv", "second.npy"]]
        self.assertEqual(said[0], f"rows        9 compared\nfield       relative error {whole[0]:.3g} (median of the rows "
                         f"{np.median(errors):.3g}, worst {errors.max():.3g})\npotential   relative error {whole[1]:.3g}\n")
        self.assertEqual(said[0], said[1])
        self.assertIn("equal", self.electret("compare", "second.csv", "second.npy", check=0).stdout)
        np.save(self.folder / "few.npy", second[:4])
        self.assertIn("few.npy: error: holds 4 rows; expected 9, as first.csv has",
                      self.electret("compare", "first.csv", "few.npy", check=2).stderr)
        (self.folder / "other.csv").write_text("a,b\n1,2\n")
        both = self.electret("compare", "other.csv", "scene.toml", check=2).stderr
        self.assertIn("other.csv:1:1: error: the header is \"a,b\"; expected \"Ex,Ey,Ez,phi\"", both)
        self.assertIn("scene.toml", both)
        self.assertIn("is no folder", self.electret("compare", "first.csv", "a", check=2).stderr)

    def test_obstacles_are_listed_under_any_name(self):
        table = '\n[[obstacle]]\nname = "{}"\nshape = "plane"\npoint = [0, 0, -9]\nnormal = [0, 0, 1]\nlaw = "penalty"\n' \
                'stiffness = 1000.0\n'
        self.scene(SCENE + table.format("floor, wet") + table.format("second"))
        self.assertRegex(self.electret("check", "scene.toml", check=0).stdout,
                         r"obstacle floor, wet +plane, penalty, stiffness 1000, friction 0\nobstacle second +plane, ")
        self.electret("run", "scene.toml", "-o", "b", check=0)
        self.assertRegex(self.electret("info", "b", check=0).stdout, r"obstacle +floor, wet\nobstacle +second\n")
        names = ["obstacle.floor, wet.stiffness", "body.ball.charge", "obstacle.second.stiffness"]
        for wish in [names, names[::-1], names[:1]]:
            said = self.electret("gradient", "scene.toml", "--loss", "energy", "--wrt", ",".join(wish), check=0).stdout
            self.assertEqual(list(json.loads(said)["gradient"]), wish)
        said = self.electret("gradient", "scene.toml", "--loss", "energy", "--wrt", "obstacle.floor, we,body.ball.mass", check=2)
        self.assertIn('no parameter "obstacle.floor"', said.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
