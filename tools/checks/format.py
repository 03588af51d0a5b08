#!/usr/bin/python3
"""Checks that every C++ file is laid out as .clang-format says; `--fix` lays it out so."""

import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import common

SUFFIXES = (".cpp", ".hpp", ".cu", ".cuh")


# Other versions lay files out differently in details, and some releases of Debian do not have this one.
PROGRAM = "clang-format-14"


def first_faults(said, root):
    """{file: line} of the first fault in each file of which clang-format complains."""
    faults = {}
    for path, line in re.findall(r"^(.+?):(\d+):\d+: error:", said, re.MULTILINE):
        faults.setdefault(os.path.relpath(path, root), line)
    return faults


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

    def look_at(names):
        command = [program, "--style=file", *mode, *(options.root / name for name in names)]
        return subprocess.run(command, capture_output=True, text=True)

    files = common.tracked(options.root, *SUFFIXES)
    # Loading the program takes longer than laying out a file.
    groups = [files[start:start + 40] for start in range(0, len(files), 40)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for run in pool.map(look_at, groups):
            if run.returncode != 0:
                found = first_faults(run.stderr, options.root)
                for name, line in found.items():
                    report.add(f"{name}:{line}", "is not laid out by clang-format; ./dev format does it")
                if not found:
                    report.add(PROGRAM, run.stderr.strip() or f"ended with {run.returncode}")
    return report.finish(f"{len(files)} files")


if __name__ == "__main__":
    sys.exit(main())
