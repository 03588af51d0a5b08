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
        raise TypeError("overrides: a list of \"KEY=VALUE\" or a dict is wanted, not one text")
    return texts(overrides, "overrides")


def plain(value: Any, key: str = "") -> Any:
    """A copy of `value` that later changes do not affect, with paths as text. Meshes are not copied: they never change."""
    if isinstance(value, Mapping):
        return {name: plain(member, f"{key}.{name}" if key else str(name)) for name, member in value.items()}
    if isinstance(value, np.ma.MaskedArray):
        raise TypeError(f"{key}: a masked array is not taken; fill it or leave the masked rows out")
    if getattr(value, "requires_grad", False) is True:
        raise TypeError(f"{key}: a tensor that requires a gradient is not taken, because the gradient would end here; use .detach()")
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, (list, tuple)):
        return [plain(member, f"{key}.{k}") for k, member in enumerate(value)]
    return value
