"""Gradients: roll-outs swept back, the command's gradient, and problems for optimisers."""

from __future__ import annotations

import os
from typing import Any, Callable, Iterable, Iterator, Mapping, NamedTuple, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike

from . import _core, _html
from . import loss as _loss
from ._arrays import Floats, shaped
from ._errors import Finding, GradientError, InputError
from ._field_function import refuse_gradients
from ._scene import Scene
from ._simulator import Parameters, Simulator, State, checked_values, scene_of

Cotangents = Mapping[str, Any]
LossFunction = Callable[["Frames"], "tuple[float, Cotangents]"]
LossArgument = Union[str, _loss.Loss, LossFunction]


class Frames(NamedTuple):
    """What a roll-out kept: positions (F, n, 3) m, velocities (F, n, 3) m/s, times (F,) s, new arrays, and the steps.

    Examples
    --------
    >>> roll.forward().times.round(3)
    array([0.02])
    """

    positions: Floats
    velocities: Floats
    times: Floats
    steps: tuple[int, ...]


class Gradient(Mapping[str, Any]):
    """Derivatives by name, each of its parameter's shape, in the loss's unit over the parameter's.

    Made by `gradient` and `Rollout.vjp`.

    Attributes
    ----------
    loss : float or None
        The loss; None of a `vjp`.
    report : dict
        How the sweeps went: steps, stored_states, forward_steps, solves, iterations, worst_residual, capped_steps.
    check : {name: (finite differences, relative errors)} or None
        Where it was asked for.

    Examples
    --------
    >>> dict(Gradient({"gravity": 2.0}, 1.0, {}))
    {'gravity': 2.0}
    """

    def __init__(self, values: Mapping[str, Any], loss: float | None, report: Mapping[str, Any],
                 check: Mapping[str, tuple[Any, Any]] | None = None) -> None:
        self._values, self.loss, self.report, self.check = dict(values), loss, dict(report), check

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"<electret.Gradient by {', '.join(self._values)}" + ("" if self.loss is None else f"; loss {self.loss:g}") + ">"

    def _repr_html_(self) -> str:
        rows = [(name, _shown(value)) for name, value in self.items()]
        return _html.table("electret.Gradient" + ("" if self.loss is None else f", loss {self.loss:.6g}"), ("by", "derivative"), rows)


def _shown(value: Any) -> str:
    array = np.asarray(value)
    return f"{float(array):.6g}" if array.ndim == 0 else f"{array.shape}, norm {float(np.linalg.norm(array)):.6g}"


class Check(NamedTuple):
    """Derivatives along one direction: the gradient's, that of differences, and their relative error.

    Examples
    --------
    >>> roll.check("energy")[0].direction
    'gradient'
    """

    direction: str
    gradient: float
    difference: float
    relative_error: float


class Rollout:
    """A run from the scene's initial state, recorded so that it can be swept back.

    Parameters
    ----------
    sim : Simulator
        Its scene, parameters, controls and threads are taken; the simulator itself is left alone.
    wrt : names
        Parameters to differentiate by, as `sim.parameters` has them.
    steps : int, optional
        T; default: the scene's.
    hold : int, default 1
        Steps over which an action holds: there are J = ceil(steps / hold) of them.
    frames : steps that are kept, or "all"
        -1 is the last.
    memory : bytes, or text as "2GB"; optional
        For states; default: half of what is free. What does not fit is computed again, to the same bits.

    Raises InputError for unknown names, ValueError for `memory` of fewer than three states.

    Examples
    --------
    >>> from electret import Scene
    >>> scene = Scene(time={"step": 0.01, "steps": 10}, gravity={"acceleration": (0, 0, -9.81)})
    >>> _ = scene.body(name="stone", generate={"shape": "chain", "vertices": 2}, mass=1.0)
    >>> roll = Rollout(Simulator(scene), wrt=["gravity"])
    >>> traj = roll.forward()
    >>> g = roll.vjp({"positions": [[[0, 0, 1], [0, 0, 0]]]})
    >>> round(float(g["gravity"][2]), 6)
    0.0055
    """

    def __init__(self, sim: Simulator, *, wrt: Iterable[str] = (), steps: int | None = None, hold: int = 1,
                 frames: Iterable[int] | str = (-1,), memory: int | float | str | None = None) -> None:
        if isinstance(wrt, str):
            raise TypeError("wrt: a list of names is wanted, not one text")
        self._assembly = sim._core.assembly()
        self.parameters = Parameters(self._assembly)
        self.wrt = _names(wrt, self.parameters)
        self._scene = sim.scene
        if self.wrt:
            refuse_gradients(self._scene)
        self.steps = int(sim._core.last_step if steps is None else steps)
        self.hold = int(hold)
        if self.steps < 1 or self.hold < 1:
            raise ValueError(f"steps, hold: at least 1, not {self.steps}, {self.hold}")
        self.intervals = -(-self.steps // self.hold)
        self.frames = _frames(frames, self.steps)
        self.controls = sim.controls
        self._count, self._time_step = len(sim.masses), sim.time_step
        budget = _bytes(memory)
        if budget and budget < 3 * (72 * self._count + 256):
            raise ValueError(f"memory: at least three states of {72 * self._count + 256} bytes, not {memory!r}")
        self._core = _core.Rollout(self._assembly, list(self.controls.names), list(self.wrt), self.steps, self.hold,
                                   budget, sim.threads)
        self._loss: float | None = None
        self._has_actions = self._has_start = False

    def forward(self, values: Mapping[str, ArrayLike] | None = None, actions: ArrayLike | None = None, *,
                start: State | None = None) -> Frames:
        """Runs, and keeps the frames.

        Parameters
        ----------
        values : {name: value}, default none
            Sets parameters, in their units and shapes; others stay as they were. Copied.
        actions : (J, m) array, default None
            What drives the controls, one row per interval; None: the schedule's values. Copied.
        start : State, default None
            Where to begin; None: at the scene's initial state.

        Returns
        -------
        Frames
            Arrays of the caller's own.

        Raises ValueError and TypeError for wrong arrays, InputError for unknown names, DivergenceError.

        Examples
        --------
        >>> roll.forward({"body.jelly.stiffness": 5.0}).positions.shape
        (1, 32, 3)
        """
        return self._forward(values, actions, start, None)

    def _forward(self, values: Mapping[str, ArrayLike] | None, actions: ArrayLike | None, start: State | None,
                 loss: _core.Loss | None) -> Frames:
        given = checked_values(self.parameters, values or {})
        flat = None
        if actions is not None:
            if self.controls.size == 0:
                raise ValueError("actions: this simulator has no controls")
            flat = shaped(actions, "actions", (self.intervals, self.controls.size))
        place = None
        if start is not None:
            place = {"step": int(start.step), "positions": start.positions, "velocities": start.velocities, "memory": dict(start.memory)}
        value, positions, velocities, first = self._core.forward([(name, list(numbers)) for name, numbers in given], flat,
                                                                 list(self.frames), loss, place)
        self._loss, self._has_actions, self._has_start = value if loss is not None else None, flat is not None, start is not None
        shape = (len(self.frames), self._count, 3)
        return Frames(np.array(positions).reshape(shape), np.array(velocities).reshape(shape),
                      np.array([(first + frame) * self._time_step for frame in self.frames]), self.frames)

    def vjp(self, cotangents: Cotangents) -> Gradient:
        """Derivatives of Σ cotangent · quantity of the last `forward`, by the adjoint of its steps.

        Parameters
        ----------
        cotangents : {name: array}
            "positions" (F, n, 3) 1/m, "velocities" (F, n, 3) s/m, "energy" (a number, 1/J: of the total energy at the
            end). Read in place, never kept.

        Returns
        -------
        Gradient
            Of `wrt`, of "actions" (J, m) where there were some, and of "start.positions" and "start.velocities" where
            `start` was given. A second call gives the same bits.

        Raises ValueError and TypeError for wrong arrays, a NaN in one too; GradientError for what has no derivative;
        RuntimeError before `forward`.

        Examples
        --------
        >>> _ = roll.forward()
        >>> list(roll.vjp({"energy": 1.0}))
        ['body.jelly.stiffness']
        """
        refuse_gradients(self._scene)
        return self._vjp(cotangents, False)

    def _vjp(self, cotangents: Cotangents, counts_loss: bool) -> Gradient:
        unknown = set(cotangents) - {"positions", "velocities", "energy"}
        if unknown:
            raise ValueError(f"cotangents: of positions, velocities and energy, not of {', '.join(sorted(unknown))}")
        shape = (len(self.frames), self._count, 3)
        parts: list[list[Floats]] = []
        for name in ("positions", "velocities"):
            array = shaped(cotangents[name], f"cotangent of {name}", shape) if name in cotangents else None
            parts.append([] if array is None else [np.ascontiguousarray(frame) for frame in array])
        by_energy = float(shaped(cotangents.get("energy", 0.0), "cotangent of energy", ()))
        result = self._core.backward(parts[0], parts[1], by_energy, counts_loss, list(self.wrt))
        values = {name: _reshaped(result["gradients"][name], self.parameters[name].shape) for name in self.wrt}
        if self._has_actions:
            values["actions"] = result["actions"].reshape(self.intervals, self.controls.size)
        if self._has_start:
            values.update({f"start.{name}": array for name, array in result["start"].items()})
        return Gradient(values, self._loss if counts_loss else None, result["report"])

    def value_and_grad(self, loss: LossArgument, values: Mapping[str, ArrayLike] | None = None,
                       actions: ArrayLike | None = None) -> tuple[float, Gradient]:
        """The loss and its derivatives.

        Parameters
        ----------
        loss : of `electret.loss`, text as the command's, or a function
            A function is given the frames, and returns its value and the cotangents as of `vjp`.
        values, actions
            As of `forward`.

        Returns
        -------
        float, Gradient

        Raises what `forward` and `vjp` raise; what a function raises arrives unchanged.

        Examples
        --------
        >>> value, gradient = roll.value_and_grad("energy")
        >>> gradient.loss == value
        True
        """
        refuse_gradients(self._scene)
        made = self._made(loss)
        if made is not None:
            self._forward(values, actions, None, made)
            gradient = self._vjp({}, True)
            assert gradient.loss is not None
            return gradient.loss, gradient
        value, cotangents = _called(loss, self.forward(values, actions))
        gradient = self.vjp(cotangents)
        gradient.loss = value
        return value, gradient

    def value(self, loss: LossArgument, values: Mapping[str, ArrayLike] | None = None,
              actions: ArrayLike | None = None) -> float:
        """The loss alone: `loss`, `values` and `actions` as of `value_and_grad`. Raises what `forward` raises.

        Examples
        --------
        >>> isinstance(roll.value("energy"), float)
        True
        """
        made = self._made(loss)
        if made is None:
            return _called(loss, self.forward(values, actions))[0]
        self._forward(values, actions, None, made)
        assert self._loss is not None
        return self._loss

    def check(self, loss: LossArgument, values: Mapping[str, ArrayLike] | None = None,
              actions: ArrayLike | None = None) -> list[Check]:
        """Compares the gradient with differences of whole runs: along its own direction and three seeded ones.

        `loss`, `values` and `actions` are as of `value_and_grad`; a row for each direction is returned. Raises what
        `value_and_grad` raises.

        Examples
        --------
        >>> max(row.relative_error for row in roll.check("energy")) < 1e-6
        True
        """
        _, gradient = self.value_and_grad(loss, values, actions)
        base = {name: np.asarray((values or {}).get(name, self.parameters[name].value), dtype=float) for name in self.wrt}
        scales = {name: np.full(np.shape(value), _core.typical_size(self._assembly, name)) for name, value in base.items()}
        if "actions" in gradient:
            base["actions"] = np.asarray(actions, dtype=float)
            scales["actions"] = np.broadcast_to(np.abs(base["actions"]).max(axis=0) + 1e-9, base["actions"].shape)
        random = np.random.default_rng(0)
        directions = [("gradient", {name: np.asarray(gradient[name]) * scales[name] ** 2 for name in base})]
        directions += [(f"random {k}", {name: random.normal(size=np.shape(value)) * scales[name] for name, value in base.items()})
                       for k in range(3)]
        return [self._checked(name, loss, values, base, direction, scales, gradient) for name, direction in directions]

    def _checked(self, name: str, loss: LossArgument, values: Mapping[str, ArrayLike] | None, base: Mapping[str, Any],
                 direction: Mapping[str, Any], scales: Mapping[str, Any], gradient: Gradient) -> Check:
        largest = max((np.abs(direction[key] / scales[key]).max() for key in base if np.size(base[key])), default=0.0)
        if largest == 0.0:
            return Check(name, 0.0, 0.0, 0.0)
        along = {key: direction[key] / largest for key in base}
        slope = float(sum(np.sum(np.asarray(gradient[key]) * along[key]) for key in base))
        size = float(sum(np.sum(np.abs(np.asarray(gradient[key]) * along[key])) for key in base))

        def moved(offset: float) -> float:
            now = {key: base[key] + offset * along[key] for key in base}
            actions = now.pop("actions", None)
            return self.value(loss, {**(values or {}), **now}, actions)

        found, _ = _core.difference(moved, 0.01)
        return Check(name, slope, found, abs(slope - found) / max(size, abs(found), 1e-300))

    def _made(self, loss: LossArgument) -> _core.Loss | None:
        if isinstance(loss, str):
            loss = _loss.of_text(loss)
        if isinstance(loss, _loss.Loss):
            return loss._made(self._assembly, self._count, self.steps)
        if callable(loss):
            return None
        raise TypeError(f"loss: text, a loss of electret.loss or a function is wanted, not {type(loss).__name__}")

    def __reduce__(self) -> Any:
        raise TypeError("a roll-out does not pickle; make one where it is needed")

    def __repr__(self) -> str:
        return f"<electret.Rollout: {self.steps} steps by {', '.join(self.wrt) or 'no parameter'}>"


def gradient(scene: Scene | str | os.PathLike[str], loss: LossArgument, wrt: Sequence[str] | str, *, check: bool = False,
             memory: int | float | str | None = None, threads: int = 0) -> Gradient:
    """A loss of a scene's motion and its derivatives: `electret gradient`, with its bits.

    Parameters
    ----------
    scene : Scene or path
    loss : as of `Rollout.value_and_grad`
    wrt : names of parameters, or one text with commas between
    check : bool, default False
        Adds derivatives by differences, up to 29 runs for each value.
    memory : bytes, or text as "2GB"; optional
        For states; default: half of what is free.
    threads : int, default 0
        0: one for every core.

    Returns
    -------
    Gradient
        Arrays of the caller's own, each of its parameter's shape.

    Raises InputError with every finding, DivergenceError, GradientError for what has no derivative.

    Examples
    --------
    >>> gradient(scene, "energy", ["body.jelly.stiffness"])["body.jelly.stiffness"] > 0
    True
    """
    names = wrt.split(",") if isinstance(wrt, str) else list(wrt)
    made = scene_of(scene)
    assembly = made.assembly()
    result = _of_assembly(made, assembly, loss, names, memory, threads)
    if check:
        def value(changed: _core.Assembly) -> float:
            found = _of_assembly(made, changed, loss, (), memory, threads, value_only=True).loss
            assert found is not None
            return found

        result.check = {name: _compared(assembly, name, result, value) for name in names}
    return result


def _of_assembly(scene: Scene, assembly: _core.Assembly, loss: LossArgument, names: Sequence[str], memory: Any, threads: int,
                 value_only: bool = False) -> Gradient:
    holder = _Bare(scene, assembly, threads)
    roll = Rollout(holder, wrt=names, memory=memory)  # type: ignore[arg-type]
    if value_only:
        return Gradient({}, roll.value(loss), {})
    return roll.value_and_grad(loss)[1]


class _Bare:
    """What a roll-out takes of a simulator, of a scene alone."""

    def __init__(self, scene: Scene, assembly: _core.Assembly, threads: int) -> None:
        from ._simulator import ControlTable

        self._core, self.controls, self.threads = self, ControlTable([]), threads
        self._assembly, self.scene = assembly, scene
        about = _core.describe(assembly)
        self.last_step, self.time_step, self.masses = about["steps"], about["time_step"], range(about["vertices"])
        if self.last_step == 0:
            raise InputError([Finding("time", 0, 0, "the scene has no step", "a gradient needs at least one")])

    def assembly(self) -> _core.Assembly:
        return self._assembly


def _compared(assembly: _core.Assembly, name: str, got: Gradient, value: Callable[[_core.Assembly], float]) -> tuple[Any, Any]:
    """Differences, and errors relative to the largest one, as the command's `--check` has them."""
    shape = Parameters(assembly)[name].shape
    found, _ = _core.differences(assembly, name, value)
    slope = np.asarray(got[name]).reshape(-1)
    size = max(1e-7 * abs(got.loss or 0.0) / _core.typical_size(assembly, name), float(np.abs(found).max(initial=0.0)))
    apart = np.abs(slope - found)
    scale = np.where(size > 0.0, size, np.abs(slope))
    errors = np.divide(apart, scale, out=np.zeros_like(apart), where=apart > 0.0)
    return _reshaped(found, shape), _reshaped(errors, shape)


class Problem:
    """A loss of a roll-out as an optimiser sees it: p(theta) -> (value, gradient).

    Parameters
    ----------
    roll : Rollout
    loss : as of `Rollout.value_and_grad`
    scales : {name: "log" | "linear" | (low, high)}
        What is moved, parameters of `roll.wrt` or "actions", and on which scale: its logarithm, a multiple of its
        size, or from low to high.
    actions : (J, m) array, optional
        Where the actions start; default 0.

    `history` holds the losses of all calls so far.

    Raises GradientError for what the roll-out is not differentiated by, ValueError for wrong scales.

    Examples
    --------
    >>> p = Problem(roll, "energy", {"body.jelly.stiffness": "log"})
    >>> value, slope = p(p.start())    # as scipy.optimize.minimize(p, p.start(), jac=True, bounds=p.bounds) calls it
    >>> slope.shape
    (1,)
    """

    def __init__(self, roll: Rollout, loss: LossArgument, scales: Mapping[str, Any], *, actions: ArrayLike | None = None) -> None:
        self._roll, self._loss = roll, loss
        self.history: list[float] = []
        self._parts: list[tuple[str, str, float, float, Floats]] = []
        for name, scale in scales.items():
            if name == "actions":
                shape = (roll.intervals, roll.controls.size)
                first = np.zeros(shape) if actions is None else shaped(actions, "actions", shape)
            elif name in roll.wrt:
                first = np.asarray(roll.parameters[name].value, dtype=float)
            else:
                raise GradientError(f"{name!r} is not differentiated by: name it in the roll-out's wrt")
            self._parts.append((name, *_scaled(name, scale, first), first))

    def start(self) -> Floats:
        """theta (k,), without unit, of the values as they are now; a new array.

        Examples
        --------
        >>> p.start().round(3)
        array([3.401])
        """
        return np.concatenate([self._to_theta(part, part[4]).reshape(-1) for part in self._parts])

    @property
    def bounds(self) -> list[tuple[float | None, float | None]]:
        """(low, high) of each number of theta, as scipy takes them; without unit."""
        bounds: list[tuple[float | None, float | None]] = []
        for _, kind, _, _, first in self._parts:
            bounds += [(0.0, 1.0) if kind == "range" else (None, None)] * first.size
        return bounds

    def values(self, theta: ArrayLike) -> dict[str, Any]:
        """{name: value} at `theta` (k,), in the parameters' units and shapes. Raises ValueError for another shape.

        Examples
        --------
        >>> {name: round(value, 9) for name, value in p.values(p.start()).items()}
        {'body.jelly.stiffness': 30.0}
        """
        flat = shaped(theta, "theta", (sum(part[4].size for part in self._parts),))
        values, begin = {}, 0
        for part in self._parts:
            name, kind, low, size, first = part
            own = flat[begin:begin + first.size].reshape(first.shape)
            value = np.exp(own) if kind == "log" else low + size * own
            values[name] = value if first.shape else float(value)
            begin += first.size
        return values

    def __call__(self, theta: ArrayLike) -> tuple[float, Floats]:
        values = self.values(theta)
        given = {name: value for name, value in values.items() if name != "actions"}
        loss, gradient = self._roll.value_and_grad(self._loss, given, values.get("actions"))
        slopes = []
        for name, kind, _, size, _ in self._parts:
            slope = np.asarray(gradient[name])
            slopes.append((slope * np.asarray(values[name]) if kind == "log" else slope * size).reshape(-1))
        self.history.append(loss)
        return loss, np.concatenate(slopes)

    @staticmethod
    def _to_theta(part: tuple[str, str, float, float, Floats], value: Floats) -> Floats:
        _, kind, low, size, _ = part
        theta: Floats = np.log(value) if kind == "log" else (value - low) / size
        return theta


def _scaled(name: str, scale: Any, first: Floats) -> tuple[str, float, float]:
    """(kind, low, size) of theta = log(value) or (value - low) / size."""
    if scale == "log":
        if (first <= 0.0).any():
            raise ValueError(f"{name}: a logarithm needs positive values")
        return "log", 0.0, 1.0
    if scale == "linear":
        return "linear", 0.0, float(np.abs(first).max(initial=0.0)) or 1.0
    try:
        low, high = (float(bound) for bound in scale)
    except (TypeError, ValueError):
        raise ValueError(f'{name}: the scale is "log", "linear" or (low, high), not {scale!r}') from None
    if not low < high:
        raise ValueError(f"{name}: low < high is wanted, not {scale!r}")
    return "range", low, high - low


def _called(loss: Any, frames: Frames) -> tuple[float, Cotangents]:
    returned = loss(frames)
    if not isinstance(returned, (tuple, list)) or len(returned) != 2:
        raise TypeError("a loss that is a function returns its value and the cotangents of the frames")
    value, cotangents = returned
    return float(shaped(value, "loss", ())), cotangents


def _names(wrt: Iterable[str], known: Parameters) -> tuple[str, ...]:
    names = tuple(wrt)
    findings = [Finding("wrt", 0, 0, f'the scene has no parameter "{name}"', "allowed: " + ", ".join(known))
                for name in names if name not in known]
    findings += [Finding("wrt", 0, 0, f'"{name}" is named twice', "name each parameter once")
                 for k, name in enumerate(names) if name in names[:k]]
    if findings:
        raise InputError(findings)
    return names


def _frames(frames: Iterable[int] | str, steps: int) -> tuple[int, ...]:
    if isinstance(frames, str):
        if frames != "all":
            raise ValueError(f'frames: steps or "all", not {frames!r}')
        return tuple(range(steps + 1))
    numbers = [int(frame) for frame in frames]
    bad = [frame for frame in numbers if not -steps - 1 <= frame <= steps]
    if bad:
        raise ValueError(f"frames: {bad[0]} is not between {-steps - 1} and {steps}")
    return tuple(sorted({frame % (steps + 1) for frame in numbers}))


def _bytes(memory: int | float | str | None) -> float:
    if memory is None:
        return 0.0
    if isinstance(memory, str):
        units = {"kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12, "B": 1.0}
        for unit, factor in units.items():
            if memory.strip().endswith(unit):
                try:
                    memory = float(memory.strip()[:-len(unit)]) * factor
                    break
                except ValueError:
                    raise ValueError(f'memory: bytes, or text as "2GB", not {memory!r}') from None
        else:
            raise ValueError(f'memory: bytes, or text as "2GB", not {memory!r}')
    size = float(memory)
    if not size > 0.0:
        raise ValueError(f"memory: > 0, not {memory!r}")
    return size


def _reshaped(values: Floats, shape: tuple[int, ...]) -> Any:
    return values.reshape(shape) if shape else float(values[0])
