"""Gradients against differences of whole runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from ._arrays import Floats
from ._errors import DivergenceError, InputError
from ._parameters import checked_values, overlapping

if TYPE_CHECKING:
    from ._gradient import Gradient
    from ._rollout import LossArgument, Rollout

REACH = 0.01  # The largest step of a difference, of a value's size.
LEAST_ROOM = 1e-4  # Of the same: a value nearer to the end of its range is moved away from it alone.

Arrays = Mapping[str, Floats]


class Check(NamedTuple):
    """Derivatives along one direction: that of the gradient, that of differences, and their relative error. The last two
    are NaN if no step along the direction has a value on both sides.

    Examples
    --------
    >>> roll.check("energy")[0].direction
    'gradient'
    """

    direction: str
    gradient: float
    difference: float
    relative_error: float


def checked_gradient(roll: Rollout, assembly: _core.Assembly, loss: LossArgument, values: Mapping[str, ArrayLike],
                     actions: ArrayLike | None) -> list[Check]:
    """The rows that `Rollout.check` returns."""
    _, gradient = roll.value_and_grad(loss, values, actions)
    base: dict[str, Floats] = {name: np.asarray(values.get(name, roll.parameters[name].value), dtype=float) for name in roll.wrt}
    scales: dict[str, Floats] = {name: np.full(np.shape(value), _core.typical_size(assembly, name)) for name, value in base.items()}
    if "actions" in gradient:
        base["actions"] = np.asarray(actions, dtype=float)
        scales["actions"] = np.broadcast_to(np.abs(base["actions"]).max(axis=0) + 1e-9, base["actions"].shape)
    if not overlapping(roll.parameters, roll.wrt):
        return _rows(roll, "", loss, values, actions, base, scales, gradient)
    # Written together, one would undo the other.
    return [row for name in base for row in _rows(roll, name + ": ", loss, values, actions, {name: base[name]}, scales, gradient)]


def _rows(roll: Rollout, called: str, loss: LossArgument, values: Mapping[str, ArrayLike], actions: ArrayLike | None,
          base: dict[str, Floats], scales: Arrays, gradient: Gradient) -> list[Check]:
    """The rows of lines along which all of `base` move; `called` begins their names."""
    random = np.random.default_rng(0)
    directions = [("gradient", {name: np.asarray(gradient[name]) * scales[name] ** 2 for name in base})]
    directions += [(f"random {k}", {name: random.normal(size=np.shape(value)) * scales[name] for name, value in base.items()}) for k in range(3)]
    checked_values(roll.parameters, {**values, **{name: base[name] for name in base if name != "actions"}})
    rows = []
    for name, direction in directions:
        largest = max((np.abs(direction[key] / scales[key]).max() for key in base if np.size(base[key])), default=0.0)
        along = {key: direction[key] / largest if largest > 0.0 else direction[key] for key in base}
        rows.append(_checked(roll, called + name, loss, values, actions, base, _inward(roll, base, along, scales), gradient))
    return rows


class _Line(NamedTuple):
    """A line through the values: its direction, the largest distance along it, and whether only forwards is allowed."""

    along: dict[str, Floats]
    reach: float
    one_sided: bool


def _inward(roll: Rollout, base: Arrays, along: Arrays, scales: Arrays) -> _Line:
    """The line on which no value leaves its parameter's range. If one is at an end already, the direction is turned
    inward there, and the line is followed only to that side."""
    turned, reach, one_sided = dict(along), REACH, False
    for name in (key for key in base if key != "actions"):
        low, high = roll.parameters[name].bounds
        below, above = base[name] - low, high - base[name]
        at_low, at_high = (room < LEAST_ROOM * scales[name] for room in (below, above))
        turned[name] = np.where(at_low, np.abs(along[name]), np.where(at_high, -np.abs(along[name]), along[name]))
        moves = turned[name] != 0.0
        one_sided = one_sided or bool(np.any(moves & (at_low | at_high)))
        for room, is_end in ((below, at_low), (above, at_high)):
            bounded = moves & ~is_end & np.isfinite(room)
            if np.any(bounded):
                reach = min(reach, 0.9 * float((room[bounded] / np.abs(turned[name][bounded])).min()))
    return _Line(turned, reach, one_sided)


def _checked(roll: Rollout, name: str, loss: LossArgument, values: Mapping[str, ArrayLike], actions: ArrayLike | None, base: Arrays,
             line: _Line, gradient: Gradient) -> Check:
    along = line.along
    if not any(np.any(part) for part in along.values()):
        return Check(name, 0.0, 0.0, 0.0)
    slope = float(sum(np.sum(np.asarray(gradient[key]) * along[key]) for key in base))
    size = float(sum(np.sum(np.abs(np.asarray(gradient[key]) * along[key])) for key in base))

    def moved(offset: float) -> float:
        now: dict[str, Any] = {key: base[key] + offset * along[key] for key in base}
        driven = now.pop("actions", actions)
        try:
            return roll._value(loss, {**values, **now}, driven)
        except (DivergenceError, InputError):  # Too far away. What is wrong with `values` was found before.
            return float("inf")

    found, _ = _core.difference(moved, line.reach, line.one_sided)
    return Check(name, slope, found, abs(slope - found) / max(size, abs(found), 1e-300))
