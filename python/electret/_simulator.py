"""The simulator. It takes one step at a time, and its arrays never change after they were handed out."""

from __future__ import annotations

import os
from types import MappingProxyType, TracebackType
from typing import Any, Callable, Iterable, Mapping

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from ._arrays import Floats, Integers, flag, listed, path, scalars, texts, thread_count, whole
from ._controls import ControlTable
from ._errors import Stop
from ._field_function import refuse_functions
from ._parameters import Parameters, checked_values
from ._progress import ProgressArgument, progress_function
from ._record import Recording
from ._repr import one_line
from ._scene import Scene, scene_of
from ._simulator_html import html_of
from ._state import (Contact, ContactPairs, ElementStress, Energies, Grab, Observables, State, StepReport, Work, checked_action, checked_grabs,
                     checked_place, frozen, grabs_of)
from ._warn import Notices, warn


class Simulator:
    """Simulates a scene step by step.

    Parameters
    ----------
    scene : Scene or path
        It is copied, so that later changes of it have no effect.
    controls : names
        Inputs that the caller drives, instead of the scene's key-frames: "body.B.charge",
        "body.B.charge[G]", "body.B.charges", "body.B.forces", "external_charge.I.charge",
        "external_charge.I.position", "body.B.pin[G].offset", "body.B.pin[G].positions", "body.B.load.I.force",
        "body.B.muscle.I.activation" and ".activations", "grab.I.target", ".stiffness" and ".damping", and "obstacle.NAME.placement" (4, 3): offset (m), rotation
        (degrees), and the rates of both (m/s, degrees/s), of which the rates drive friction.
    threads : int, default 0
        0: one per core. Results have the same bits for any number.

    Warns as a run does before it starts, except of groups that the scene does not use and of disk space.

    Raises InputError with every finding. Its methods raise RuntimeError after `close`, during another thread's call, and
    in a process that was forked after the simulator was made.

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
        names = texts(controls, "controls")
        self._scene = scene_of(scene)
        self._core = _core.Simulator(self._scene.assembly(), names, thread_count(threads))
        self._step = _core.step_function(self._core, StepReport)
        self._controls = ControlTable(self._core.controls())
        self._fixed: tuple[int, dict[str, Any]] | None = None  # What stays, and the number of the system that it is of.
        self._notices, self._told = Notices(), self._core.tells_of_charges
        for kind, text in self._core.warnings():
            if kind != "unused_group":  # Here `groups` and controls use them.
                warn(text)

    # Stepping

    def step(self, action: ArrayLike | None = None, *, grabs: Iterable[Grab] = ()) -> StepReport:
        """Takes one step, after the scene's changes that are due. `action` (m,) holds over the whole step; None means the
        schedule's values. So do `grabs`, which pull vertices beside the scene's `[[grab]]` tables; what their springs get where
        they begin, move or end is key-frame work.

        Raises DivergenceError (the state is then that of the last good step), ValueError and TypeError for a wrong action,
        and RuntimeError during another call. Raises IoError if the step cannot be recorded: it was taken then. So was
        each further step that raises IoError, until the recording is closed.

        Examples
        --------
        >>> sim.step().capped
        False
        """
        if not self._told:
            self._tell()
        given = None if action is None else self._action(action)
        hands = checked_grabs(grabs, "grabs", len(self.masses)) if grabs != () else []
        return self._step(given) if not hands else StepReport(*self._core.step_with_grabs(given, hands))

    def run(self, steps: int | None = None, *, action: ArrayLike | None = None,
            callback: Callable[[Simulator], object] | None = None, every: int = 1, progress: ProgressArgument = False) -> None:
        """Takes several steps. Ctrl-C raises KeyboardInterrupt after the current step.

        Parameters
        ----------
        steps : int, optional
            How many steps; default: up to the scene's last step.
        action : (m,) array, default None
            It holds over all steps. None: the schedule's values.
        callback : function, default None
            Called as callback(sim) after every `every`-th step. If it raises `Stop`, the run ends without an error.
        every : int, default 1
        progress : bool or function, default False
            True shows a line on stderr, at most 10 times per second. A function is called as progress(done, total) after
            each step.

        Warns, once per simulator, if steps ended before integrator.tolerance was met, whatever ends the run. Raises what `step`
        raises. Exceptions of `callback` and `progress` arrive unchanged.

        Examples
        --------
        >>> sim.run(4, callback=lambda sim: print(sim.time), every=2)
        0.02
        0.04
        """
        every = whole(every, "every", 1)
        last = self._core.last_step if steps is None else self._core.steps_done + whole(steps, "steps", 0)
        if callback is not None and not callable(callback):
            raise TypeError(f"callback must be a function, not {type(callback).__name__}")
        told = progress_function(progress, "electret")
        if not self._told:
            self._tell()
        stops: list[BaseException] = []
        notices: list[str] = []

        def call() -> None:
            assert callback is not None
            try:
                callback(self)
            except Stop as stop:
                stops.append(stop)
                raise

        try:
            self._core.run(last, None if action is None else self._action(action), None if callback is None else call, every, told,
                           notices.append)
        except BaseException as error:
            if not any(error is stop for stop in stops):  # A field's or `progress`'s Stop is not the way to end a run.
                self._notices.tell("capped", "".join(notices), error)
                raise
        self._notices.tell("capped", "".join(notices))

    def record(self, directory: str | os.PathLike[str], every: int = 1, *, overwrite: bool = False) -> Recording:
        """Records the following steps in a run directory, until the context or the recording is closed.

        Parameters
        ----------
        directory : path
            It gets the files of `electret.run`, with the charges of every frame if they are driven. A finished record
            of the same scene there is replaced; any other run is replaced only with `overwrite`.
        every : int, default 1
            A frame is written after every `every`-th step; the present state is frame 0.
        overwrite : bool, default False

        The record's scene is the simulator's with the values that `set` has given, which are among its overrides. Rest
        positions, for which scenes have no key, are in the trajectory.

        Raises InputError for a directory that may not be replaced, and for a scene with an electric field that is a
        function. Raises IoError if a file cannot be written. During the record the simulator can only be stepped: `reset`,
        `restore`, `set` and `close` raise RuntimeError.

        Examples
        --------
        >>> with sim.record("runs/walk", overwrite=True):
        ...     sim.run(2)
        """
        refuse_functions(self._scene, "recorded")
        return Recording(self._core, path(directory, "directory"), whole(every, "every", 1), flag(overwrite, "overwrite"))

    def reset(self) -> None:
        """Goes back to step 0 and the scene's initial state, with the present values of the parameters. If the scene has
        changes, it begins as it was written.

        Examples
        --------
        >>> sim.reset()
        """
        self._core.reset()

    def close(self) -> None:
        """Frees the simulator's memory. Arrays that were handed out stay valid. A second call does nothing.

        Raises RuntimeError during another call.

        Examples
        --------
        >>> sim.close()
        """
        self._core.close()

    def __enter__(self) -> Simulator:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if error is None:
            self.close()
            return
        self._core.abandon_recording()
        try:
            self.close()
        except RuntimeError as failed:  # The first error is the one to be told of.
            error.add_note(f"the simulator could not be closed: {failed}")

    # State

    @property
    def positions(self) -> Floats:
        """(n, 3) m; a read-only view of the simulator's memory, which never changes after it was handed out."""
        array: Floats = self._core.positions
        return array

    @property
    def velocities(self) -> Floats:
        """(n, 3) m/s; a read-only view, as `positions`."""
        array: Floats = self._core.velocities
        return array

    @property
    def charges(self) -> Floats:
        """(n,) C, the charges at the state's time; a read-only copy."""
        charges: Floats = frozen(self._core.charges)
        return charges

    @property
    def pins(self) -> Integers:
        """(p,) vertex indices of the pinned vertices, ascending: the rows of `pin_positions` and `pin_reactions`; a copy."""
        indices: Integers = self._kept("pins")
        return indices.copy()

    @property
    def pin_positions(self) -> Floats:
        """(p, 3) m, the places of the vertices `pins`; a read-only copy."""
        places: Floats = frozen(self._core.pin_positions)
        return places

    @property
    def pin_reactions(self) -> Floats:
        """(p, 3) N, the force that held or moved each of the vertices `pins` over the last step, as a mean over the step; 0
        where no step led to the state: at the start, and after `restore` and `reset`. A read-only copy."""
        forces: Floats = frozen(self._core.pin_reactions)
        return forces

    @property
    def contact(self) -> Contact:
        """What obstacles with the law `exact` push vertices with at the end of the last step, N; nothing where no step led to the
        state: at the start, and after `restore` and `reset`. New arrays."""
        return Contact(*self._core.contact)

    @property
    def contact_pairs(self) -> ContactPairs:
        """What parts of bodies that touch each other push each other with at the end of the last step; nothing where no step led
        to the state, and where bodies may not touch. New arrays."""
        return ContactPairs(*self._core.contact_pairs)

    @property
    def obstacles(self) -> list[str]:
        """The names of the scene's obstacles; their numbers in `contact` are places in this list."""
        return list(self._core.obstacles)

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
        """The energies of the present state in J, as a row of energy.csv. Raises DivergenceError if charges coincide.

        Examples
        --------
        >>> sim.energies().kinetic
        0.0
        """
        return Energies(*self._core.energies())

    def observables(self) -> Observables:
        """How all vertices together move now, in m, kg m/s and kg m²/s: a row of observables.csv (docs/outputs.md).

        Examples
        --------
        >>> sim.observables().linear_momentum
        array([0., 0., 0.])
        """
        time, centre, radius, linear, angular, distance = self._core.observables()
        return Observables(time, np.array(centre), radius, np.array(linear), np.array(angular), distance)

    def element_stress(self) -> ElementStress:
        """The stress of each element in the present state, Pa, rows as `tetrahedra` and then `hexahedra`; new arrays.

        The stress is that of the materials, as a mean over the element, without muscles. It is 0 for elements without a
        material. Of `linear`, a law of small strains, it is 2 mu eps + lambda tr(eps) I.

        Examples
        --------
        >>> sim.element_stress().von_mises.shape
        (0,)
        """
        return ElementStress(*self._core.element_stress())

    def state(self) -> State:
        """A copy of everything that changes during a run, which can be pickled. See `restore`.

        Examples
        --------
        >>> sim.state().step
        0
        """
        core = self._core
        return State(core.steps_done, core.positions.copy(), core.velocities.copy(), core.memory, Work(*core.work),
                     np.array(core.last_action), grabs_of(core.last_grabs))

    def restore(self, state: State) -> None:
        """Continues from `state`, bit for bit. Its arrays are copied.

        Raises ValueError and TypeError for another number of vertices or of controls, a step below 0, memory that no
        method keeps, and numbers that are not finite; the simulator then stays as it is.

        Examples
        --------
        >>> before = sim.state()
        >>> sim.run(2); sim.restore(before); sim.steps_done
        0
        """
        place = checked_place(state, "state", len(self.masses), self._core.memory_layout)
        work = scalars(getattr(state, "work", (0.0,) * 4), "state.work", 4)
        action = checked_action(getattr(state, "action", ()), "state.action", self._controls.size)
        self._core.restore(*place, listed(work), action, checked_grabs(getattr(state, "grabs", ()), "state.grabs", len(self.masses)))

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
    def tetrahedra(self) -> Integers:
        """(T, 4) vertex indices of the elements, in Gmsh's order; a copy."""
        rows: Integers = self._kept("tetrahedra")
        return rows.copy()

    @property
    def hexahedra(self) -> Integers:
        """(H, 8) vertex indices of the elements, in Gmsh's order; a copy."""
        rows: Integers = self._kept("hexahedra")
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
        """A copy of the scene from which the simulator was made."""
        return self._scene.__copy__()

    @property
    def choices(self) -> dict[str, str]:
        """The integrator, the field solver, and why they were chosen."""
        choices: dict[str, str] = self._core.choices()
        return choices

    @property
    def time_step(self) -> float:
        """The time step h, s."""
        return float(self._core.time_step)

    @property
    def threads(self) -> int:
        """The number of threads, without unit."""
        return int(self._core.threads)

    @property
    def controls(self) -> ControlTable:
        """The inputs that the caller drives: `.names .size .units .shapes`, `.pack({...})`, `.unpack(action)`."""
        return self._controls

    # Parameters

    @property
    def parameters(self) -> Parameters:
        """The parameters that can be set and with respect to which gradients exist, with their present values."""
        return Parameters(self._core.assembly())

    def set(self, values: Mapping[str, ArrayLike]) -> None:
        """Sets parameters to `values` {name: value} between steps. The state stays the same.

        The change of the energy at the same positions and velocities is in `work.keyframe_work`. Initial positions and
        velocities take effect at `reset`. Values are copied.

        Raises InputError for unknown names, for values that are not allowed, for names that hold the same numbers, such
        as "body.a.mass" and "body.a.masses", and if the scene has a `[[change]]` to come, which would undo this. Raises
        ValueError for wrong shapes. The parameters then stay as they were.

        Examples
        --------
        >>> sim.set({"body.jelly.stiffness": 5.0})
        """
        self._core.set(checked_values(self.parameters, values))

    # Python's own

    def __reduce__(self) -> Any:
        raise TypeError("a simulator does not pickle; pickle its scene and sim.state()")

    def __repr__(self) -> str:
        try:
            return f"<electret.Simulator: {len(self.masses)} vertices, step {self.steps_done}, {self.time:g} s>"
        except RuntimeError as error:
            return f"<electret.Simulator: {one_line(str(error))}>"

    def _repr_html_(self) -> str:
        return html_of(self)

    def _action(self, action: ArrayLike) -> Floats:
        if self._controls.size == 0:
            raise ValueError("action: this simulator has no controls")
        return scalars(action, "action", self._controls.size)

    def _kept(self, name: str) -> Any:
        number = self._core.parameter_changes
        if self._fixed is None or self._fixed[0] != number:
            self._fixed = number, {key: frozen(value) if isinstance(value, np.ndarray) else value
                                   for key, value in self._core.fixed_arrays().items()}
        return self._fixed[1][name]

    def _tell(self) -> None:
        self._told = True
        self._notices.tell("charge step", self._core.charge_step_notice())
