"""What the checks share: their arguments, the files that they read, and their reports.

A check is a program of its own: it prints one line when all is well, one line a finding on standard error
otherwise, and exits with 1.
"""

import argparse
import pathlib
import subprocess
import sys
import time


def parser(description):
    """The arguments that every check takes."""
    result = argparse.ArgumentParser(description=description)
    result.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[2],
                        help="the repository (default: the one this script is in)")
    result.add_argument("--build", type=pathlib.Path, help="the build folder (default: ROOT/build/release)")
    return result


def tracked(root, *suffixes):
    """The files of the project below `root` with one of `suffixes`, relative and sorted: what git tracks or
    would track; everything where `root` is not a repository of its own."""
    listing = subprocess.run(["git", "-C", root, "ls-files", "--cached", "--others", "--exclude-standard"],
                             capture_output=True, text=True) if (root / ".git").exists() else None
    if listing is not None and listing.returncode == 0:
        names = listing.stdout.splitlines()
    else:
        names = [str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()]
    return sorted(pathlib.Path(name) for name in names
                  if name.endswith(suffixes) and (root / name).is_file())


class Report:
    """Collects findings; `finish` prints them and gives the exit status."""

    def __init__(self, name):
        self.name = name
        self.findings = []
        self.start = time.monotonic()

    def add(self, where, message):
        self.findings.append(f"{where}: {message}")

    def finish(self, summary):
        seconds = time.monotonic() - self.start
        for finding in self.findings:
            print(f"check {self.name}: {finding}", file=sys.stderr)
        if self.findings:
            print(f"check {self.name}: {len(self.findings)} findings ({seconds:.1f} s)", file=sys.stderr)
            return 1
        print(f"check {self.name}: ok, {summary} ({seconds:.1f} s)")
        return 0
