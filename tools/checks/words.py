#!/usr/bin/python3
"""Checks that no file holds what belongs to one machine or is left for later: paths of somebody's home, notes of things
to do, merge marks."""

import re
import sys

import common

TEXT = (".cpp", ".hpp", ".cu", ".cuh", ".py", ".md", ".txt", ".toml", ".cmake", ".sh", ".in", ".json", ".yml",
        ".cff", "dev", ".ci/run", ".clang-tidy", ".clang-format")

# What is looked for. It is assembled from parts, so that this file does not hold it itself.
FORBIDDEN = [
    (re.compile(r"\b(TO" r"DO|FIX" r"ME|X" r"XX|HA" r"CK)\b"), "a note of something left to do"),
    (re.compile(r"(?<![\w.])/(home|root|work|Users)/\w"), "a path of one machine"),
    (re.compile(r"^(<{7} |>{7} |={7}$)"), "a merge mark"),
]


def main():
    options = common.parser(__doc__).parse_args()
    report = common.Report("words")
    files = common.tracked(options.root, *TEXT)
    for name in files:
        text = (options.root / name).read_text(encoding="utf-8", errors="replace")
        for number, line in enumerate(text.splitlines(), 1):
            for pattern, meaning in FORBIDDEN:
                if found := pattern.search(line):
                    report.add(f"{name}:{number}", f"'{found.group(0).strip()}' is {meaning}")
    return report.finish(f"{len(files)} files")


if __name__ == "__main__":
    sys.exit(main())
