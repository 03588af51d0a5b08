"""One step of a simulator as one node of autograd."""

from __future__ import annotations

from typing import Any, Mapping, NamedTuple, Optional

import torch

from . import _core
from ._arrays import Floats, whole
from ._errors import GradientError
from ._field_function import refuse_gradients
from ._gradient import refuse_missing
from ._repr import of_fields
from ._simulator import Simulator
from ._state import check_memory_names
from ._torch_attached import Attached, Standing, attached, check_unchanged, parameter_tensors, values_of
from ._torch_tensors import MaybeTensor, cotangent, numbers, of_array, refuse_second_derivatives, tensor


class TorchState(NamedTuple):
    """A state in tensors.

    Attributes
    ----------
    step : int
        Steps since the scene's start.
    positions, velocities : (n, 3) float64 tensors
        m, m/s.
    memory : {name: tensor}
        What the method keeps from step to step as a start for its solves. Results depend on it only within the
        tolerance, and have no derivatives with respect to it.

    Examples
    --------
    >>> s = et.state(sim)
    >>> s._replace(velocities=torch.zeros_like(s.velocities)).step
    0
    """

    step: int
    positions: torch.Tensor
    velocities: torch.Tensor
    memory: dict[str, torch.Tensor]

    def __repr__(self) -> str:
        return of_fields(self)


def state(sim: Simulator) -> TorchState:
    """The present state of a simulator, as new tensors (copies).

    Parameters
    ----------
    sim : Simulator

    Returns
    -------
    TorchState
        positions (n, 3) m, velocities (n, 3) m/s. They are leaves, so that they may require gradients.

    Raises RuntimeError if the simulator is closed or in use.

    Examples
    --------
    >>> et.state(sim).positions.requires_grad_().shape
    torch.Size([32, 3])
    """
    here = attached(sim).own
    core = here.core
    memory = core.memory
    made = TorchState(core.steps_done, of_array(core.positions.copy()), of_array(core.velocities.copy()),
                      memory_tensors(memory))
    here.remember(made.positions, made.velocities)
    here.remember_memory(made.memory, memory)
    return made


def step(sim: Simulator, state: TorchState, action: Any = None, parameters: Mapping[str, Any] | None = None) -> TorchState:
    """One step from `state` as one node of autograd (docs/stepping.md, "A step back").

    `sim` is then in the returned state. Each step keeps 48 n bytes for backward.

    Parameters
    ----------
    sim : Simulator
    state : TorchState
        Where the step starts: positions (n, 3) m, velocities (n, 3) m/s.
    action : (m,) tensor, optional
        It holds over the step, as for `Simulator.step`. None means the schedule's values.
    parameters : {name: tensor}, optional
        Values for this step, in the shapes of `sim.parameters`. Others have the values that they have in `sim`. No two
        may hold the same numbers. New values cost as much as making a simulator.

    Returns
    -------
    TorchState
        Differentiable with respect to the state's positions and velocities, the action and the parameters.

    Raises InputError for unknown parameters, values that are not allowed and names that hold the same numbers;
    ValueError and TypeError for wrong shapes, dtypes, devices and numbers that are not finite; DivergenceError as
    `Simulator.step` does; and GradientError, before the step, if a gradient is asked for and a field has no `vjp`.
    Backward raises GradientError for `create_graph=True`, and if `sim.set` was called in between. Warns, once per
    simulator, if a step ended before integrator.tolerance was met.

    Examples
    --------
    >>> s = et.step(sim, et.state(sim), action=u)
    >>> s.positions.square().sum().backward(); u.grad.shape
    torch.Size([1])
    """
    here = attached(sim)
    count = len(sim.masses)
    names, values = parameter_tensors(sim, parameters)
    if action is not None:
        if sim.controls.size == 0:
            raise ValueError("action: this simulator has no controls")
        action = tensor(action, "action", (sim.controls.size,))
    check_start(state, "state")
    x, v = state.positions, state.velocities
    start, before = whole(state.step, "state.step", 0), memory_arrays(state.memory, "state.memory", here.own)
    stands = not names and here.own.is_at(start, before, x, v)
    if not stands:  # What was given out needs no check.
        x, v = tensor(x, "state.positions", (count, 3)), tensor(v, "state.velocities", (count, 3))
    taken = _Taken(sim, here, state, before, names, stands)
    taken.keeps_tape = torch.is_grad_enabled() and any(one.requires_grad for one in (x, v, action, *values) if one is not None)
    if taken.keeps_tape:
        refuse_gradients(sim._scene)
        refuse_memory(here.own.layout)
    after_x, after_v = _Step.apply(taken, x, v, action, *values)
    here.own.remember(after_x, after_v)
    memory = memory_tensors(taken.memory[1])
    here.own.remember_memory(memory, taken.memory[1])
    taken.twin_remembers(after_x, after_v, values, memory)
    sim._notices.tell("capped", taken.notice)
    return TorchState(taken.start + 1, after_x, after_v, memory)


def memory_tensors(memory: Mapping[str, Floats]) -> dict[str, torch.Tensor]:
    """Copies."""
    return {name: of_array(array.copy()) for name, array in memory.items()}


def check_start(start: Any, name: str) -> None:
    """TypeError for what is no state."""
    if type(start) is TorchState and type(start.memory) is dict:
        return
    if not all(hasattr(start, part) for part in TorchState._fields) or not isinstance(start.memory, Mapping):
        raise TypeError(f"{name} must be a TorchState, not {type(start).__name__}; `state(sim)` gives one")


def memory_arrays(memory: Mapping[str, Any], called: str, standing: Standing, is_known: bool = True) -> dict[str, Floats]:
    """The method's arrays for the library. Those that `standing` shows are neither converted nor checked again, if
    `is_known`. Raises ValueError for an array that no method keeps; `called` is what it calls them."""
    found: dict[str, Floats] = {}
    for name, values in memory.items():
        known = standing.memory_shown(name, values) if is_known else None
        if known is None:
            layout = standing.layout
            check_memory_names((name,), called, layout)
            count = layout[name][0]
            # A list has as many numbers as the state has of what it lists.
            shape = tuple(getattr(values, "shape", ()))[:1] or (0,) if count is None else (count,)
            known = numbers(tensor(values, f"{called}[{name!r}]", shape))
        found[name] = known
    return found


def refuse_memory(layout: Mapping[str, tuple[Optional[int], bool]]) -> None:
    """GradientError if results depend on the method's memory as on positions: a chain of steps would lose that part of its
    derivatives."""
    lost = [name for name, (_, has_derivatives) in layout.items() if has_derivatives]
    if lost:
        raise GradientError(f"step passes no derivatives through the method's memory ({', '.join(lost)}); "
                            "differentiate the whole run with rollout, or use another integrator.method")


class _Taken:
    """A step that was taken: everything that backward needs except tensors."""

    def __init__(self, sim: Simulator, here: Attached, start: TorchState, memory: dict[str, Floats], names: tuple[str, ...],
                 stands: bool) -> None:
        self.sim, self.here, self.start, self.names = sim, here, int(start.step), names
        self.stands = stands  # Whether the simulator itself is at the start.
        self.shown: tuple[torch.Tensor, ...] = (start.positions, start.velocities)
        self.version = here.version
        self.memory: list[dict[str, Floats]] = [memory, {}]
        self.tape: dict[str, Floats] = {}
        self.keeps_tape = False
        self.notice = ""  # Of a step that missed its tolerance.

    def forward(self, x: torch.Tensor, v: torch.Tensor, action: MaybeTensor, values: Any) -> tuple[torch.Tensor, torch.Tensor]:
        """Takes the step."""
        own, standing = self.here.own, self.standing(values)
        core, u = standing.core, None if action is None else numbers(action)
        if not self.stands and not standing.is_at(self.start, self.memory[0], *self.shown):
            core.restore(self.start, numbers(x), numbers(v), self.memory[0], [0.0] * 4, [], [])
        self.shown = ()  # Tensors of other nodes are not kept alive.
        if self.keeps_tape:
            self.tape, self.notice = core.step_taped(u)
        else:
            self.notice = core.step(u)
        self.memory[1] = core.memory
        if core is not own.core:
            own.core.restore(core.steps_done, core.positions, core.velocities, core.memory, list(core.work), core.last_action, core.last_grabs)
        return of_array(core.positions.copy()), of_array(core.velocities.copy())

    def standing(self, values: Any) -> Standing:
        """What computes with these parameters."""
        return self.here.standing(self.sim, values_of(self.names, values) if self.names else [])

    def twin_remembers(self, x: torch.Tensor, v: torch.Tensor, values: list[torch.Tensor], memory: dict[str, torch.Tensor]) -> None:
        """Notes that a twin, if one computed the step, is in the new state, too."""
        if values:
            self.standing(values).remember(x, v)
            self.standing(values).remember_memory(memory, self.memory[1])

    def backward(self, tensors: Any, by_x: MaybeTensor, by_v: MaybeTensor, needed: tuple[bool, ...]) -> tuple[Any, ...]:
        """Derivatives with respect to positions, velocities, action and parameters; None for those that are not needed."""
        check_unchanged(self.sim, self.version)
        x, v, action, after_x, after_v, *values = tensors
        core, shape = self.standing(values).core, tuple(x.shape)
        wrt = [name for name, is_needed in zip(self.names, needed[3:]) if is_needed]
        a, b, by_action, by_values = _core.step_gradient(
            core, (self.start, numbers(x), numbers(v), self.memory[0]), (self.start + 1, numbers(after_x), numbers(after_v), self.memory[1]),
            self.tape, None if action is None else numbers(action), cotangent(by_x, "positions", shape),
            cotangent(by_v, "velocities", shape), wrt)
        refuse_missing(by_values)
        found = [of_array(one) if is_needed else None for one, is_needed in zip((a, b, by_action), needed)]
        found += [of_array(by_values[name], tuple(value.shape)) if name in by_values else None for name, value in zip(self.names, values)]
        return tuple(found)


class _Step(torch.autograd.Function):
    """The node: (taken, x, v, action, *parameters) -> (x', v')."""

    @staticmethod
    def forward(ctx: Any, *args: Any, **kwargs: Any) -> Any:
        taken, x, v, action, *values = args
        ctx.set_materialize_grads(False)
        after = taken.forward(x, v, action, values)
        ctx.taken = taken
        ctx.save_for_backward(x, v, action, *after, *values)
        return after

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        refuse_second_derivatives()
        tensors = ctx.saved_tensors
        by_x, by_v = grad_outputs
        needed = ctx.needs_input_grad
        if by_x is None and by_v is None:
            return (None,) * len(needed)
        return (None, *ctx.taken.backward(tensors, by_x, by_v, needed[1:]))
