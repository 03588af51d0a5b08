"""Derivatives by name."""

from __future__ import annotations

from typing import Any, Iterator, Mapping

import numpy as np

from . import _html
from ._errors import GradientError
from ._repr import one_line


class Gradient(Mapping[str, Any]):
    """Derivatives by name. Each has its parameter's shape, and the loss's unit divided by the parameter's.

    Made by `gradient` and `Rollout.vjp`.

    Attributes
    ----------
    loss : float or None
        The loss; None after `vjp`.
    report : dict
        How the sweeps went: steps, stored_states, forward_steps, solves, iterations, worst_residual, capped_steps.
    check : {name: (finite differences, relative errors)} or None
        Only if it was requested.

    Examples
    --------
    >>> dict(Gradient({"gravity": 2.0}, 1.0, {}))
    {'gravity': 2.0}
    """

    def __init__(self, values: Mapping[str, Any], loss: float | None, report: Mapping[str, Any],
                 check: Mapping[str, tuple[Any, Any]] | None = None) -> None:
        self._values, self.loss, self.report, self.check = dict(values), loss, dict(report), check

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        names = one_line(", ".join(self._values))
        return f"<electret.Gradient by {names}" + ("" if self.loss is None else f"; loss {self.loss:g}") + ">"

    def _repr_html_(self) -> str:
        rows = [(name, _shown(value)) for name, value in self.items()]
        return _html.table("electret.Gradient" + ("" if self.loss is None else f", loss {self.loss:.6g}"), ("by", "derivative"), rows)


def refuse_missing(gradients: Mapping[str, Any]) -> None:
    """Raises GradientError for derivatives that are not finite."""
    missing = [name for name, by in gradients.items() if not np.isfinite(by).all()]
    if missing:
        raise GradientError(f"there is no derivative with respect to {', '.join(missing)}: a formula of the scene is not smooth there, "
                            "or its derivative is beyond all numbers")


def _shown(value: Any) -> str:
    array = np.asarray(value)
    return f"{float(array):.6g}" if array.ndim == 0 else f"{array.shape}, norm {float(np.linalg.norm(array)):.6g}"
