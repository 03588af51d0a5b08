#!/usr/bin/python3
"""The Python package against the library's own calls in a loop inside its compiled part, in one process: medians of
seven interleaved pairs, on pinned cores. Run it on an idle machine.

Every file rows_*.py beside this one adds rows; one whose modules are missing is left out and said so.

    ./dev bench python [--json] [--only steps,fields] [--without compilation]
"""

import argparse
import importlib
import json
import pathlib
import sys
import time

import measure


def row_groups():
    """(name, cores, rows) of every file rows_*.py."""
    folder = pathlib.Path(__file__).parent
    for path in sorted(folder.glob("rows_*.py")):
        try:
            yield from importlib.import_module(path.stem).ROWS
        except ModuleNotFoundError as error:
            print(f"{path.name} is left out: {error}", file=sys.stderr)


def table(rows):
    lines = ["| what | measured | at most | |", "| --- | --- | --- | --- |"]
    for row in rows:
        met = "" if row.is_met else "**missed**"
        limit = f"≥ {row.limit:g}" if row.at_least else f"{row.limit:g}"
        lines.append(f"| {row.name} | {row.value:.4g} {row.unit} | {limit} {row.unit} | {' '.join(filter(None, (row.detail, met)))} |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", help="the built electret, beside which the package lies")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    parser.add_argument("--only", default="", help="groups of rows, with commas between")
    parser.add_argument("--without", default="", help="groups of rows that are left out")
    parser.add_argument("--processor-time", action="store_true", help="instead of wall time: on a machine that works for others, too")
    parser.add_argument("--short", action="store_true", help="every row after a few seconds; the values say nothing")
    options = parser.parse_args()
    measure.Length.is_short = options.short
    groups = list(row_groups())
    names = [name for name, _, _ in groups]
    only, without = (set(filter(None, text.split(","))) for text in (options.only, options.without))
    if unknown := (only | without) - set(names):
        parser.error(f"there are no rows {', '.join(sorted(unknown))}; there are {', '.join(names)}")
    rows = []
    for name, cores, make in groups:
        if name in without or (only and name not in only):
            continue
        measure.Clock.now = time.process_time if options.processor_time else time.perf_counter
        with measure.pinned(cores):
            rows += list(make())
    if options.json:
        print(json.dumps({"rows": [{**row._asdict(), "is_met": bool(row.is_met)} for row in rows]}, indent=2, ensure_ascii=False))
    else:
        print(table(rows))
    return 0 if all(row.is_met for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
