"""Coulomb fields of point charges: one call, or a solver that is kept."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from ._arrays import Floats, number, output, scalars, text, thread_count, vectors, whole
from ._field_results import Field, FieldAdjoint, FieldError, FieldProducts


class FieldSolver:
    """Sums the fields of about `count` charges, as often as it is called.

    Parameters
    ----------
    count : int
        The number of charges, by which `solver="auto"` chooses.
    accuracy : float, optional
        The requested relative L2 error of the field. If it is None, `direct` computes in float64 and others aim at
        1e-3.
    solver : str, default "auto"
        "auto", "direct", "fmm" or "ddef".
    device : str, default "auto"
        "auto", "cpu", "gpu", or "gpu:NAME" for the device whose name or platform contains NAME (`devices`).
    constant : float, optional
        Coulomb's constant, > 0 N m²/C²; default 8.9875517923e9.
    softening : float, default 0
        Plummer softening, m.
    threads : int, default 0
        0: one per core. Results have the same bits for any number.

    Raises InputError for solvers and devices that this version or machine lacks, and for what the device cannot do; and
    DeviceError, also from later calls, if the device fails. A call cannot be interrupted.

    Examples
    --------
    >>> f = FieldSolver(2)
    >>> f.prepare([[0, 0, 0], [1, 0, 0]])
    >>> f.field([1e-9, 1e-9]).field[:, 0].round(3)
    array([-8.988,  8.988])
    """

    def __init__(self, count: int, *, accuracy: float | None = None, solver: str = "auto", device: str = "auto",
                 constant: float | None = None, softening: float = 0.0, threads: int = 0) -> None:
        options, self._words = _options(accuracy, solver, constant, softening, device)
        self._count, self._threads = whole(count, "count", 0), thread_count(threads)
        self._core = _core.FieldSolver(self._count, options, self._threads)
        self._options = options
        self._prepared: tuple[Floats, Floats | None] | None = None
        self._sources = self._targets = sys.maxsize  # Of no array, before `prepare`.

    def prepare(self, positions: ArrayLike, at: ArrayLike | None = None) -> None:
        """Sets the positions of the charges, `positions` (n, 3) m, and of the targets, `at` (t, 3) m.

        If `at` is None, the targets are the charges. Both arrays are copied. Raises ValueError if the solver was made for
        another number of charges, and ValueError and TypeError for arrays of other shapes or types.

        Examples
        --------
        >>> FieldSolver(1).prepare([[0, 0, 0]], at=[[0, 0, 1]])
        """
        sources = vectors(positions, "positions", self._count)
        targets = None if at is None else vectors(at, "at")
        self._core.prepare(sources, targets)
        self._choice = _core.field_choice(self._options, len(sources), at is not None)
        self._prepared = (sources.copy(), None if targets is None else targets.copy())
        self._sources, self._targets = len(sources), len(sources if targets is None else targets)

    def field(self, charges: ArrayLike, out: tuple[Floats, Floats] | None = None, potential: bool = True) -> Field:
        """The field (t, 3) N/C and the potential (t,) V of `charges` (n,) C at the targets.

        `charges` are read in place. If `out`, a pair (field, potential) of arrays, is given, it is filled, and no arrays
        are made; ValueError is raised unless their shape and type are exactly right. If `potential` is False, the potential
        is not computed and is None. Raises RuntimeError before `prepare`.

        Examples
        --------
        >>> f = FieldSolver(1); f.prepare([[0, 0, 0]], at=[[0, 0, 1]])
        >>> f.field([1e-9]).potential.round(3)
        array([8.988])
        """
        q: Floats = charges if _core.is_plain(charges, self._sources, 0) else self._charges(charges)  # type: ignore[assignment]
        count = self._targets
        e: Floats
        phi: Floats | None
        if out is None:
            e, phi = np.empty((count, 3)), np.empty(count) if potential else None
        else:
            if not isinstance(out, (tuple, list)) or len(out) != 2:
                raise TypeError("out must be two arrays, (field, potential)")
            e = output(out[0], "out[0]", (count, 3), q)
            phi = output(out[1], "out[1]", (count,), q, e) if potential else None
        pairs = self._core.field(q, e, phi)
        return Field(e, phi, pairs, self._choice)

    def jacobian_product(self, charges: ArrayLike, z: ArrayLike) -> Floats:
        """∂(Σ q_i z_i·E_i)/∂x, a new (n, 3) array. `charges` q (n,) C and `z` (n, 3) are held constant.

        The targets must be the charges. Raises ValueError for other targets and shapes.

        Examples
        --------
        >>> f = FieldSolver(2); f.prepare([[0, 0, 0], [1, 0, 0]])
        >>> f.jacobian_product([1e-9, 1e-9], [[1, 0, 0], [0, 0, 0]]).shape
        (2, 3)
        """
        q, weights = self._pair(charges, z)
        product: Floats = self._core.jacobian_product(q, weights)
        return product

    def charge_gradient(self, charges: ArrayLike, z: ArrayLike) -> Floats:
        """∂(Σ q_i z_i·E_i)/∂q, a new (n,) array, at `charges` q (n,) C. `z` (n, 3) is held constant.

        It includes both roles of each charge: as a source, and as the factor q_i. The targets must be the charges. Raises
        ValueError for other targets and shapes.

        Examples
        --------
        >>> f = FieldSolver(2); f.prepare([[0, 0, 0], [1, 0, 0]])
        >>> f.charge_gradient([1e-9, 1e-9], [[1, 0, 0], [0, 0, 0]]).shape
        (2,)
        """
        q, weights = self._pair(charges, z)
        gradient: Floats = self._core.charge_gradient(q, weights)
        return gradient

    def field_and_products(self, charges: ArrayLike, z: ArrayLike) -> FieldProducts:
        """The field of `charges` (n,) C and both products with `z` (n, 3), faster than by three calls.

        The targets must be the charges. Raises ValueError for other targets and shapes.

        Examples
        --------
        >>> f = FieldSolver(2); f.prepare([[0, 0, 0], [1, 0, 0]])
        >>> len(f.field_and_products([1e-9, 1e-9], [[1, 0, 0], [0, 0, 0]]))
        4
        """
        q, weights = self._pair(charges, z)
        return FieldProducts(*self._core.field_and_products(q, weights))

    def adjoint(self, charges: ArrayLike, w: ArrayLike | None = None, p: ArrayLike | None = None) -> FieldAdjoint:
        """Derivatives of Σ w_a·E_a + Σ p_a φ_a with respect to targets, sources and `charges` (n,) C.

        `w` is (t, 3), `p` is (t,); None stands for zeros. The potential's part costs one more field, of charges p at the
        sources. It is exact for `direct`, and has the requested accuracy for other solvers. If the targets are the charges,
        the derivatives with respect to targets and sources are added. Raises ValueError and TypeError for other arrays.

        Examples
        --------
        >>> f = FieldSolver(1); f.prepare([[0, 0, 0]], at=[[0, 0, 1]])
        >>> f.adjoint([1e-9], p=[1.0]).charge_gradient.round(-7)
        array([8.99e+09])
        """
        q = self._charges(charges)
        sources, targets = self._places
        count = len(sources if targets is None else targets)
        weights = np.zeros((count, 3)) if w is None else vectors(w, "w", count)
        by_phi = None if p is None else scalars(p, "p", count)
        if targets is None:
            return self._own_adjoint(q, weights if w is not None else None, by_phi)
        by_target: Floats
        by_source: Floats
        by_charge: Floats
        if w is None:
            by_target, by_source, by_charge = np.zeros((count, 3)), np.zeros((len(q), 3)), np.zeros(len(q))
        else:
            by_target, by_source, by_charge = self._core.target_adjoint(q, weights)
        if by_phi is not None:
            # φ_a = Σ_j q_j g(y_a - x_j), ∇g = -K: by y_a it is -E_a, by x_j +q_j times the field of charges p.
            back = self._solver(len(targets))
            back.prepare(targets, sources)
            e_back, phi_back, _, _ = back.field(by_phi)
            assert phi_back is not None
            by_target = by_target - by_phi[:, None] * self.field(q, potential=False).field
            by_source = by_source - q[:, None] * e_back
            by_charge = by_charge + phi_back
        return FieldAdjoint(by_target, by_source, by_charge)

    def _own_adjoint(self, q: Floats, w: Floats | None, p: Floats | None) -> FieldAdjoint:
        """The adjoint if the targets are the sources. A charge's pair with itself is in no sum."""
        places = self._places[0]
        moved: Floats = np.zeros_like(places)
        by_charge: Floats = np.zeros(len(q))
        if w is not None:
            by_target, by_source, by_charge = self._core.target_adjoint(q, w)
            moved = by_target + by_source
        if p is not None:
            back = self._solver(len(places))
            back.prepare(places)
            e_back, phi_back, _, _ = back.field(p)
            assert phi_back is not None
            moved = moved - p[:, None] * self.field(q, potential=False).field - q[:, None] * e_back
            by_charge = by_charge + phi_back
        return FieldAdjoint(moved, moved.copy(), by_charge)

    def _solver(self, count: int) -> FieldSolver:
        return FieldSolver(count, threads=self._threads, **self._words)

    @property
    def _places(self) -> tuple[Floats, Floats | None]:
        """The places of charges and targets."""
        if self._prepared is None:
            raise RuntimeError("call prepare before any evaluation")
        return self._prepared

    def _charges(self, charges: ArrayLike) -> Floats:
        return scalars(charges, "charges", len(self._places[0]))

    def _pair(self, charges: ArrayLike, z: ArrayLike) -> tuple[Floats, Floats]:
        q = self._charges(charges)
        if self._places[1] is not None:
            raise ValueError("products are of fields at the charges themselves: prepare without `at`")
        return q, vectors(z, "z", len(q))

    def __reduce__(self) -> Any:
        raise TypeError("a field solver does not pickle; make one where it is needed")

    def __repr__(self) -> str:
        return f"<electret.FieldSolver: {self._core.name}>"


def field(positions: ArrayLike, charges: ArrayLike, at: ArrayLike | None = None, *, accuracy: float | None = None,
          solver: str = "auto", device: str = "auto", constant: float | None = None, softening: float = 0.0,
          threads: int = 0) -> Field:
    """Field and potential of point charges at their own positions or at other points.

    The result has the bits of `electret field`.

    Parameters
    ----------
    positions : (n, 3) array, m
    charges : (n,) array, C
    at : (t, 3) array, m; default: the positions
    accuracy, solver, device, constant, softening, threads
        As for `FieldSolver`.

    Returns
    -------
    Field
        In new arrays.

    The arguments are read in place. Raises ValueError and TypeError for arrays of other shapes or types, and InputError
    and DeviceError as `FieldSolver` does.

    Examples
    --------
    >>> field([[0, 0, 0]], [1e-9], at=[[0, 0, 1]]).field.round(3)
    array([[0.   , 0.   , 8.988]])
    """
    places = vectors(positions, "positions")
    made = FieldSolver(len(places), accuracy=accuracy, solver=solver, device=device, constant=constant, softening=softening,
                       threads=threads)
    made.prepare(places, at)
    return made.field(scalars(charges, "charges", len(places)))


def verify_field(positions: ArrayLike, charges: ArrayLike, field: ArrayLike, at: ArrayLike | None = None, *,
                 potential: ArrayLike | None = None, samples: int = 100, constant: float | None = None,
                 softening: float = 0.0) -> FieldError:
    """The true error of a field, found by plain float64 sums at some targets, which are the same in every call.

    Parameters
    ----------
    positions, charges, at, constant, softening
        As for `field`.
    field : (t, 3) array, N/C
        The field to check.
    potential : (t,) array, V; optional
        The potential to check.
    samples : int, default 100
        The number of targets that are compared.

    Returns
    -------
    FieldError

    Raises ValueError and TypeError for other arrays.

    Examples
    --------
    >>> verify_field([[0, 0, 0], [1, 0, 0]], [1e-9, 1e-9], [[-8.9875517923, 0, 0], [8.9875517923, 0, 0]]).relative < 1e-12
    True
    """
    places = vectors(positions, "positions")
    targets = None if at is None else vectors(at, "at")
    count = len(places if targets is None else targets)
    options, _ = _options(None, "auto", constant, softening)
    samples = whole(samples, "samples", 1)
    return FieldError(*_core.verify_field(places, scalars(charges, "charges", len(places)), vectors(field, "field", count),
                                          targets, options, samples,
                                          None if potential is None else scalars(potential, "potential", count)))


def _options(accuracy: float | None, solver: str, constant: float | None, softening: float,
             device: str = "auto") -> tuple[Any, dict[str, Any]]:
    if accuracy is not None and not 0.0 < number(accuracy, "accuracy") <= 1.0:
        raise ValueError(f"accuracy must be > 0 and ≤ 1, not {accuracy}")
    if number(softening, "softening") < 0.0:
        raise ValueError(f"softening must be ≥ 0, not {softening}")
    if constant is not None:
        constant = number(constant, "constant")
        if constant <= 0.0:
            raise ValueError(f"constant must be > 0, not {constant}")
    accuracy = None if accuracy is None else number(accuracy, "accuracy")
    solver, device, softening = text(solver, "solver"), text(device, "device"), number(softening, "softening")
    words = {"accuracy": accuracy, "solver": solver, "device": device, "constant": constant, "softening": softening}
    return _core.FieldOptions(solver, accuracy, constant, softening, None, device), words
