"""The registry behind `--wrt` and `Simulator.set`: a scene's parameters by name."""

from __future__ import annotations

from typing import Any, Iterable, Mapping, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._arrays import Floats, shaped
from ._errors import Finding, InputError, suggestion
from ._repr import of_fields, one_line


class Parameter(NamedTuple):
    """A parameter, as for `--wrt` and `Simulator.set`: name, unit, shape, present value, bounds and scale. `excludes` says of
    each bound whether it is excluded itself. If the parameter is the mean of numbers that differ and that it shifts
    (docs/parameters.md), its bounds keep each of them in range.

    Examples
    --------
    >>> sim.parameters["body.jelly.stiffness"].unit
    'N/m'
    """

    name: str
    unit: str
    shape: tuple[int, ...]
    value: Any
    bounds: tuple[float, float]
    scale: str
    excludes: tuple[bool, bool] = (False, False)

    def __repr__(self) -> str:
        return of_fields(self)


class Parameters(Mapping[str, Parameter]):
    """The parameters of a scene by name. `print` shows them as a table. Made by `Simulator.parameters`.

    Examples
    --------
    >>> sim.parameters["body.jelly.charges"].shape
    (32,)
    """

    def __init__(self, assembly: _core.Assembly) -> None:
        table = _core.parameter_table(assembly)
        self._rows = {row["name"]: _parameter(row) for row in table}
        # Of those whose numbers differ, and move together: what each number may be.
        self._each = {row["name"]: row["range_of_each"] for row in table if row["range_of_each"]}
        self._assembly = assembly
        self._last_overlaps: tuple[tuple[str, ...], list[str]] = (), []

    def __getitem__(self, name: str) -> Parameter:
        try:
            return self._rows[name]
        except KeyError:
            raise KeyError(f"the scene has no parameter {name!r}; print the table for those it has") from None

    def __iter__(self) -> Any:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __repr__(self) -> str:
        return f"<electret parameters: {one_line(', '.join(self._rows)) or 'none'}>"

    def __str__(self) -> str:
        rows = [(one_line(p.name), p.unit or "-", str(p.shape), "" if p.shape else f"{p.value:g}") for p in self._rows.values()]
        width = max((len(row[0]) for row in rows), default=0)
        return "\n".join(f"{name:<{width}}  {unit:<8} {shape:<12} {value}".rstrip() for name, unit, shape, value in rows)


def _parameter(row: Mapping[str, Any]) -> Parameter:
    values: Floats = row["values"]
    shape: tuple[int, ...] = (row["rows"],) if row["is_list"] else ()
    if row["columns"] > 1:
        shape += (row["columns"],)
    shown = values.reshape(shape) if shape else float(values[0])
    return Parameter(row["name"], row["unit"], shape, shown, (row["minimum"], row["maximum"]),
                     "log" if row["is_logarithmic"] else "linear", (row["minimum_excluded"], row["maximum_excluded"]))


def overlapping(parameters: Parameters, names: Iterable[str]) -> list[str]:
    """Those of `names` that hold a number which one named before holds, too."""
    listed = tuple(names)
    if len(listed) < 2:
        return []
    if parameters._last_overlaps[0] != listed:
        parameters._last_overlaps = listed, _core.overlapping(parameters._assembly, list(listed))
    return parameters._last_overlaps[1]


def overlap_findings(parameters: Parameters, names: Iterable[str], done: str, instead: str) -> list[Finding]:
    """What is wrong where `overlapping` names are `done`, "set" or "moved", together."""
    return [Finding(name, 0, 0, f"some of its values are {done} under another name, too", f"{instead} each number once")
            for name in overlapping(parameters, names)]


def checked_values(parameters: Parameters, values: Mapping[str, ArrayLike]) -> list[tuple[str, Floats]]:
    """The checked, flat values of parameters. Raises InputError with every unknown name, value out of bounds, and name
    that holds a number which one before it holds, too."""
    if not isinstance(values, Mapping):
        raise TypeError(f"values must be a dict of values by name, not {type(values).__name__}")
    findings: list[Finding] = []
    result: list[tuple[str, Floats]] = []
    for name, value in values.items():
        if name not in parameters:
            findings.append(Finding(str(name), 0, 0, f'the scene has no parameter "{name}"', suggestion(str(name), parameters)))
            continue
        row = parameters[name]
        flat = shaped(value, name, row.shape).reshape(-1)
        outside = flat[~_within(row, flat)]
        if outside.size:
            findings.append(Finding(name, 0, 0, f"is set to {outside[0]:g}", _allowed(parameters, row)))
        result.append((name, flat))
    findings += overlap_findings(parameters, [name for name, _ in result], "set", "set")
    if findings:
        raise InputError(findings)
    return result


def _allowed(parameters: Parameters, row: Parameter) -> str:
    each = parameters._each.get(row.name)
    return f"allowed: {range_text(row)}" + (f", so that each of the values that it shifts stays {each}" if each else "")


def _within(row: Parameter, flat: Floats) -> NDArray[np.bool_]:
    (low, high), (no_low, no_high) = row.bounds, row.excludes
    inside: NDArray[np.bool_] = ((flat > low) if no_low else (flat >= low)) & ((flat < high) if no_high else (flat <= high))
    return inside


def range_text(row: Parameter) -> str:
    """The values that a parameter may have, in words for messages."""
    (low, high), (no_low, no_high) = row.bounds, row.excludes
    if np.isinf(low) and np.isinf(high):
        return "all numbers"
    if np.isinf(high):
        return f"{'>' if no_low else '≥'} {low:g}"
    if np.isinf(low):
        return f"{'<' if no_high else '≤'} {high:g}"
    return f"{low:g} … {high:g}" + (", without the ends" if no_low and no_high else "")


def reshaped(values: Floats, shape: tuple[int, ...]) -> Any:
    """Flat values in a parameter's shape; a float if the shape is ()."""
    return values.reshape(shape) if shape else float(values[0])
