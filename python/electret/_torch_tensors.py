"""Checks and conversions of tensors between torch and the library. Errors name the argument."""

from __future__ import annotations

from typing import Any, Iterable, Optional

import numpy as np
import torch

from ._arrays import Floats, shaped
from ._errors import GradientError

MaybeTensor = Optional[torch.Tensor]


def check_tensor(value: Any, name: str) -> torch.Tensor:
    """Returns `value` if it is a dense tensor of real numbers on the CPU, else raises TypeError."""
    if not isinstance(value, torch.Tensor):
        raise TypeError(f"{name} must be a tensor, not {type(value).__name__}")
    if value.device.type != "cpu":
        raise TypeError(f"{name} must be on the CPU, not on {value.device}; move it with .cpu()")
    if value.layout != torch.strided:
        raise TypeError(f"{name} must be a dense tensor; make it one with .to_dense()")
    if value.dtype == torch.bool or value.dtype.is_complex:
        raise TypeError(f"{name} must be real numbers, not dtype {value.dtype}")
    return value


def tensor(value: Any, name: str, shape: tuple[int, ...]) -> torch.Tensor:
    """A finite float64 tensor of `shape`, differentiable with respect to `value` if that is a tensor.

    Raises ValueError and TypeError.
    """
    if not isinstance(value, torch.Tensor):
        return torch.from_numpy(shaped(value, name, shape).copy())
    converted = check_tensor(value, name).to(torch.float64)
    shaped(converted.detach().numpy(), name, shape)
    return converted


def numbers(value: torch.Tensor) -> Floats:
    """A float64 tensor's numbers as a C-contiguous array, which shares the tensor's memory if that is C-contiguous."""
    array: Floats = value.detach().numpy()
    return array if array.flags.c_contiguous else np.asarray(array, order="C")


def version_of(value: Any) -> int:
    """How many changes in place torch has counted; -1 for inference tensors, for which it does not count."""
    return -1 if not isinstance(value, torch.Tensor) or value.is_inference() else int(value._version)


def cotangent(value: MaybeTensor, name: str, shape: tuple[int, ...]) -> Floats | None:
    """The cotangent of an output. Raises ValueError with the output's name if it is not finite."""
    return None if value is None else shaped(value.detach().numpy(), f"cotangent of {name}", shape)


def of_array(array: Any, shape: tuple[int, ...] | None = None) -> torch.Tensor:
    """A tensor on the memory of an array that nobody else holds."""
    made: torch.Tensor = torch.from_numpy(array if shape is None or array.shape == shape else array.reshape(shape))
    return made


def refuse_second_derivatives() -> None:
    """Raises GradientError for `create_graph=True`. To be called in backward, where autograd records only then."""
    if torch.is_grad_enabled():
        raise GradientError("create_graph=True: the simulator has first derivatives only")


def undeclared(roots: Iterable[torch.Tensor], declared: Iterable[torch.Tensor]) -> torch.Tensor | None:
    """A tensor that requires a gradient, from which `roots` were computed, and that is not `declared`; None if there is none.

    The graph is not followed beyond declared tensors, so those may be computed from others.
    """
    allowed = list(declared)
    leaves = {id(one) for one in allowed}
    ends = {(one.grad_fn, one.output_nr) for one in allowed if one.grad_fn is not None}
    waiting: list[tuple[Any, int]] = []
    for root in roots:
        if root.grad_fn is not None:
            waiting.append((root.grad_fn, root.output_nr))
        elif root.requires_grad and id(root) not in leaves:
            return root
    seen: set[tuple[Any, int]] = set()
    while waiting:
        place = waiting.pop()
        if place in seen or place in ends:
            continue
        seen.add(place)
        onward = place[0].next_functions
        if onward:
            waiting += [after for after in onward if after[0] is not None]
            continue
        variable = getattr(place[0], "variable", None)  # Of the nodes that stand for leaves.
        if variable is not None and id(variable) not in leaves:
            found: torch.Tensor = variable
            return found
    return None
