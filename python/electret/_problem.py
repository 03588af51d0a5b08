"""Losses of roll-outs as functions for optimisers."""

from __future__ import annotations

from typing import Any, Mapping, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import Floats, number, shaped
from ._errors import GradientError, InputError
from ._parameters import Parameter, overlap_findings, range_text
from ._repr import one_line
from ._rollout import LossArgument, Rollout

Bound = tuple[float | None, float | None]


class _Part(NamedTuple):
    """The part of theta that belongs to one name: theta = log(value), or (value - low) / size."""

    name: str
    kind: str
    low: float
    size: float
    first: Floats
    bound: Bound

    def theta_of(self, value: Floats) -> Floats:
        theta: Floats = np.log(value) if self.kind == "log" else np.divide(value - self.low, self.size)
        return theta

    def value_of(self, theta: Floats) -> Floats:
        value: Floats = np.exp(theta) if self.kind == "log" else self.low + self.size * theta
        return value

    def slope_of(self, value: Any, slope: Any) -> Floats:
        """dvalue/dtheta times `slope`, flat."""
        by_theta: Floats = (np.asarray(slope) * (np.asarray(value) if self.kind == "log" else self.size)).reshape(-1)
        return by_theta


class Problem:
    """A loss of a roll-out as a function for optimisers: p(theta) -> (value, gradient).

    Parameters
    ----------
    roll : Rollout
    loss : as for `Rollout.value_and_grad`
    scales : {name: "log" | "linear" | (low, high)}
        The values that the optimiser moves, parameters of `roll.wrt` or "actions", each with its scale: the logarithm
        of the value, a multiple of its size, or a number from low to high. On every scale, `bounds` keep parameters in
        their own range.
    actions : (J, m) array, optional
        The actions: their start if the optimiser moves them, else their constant values. The default is 0 if they are
        moved, else the schedule's values.

    `history` holds the losses of all calls so far.

    Raises GradientError for names that are not in `roll.wrt`, InputError for names that hold the same numbers, and
    ValueError for wrong scales and for no scales.

    Examples
    --------
    >>> p = Problem(roll, "energy", {"body.jelly.stiffness": "log"})
    >>> value, slope = p(p.start())    # as scipy.optimize.minimize(p, p.start(), jac=True, bounds=p.bounds) calls it
    >>> slope.shape
    (1,)
    """

    def __init__(self, roll: Rollout, loss: LossArgument, scales: Mapping[str, Any], *, actions: ArrayLike | None = None) -> None:
        if not isinstance(roll, Rollout):
            raise TypeError(f"roll must be a Rollout, not {type(roll).__name__}")
        if not isinstance(scales, Mapping):
            raise TypeError(f"scales must be a dict of scales by name, not {type(scales).__name__}")
        self._roll, self._loss = roll, loss
        self.history: list[float] = []
        known = [*roll.wrt] + (["actions"] if roll.controls.size else [])
        if not scales:
            raise ValueError("scales: nothing is to be moved; name " + (" or ".join(known) if known else "parameters in the roll-out's wrt, and then here"))
        self._actions = None
        if actions is not None:
            self._actions = shaped(actions, "actions", (roll.intervals, roll.controls.size)).copy()
        self._parts = [self._part(name, scale) for name, scale in scales.items()]
        findings = overlap_findings(roll.parameters, [name for name in scales if name != "actions"], "moved", "move")
        if findings:
            raise InputError(findings)

    def _part(self, name: str, scale: Any) -> _Part:
        if name == "actions":
            if self._roll.controls.size == 0:
                raise ValueError("actions: this simulator has no controls")
            shape = (self._roll.intervals, self._roll.controls.size)
            return _scaled(name, scale, np.zeros(shape) if self._actions is None else self._actions, None)
        if name not in self._roll.wrt:
            raise GradientError(f"{name!r} is not differentiated by: name it in the roll-out's wrt")
        row = self._roll.parameters[name]
        return _scaled(name, scale, np.asarray(row.value, dtype=float), row)

    def start(self) -> Floats:
        """theta (k,) of the present values, without unit; a new array.

        Examples
        --------
        >>> p.start().round(3)
        array([3.401])
        """
        return np.concatenate([part.theta_of(part.first).reshape(-1) for part in self._parts])

    @property
    def bounds(self) -> list[Bound]:
        """(low, high) of each number of theta, as for scipy; None means no bound. Without unit."""
        return [part.bound for part in self._parts for _ in range(part.first.size)]

    def values(self, theta: ArrayLike) -> dict[str, Any]:
        """The values {name: value} at `theta` (k,), in the parameters' units and shapes. Raises ValueError for another shape.

        Examples
        --------
        >>> {name: round(value, 9) for name, value in p.values(p.start()).items()}
        {'body.jelly.stiffness': 30.0}
        """
        flat = shaped(theta, "theta", (sum(part.first.size for part in self._parts),))
        values, begin = {}, 0
        for part in self._parts:
            value = part.value_of(flat[begin:begin + part.first.size].reshape(part.first.shape))
            values[part.name] = value if part.first.shape else float(value)
            begin += part.first.size
        return values

    def __call__(self, theta: ArrayLike) -> tuple[float, Floats]:
        values = self.values(theta)
        given = {name: value for name, value in values.items() if name != "actions"}
        loss, gradient = self._roll.value_and_grad(self._loss, given, values.get("actions", self._actions))
        self.history.append(loss)
        return loss, np.concatenate([part.slope_of(values[part.name], gradient[part.name]) for part in self._parts])

    def __repr__(self) -> str:
        return f"<electret.Problem by {one_line(', '.join(part.name for part in self._parts))}; {len(self.history)} calls>"


def _scaled(name: str, scale: Any, first: Floats, row: Parameter | None) -> _Part:
    """The part of `name`, whose present values are `first`. `row` is the parameter; None for the actions."""
    if isinstance(scale, str) and scale == "log":
        if (first <= 0.0).any():
            raise ValueError(f"{name} must have positive values for a logarithmic scale")
        return _bounded(_Part(name, "log", 0.0, 1.0, first, (None, None)), row)
    if isinstance(scale, str) and scale == "linear":
        return _bounded(_Part(name, "linear", 0.0, float(np.abs(first).max(initial=0.0)) or 1.0, first, (None, None)), row)
    if isinstance(scale, str) or not isinstance(scale, (tuple, list, np.ndarray)) or len(scale) != 2:
        raise ValueError(f'{name} must have the scale "log", "linear" or (low, high), not {scale!r}')
    low, high = (number(bound, f"{name}: a bound of the scale") for bound in scale)
    if not low < high:
        raise ValueError(f"{name} must have low < high, not {scale!r}")
    if row is not None and (low < row.bounds[0] or high > row.bounds[1]):
        raise ValueError(f"{name}: {scale!r} leaves the parameter's range; allowed: {range_text(row)}")
    return _bounded(_Part(name, "range", low, high - low, first, (0.0, 1.0)), row)


def _bounded(part: _Part, row: Parameter | None) -> _Part:
    """The part with bounds that keep theta in the parameter's range, 1e-9 of the size away from an excluded end."""
    if row is None:
        return part
    ends: list[float | None] = list(part.bound)
    for k, (end, is_excluded) in enumerate(zip(row.bounds, row.excludes)):
        if not np.isfinite(end) or (part.kind == "log" and end <= 0.0):
            continue
        theta = float(part.theta_of(np.asarray(end, dtype=float))) + ((1e-9 if k == 0 else -1e-9) if is_excluded else 0.0)
        now = ends[k]
        ends[k] = theta if now is None else (max if k == 0 else min)(now, theta)
    return part._replace(bound=(ends[0], ends[1]))
