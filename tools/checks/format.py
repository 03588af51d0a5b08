#!/usr/bin/python3
"""Checks that every C++ file is laid out as .clang-format says; `--fix` lays it out so."""

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import common

SUFFIXES = (".cpp", ".hpp", ".cu", ".cuh")


# Other versions lay files out differently in details, and some releases of Debian do not have this one.
PROGRAM = "clang-format-14"


def main():
    arguments = common.parser(__doc__)
    arguments.add_argument("--fix", action="store_true", help="lay the files out")
    options = arguments.parse_args()
    report = common.Report("format")
    program = shutil.which(PROGRAM)
    if program is None:
        print(f"check format: skipped, {PROGRAM} is not installed here")
        return 1 if options.fix else 0
    mode = ["-i"] if options.fix else ["--dry-run", "-Werror"]

    def look_at(name):
        run = subprocess.run([program, "--style=file", *mode, options.root / name], capture_output=True, text=True)
        return name, run

    files = common.tracked(options.root, *SUFFIXES)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, run in pool.map(look_at, files):
            if run.returncode != 0:
                line = next((part.split(":")[1] for part in run.stderr.splitlines() if ": error:" in part), "1")
                report.add(f"{name}:{line}", "is not laid out by clang-format; ./dev format does it")
    return report.finish(f"{len(files)} files")


if __name__ == "__main__":
    sys.exit(main())
