"""The simulator: one step at a time, its state as arrays that never change once handed out."""

from __future__ import annotations

import os
import sys
import time
import warnings
from types import MappingProxyType, TracebackType
from typing import Any, Callable, Iterable, Mapping, NamedTuple, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core, _html
from ._arrays import Floats, Integers, scalars, shaped, vectors
from ._errors import ElectretWarning, Finding, InputError, Stop
from ._field_function import refuse_functions
from ._record import Recording
from ._scene import Scene

_report = tuple.__new__  # Of a NamedTuple, without the keywords of its own constructor.

ProgressArgument = Union[bool, Callable[[int, int], object]]


class StepReport(NamedTuple):
    """What happened in a step: iterations of the implicit solve, whether they were `capped` before the residual (kg m)
    met its target (kg m).

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
    """J, as the columns of energy.csv.

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
        """Their sum, J."""
        return self.kinetic + self.elastic + self.coulomb + self.external + self.gravity


class Work(NamedTuple):
    """Work done over the steps so far, J.

    Examples
    --------
    >>> Simulator(scene).work.dissipation
    0.0
    """

    field_work: float
    keyframe_work: float
    pin_work: float
    dissipation: float


class State(NamedTuple):
    """Everything that changes: restored, the run goes on bit for bit. The arrays are the holder's own.

    positions (n, 3) m, velocities (n, 3) m/s; `memory` is the method's, `action` (m,) that of the last step.

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


class Parameter(NamedTuple):
    """What `--wrt` and `Simulator.set` take: name, unit, shape, values now, their bounds and scale.

    Examples
    --------
    >>> sim.parameters["body.jelly.stiffness"].unit
    'N/m'
    """

    name: str
    unit: str
    shape: tuple[int, ...]
    value: Any
    bounds: tuple[float, float]
    scale: str


class Parameters(Mapping[str, Parameter]):
    """The parameters of a scene by name; `print` shows the table. Made by `Simulator.parameters`.

    Examples
    --------
    >>> sim.parameters["body.jelly.charges"].shape
    (32,)
    """

    def __init__(self, assembly: _core.Assembly) -> None:
        self._rows = {row["name"]: _parameter(row) for row in _core.parameter_table(assembly)}

    def __getitem__(self, name: str) -> Parameter:
        try:
            return self._rows[name]
        except KeyError:
            raise KeyError(f"the scene has no parameter {name!r}; print the table for those it has") from None

    def __iter__(self) -> Any:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __repr__(self) -> str:
        rows = [(p.name, p.unit or "-", str(p.shape), "" if p.shape else f"{p.value:g}") for p in self._rows.values()]
        width = max((len(row[0]) for row in rows), default=0)
        return "\n".join(f"{name:<{width}}  {unit:<8} {shape:<12} {value}".rstrip() for name, unit, shape, value in rows)


def _parameter(row: Mapping[str, Any]) -> Parameter:
    values: Floats = row["values"]
    shape: tuple[int, ...] = (row["rows"],) if row["is_list"] else ()
    if row["columns"] > 1:
        shape += (row["columns"],)
    shown = values.reshape(shape) if shape else float(values[0])
    return Parameter(row["name"], row["unit"], shape, shown, (row["minimum"], row["maximum"]),
                     "log" if row["is_logarithmic"] else "linear")


class ControlTable:
    """The inputs that the caller drives, and how they lie in an action (m,). Made by `Simulator.controls`.

    Attributes
    ----------
    names, units, shapes : tuple
        Of each control; () is the shape of one number.
    size : int
        m.

    Examples
    --------
    >>> Simulator(scene, controls=["body.jelly.charge"]).controls.units
    ('C',)
    """

    def __init__(self, rows: Sequence[tuple[str, str, int, int, bool]]) -> None:
        self.names = tuple(row[0] for row in rows)
        self.units = tuple(row[1] for row in rows)
        self.shapes = tuple(((row[2],) if row[4] else ()) + ((row[3],) if row[3] > 1 else ()) for row in rows)
        self.size = sum(row[2] * row[3] for row in rows)

    def pack(self, values: Mapping[str, ArrayLike]) -> Floats:
        """The action (m,), a new array, of `values` {name: value}; every control is named, else ValueError.

        Examples
        --------
        >>> ControlTable([("body.b.charge", "C", 1, 1, False)]).pack({"body.b.charge": 1e-6})
        array([1.e-06])
        """
        if set(values) != set(self.names):
            raise ValueError(f"pack: wanted are exactly {sorted(self.names)}, not {sorted(values)}")
        parts = [shaped(values[name], name, shape).reshape(-1) for name, shape in zip(self.names, self.shapes)]
        return np.concatenate(parts) if parts else np.zeros(0)

    def unpack(self, action: ArrayLike) -> dict[str, Any]:
        """{name: value} of an `action` (m,); copies. Raises ValueError for another length.

        Examples
        --------
        >>> ControlTable([("external_charge.0.position", "m", 1, 3, False)]).unpack([1, 2, 3])
        {'external_charge.0.position': array([1., 2., 3.])}
        """
        flat, first, result = scalars(action, "action", self.size), 0, {}
        for name, shape in zip(self.names, self.shapes):
            count = int(np.prod(shape, dtype=int))
            part = flat[first:first + count].copy()
            result[name] = part.reshape(shape) if shape else float(part[0])
            first += count
        return result

    def __repr__(self) -> str:
        return f"<electret controls: {', '.join(self.names) or 'none'}; {self.size} numbers>"


def scene_of(scene: Scene | str | os.PathLike[str], overrides: Any = ()) -> Scene:
    """The scene, or the one in a file; a copy, so that later changes do not reach it."""
    if isinstance(scene, Scene):
        made = scene.__copy__()
        for key, value in dict(overrides).items() if isinstance(overrides, Mapping) else ():
            made.set(key, value)
        if not isinstance(overrides, Mapping):
            for line in overrides:
                raise TypeError(f"overrides of a Scene are given as {{key: value}}, not as text ({line!r})")
        return made
    if not isinstance(scene, (str, os.PathLike)):
        raise TypeError(f"scene: a Scene or a path is wanted, not {type(scene).__name__}")
    return Scene.load(scene, overrides)


def progress_function(progress: ProgressArgument, what: str) -> Callable[[int, int], object] | None:
    """A callable as it is; of True one that writes a line on stderr, at most 10 times a second."""
    if not progress:
        return None
    if callable(progress):
        return progress
    last = [0.0]

    def show(done: int, total: int) -> None:
        now = time.monotonic()
        if now - last[0] < 0.1 and done < total:
            return
        last[0] = now
        sys.stderr.write(f"\r{what}: step {done} of {total}" + ("\n" if done == total else ""))
        sys.stderr.flush()

    return show


class Simulator:
    """Steps a scene.

    Parameters
    ----------
    scene : Scene or path
        Copied: later changes of it have no effect.
    controls : names
        Inputs that the caller drives from now on, instead of the scene's key-frames: "body.B.charge",
        "body.B.charge[G]", "body.B.charges", "body.B.forces", "external_charge.I.charge",
        "external_charge.I.position", "body.B.pin[G].offset", "body.B.pin[G].positions", "body.B.load.I.force",
        "body.B.muscle.I.activation" and ".activations".
    threads : int, default 0
        0: one for every core. Results have the same bits at any number.

    Raises InputError with every finding; its methods raise RuntimeError once it is closed, while another thread's call
    is under way, and in a process forked since.

    Examples
    --------
    >>> scene = Scene(time={"step": 0.01, "steps": 10}, gravity={"acceleration": (0, 0, -9.81)})
    >>> _ = scene.body(name="stone", generate={"shape": "chain", "vertices": 2}, mass=1.0)
    >>> sim = Simulator(scene)
    >>> sim.run()
    >>> round(float(sim.velocities[0, 2]), 6)
    -0.981
    """

    def __init__(self, scene: Scene | str | os.PathLike[str], *, controls: Iterable[str] = (), threads: int = 0) -> None:
        if isinstance(controls, str):
            raise TypeError("controls: a list of names is wanted, not one text")
        self._scene = scene_of(scene)
        assembly = self._scene.assembly()
        self._core = _core.Simulator(assembly, list(controls), threads)
        self._step = self._core.step
        self._controls = ControlTable(self._core.controls())
        self._fixed: dict[str, Any] | None = None
        self._told = False
        for text in _core.scene_warnings(assembly):
            if not (" warning: group " in text and " is not used" in text):  # Here `groups` and controls use them.
                warnings.warn(text, ElectretWarning, stacklevel=2)

    # Stepping

    def step(self, action: ArrayLike | None = None) -> StepReport:
        """One step; `action` (m,) holds over all of it, None means the schedule's values.

        Raises DivergenceError (the state is then that of the last good step), ValueError and TypeError for a wrong
        action, RuntimeError while another call is under way.

        Examples
        --------
        >>> sim.step().capped
        False
        """
        if not self._told:
            self._tell()
        return _report(StepReport, self._step(None if action is None else self._action(action)))

    def run(self, steps: int | None = None, *, action: ArrayLike | None = None,
            callback: Callable[[Simulator], object] | None = None, every: int = 1, progress: ProgressArgument = False) -> None:
        """Steps on. Ctrl-C raises KeyboardInterrupt after the step under way.

        Parameters
        ----------
        steps : int, optional
            How many; default: to the scene's last step.
        action : (m,) array, default None
            Holds over all steps; None: the schedule's values.
        callback : function, default None
            Called as callback(sim) after every `every`-th step; `Stop` raised in it ends the run quietly.
        every : int, default 1
        progress : bool or function, default False
            True: a line on stderr, at most 10 a second; a function is given (done, total) after each step.

        Raises what `step` raises; what `callback` and `progress` raise arrives unchanged.

        Examples
        --------
        >>> sim.run(4, callback=lambda sim: print(sim.time), every=2)
        0.02
        0.04
        """
        if every < 1:
            raise ValueError(f"every: at least 1, not {every}")
        if steps is not None and steps < 0:
            raise ValueError(f"steps: at least 0, not {steps}")
        if not self._told:
            self._tell()
        last = self._core.last_step if steps is None else self._core.steps_done + steps
        call = None if callback is None else (lambda: callback(self))
        try:
            self._core.run(last, None if action is None else self._action(action), call, every, progress_function(progress, "electret"))
        except Stop:
            pass

    def record(self, directory: str | os.PathLike[str], every: int = 1, *, overwrite: bool = False) -> Recording:
        """Records the steps from here on in a run directory, until the context or the recording is closed.

        Parameters
        ----------
        directory : path
            Its files are those of `electret.run`, with the charges of every frame where they are driven. A finished
            record of the same scene there is replaced, any other run only with `overwrite`.
        every : int, default 1
            A frame after every `every`-th step; the state now is frame 0.
        overwrite : bool, default False

        Raises InputError for a directory that may not be replaced, and for a scene with an electric field that is a
        function; IoError. While it records, the simulator can only
        be stepped: `reset`, `restore`, `set` and `close` raise RuntimeError.

        Examples
        --------
        >>> with sim.record("runs/walk", overwrite=True):
        ...     sim.run(2)
        """
        refuse_functions(self._scene, "recorded")
        return Recording(self._core, directory, every, overwrite)

    def reset(self) -> None:
        """Back to step 0 and the scene's initial state, with the parameters as they are set now.

        Examples
        --------
        >>> sim.reset()
        """
        self._core.reset()

    def close(self) -> None:
        """Frees the simulator's memory; arrays handed out stay. Closing twice does nothing. Raises RuntimeError while
        a call is under way.

        Examples
        --------
        >>> sim.close()
        """
        self._core.close()

    def __enter__(self) -> Simulator:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    # State

    @property
    def positions(self) -> Floats:
        """(n, 3) m; read-only, on the simulator's own memory, and never changing once handed out."""
        array: Floats = self._core.positions
        return array

    @property
    def velocities(self) -> Floats:
        """(n, 3) m/s; as `positions`."""
        array: Floats = self._core.velocities
        return array

    @property
    def charges(self) -> Floats:
        """(n,) C, those in force at the state's time; a read-only copy."""
        charges: Floats = _frozen(self._core.charges)
        return charges

    @property
    def pin_positions(self) -> Floats:
        """(p, 3) m, where the pinned vertices are, in ascending order; a read-only copy."""
        places: Floats = _frozen(self._core.pin_positions)
        return places

    @property
    def pin_reactions(self) -> Floats:
        """(p, 3) N, the force that held or moved each pin over the last step; a read-only copy."""
        forces: Floats = _frozen(self._core.pin_reactions)
        return forces

    @property
    def time(self) -> float:
        """The state's time, s."""
        return float(self._core.time)

    @property
    def steps_done(self) -> int:
        """Steps since the scene's start, without unit."""
        return int(self._core.steps_done)

    @property
    def work(self) -> Work:
        """Work done over the steps so far, J."""
        return Work(*self._core.work)

    def energies(self) -> Energies:
        """The energies of the state now, J, as a row of energy.csv. Raises DivergenceError where charges coincide.

        Examples
        --------
        >>> sim.energies().kinetic
        0.0
        """
        return Energies(*self._core.energies())

    def state(self) -> State:
        """A copy of everything that changes; it pickles. See `restore`.

        Examples
        --------
        >>> sim.state().step
        0
        """
        core = self._core
        return State(core.steps_done, core.positions.copy(), core.velocities.copy(), core.memory, Work(*core.work),
                     np.array(core.last_action))

    def restore(self, state: State) -> None:
        """Goes on from `state`, bit for bit; its arrays are copied. Raises ValueError for another number of vertices.

        Examples
        --------
        >>> before = sim.state()
        >>> sim.run(2); sim.restore(before); sim.steps_done
        0
        """
        count = len(self.masses)
        self._core.restore(int(state.step), vectors(state.positions, "state.positions", count),
                           vectors(state.velocities, "state.velocities", count),
                           {name: scalars(values, name) for name, values in state.memory.items()},
                           [float(joules) for joules in state.work], list(state.action))

    # What stays

    @property
    def masses(self) -> Floats:
        """(n,) kg; read-only."""
        values: Floats = self._kept("masses")
        return values

    @property
    def rest_positions(self) -> Floats:
        """(n, 3) m, the meshes as placed; read-only."""
        values: Floats = self._kept("rest_positions")
        return values

    @property
    def springs(self) -> Integers:
        """(s, 2) vertex indices; a copy."""
        rows: Integers = self._kept("springs")
        return rows.copy()

    @property
    def spring_stiffness(self) -> Floats:
        """(s,) N/m; read-only."""
        values: Floats = self._kept("spring_stiffness")
        return values

    @property
    def spring_rest_length(self) -> Floats:
        """(s,) m; read-only."""
        values: Floats = self._kept("spring_rest_length")
        return values

    @property
    def faces(self) -> Integers:
        """(F, 3) vertex indices; a copy."""
        rows: Integers = self._kept("faces")
        return rows.copy()

    @property
    def bodies(self) -> Mapping[str, slice]:
        """{name: slice of the body's vertices}."""
        return MappingProxyType(self._kept("bodies"))

    @property
    def groups(self) -> dict[str, Integers]:
        """{"body[group]": vertex indices}; copies."""
        return {name: members.copy() for name, members in self._kept("groups").items()}

    @property
    def scene(self) -> Scene:
        """A copy of the scene that the simulator was made of."""
        return self._scene.__copy__()

    @property
    def choices(self) -> dict[str, str]:
        """Integrator and field solver, and why they were chosen."""
        choices: dict[str, str] = self._core.choices()
        return choices

    @property
    def time_step(self) -> float:
        """The time step h, s."""
        return float(self._core.time_step)

    @property
    def threads(self) -> int:
        """How many threads compute, without unit."""
        return int(self._core.threads)

    @property
    def controls(self) -> ControlTable:
        """The inputs that the caller drives: `.names .size .units .shapes`, `.pack({...})`, `.unpack(action)`."""
        return self._controls

    # Parameters

    @property
    def parameters(self) -> Parameters:
        """What can be set and differentiated by, with its values now."""
        return Parameters(self._core.assembly())

    def set(self, values: Mapping[str, ArrayLike]) -> None:
        """Sets parameters to `values` {name: value} between steps; the state stays. Initial positions and velocities
        act at `reset`. Values are copied.

        Raises InputError for unknown names and values out of bounds, ValueError for wrong shapes.

        Examples
        --------
        >>> sim.set({"body.jelly.stiffness": 5.0})
        """
        self._core.set(checked_values(self.parameters, values))
        self._fixed = None

    # Python's own

    def __reduce__(self) -> Any:
        raise TypeError("a simulator does not pickle; pickle its scene and sim.state()")

    def __repr__(self) -> str:
        try:
            return f"<electret.Simulator: {len(self.masses)} vertices, step {self.steps_done}, {self.time:g} s>"
        except RuntimeError as error:
            return f"<electret.Simulator: {error}>"

    def _repr_html_(self) -> str:
        try:
            bodies = [(name, part.stop - part.start, float(self.masses[part].sum()), float(self.charges[part].sum()))
                      for name, part in self.bodies.items()]
            rest = [("step", self.steps_done), ("time", f"{self.time:.6g} s"), ("threads", self.threads), *self.choices.items()]
        except RuntimeError:  # Closed, or at work.
            return _html.table(repr(self)[1:-1], (), [])
        head = ("body", "vertices", "mass, kg", "charge, C")
        controls = [(name, unit, shape) for name, unit, shape in zip(self.controls.names, self.controls.units, self.controls.shapes)]
        return (_html.table(repr(self)[1:-1], head, bodies) + _html.table("", (), [row for row in rest if row[1] != ""])
                + (_html.table("", ("control", "unit", "shape"), controls) if controls else ""))

    def _action(self, action: ArrayLike) -> Floats:
        if self._controls.size == 0:
            raise ValueError("action: this simulator has no controls")
        return scalars(action, "action", self._controls.size)

    def _kept(self, name: str) -> Any:
        if self._fixed is None:
            self._fixed = {key: _frozen(value) if isinstance(value, np.ndarray) else value
                           for key, value in self._core.fixed_arrays().items()}
        return self._fixed[name]

    def _tell(self) -> None:
        self._told = True
        notice = self._core.charge_step_notice()
        if notice:
            warnings.warn(notice, ElectretWarning, stacklevel=3)


def checked_values(parameters: Parameters, values: Mapping[str, ArrayLike]) -> list[tuple[str, Floats]]:
    """Flat values of parameters, checked: InputError with every unknown name and value out of bounds."""
    findings, result = [], []
    for name, value in values.items():
        if name not in parameters:
            findings.append(Finding(name, 0, 0, f'the scene has no parameter "{name}"', "allowed: " + ", ".join(parameters)))
            continue
        row = parameters[name]
        flat = shaped(value, name, row.shape).reshape(-1)
        low, high = row.bounds
        if flat.size and (flat.min() < low or flat.max() > high):
            worst = float(flat.min() if flat.min() < low else flat.max())
            findings.append(Finding(name, 0, 0, f"is set to {worst:g}", f"allowed: {low:g} … {high:g}"))
        result.append((name, flat))
    if findings:
        raise InputError(findings)
    return result


def _frozen(array: NDArray[Any]) -> Any:
    """A read-only copy that nobody can make writable."""
    if array.size == 0:
        array.flags.writeable = False
        return array
    return np.frombuffer(array.tobytes(), array.dtype).reshape(array.shape)
