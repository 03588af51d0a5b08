"""What the functions of Coulomb fields return."""

from __future__ import annotations

from typing import NamedTuple

from ._arrays import Floats
from ._repr import of_fields


class Field(NamedTuple):
    """A field at t targets, in new arrays.

    Attributes
    ----------
    field : (t, 3) array, N/C
    potential : (t,) array, V
        None if it was not requested.
    coincident_pairs : int
        How many ordered pairs at distance 0 were left out; float64 takes pairs closer than 1e-154 of the box of all
        points for such.
    choice : str
        The solver, and why it was chosen.

    Examples
    --------
    >>> import electret as el
    >>> el.field([[0, 0, 0]], [1e-9]).coincident_pairs
    0
    """

    field: Floats
    potential: Floats | None
    coincident_pairs: int
    choice: str

    def __repr__(self) -> str:
        return of_fields(self)


class FieldProducts(NamedTuple):
    """A field and its transposed products with z, in new arrays.

    Attributes
    ----------
    field, potential : (n, 3) array, N/C, and (n,) array, V
    jacobian_product, charge_gradient : (n, 3) and (n,) arrays
        As of the methods of these names of `FieldSolver`.

    Examples
    --------
    >>> import electret as el
    >>> f = el.FieldSolver(1); f.prepare([[0, 0, 0]])
    >>> f.field_and_products([1e-9], [[0, 0, 1]]).charge_gradient
    array([0.])
    """

    field: Floats
    potential: Floats
    jacobian_product: Floats
    charge_gradient: Floats

    def __repr__(self) -> str:
        return of_fields(self)


class FieldAdjoint(NamedTuple):
    """Derivatives with respect to targets, sources and charges, in new arrays.

    Attributes
    ----------
    target_gradient, source_gradient : (t, 3) and (n, 3) arrays
        If the targets are the charges themselves, both hold the sum of the two.
    charge_gradient : (n,) array

    Examples
    --------
    >>> import electret as el
    >>> f = el.FieldSolver(1); f.prepare([[0, 0, 0]], at=[[0, 0, 1]])
    >>> round(float(f.adjoint([1e-9], w=[[0, 0, 1.0]]).target_gradient[0, 2]), 3)
    -17.975
    """

    target_gradient: Floats
    source_gradient: Floats
    charge_gradient: Floats

    def __repr__(self) -> str:
        return of_fields(self)


class FieldError(NamedTuple):
    """The true error of a field at some targets. Errors are relative, without unit.

    Attributes
    ----------
    samples : int
        How many targets were compared.
    relative, median, worst : float
        The field's L2 error, and the median and largest error of single targets.
    potential : float
        The potential's L2 error; None if no potential was given.

    Examples
    --------
    >>> import electret as el
    >>> el.verify_field([[0, 0, 0]], [1e-9], [[0, 0, 0]]).samples
    1
    """

    samples: int
    relative: float
    median: float
    worst: float
    potential: float | None
