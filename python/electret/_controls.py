"""The inputs that a caller drives."""

from __future__ import annotations

from typing import Any, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import Floats, scalars, shaped
from ._repr import one_line


class ControlTable:
    """The inputs that the caller drives, and their order in an action (m,). Made by `Simulator.controls`.

    Attributes
    ----------
    names, units, shapes : tuple
        One entry per control; () is the shape of a single number.
    size : int
        m.

    Examples
    --------
    >>> from electret import Simulator
    >>> Simulator(scene, controls=["body.jelly.charge"]).controls.units
    ('C',)
    """

    def __init__(self, rows: Sequence[tuple[str, str, int, int, bool]]) -> None:
        self.names = tuple(row[0] for row in rows)
        self.units = tuple(row[1] for row in rows)
        self.shapes = tuple(((row[2],) if row[4] else ()) + ((row[3],) if row[3] > 1 else ()) for row in rows)
        self.size = sum(row[2] * row[3] for row in rows)

    def pack(self, values: Mapping[str, ArrayLike]) -> Floats:
        """The action (m,) of `values` {name: value}, a new array. Raises ValueError unless every control is named.

        Examples
        --------
        >>> ControlTable([("body.b.charge", "C", 1, 1, False)]).pack({"body.b.charge": 1e-6})
        array([1.e-06])
        """
        if not isinstance(values, Mapping):
            raise TypeError(f"values must be a dict of values by name, not {type(values).__name__}")
        if set(values) != set(self.names):
            raise ValueError(f"values must be of exactly {sorted(self.names)}, not {sorted(map(str, values))}")
        parts = [shaped(values[name], name, shape).reshape(-1) for name, shape in zip(self.names, self.shapes)]
        return np.concatenate(parts) if parts else np.zeros(0)

    def unpack(self, action: ArrayLike) -> dict[str, Any]:
        """The values {name: value} in an `action` (m,), as copies. Raises ValueError for another length.

        Examples
        --------
        >>> ControlTable([("external_charge.0.position", "m", 1, 3, False)]).unpack([1, 2, 3])
        {'external_charge.0.position': array([1., 2., 3.])}
        """
        flat, first, result = scalars(action, "action", self.size), 0, {}
        for name, shape in zip(self.names, self.shapes):
            count = int(np.prod(shape, dtype=int))
            part = flat[first:first + count].copy()
            result[name] = part.reshape(shape) if shape else float(part[0])
            first += count
        return result

    def __repr__(self) -> str:
        return f"<electret controls: {one_line(', '.join(self.names)) or 'none'}; {self.size} numbers>"
