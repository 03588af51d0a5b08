#!/usr/bin/python3
"""The progress bar on terminals of several widths."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import unittest

from support import ELECTRET, SCENE, SECONDS, CommandTest

# Long enough for the bar to be drawn several times, ten times a second.
SCENE_OF_SECONDS = SCENE.replace("vertices = 60", "vertices = 500").replace("steps = 20", "steps = 100000")


class Terminal(CommandTest):
    def drawn(self, width):
        """The lines drawn over one another on a terminal that many columns wide, until the run is stopped."""
        terminal, command_side = pty.openpty()
        fcntl.ioctl(command_side, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
        run = subprocess.Popen([os.path.abspath(ELECTRET), "run", "scene.toml", "-o", f"out{width}", "--overwrite"], cwd=self.folder,
                               stdout=subprocess.DEVNULL, stderr=command_side)
        os.close(command_side)
        text = b""
        try:
            while text.count(b"\r\x1b[K") < 4:
                text += os.read(terminal, 4096)
        finally:
            run.kill()
            run.wait(timeout=SECONDS)
            os.close(terminal)
        lines = text.decode().split("\r\x1b[K")[1:-1]  # The last one may be half-read.
        self.assertGreaterEqual(len(lines), 2)
        return lines

    def test_no_line_is_as_wide_as_the_terminal(self):
        self.scene(SCENE_OF_SECONDS)
        for width in [7, 20, 30, 40, 80, 200]:
            for line in self.drawn(width):
                with self.subTest(width=width, line=line):
                    self.assertLess(len(line), width)
                    self.assertNotIn("\n", line)
                    self.assertRegex(line, r"\b\d+ %")

    def test_what_does_not_fit_is_left_out_whole(self):
        self.scene(SCENE_OF_SECONDS)
        step, left = r"step \d+/100000", r"[\w. ]+ left$"
        for width in [20, 25, 30, 35, 80]:
            for line in self.drawn(width):
                with self.subTest(width=width, line=line):
                    self.assertEqual("step" in line, re.search(step + "  " + left, line) is not None)
        for line in self.drawn(80):
            self.assertRegex(line, r"^electret \[[#.]{10,40}\] +\d+ %  " + step + "  " + left)
        for line in self.drawn(20):
            self.assertRegex(line, r"^electret +\d+ %$")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
