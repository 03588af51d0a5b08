"""Fields of point charges as a node of autograd."""

from __future__ import annotations

from typing import Any

import torch

from ._field import FieldSolver
from ._torch_tensors import check_tensor, cotangent, numbers, of_array, refuse_second_derivatives, tensor


def field(positions: Any, charges: Any, at: Any = None, *, accuracy: float | None = None, solver: str = "auto",
          device: str = "auto", constant: float | None = None, softening: float = 0.0,
          threads: int = 0) -> tuple[torch.Tensor, torch.Tensor]:
    """Field and potential of point charges at their own positions, or at other points `at`.

    E_a = k Σ_j q_j K(y_a - x_j), φ_a = k Σ_j q_j / |y_a - x_j| (docs/field.md). Both are differentiable with respect to
    positions, charges and `at`. The potential's derivatives are exact for `direct` and have the requested accuracy for
    other solvers.

    Parameters
    ----------
    positions : (n, 3) tensor
        m.
    charges : (n,) tensor
        C.
    at : (t, 3) tensor, optional
        The points of the field, m. If it is None, they are the charges, and each feels all others.
    accuracy, solver, device, constant, softening, threads
        As for `electret.FieldSolver`. The tensors stay on the CPU, whatever `device` computes.

    Returns
    -------
    (field, potential)
        New float64 tensors (t, 3) N/C and (t,) V.

    Raises InputError and DeviceError as `electret.FieldSolver` does, and ValueError and TypeError for wrong shapes, dtypes and
    devices. Backward raises GradientError for `create_graph=True`.

    Examples
    --------
    >>> E, phi = et.field(positions, charges)
    >>> (0.5 * charges @ phi).backward(); positions.grad.shape
    torch.Size([5, 3])
    """
    x = tensor(positions, "positions", (_rows(positions, "positions"), 3))
    q = tensor(charges, "charges", (x.shape[0],))
    y = None if at is None else tensor(at, "at", (_rows(at, "at"), 3))
    made = FieldSolver(x.shape[0], accuracy=accuracy, solver=solver, device=device, constant=constant, softening=softening,
                       threads=threads)
    found: tuple[torch.Tensor, torch.Tensor] = _Field.apply(made, x, q, y)
    return found


def _rows(value: Any, name: str) -> int:
    if isinstance(value, torch.Tensor):
        return int(check_tensor(value, name).shape[0]) if value.dim() else 0
    return len(value)


class _Field(torch.autograd.Function):
    """The node: (solver, positions, charges, at) -> (field, potential)."""

    @staticmethod
    def forward(ctx: Any, *args: Any, **kwargs: Any) -> Any:
        solver, x, q, y = args
        ctx.set_materialize_grads(False)
        solver.prepare(numbers(x), None if y is None else numbers(y))
        found = solver.field(numbers(q))
        ctx.solver = solver
        ctx.save_for_backward(x, q, y)
        return of_array(found.field), of_array(found.potential)

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        refuse_second_derivatives()
        by_field, by_potential = grad_outputs
        x, q, y = ctx.saved_tensors
        if by_field is None and by_potential is None:
            return None, None, None, None
        count = len(x if y is None else y)
        got = ctx.solver.adjoint(numbers(q), cotangent(by_field, "field", (count, 3)), cotangent(by_potential, "potential", (count,)))
        wants_x, wants_q, wants_y = ctx.needs_input_grad[1:]
        return (None, of_array(got.source_gradient) if wants_x else None, of_array(got.charge_gradient) if wants_q else None,
                of_array(got.target_gradient) if wants_y and y is not None else None)
