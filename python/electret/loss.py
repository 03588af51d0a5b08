"""Losses: each computes one number from a motion. Sums and multiples of losses are losses, too.

>>> import electret as el
>>> el.loss.energy() * 2.0 + el.loss.centre_of_mass((0, 0, 1))
<electret.loss: 2.0 * energy + centre_of_mass>
"""

from os import PathLike, fspath
from typing import Any, Iterable, Sequence

from numpy.typing import ArrayLike

from . import _core
from ._arrays import listed, real, shaped, text as _text, vectors, whole
from ._repr import one_line


def __dir__() -> list[str]:
    return __all__


class Loss:
    """A weighted sum of the library's losses. `+`, `-` and `*` by a number make others. Made by this module's functions.

    Examples
    --------
    >>> 0.5 * energy() - energy()
    <electret.loss: 0.5 * energy + -1.0 * energy>
    """

    def __init__(self, terms: Sequence[tuple[float, str, Any]], last_step: int = 0) -> None:
        self._terms = tuple(terms)
        self._last_step = last_step  # The last that a term names.

    def __add__(self, other: "Loss") -> "Loss":
        if not isinstance(other, Loss):
            return NotImplemented
        return Loss(self._terms + other._terms, max(self._last_step, other._last_step))

    def __sub__(self, other: "Loss") -> "Loss":
        if not isinstance(other, Loss):
            return NotImplemented
        return self + -other

    def __mul__(self, factor: float) -> "Loss":
        weight = float(shaped(factor, "factor", ()))
        return Loss([(weight * own, name, make) for own, name, make in self._terms], self._last_step)

    __rmul__ = __mul__

    def __neg__(self) -> "Loss":
        return self * -1.0

    def __repr__(self) -> str:
        terms = " + ".join((name if weight == 1.0 else f"{weight} * {name}") for weight, name, _ in self._terms)
        return f"<electret.loss: {one_line(terms)}>"

    def _made(self, assembly: _core.Assembly, count: int, steps: int) -> _core.Loss:
        """The library's loss for a scene of `count` vertices and a run of `steps` steps."""
        if self._last_step > steps:
            raise ValueError(f"loss: it reads step {self._last_step}, the run has {steps}")
        made = [(weight, make(assembly, count)) for weight, _, make in self._terms]
        if len(made) == 1 and made[0][0] == 1.0:
            only: _core.Loss = made[0][1]
            return only
        return _core.sum_of_losses(made)


def final_position(target: ArrayLike) -> Loss:
    """The mean over vertices of |x - target|² at the end, m².

    `target` (n, 3) m is copied. Raises ValueError and TypeError for other arrays.

    Examples
    --------
    >>> final_position([[0, 0, 0]])
    <electret.loss: final_position>
    """
    goal = vectors(target, "target").copy()
    return Loss([(1.0, "final_position", lambda assembly, count: _core.final_position_loss(vectors(goal, "target", count)))])


def trajectory(target: ArrayLike, frames: Iterable[int]) -> Loss:
    """The mean over frames and vertices of |x - target|², m².

    `target` (F, n, 3) m holds the positions at the steps `frames`, which ascend. It is copied. Raises ValueError and
    TypeError for other arguments. A run that ends before the last of `frames` raises ValueError.

    Examples
    --------
    >>> trajectory([[[0, 0, 0]], [[0, 0, 1]]], frames=[5, 10])
    <electret.loss: trajectory>
    """
    if not isinstance(frames, Iterable) or isinstance(frames, str):
        raise TypeError(f"frames must be a list of steps, not {frames!r}")
    steps = [whole(step, "frames") for step in frames]
    if not steps or sorted(set(steps)) != steps or steps[0] < 0:
        raise ValueError(f"frames must be steps from 0 on, ascending, not {steps}")
    array = real(target, "target")
    if array.ndim != 3 or len(array) != len(steps):
        raise ValueError(f"target must have shape ({len(steps)}, n, 3), not {array.shape}")
    goals = [vectors(goal, f"target[{f}]").copy() for f, goal in enumerate(array)]
    return Loss([(1.0, "trajectory", lambda assembly, count: _core.trajectory_loss(steps, [vectors(g, "target", count) for g in goals]))],
                steps[-1])


def centre_of_mass(target: ArrayLike, body: str | None = None) -> Loss:
    """The squared distance of the centre of mass from `target` (3,) m at the end, m².

    The centre of mass is that of the body called `body`, or of all bodies if `body` is None, the default. If the scene
    has no such body, the run raises InputError. Raises ValueError for a target of another shape.

    Examples
    --------
    >>> centre_of_mass((0, 0, 1), "ball") + centre_of_mass((0, 0, 0))
    <electret.loss: centre_of_mass of ball + centre_of_mass>
    """
    place = listed(shaped(target, "target", (3,)))
    name = "centre_of_mass" + ("" if body is None else f" of {_text(body, 'body')}")
    return Loss([(1.0, name, lambda assembly, count: _core.centre_of_mass_loss(place, assembly, body or ""))])


def _direction(direction: ArrayLike) -> str:
    along = shaped(direction, "direction", (3,))
    if not along.any():
        raise ValueError("direction must not be (0, 0, 0)")
    return ",".join(repr(value) for value in listed(along))


def forward(direction: ArrayLike) -> Loss:
    """Minus the coordinate of the centre of mass along `direction` (3,) at the end, m.

    The length of `direction` does not matter. Raises ValueError for a direction of length 0 or of another shape.

    Examples
    --------
    >>> forward((1, 0, 0))
    <electret.loss: forward:1.0,0.0,0.0>
    """
    return of_text(f"forward:{_direction(direction)}")


def speed(direction: ArrayLike, sideways: float = 0.0, group: str | None = None) -> Loss:
    """The sum over steps of -u·v + sideways |v - (u·v) u|², with the mean velocity v, m/s, and the unit vector u of `direction` (3,).

    v is that of the vertices of `group`, "BODY.GROUP", or of all vertices if `group` is None, the default. `sideways` is
    in s/m. Raises ValueError for a direction of length 0 or of another shape. If the scene has no such group, the run
    raises InputError.

    Examples
    --------
    >>> speed((1, 0, 0), sideways=10, group="snake.spine")
    <electret.loss: speed:1.0,0.0,0.0,10.0,snake.spine>
    """
    weight = repr(float(shaped(sideways, "sideways", ())))
    return of_text(f"speed:{_direction(direction)},{weight}" + ("" if group is None else f",{_text(group, 'group')}"))


def markers(file: str | PathLike[str]) -> Loss:
    """The mean over the rows of a CSV file of weight · |x - x*|², m², where markers on bodies were seen.

    `file` has the columns time (s), marker, x, y, z (m) and weight. A marker is `BODY[VERTEX]`, `BODY.GROUP` or
    `BODY(X Y Z)`, a point of a solid at rest. A coordinate whose cell is empty was not measured. If the file cannot
    be read or does not fit the scene, the run raises InputError.

    Examples
    --------
    >>> markers("seen.csv")
    <electret.loss: markers:seen.csv>
    """
    return of_text(f"markers:{fspath(file)}")


def pixels(file: str | PathLike[str]) -> Loss:
    """The mean over the rows of a CSV file of weight · |p - p*|², px², where the scene's cameras saw markers in their pictures.

    `file` has the columns time (s), marker, u, v (px, from the picture's middle to the right and up) and weight, and camera if
    the scene has several. Markers are those of `markers`. A coordinate whose cell is empty was not measured. The loss has
    derivatives by the cameras: "camera.NAME.rotate", "camera.NAME.translate", "camera.NAME.zoom". If the file cannot be read
    or does not fit the scene, the run raises InputError.

    Examples
    --------
    >>> pixels("clip.csv")
    <electret.loss: pixels:clip.csv>
    """
    return of_text(f"pixels:{fspath(file)}")


def energy() -> Loss:
    """The total energy at the end, J.

    Examples
    --------
    >>> energy()
    <electret.loss: energy>
    """
    return Loss([(1.0, "energy", lambda assembly, count: _core.energy_loss())])


def of_text(text: str) -> Loss:
    """The loss that `text` names, as for `--loss`: "final_position:goal.obj", "energy", …

    If `text` names no loss, the run raises InputError.

    Examples
    --------
    >>> of_text("energy")
    <electret.loss: energy>
    """
    return Loss([(1.0, _text(text, "text"), lambda assembly, count: _core.text_loss(text, assembly))])


__all__ = ["Loss", "centre_of_mass", "energy", "final_position", "forward", "markers", "of_text", "pixels", "speed", "trajectory"]
