"""Representations of objects in one line."""

from __future__ import annotations

from typing import Any, Mapping

import numpy as np


def one_line(text: str) -> str:
    """`text` with escapes for characters that do not print, because a name may hold line breaks."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def encodable(text: str) -> str:
    """`text` with escapes for what no file can hold: parts of a file's name that are no text."""
    return text.encode(errors="backslashreplace").decode()


def of_fields(values: Any) -> str:
    """The representation of a named tuple, with shapes instead of arrays."""
    return f"{type(values).__name__}(" + ", ".join(f"{name}={_short(value)}" for name, value in zip(values._fields, values)) + ")"


def _short(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"<{value.shape} {value.dtype}>"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key!r}: {_short(member)}" for key, member in value.items()) + "}"
    shape = getattr(value, "shape", None)
    if shape is not None and not isinstance(value, np.generic):  # A tensor.
        return f"<{tuple(shape)} {value.dtype}>"
    return one_line(repr(value))
