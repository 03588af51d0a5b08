"""What the command's tests share: the binary, scenes, running and reading."""

import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import textwrap
import time
import unittest

ELECTRET = os.environ.get("ELECTRET", "build/release/bin/electret")
SOURCE = pathlib.Path(os.environ.get("ELECTRET_SOURCE", pathlib.Path(__file__).parents[2]))

SCENE = textwrap.dedent("""\
    [scene]
    name = "test"

    [time]
    step = 0.01
    steps = 20

    [integrator]
    method = "imex"

    [coulomb]

    [gravity]
    acceleration = [0.0, 0.0, -9.81]

    [[body]]
    name = "ball"
    generate = { shape = "sphere", vertices = 60 }
    mass = 0.1
    charge = 1e-6

      [[body.springs]]
      from = "edges"
      stiffness = 50.0
    """)


# A command that takes longer hangs, however busy the machine is; sanitizers make all of them slower.
SECONDS = float(os.environ.get("ELECTRET_TEST_SECONDS", "600"))

# For tests of memory: a sanitizer takes some of its own, reserves more than any limit, and keeps what is given back.
without_sanitizers = unittest.skipIf("ELECTRET_TEST_SECONDS" in os.environ, "a sanitizer takes memory of its own")

# What a command says only because it is slow; a busy machine makes it say so anywhere.
SLOWNESS = re.compile(r"^(?:electret|sweep): (?:.*, [\w. ]+ so far|step \d+ of \d+, [\w. ]+ left)\n", re.M)


# A test run in the background of a script is deaf to Ctrl-C, and so would be what it starts.
signal.signal(signal.SIGINT, signal.default_int_handler)


class CommandTest(unittest.TestCase):
    """A temporary folder a test, and `electret` run in it."""

    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.folder = pathlib.Path(self._folder.name)

    def electret(self, *arguments, check=None, where=None, **options):
        """Runs the command, in the test's folder or `where`; with `check`, asserts its exit status. What it says of its
        slowness is left out."""
        done = subprocess.run([os.path.abspath(ELECTRET), *map(str, arguments)], cwd=where or self.folder, text=True,
                              capture_output=True, **{"timeout": SECONDS, **options})
        if isinstance(done.stderr, str):
            done.stderr = SLOWNESS.sub("", done.stderr)
        if check is not None:
            self.assertEqual(done.returncode, check, done.stdout + done.stderr)
        return done

    def start(self, *arguments, **options):
        """Starts the command without waiting for it."""
        return subprocess.Popen([os.path.abspath(ELECTRET), *map(str, arguments)], cwd=self.folder, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)

    def wait_until(self, happened, what):
        """Waits for `happened()`, whenever the machine gets round to it."""
        end = time.monotonic() + SECONDS
        while not happened():
            self.assertLess(time.monotonic(), end, f"not within {SECONDS:g} s: {what}")
            time.sleep(0.02)

    def scene(self, text=SCENE, name="scene.toml"):
        path = self.folder / name
        path.write_text(text)
        return path

    def summary(self, run):
        return json.loads((self.folder / run / "summary.json").read_text())
