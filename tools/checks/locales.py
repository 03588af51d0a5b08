#!/usr/bin/python3
"""Checks that no source writes or reads numbers by the program's locale, which may have a decimal comma: by printf,
strtod or string streams. core/digits.hpp, std::to_chars, std::from_chars and fmt do neither."""

import re
import sys

import common

FOLDERS = ("src/", "apps/", "python/src/")
SOURCES = (".cpp", ".hpp", ".cu", ".cuh")

FORBIDDEN = [
    (re.compile(r"\bv?s?n?f?printf\s*\(.*%[-+ #0-9.*]*l?[aefgAEFG]"), "printf writes the locale's decimal point"),
    (re.compile(r"\b(strtof|strtod|strtold|atof|stof|stod|stold|v?f?s?scanf)\s*\("), "reads the locale's decimal point"),
    (re.compile(r"\bo?stringstream\b"), "a stream writes numbers by the locale"),
    (re.compile(r"\b(setlocale|std::locale|localeconv|put_time)\b"), "belongs to the locale"),
]

# Streams that see no number.
ALLOWED = {"src/electret/record/detail/files.cpp": re.compile(r"std::ostringstream text;")}


def main():
    options = common.parser(__doc__).parse_args()
    report = common.Report("locales")
    files = [name for name in common.tracked(options.root, *SOURCES) if str(name).startswith(FOLDERS)]
    for name in files:
        text = (options.root / name).read_text(encoding="utf-8", errors="replace")
        allowed = ALLOWED.get(str(name))
        for number, line in enumerate(text.splitlines(), 1):
            if line.lstrip().startswith(("//", "///")) or (allowed and allowed.search(line)):
                continue
            for pattern, meaning in FORBIDDEN:
                if found := pattern.search(line):
                    report.add(f"{name}:{number}", f"'{found.group(0).strip()}' {meaning}; take core/digits.hpp")
    return report.finish(f"{len(files)} files")


if __name__ == "__main__":
    sys.exit(main())
