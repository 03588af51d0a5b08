"""Checks and conversions of arguments. Errors name the argument."""

from __future__ import annotations

import operator
import os
from math import isfinite
from typing import Any, Iterable, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

_LARGEST = 2**62  # Of whole numbers; sums of two fit into 64 bits.


def _shown(value: Any) -> str:
    """What a message calls a wrong value: numbers and short texts themselves, the type of anything else."""
    return repr(value) if isinstance(value, (bool, int, float, complex, str)) and len(repr(value)) < 60 else type(value).__name__


def _array(value: Any, name: str) -> NDArray[Any]:
    """`value` as numpy has it; TypeError for what it would change or drop on the way."""
    if isinstance(value, np.ma.MaskedArray):
        raise TypeError(f"{name} must not be a masked array; fill it or leave the masked rows out")
    device = getattr(value, "device", None)
    if device is not None and getattr(device, "type", "cpu") != "cpu":
        raise TypeError(f"{name} must be on the CPU, not on {device}; move it with .cpu()")
    within = value if isinstance(value, (list, tuple)) else (value,)
    if any(getattr(each, "requires_grad", False) is True for each in within):
        raise TypeError(f"{name} must not require a gradient, because the gradient would end here; use electret.torch, or .detach()")
    if any(isinstance(each, np.ma.MaskedArray) for each in within):
        raise TypeError(f"{name} must not hold masked arrays; fill them or leave the masked rows out")
    try:
        return np.asarray(value)
    except ValueError as error:
        raise TypeError(f"{name} must be an array, not rows of different lengths ({error})") from None


def real(value: ArrayLike, name: str) -> NDArray[Any]:
    """`value` as an array of real numbers; TypeError for anything else."""
    array = _array(value, name)
    if array.dtype.kind not in "fiu":
        given = f"dtype {array.dtype}" if isinstance(value, np.ndarray) or array.ndim else _shown(value)
        raise TypeError(f"{name} must be real numbers, not {given}")
    if _holds_truth(value):
        raise TypeError(f"{name} must be real numbers; it holds True or False")
    return array


def _holds_truth(value: Any) -> bool:
    """Whether a list that numpy took for numbers holds a bool, which numpy makes 1 or 0."""
    if not isinstance(value, (list, tuple)):
        return getattr(value, "dtype", type(value)) in (bool, np.bool_)
    kinds = set(map(type, value))
    if kinds <= {int, float}:
        return False
    return bool in kinds or any(_holds_truth(each) for each in value)


def _finite(array: Floats, name: str) -> Floats:
    if not np.isfinite(array).all():
        if array.ndim == 0:
            raise ValueError(f"{name} must be a finite number, not {array}")
        where = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
        raise ValueError(f"{name} must be finite, not {array[where]} at index {where if len(where) != 1 else where[0]}")
    return array


def _plain(array: NDArray[Any]) -> Floats:
    """The array as float64, C-contiguous and aligned. It is the array itself if it is so already."""
    return np.require(array, dtype=np.float64, requirements=["C", "A"])


def vectors(value: ArrayLike, name: str, rows: int | None = None, *, one_for_all: bool = False) -> Floats:
    """An (n, 3) array of finite numbers. With `one_for_all`, a 3-vector stands for every row."""
    if _core.is_plain(value, -1 if rows is None else rows, 3):
        return value  # type: ignore[return-value]
    array = real(value, name)
    if one_for_all and array.shape == (3,):
        array = np.broadcast_to(array, (1 if rows is None else rows, 3))
    wanted = "(n, 3)" if rows is None else f"({rows}, 3)"
    if array.ndim != 2 or array.shape[1] != 3 or (rows is not None and array.shape[0] != rows):
        raise ValueError(f"{name} must have shape {wanted}, not {array.shape}")
    return _finite(_plain(array), name)


def scalars(value: ArrayLike, name: str, count: int | None = None) -> Floats:
    """An (n,) array of finite numbers."""
    if _core.is_plain(value, -1 if count is None else count, 0):
        return value  # type: ignore[return-value]
    array = real(value, name)
    if array.ndim != 1 or (count is not None and array.shape[0] != count):
        raise ValueError(f"{name} must have shape {'(n,)' if count is None else f'({count},)'}, not {array.shape}")
    return _finite(_plain(array), name)


def listed(array: Floats) -> list[float]:
    """The numbers of a flat array. The types of numpy 2 do not know that it is flat."""
    return cast("list[float]", array.tolist())


def shaped(value: ArrayLike, name: str, shape: tuple[int, ...]) -> Floats:
    """Finite numbers of exactly this shape."""
    if (len(shape) == 1 or (len(shape) == 2 and shape[1] == 3)) and _core.is_plain(value, shape[0], 3 if len(shape) == 2 else 0):
        return value  # type: ignore[return-value]
    array = real(value, name)
    if array.shape != shape:
        raise ValueError(f"{name} must have shape {shape}, not {array.shape}")
    return _finite(_plain(array), name)


def number(value: Any, name: str) -> float:
    """One finite number."""
    if type(value) is float and isfinite(value):
        return value
    return float(shaped(value, name, ()))


def whole(value: Any, name: str, least: int = -_LARGEST, most: int = _LARGEST) -> int:
    """One whole number between `least` and `most`. TypeError for floats, 3.0 too: what was computed as a float may be
    meant as 3 and be 2.9999999; bool is none either."""
    if type(value) is not int:
        if isinstance(value, (bool, np.bool_)):
            raise TypeError(f"{name} must be a whole number, not {value}")
        try:
            value = operator.index(value)
        except TypeError:
            raise TypeError(f"{name} must be a whole number, not {_shown(value)}") from None
    if value < least:
        raise ValueError(f"{name} must be at least {least}, not {value}")
    if value > most:
        raise ValueError(f"{name} must be at most {most}, not {value}")
    return int(value)


def thread_count(value: Any) -> int:
    """Checks the argument `threads` of a call: 0 is one per core."""
    return whole(value, "threads", 0, 2**16)


def flag(value: Any, name: str) -> bool:
    """True or False."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} must be True or False, not {_shown(value)}")
    return bool(value)


def text(value: Any, name: str) -> str:
    """One text."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be text, not {_shown(value)}")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{name} must be Unicode text, not {ascii(value)}, which holds a lone surrogate") from None
    return value


def texts(value: Iterable[str], name: str) -> list[str]:
    """A list of texts, such as names."""
    if isinstance(value, str):
        raise TypeError(f"{name} must be a list of names, not one text")
    try:
        members = list(value)
    except TypeError:
        raise TypeError(f"{name} must be a list of names, not {_shown(value)}") from None
    return [text(member, f"{name}[{k}]") for k, member in enumerate(members)]


def path(value: Any, name: str) -> str:
    """A path as text."""
    if not isinstance(value, (str, os.PathLike)) or not isinstance(os.fspath(value), str):
        raise TypeError(f"{name} must be a path, not {_shown(value)}")
    plain = os.fspath(value)
    if "\0" in plain:
        raise ValueError(f"{name} must not hold a character of code 0")
    try:
        os.fsencode(plain)  # The names of files need not be UTF-8.
    except UnicodeEncodeError:
        raise ValueError(f"{name} must be a path, not {ascii(plain)}, which no file can be called") from None
    return plain


def indices(value: ArrayLike, name: str, limit: int | None = None) -> Integers:
    """An array of whole numbers from 0 up to but without `limit`."""
    array = _array(value, name)
    if array.size == 0 and array.dtype.kind == "f":
        array = array.astype(np.int64)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name} must be whole numbers, not dtype {array.dtype}")
    flat = array.reshape(-1)
    bad = flat < 0 if limit is None else (flat < 0) | (flat >= limit)
    if bad.any():
        first = int(np.argmax(bad))
        raise ValueError(f"{name}: index {flat[first]} at {first} is out of range" + ("" if limit is None else f"; 0 … {limit - 1}"))
    return np.require(array, dtype=np.int64, requirements=["C"])


def output(value: Any, name: str, shape: tuple[int, ...], *inputs: NDArray[Any]) -> Floats:
    """An (n,) or (n, 3) array for results. Raises ValueError unless its shape and type are exactly right."""
    if _core.is_output(value, shape[0], shape[1] if len(shape) > 1 else 0, inputs):
        return value  # type: ignore[no-any-return]
    if not isinstance(value, np.ndarray) or isinstance(value, np.ma.MaskedArray):
        raise ValueError(f"{name} must be a numpy array, not {type(value).__name__}")
    if value.dtype != np.float64 or not value.dtype.isnative:
        raise ValueError(f"{name} must have dtype float64, not {value.dtype}")
    if value.shape != shape:
        raise ValueError(f"{name} must have shape {shape}, not {value.shape}")
    if not value.flags.c_contiguous or not value.flags.aligned:
        raise ValueError(f"{name} must be a C-contiguous array")
    if not value.flags.writeable:
        raise ValueError(f"{name} must be writable")
    raise ValueError(f"{name} must not overlap with an input")
