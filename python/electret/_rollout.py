"""Roll-outs: recorded runs and their derivatives by a backward sweep."""

from __future__ import annotations

from typing import Any, Callable, Iterable, Mapping, NamedTuple, Union

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from . import loss as _loss
from ._arrays import Floats, shaped, texts, whole
from ._controls import ControlTable
from ._errors import Finding, InputError, suggestion
from ._field_function import refuse_gradients
from ._gradient import Gradient, refuse_missing
from ._gradient_check import Check, checked_gradient
from ._parameters import Parameters, checked_values, reshaped
from ._repr import of_fields, one_line
from ._rollout_plan import frame_steps, memory_bytes
from ._simulator import Simulator
from ._state import State, checked_place

Cotangents = Mapping[str, Any]
LossFunction = Callable[["Frames"], "tuple[float, Cotangents]"]
LossArgument = Union[str, _loss.Loss, LossFunction]


class Frames(NamedTuple):
    """The kept frames of a roll-out, in new arrays: positions (F, n, 3) m, velocities (F, n, 3) m/s, times (F,) s, and steps.

    Examples
    --------
    >>> roll.forward().times.round(3)
    array([0.02])
    """

    positions: Floats
    velocities: Floats
    times: Floats
    steps: tuple[int, ...]

    def __repr__(self) -> str:
        return of_fields(self)


class Rollout:
    """Runs from the scene's initial state that are recorded, so that a backward sweep can give their derivatives.

    Parameters
    ----------
    sim : Simulator
        Its scene, parameters, controls and threads are used. The simulator itself is not changed.
    wrt : names
        The parameters with respect to which derivatives are taken, named as in `sim.parameters`. Several may hold the
        same numbers: each derivative is for a change of that name alone.
    steps : int, optional
        T; default: the scene's.
    hold : int, default 1
        Steps over which an action holds. There are J = ceil(steps / hold) actions.
    frames : steps, or "all"
        The steps whose states are kept, in ascending order, each once; -1 is the last.
    memory : bytes, or text such as "2GB"; optional
        Memory for states; default: half of the free memory. States that do not fit are computed again, to the same bits.

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
        names = texts(wrt, "wrt")
        if not isinstance(getattr(sim, "controls", None), ControlTable):
            raise TypeError(f"sim must be a Simulator, not {type(sim).__name__}")
        self._assembly = sim._core.assembly()
        self.parameters = Parameters(self._assembly)
        self.wrt = _names(names, self.parameters)
        self._scene = sim.scene
        if self.wrt:
            refuse_gradients(self._scene)
        self.steps = whole(sim._core.last_step if steps is None else steps, "steps", 1)
        self.hold = whole(hold, "hold", 1)
        self.intervals = -(-self.steps // self.hold)
        self.frames = frame_steps(frames, self.steps)
        self.controls = sim.controls
        self._count, self._time_step = len(sim.masses), sim.time_step
        budget = memory_bytes(memory)
        self._core = _core.Rollout(self._assembly, list(self.controls.names), list(self.wrt), self.steps, self.hold,
                                   budget, sim.threads)
        if budget and budget < 3 * self._core.bytes_of_state:
            raise ValueError(f"memory must hold at least three states of {self._core.bytes_of_state:.0f} bytes, not {memory!r}")
        self._notices = sim._notices
        self._loss: float | None = None
        self._has_actions = self._has_start = False

    def forward(self, values: Mapping[str, ArrayLike] | None = None, actions: ArrayLike | None = None, *,
                start: State | None = None) -> Frames:
        """Runs forward and keeps the frames.

        Parameters
        ----------
        values : {name: value}, default none
            Values of parameters, in their units and shapes. Others keep their values. They are copied.
        actions : (J, m) array, default None
            The values of the controls, one row per interval. None: the schedule's values. They are copied.
        start : State, default None
            The state from which the run starts. None: the scene's initial state.

        Returns
        -------
        Frames
            In new arrays.

        Raises ValueError and TypeError for wrong arrays, InputError for unknown names, for values that are not allowed
        and for names that hold the same numbers, DivergenceError; GradientError where `actions` or `start` are given, by
        which `vjp` will differentiate, and a field has no `vjp`.

        Examples
        --------
        >>> roll.forward({"body.jelly.stiffness": 5.0}).positions.shape
        (1, 32, 3)
        """
        if actions is not None or start is not None:
            refuse_gradients(self._scene)
        frames = self._forward(values, actions, start, None)
        self._tell_steps()
        return frames

    def _forward(self, values: Mapping[str, ArrayLike] | None, actions: ArrayLike | None, start: State | None,
                 loss: _core.Loss | None) -> Frames:
        given = checked_values(self.parameters, {} if values is None else values)
        flat = None
        if actions is not None:
            if self.controls.size == 0:
                raise ValueError("actions: this simulator has no controls")
            flat = shaped(actions, "actions", (self.intervals, self.controls.size))
        place = None
        if start is not None:
            place = checked_place(start, "start", self._count, self._core.memory_layout)._asdict()
        value, positions, velocities, first, self._capped = self._core.forward([(name, list(numbers)) for name, numbers in given], flat,
                                                                 list(self.frames), loss, place)
        self._loss, self._has_actions, self._has_start = value if loss is not None else None, flat is not None, start is not None
        shape = (len(self.frames), self._count, 3)
        return Frames(np.array(positions).reshape(shape), np.array(velocities).reshape(shape),
                      np.array([(first + frame) * self._time_step for frame in self.frames]), self.frames)

    def vjp(self, cotangents: Cotangents) -> Gradient:
        """Derivatives of Σ cotangent · quantity over the last `forward`, by the adjoint of its steps.

        Parameters
        ----------
        cotangents : {name: array}
            "positions" (F, n, 3) 1/m, "velocities" (F, n, 3) s/m, and "energy" (a number, 1/J, for the total energy at
            the end). They are read in place and not kept.

        Returns
        -------
        Gradient
            With respect to `wrt`, to "actions" (J, m) if there were any, and to "start.positions" and "start.velocities"
            if `start` was given. A second call gives the same bits.

        Raises ValueError and TypeError for wrong arrays, also for a NaN in one; GradientError if a derivative does not
        exist; RuntimeError before `forward`.

        Examples
        --------
        >>> _ = roll.forward()
        >>> list(roll.vjp({"energy": 1.0}))
        ['body.jelly.stiffness']
        """
        refuse_gradients(self._scene)
        return self._vjp(cotangents, False)

    def _vjp(self, cotangents: Cotangents, counts_loss: bool) -> Gradient:
        if not isinstance(cotangents, Mapping):
            raise TypeError(f"cotangents must be a dict of arrays by name, not {type(cotangents).__name__}")
        unknown = set(cotangents) - {"positions", "velocities", "energy"}
        if unknown:
            raise ValueError(f"cotangents must be of positions, velocities and energy, not of {', '.join(sorted(map(str, unknown)))}")
        shape = (len(self.frames), self._count, 3)
        parts: list[list[Floats]] = []
        for name in ("positions", "velocities"):
            array = shaped(cotangents[name], f"cotangent of {name}", shape) if name in cotangents else None
            parts.append([] if array is None else [np.ascontiguousarray(frame) for frame in array])
        by_energy = float(shaped(cotangents.get("energy", 0.0), "cotangent of energy", ()))
        result = self._core.backward(parts[0], parts[1], by_energy, counts_loss, list(self.wrt))
        self._tell_gradient(result["report"])
        refuse_missing(result["gradients"])
        values = {name: reshaped(result["gradients"][name], self.parameters[name].shape) for name in self.wrt}
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
        loss : loss of `electret.loss`, text as for `--loss`, or function
            A function receives the frames, and returns its value and the cotangents as for `vjp`.
        values, actions
            As for `forward`.

        Returns
        -------
        float, Gradient

        Raises what `forward` and `vjp` raise. Exceptions of a function arrive unchanged.

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
        value, cotangents = _value_and_cotangents(loss, self._forward(values, actions, None, None))
        gradient = self.vjp(cotangents)
        gradient.loss = value
        return value, gradient

    def value(self, loss: LossArgument, values: Mapping[str, ArrayLike] | None = None,
              actions: ArrayLike | None = None) -> float:
        """Only the loss. `loss`, `values` and `actions` are as for `value_and_grad`. Raises what `forward` raises.

        Examples
        --------
        >>> isinstance(roll.value("energy"), float)
        True
        """
        value = self._value(loss, values, actions)
        self._tell_steps()
        return value

    def _value(self, loss: LossArgument, values: Mapping[str, ArrayLike] | None = None, actions: ArrayLike | None = None) -> float:
        made = self._made(loss)
        frames = self._forward(values, actions, None, made)
        if made is None:
            return _value_and_cotangents(loss, frames)[0]
        assert self._loss is not None
        return self._loss

    def check(self, loss: LossArgument, values: Mapping[str, ArrayLike] | None = None,
              actions: ArrayLike | None = None) -> list[Check]:
        """Compares the gradient with differences of whole runs: along its own direction and three seeded ones.

        `loss`, `values` and `actions` are as for `value_and_grad`. Returns one row per direction. A value that is at
        the end of its parameter's range is moved to the inside alone. If names of `wrt` hold the same numbers, as
        "body.a.mass" and "body.a.masses" do, each name is checked alone, and its rows' directions begin with it. Raises
        what `value_and_grad` raises, and InputError if a name of `wrt` holds numbers that `values` sets under another.

        Examples
        --------
        >>> max(row.relative_error for row in roll.check("energy")) < 1e-6
        True
        """
        return checked_gradient(self, self._assembly, loss, values or {}, actions)

    def _tell_steps(self) -> None:
        self._notices.tell("capped", self._capped)

    def _tell_gradient(self, report: Mapping[str, Any]) -> None:
        if report["capped_steps"] > 0:
            self._notices.tell("capped gradient", f"{report['capped_steps']} of {report['steps']} steps ended before integrator.tolerance was met, "
                               "within integrator.max_iterations; the gradient is only as exact as these steps")

    def _made(self, loss: LossArgument) -> _core.Loss | None:
        if isinstance(loss, str):
            loss = _loss.of_text(loss)
        if isinstance(loss, _loss.Loss):
            return loss._made(self._assembly, self._count, self.steps)
        if callable(loss):
            return None
        raise TypeError(f"loss must be text, a loss of electret.loss or a function, not {type(loss).__name__}")

    def __reduce__(self) -> Any:
        raise TypeError("a roll-out does not pickle; make one where it is needed")

    def __repr__(self) -> str:
        return f"<electret.Rollout: {self.steps} steps by {one_line(', '.join(self.wrt)) or 'no parameter'}>"


def _value_and_cotangents(loss: Any, frames: Frames) -> tuple[float, Cotangents]:
    returned = loss(frames)
    if not isinstance(returned, (tuple, list)) or len(returned) != 2:
        raise TypeError("a loss that is a function returns its value and the cotangents of the frames")
    value, cotangents = returned
    return float(shaped(value, "loss", ())), cotangents


def _names(wrt: Iterable[str], known: Parameters) -> tuple[str, ...]:
    names = tuple(wrt)
    findings = [Finding("wrt", 0, 0, f'the scene has no parameter "{name}"', suggestion(name, known))
                for name in names if name not in known]
    findings += [Finding("wrt", 0, 0, f'"{name}" is named twice', "name each parameter once")
                 for k, name in enumerate(names) if name in names[:k]]
    if findings:
        raise InputError(findings)
    return names
