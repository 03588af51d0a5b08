"""What a simulator returns: reports, energies, works, states, arrays to read. Also the check of states that it is given."""

from __future__ import annotations

from typing import Any, Iterable, Mapping, NamedTuple, Optional

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._arrays import Floats, Integers, listed, number, scalars, vectors, whole
from ._repr import of_fields


class StepReport(NamedTuple):
    """What happened in a step: the iterations of its implicit solve, and its residual and target in kg m.

    `capped` says that the iterations ended before the residual met its target: at their cap, or because they found no better
    place.

    Examples
    --------
    >>> sim.step().capped
    False
    """

    elastic_iterations: int
    capped: bool
    residual: float
    residual_target: float


class Energies(NamedTuple):
    """Energies in J, named as the columns of energy.csv.

    Examples
    --------
    >>> Energies(1.0, 0.5, 0.0, 0.0, -0.25).total
    1.25
    """

    kinetic: float
    elastic: float
    coulomb: float
    external: float
    gravity: float

    @property
    def total(self) -> float:
        """The sum of all energies, J."""
        return self.kinetic + self.elastic + self.coulomb + self.external + self.gravity


class Work(NamedTuple):
    """Work done over the steps so far, J.

    Examples
    --------
    >>> sim.work.dissipation
    0.0
    """

    field_work: float
    keyframe_work: float
    pin_work: float
    dissipation: float


class Observables(NamedTuple):
    """How all vertices together move, as the columns of observables.csv; arrays (3,) of the caller's own.

    time s; centre_of_mass m; radius_of_gyration m; linear_momentum kg m/s; angular_momentum about the origin, kg m²/s;
    smallest_charge_distance between vertices that bear charge, m, inf where fewer than two do.

    Examples
    --------
    >>> sim.observables().time
    0.0
    """

    time: float
    centre_of_mass: Floats
    radius_of_gyration: float
    linear_momentum: Floats
    angular_momentum: Floats
    smallest_charge_distance: float

    def __repr__(self) -> str:
        return of_fields(self)


class ElementStress(NamedTuple):
    """The stress of E elements, tetrahedra first; arrays of the caller's own.

    cauchy (E, 6) Pa: xx, yy, zz, xy, yz, xz; von_mises (E,) Pa; energy_density (E,) J/m³ of undeformed volume; is_defined
    (E,), False for an element so flat that it has no finite stress: its numbers are then 0.

    Examples
    --------
    >>> sim.element_stress().cauchy.shape
    (0, 6)
    """

    cauchy: Floats
    von_mises: Floats
    energy_density: Floats
    is_defined: NDArray[np.bool_]

    def __repr__(self) -> str:
        return of_fields(self)


class Contact(NamedTuple):
    """The vertices that obstacles with the law `exact` push at the end of a step, and with what; arrays of the caller's own.

    vertices (k,) indices, ascending; obstacles (k,) numbers of obstacles in the scene's order; states (k,), 1 where a vertex
    sticks and 2 where it slips; normal_forces (k, 3) N, away from the obstacle; tangential_forces (k, 3) N, its friction.

    Examples
    --------
    >>> sim.contact.vertices.shape
    (0,)
    """

    vertices: Integers
    obstacles: Integers
    states: Integers
    normal_forces: Floats
    tangential_forces: Floats

    def __repr__(self) -> str:
        return of_fields(self)


class ContactPairs(NamedTuple):
    """The parts of bodies that push each other at the end of a step, and with what; arrays of the caller's own.

    kinds (k,), 0 for a vertex and a triangle, 1 for two edges; vertices (k, 4) indices, the vertex and the triangle's corners or
    the ends of the edges; gaps (k,) m; normal_forces (k, 3) and tangential_forces (k, 3) N, the push and the friction on the
    first part, the vertex or the first edge: the second part has the opposite ones; slips (k,), 1 where friction is at its bound
    and 0 where it holds. Parts that came apart in the step have a friction and no push.

    Examples
    --------
    >>> sim.contact_pairs.vertices.shape
    (0, 4)
    """

    kinds: Integers
    vertices: Integers
    gaps: Floats
    normal_forces: Floats
    tangential_forces: Floats
    slips: Integers

    def __repr__(self) -> str:
        return of_fields(self)


class Grab(NamedTuple):
    """A hand that holds vertices during a step: a spring and a damper from a point to their weighted mean.

    vertices (k,) indices, target (3,) m, stiffness N/m, damping N s/m, weights (k,) whose sum is 1; None: all the same. A vertex i is
    pulled with w_i (k (p - Σ w x) - c Σ w v), N (docs/physics.md, "Forces"). A pinned vertex counts in the means, but is not moved.

    Examples
    --------
    >>> Grab([0, 1], target=(0, 0, 1), stiffness=2.0).damping
    0.0
    """

    vertices: ArrayLike
    target: ArrayLike
    stiffness: float
    damping: float = 0.0
    weights: Optional[ArrayLike] = None

    def __repr__(self) -> str:
        return of_fields(self)


class State(NamedTuple):
    """Everything that changes during a run, in arrays of its own. A run continues from it bit for bit (`restore`).

    positions (n, 3) m, velocities (n, 3) m/s; `memory` is the method's, `action` (m,) and `grabs` are those of the last step.

    Examples
    --------
    >>> state = sim.state()
    >>> state.positions.flags.writeable
    True
    """

    step: int
    positions: Floats
    velocities: Floats
    memory: dict[str, Floats]
    work: Work
    action: Floats
    grabs: tuple[Grab, ...] = ()

    def __repr__(self) -> str:
        return of_fields(self)


class Place(NamedTuple):
    """The checked state from which a run begins, in arrays for the library."""

    step: int
    positions: Floats
    velocities: Floats
    memory: dict[str, Floats]


def checked_place(state: Any, name: str, count: int, layout: Mapping[str, tuple[Optional[int], bool]]) -> Place:
    """`state`, a `State` or similar object of `count` vertices, checked. Its memory has arrays of `layout`.
    TypeError and ValueError name `name`."""
    for part in Place._fields:
        if not hasattr(state, part):
            raise TypeError(f"{name} must be a State, not {type(state).__name__}")
    if not isinstance(state.memory, Mapping):
        raise TypeError(f"{name}.memory must be a dict of arrays, not {type(state.memory).__name__}")
    check_memory_names(state.memory, f"{name}.memory", layout)
    return Place(whole(state.step, f"{name}.step", 0), vectors(state.positions, f"{name}.positions", count),
                 vectors(state.velocities, f"{name}.velocities", count),
                 {key: scalars(values, f"{name}.memory[{key!r}]", layout[key][0]) for key, values in state.memory.items()})


def check_memory_names(memory: Iterable[str], name: str, layout: Mapping[str, tuple[Optional[int], bool]]) -> None:
    """ValueError for an array that no method keeps."""
    for key in memory:
        if key not in layout:
            raise ValueError(f"{name}: no method keeps {key!r}; allowed: {', '.join(layout)}")


def checked_action(action: Any, name: str, size: int) -> list[float]:
    """The action of the step that led to a state: `size` numbers, or none if the schedule's values were used."""
    values = scalars(action, name)
    if size > 0 and len(values) not in (0, size):
        raise ValueError(f"{name} must have shape ({size},) or (0,), not {values.shape}")
    return listed(values)


GrabTuple = tuple[list[int], list[float], float, float, list[float]]


def checked_grabs(grabs: Iterable[Any], name: str, count: int) -> list[GrabTuple]:
    """The `Grab`s of a step of `count` vertices, checked, for the library. TypeError and ValueError name `name`."""
    if isinstance(grabs, Grab):
        raise TypeError(f"{name} must be Grabs in a list, not a Grab")
    try:
        given = list(grabs)
    except TypeError:
        raise TypeError(f"{name} must be Grabs in a list, not {type(grabs).__name__}") from None
    return [_checked_grab(grab, f"{name}[{k}]", count) for k, grab in enumerate(given)]


def _checked_grab(grab: Any, name: str, count: int) -> GrabTuple:
    if not isinstance(grab, Grab):
        raise TypeError(f"{name} must be a Grab, not {type(grab).__name__}")
    vertices = [whole(vertex, f"{name}.vertices", 0, count - 1) for vertex in np.atleast_1d(np.asarray(grab.vertices, dtype=object))]
    if not vertices:
        raise ValueError(f"{name}.vertices must have at least one vertex")
    if len(set(vertices)) < len(vertices):
        raise ValueError(f"{name}.vertices must have each vertex once")
    weights = [1.0 / len(vertices)] * len(vertices) if grab.weights is None else listed(scalars(grab.weights, f"{name}.weights", len(vertices)))
    if min(weights) < 0.0 or abs(sum(weights) - 1.0) > 1e-6:
        raise ValueError(f"{name}.weights must be at least 0 and sum to 1, not to {sum(weights)}")
    return vertices, weights, _at_least_0(grab.stiffness, f"{name}.stiffness"), _at_least_0(grab.damping, f"{name}.damping"), listed(scalars(grab.target, f"{name}.target", 3))


def _at_least_0(value: Any, name: str) -> float:
    found = number(value, name)
    if found < 0.0:
        raise ValueError(f"{name} must be at least 0, not {found}")
    return found


def grabs_of(tuples: Iterable[GrabTuple]) -> tuple[Grab, ...]:
    """The library's grabs in arrays of their own."""
    return tuple(Grab(np.array(vertices), np.array(target), stiffness, damping, np.array(weights))
                 for vertices, weights, stiffness, damping, target in tuples)


def frozen(array: NDArray[Any]) -> Any:
    """A read-only copy that nobody can make writable."""
    if array.size == 0:
        array.flags.writeable = False
        return array
    return np.frombuffer(array.tobytes(), array.dtype).reshape(array.shape)
