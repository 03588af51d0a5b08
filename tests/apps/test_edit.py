#!/usr/bin/python3
"""`electret edit`: values in a scene's file change, all else stays, and nothing is lost."""

import os
import resource
import signal
import stat
import tomllib
import unittest

from support import SCENE, SOURCE, CommandTest

COMMENTED = "\ufeff# A ball.\r\n" + SCENE.replace("steps = 20", "steps = 20   # a fifth of a second").replace("\n", "\r\n")


class Edit(CommandTest):
    def setUp(self):
        super().setUp()
        self.path = self.folder / "scene.toml"
        self.path.write_bytes(COMMENTED.encode())

    def bytes(self, name="scene.toml"):
        return (self.folder / name).read_bytes()

    def assert_untouched(self):
        self.assertEqual(self.bytes(), COMMENTED.encode())
        self.assertEqual([name for name in os.listdir(self.folder) if name.endswith(".part")], [])

    def test_changes_values_and_nothing_else(self):
        os.chmod(self.path, 0o640)
        done = self.electret("edit", "scene.toml", "--set", "time.steps=30", "body.0.springs.0.neighbours=6",
                             "body.0.springs.0.from=nearest", "--set", "damping.drag=0.5", "--unset", "scene.name", check=0)
        self.assertEqual((done.stdout, done.stderr), ("", ""))
        wanted = COMMENTED.replace("steps = 20 ", "steps = 30 ").replace('name = "test"\r\n', "").replace('"edges"', '"nearest"')
        wanted = wanted.replace("stiffness = 50.0\r\n", "stiffness = 50.0\r\n  neighbours = 6\r\n") + "\r\n[damping]\r\ndrag = 0.5\r\n"
        self.assertEqual(self.bytes().decode(), wanted)
        self.assertEqual(stat.S_IMODE(os.stat(self.path).st_mode), 0o640)
        self.electret("check", "scene.toml", check=0)

    def test_the_text_is_what_the_options_of_run_say(self):
        changes = ["--unset", "coulomb", "--set", "time.step=0.005", "--set", "external_charge.0.charge=1e-6",
                   "--set", "external_charge.0.position=[0, 0, 2]", "--set", "integrator.method=verlet"]
        self.electret("edit", "scene.toml", "-o", "other.toml", *changes, check=0)
        self.assert_untouched()
        self.electret("run", "scene.toml", *changes, "-o", "a", check=0)
        self.electret("run", "other.toml", "-o", "b", check=0)
        self.assertEqual(self.bytes("a/energy.csv"), self.bytes("b/energy.csv"))

    def test_every_example_can_be_edited(self):
        for path in sorted((SOURCE / "examples").glob("*.toml")):
            text = path.read_text()
            done = self.electret("edit", path, "-o", "-", "--set", "scene.name=another", "--set", "output.every=3", check=0)
            before, after = tomllib.loads(text), tomllib.loads(done.stdout)
            before.setdefault("scene", {})["name"] = "another"
            before.setdefault("output", {})["every"] = 3
            self.assertEqual(before, after)
            comments = [line for line in text.splitlines() if line.lstrip().startswith("#")]
            self.assertEqual(comments, [line for line in done.stdout.splitlines() if line.lstrip().startswith("#")])

    def test_pipes(self):
        done = self.electret("edit", "-", "--set", "time.steps=7", input=SCENE, check=0)
        self.assertEqual(done.stdout, SCENE.replace("steps = 20", "steps = 7"))
        self.electret("edit", "-", "--set", "time.steps=7", "-o", "new.toml", input=SCENE, check=0)
        self.assertEqual(self.bytes("new.toml").decode(), done.stdout)

    def test_what_is_wrong_leaves_the_file_alone(self):
        for arguments, said in [
                (["--set", "time.step=-1"], r'^--set time.step: error: "step" in \[time\] is -1, out of range'),
                (["--set", "time.stpe=1", "--unset", "body.0.mas", "--set", "body.4.mass=1"],
                 r'^--unset body.0.mas: error: .*did you mean "mass".*\n--set body.4.mass: error: .* leads nowhere'),
                (["--set", "time.stpe=1"], r'^--set time.stpe: error: unknown key "stpe"'),
                (["--unset", "body.0.mass"], r'^--unset body.0.mass: error: body "ball" has no mass'),
                (["--set", "body.0=1"], r"^--set body.0: error: .*cannot be written in this text"),
                (["--set", "nonsense"], r"^--set nonsense: error: no KEY=VALUE"),
                ([], "^electret: error: no edit is given")]:
            done = self.electret("edit", "scene.toml", *arguments, check=2)
            self.assertRegex(done.stderr, said)
            self.assert_untouched()
        self.assertRegex(self.electret("edit", "none.toml", "--set", "time.step=1", check=2).stderr, "^none.toml: error: ")
        self.path.write_bytes(b"[time\n")
        self.assertRegex(self.electret("edit", "scene.toml", "--set", "time.step=1", check=2).stderr, "^scene.toml:1:")
        self.assertEqual(self.bytes(), b"[time\n")

    def test_a_broken_scene_is_mended(self):
        self.path.write_text(SCENE.replace("step = 0.01", "step = -1"))
        self.electret("edit", "scene.toml", "--set", "scene.name=x", check=2)
        self.electret("edit", "scene.toml", "--set", "time.step=0.01", check=0)
        self.assertEqual(self.path.read_text(), SCENE)

    def test_other_files_are_replaced_only_if_asked(self):
        (self.folder / "other.toml").write_text("mine")
        done = self.electret("edit", "scene.toml", "--set", "time.steps=7", "-o", "other.toml", check=2)
        self.assertEqual(done.stderr, "other.toml: error: is there already; take another file, or --overwrite\n")
        self.assertEqual(self.bytes("other.toml"), b"mine")
        self.electret("edit", "scene.toml", "--set", "time.steps=7", "-o", "other.toml", "--overwrite", check=0)
        self.assertIn(b"steps = 7", self.bytes("other.toml"))
        self.assert_untouched()
        self.electret("edit", "scene.toml", "--set", "time.steps=7", "-o", "./scene.toml", check=0)
        self.assertIn(b"steps = 7", self.bytes())
        self.electret("edit", "scene.toml", "--set", "time.steps=8", "-o", "", check=2)

    def test_links_stay(self):
        (self.folder / "link.toml").symlink_to("scene.toml")
        self.electret("edit", "link.toml", "--set", "time.steps=7", check=0)
        self.assertTrue((self.folder / "link.toml").is_symlink())
        self.assertIn(b"steps = 7", self.bytes())

    def test_files_are_found_from_where_the_text_will_be(self):
        (self.folder / "a.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
        (self.folder / "sub").mkdir()
        self.path.write_text("[time]\nstep = 0.1\nsteps = 1\n[[body]]\nmesh = \"a.obj\"\nmass = 1\n")
        self.electret("edit", "scene.toml", "--set", "time.steps=2", "-o", "two.toml", check=0)
        done = self.electret("edit", "scene.toml", "--set", "time.steps=2", "-o", "sub/two.toml", check=2)
        self.assertIn('"a.obj" cannot be read', done.stderr)
        self.assertFalse((self.folder / "sub/two.toml").exists())
        self.electret("edit", "scene.toml", "--set", "time.steps=2", "--set", "body.0.mesh=../a.obj", "-o", "sub/two.toml", check=0)

    def test_nothing_to_change_changes_nothing(self):
        before = os.stat(self.path)
        self.electret("edit", "scene.toml", "--set", "time.steps=20", check=0)
        after = os.stat(self.path)
        self.assertEqual((after.st_ino, after.st_mtime_ns), (before.st_ino, before.st_mtime_ns))

    def test_a_file_that_cannot_be_written_stays(self):
        def small():
            resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
        done = self.electret("edit", "scene.toml", "--set", "time.steps=7", check=1,
                             preexec_fn=lambda: (signal.signal(signal.SIGXFSZ, signal.SIG_IGN), small()))
        self.assertIn("cannot write scene.toml: File too large", done.stderr)
        self.assert_untouched()
        if os.geteuid() != 0:
            os.chmod(self.folder, 0o555)
            self.addCleanup(os.chmod, self.folder, 0o755)
            self.assertIn("cannot write", self.electret("edit", "scene.toml", "--set", "time.steps=7", check=1).stderr)
            self.assert_untouched()

    @unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full")
    def test_devices_are_no_files(self):
        done = self.electret("edit", "scene.toml", "--set", "time.steps=7", "-o", "/dev/full", "--overwrite", check=1)
        self.assertIn("/dev/full", done.stderr)
        self.assert_untouched()


if __name__ == "__main__":
    unittest.main()
