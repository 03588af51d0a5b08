"""The values from which a scene is made: copies of them, and overrides."""

from __future__ import annotations

import os
from typing import Any, Iterable, Mapping, Union

import numpy as np

from . import _core
from ._arrays import text, texts

Overrides = Union[Iterable[str], Mapping[str, Any]]


def override_lines(overrides: Overrides) -> list[str]:
    """Overrides as "KEY=VALUE" lines, as for `--set`."""
    if isinstance(overrides, Mapping):
        return [f"{text(key, 'overrides: a key')}={_core.toml_line(plain(value, key))}" for key, value in overrides.items()]
    if isinstance(overrides, str):
        raise TypeError("overrides must be a list of \"KEY=VALUE\" or a dict, not one text")
    return texts(overrides, "overrides")


_MOST_DEPTH = 20  # Deeper than any table that the compiled part takes.


def plain(value: Any, key: str = "", above: tuple[int, ...] = ()) -> Any:
    """A copy of `value` that later changes do not affect, with paths as text. Meshes are not copied: they never change.

    `above` identifies the tables and lists around it. What holds itself, or is nested without end, is copied as lists that
    are too deep for every scene, so that using the scene finds it.
    """
    is_table = isinstance(value, Mapping)
    if is_table or isinstance(value, (list, tuple)):
        if id(value) in above or len(above) > _MOST_DEPTH:
            return _too_deep()
        above = (*above, id(value))
        if is_table:
            return {name: plain(member, f"{key}.{name}" if key else str(name), above) for name, member in value.items()}
        return [plain(member, f"{key}.{k}", above) for k, member in enumerate(value)]
    if isinstance(value, np.ma.MaskedArray):
        raise TypeError(f"{key} must not be a masked array; fill it or leave the masked rows out")
    if getattr(value, "requires_grad", False) is True:
        raise TypeError(f"{key} must not require a gradient, because the gradient would end here; use .detach()")
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    return value


def _too_deep() -> list[Any]:
    found: list[Any] = []
    for _ in range(_MOST_DEPTH):
        found = [found]
    return found
