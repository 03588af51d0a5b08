"""Reads the tables and the summary of a run's directory. Damaged files raise IoError with file and line."""

from __future__ import annotations

import csv
import json
from typing import Any, NoReturn, Sequence

import numpy as np

from ._arrays import Floats
from ._errors import IoError


def _refuse(path: str, line: int, why: str) -> NoReturn:
    raise IoError(f"{path}:{line}: {why}" if line else f"{path}: {why}", path)


def read_table(path: str, wanted: Sequence[str]) -> dict[str, Floats]:
    """The columns of a CSV file by name, which must include `wanted`. A last line without an end is ignored: the run is
    still writing it."""
    try:
        with open(path, encoding="utf-8", newline="") as file:
            text = file.read()
    except (OSError, ValueError) as error:
        _refuse(path, 0, str(error))
    lines = text.splitlines()
    if lines and not text.endswith("\n"):
        lines.pop()
    rows = list(csv.reader(lines))
    if not rows:
        _refuse(path, 1, "the line that names the columns is missing")
    header = rows[0]
    missing = [name for name in wanted if name not in header]
    if missing or len(set(header)) != len(header):
        _refuse(path, 1, f"it names no column {missing[0]!r}" if missing else "it names a column twice")
    values = np.empty((len(rows) - 1, len(header)))
    for k, row in enumerate(rows[1:]):
        if len(row) != len(header):
            _refuse(path, k + 2, f"{len(row)} values where {len(header)} columns are named")
        for j, cell in enumerate(row):
            try:
                values[k, j] = float(cell)
            except ValueError:
                _refuse(path, k + 2, f"{cell[:40]!r} is no number")
    return {name: values[:, j].copy() for j, name in enumerate(header)}


def read_object(path: str) -> dict[str, Any]:
    """The contents of a JSON file that is a table."""
    try:
        with open(path, encoding="utf-8") as file:
            summary = json.load(file)
    except json.JSONDecodeError as error:
        _refuse(path, error.lineno, error.msg)
    except (OSError, ValueError, RecursionError) as error:
        _refuse(path, 0, str(error))
    if not isinstance(summary, dict):
        _refuse(path, 1, f"it must be a table, not {type(summary).__name__}")
    return summary


def read_summary(path: str) -> dict[str, Any]:
    """The contents of summary.json, which must have the run's status."""
    summary = read_object(path)
    if not isinstance(summary.get("status"), str):
        _refuse(path, 1, '"status" is missing')
    told = summary.get("warnings", [])
    if not isinstance(told, list) or not all(isinstance(line, str) for line in told):
        _refuse(path, 1, '"warnings" is no list of texts')
    return summary
