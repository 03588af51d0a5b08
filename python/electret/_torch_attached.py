"""What the torch functions keep for each simulator: its present state, and what they compiled from its scene."""

from __future__ import annotations

import weakref
from typing import Any, Callable, Mapping, Optional

import torch

from . import _core
from ._arrays import Floats
from ._errors import GradientError
from ._parameters import Parameters, checked_values
from ._rollout import Rollout
from ._simulator import Simulator
from ._torch_tensors import numbers, tensor, version_of

Values = list[tuple[str, Floats]]


class Standing:
    """A compiled simulator, and the tensors that hold its present state."""

    def __init__(self, core: _core.Simulator) -> None:
        self.core = core
        self.layout = core.memory_layout  # {name: (how many numbers, None for a list; whether it has derivatives)}.
        self._changes = -1
        self._tensors: tuple[Callable[[], Optional[torch.Tensor]], ...] = ()
        self._versions: tuple[int, ...] = ()
        self._memory: dict[str, tuple[torch.Tensor, int, Floats]] = {}

    def remember(self, *shown: torch.Tensor) -> None:
        """Notes that the simulator is in the state of these tensors."""
        self._changes = self.core.state_changes
        self._tensors = tuple(weakref.ref(one) for one in shown)
        self._versions = tuple(version_of(one) for one in shown)

    def remember_memory(self, shown: Mapping[str, torch.Tensor], arrays: Mapping[str, Floats]) -> None:
        """Notes the method's arrays of which these tensors are copies."""
        self._memory = {name: (one, version_of(one), arrays[name]) for name, one in shown.items()}

    def memory_shown(self, name: str, shown: Any) -> Floats | None:
        """The array of which this tensor is a copy. None if that is unknown or the tensor was changed."""
        kept = self._memory.get(name)
        if kept is None or kept[0] is not shown or kept[1] != version_of(shown):
            return None
        return kept[2] if same_bits(shown.detach().numpy(), kept[2]) else None

    def is_at(self, step: int, memory: Mapping[str, Floats], *shown: Any) -> bool:
        """Whether it stands there still, after so many steps and with these arrays of its own (of `memory_shown`), and
        the tensors are what they were."""
        return (self._changes == self.core.state_changes and self.core.steps_done == step
                and all(kept() is one for kept, one in zip(self._tensors, shown))
                and self._versions == tuple(version_of(one) for one in shown)
                and memory.keys() == self._memory.keys()
                and all(memory[name] is kept[2] for name, kept in self._memory.items())
                # Changes through `.numpy()` or `.data` leave no version.
                and same_bits(shown[0].detach().numpy(), self.core.positions)
                and same_bits(shown[1].detach().numpy(), self.core.velocities))


class Attached:
    """What is kept for one simulator until its parameters change."""

    def __init__(self, sim: Simulator) -> None:
        self.version: int = sim._core.parameter_changes
        self.own = Standing(sim._core)
        self.idle: dict[Any, list[Rollout]] = {}
        self._twin: tuple[tuple[str, ...], Standing] | None = None
        self._twin_values: Values = []
        self._table: Parameters | None = None

    def table(self, sim: Simulator) -> Parameters:
        """The parameters with their shapes."""
        if self._table is None:
            self._table = sim.parameters
        return self._table

    def standing(self, sim: Simulator, values: Values) -> Standing:
        """What computes with these values: the simulator itself if there are none, else a twin of it."""
        if not values:
            return self.own
        names = tuple(name for name, _ in values)
        if self._twin is None or self._twin[0] != names:
            self._twin = (names, Standing(_core.Simulator(sim._core.assembly(), list(sim.controls.names), sim.threads)))
            self._twin_values = []
        twin = self._twin[1]
        if not same(values, self._twin_values):
            twin.core.set([(name, list(flat)) for name, flat in values])
            self._twin_values = [(name, flat.copy()) for name, flat in values]
        return twin


_attached: weakref.WeakKeyDictionary[Simulator, Attached] = weakref.WeakKeyDictionary()


def attached(sim: Simulator) -> Attached:
    """What is kept for `sim`. It is made anew after the simulator's parameters were set."""
    if not isinstance(sim, Simulator):
        raise TypeError(f"sim must be a Simulator, not {type(sim).__name__}")
    found = _attached.get(sim)
    if found is None or found.version != sim._core.parameter_changes:
        found = _attached[sim] = Attached(sim)
    return found


def check_unchanged(sim: Simulator, version: int) -> None:
    """Raises GradientError if `sim.set` was called since the forward pass."""
    if sim._core.parameter_changes != version:
        raise GradientError("the simulator's parameters were set between the forward pass and backward; give the values "
                            "as `parameters` instead")


def same_bits(one: Floats, other: Floats) -> bool:
    """Whether two arrays of one size have the same bits. For a few hundred numbers a third of numpy's `array_equal`."""
    return one.tobytes() == other.tobytes()


def same(one: Values, other: Values) -> bool:
    """Whether names and bits agree."""
    return len(one) == len(other) and all(a == b and x.tobytes() == y.tobytes() for (a, x), (b, y) in zip(one, other))


def parameter_tensors(sim: Simulator, parameters: Mapping[str, Any] | None) -> tuple[tuple[str, ...], list[torch.Tensor]]:
    """Names and float64 tensors, checked: InputError for unknown names and values out of bounds."""
    if not parameters:
        return (), []
    table = attached(sim).table(sim)
    tensors = [tensor(value, name, table[name].shape) if name in table else torch.zeros(()) for name, value in parameters.items()]
    checked_values(table, {name: numbers(one) for name, one in zip(parameters, tensors)})
    return tuple(parameters), tensors


def values_of(names: tuple[str, ...], tensors: Any) -> Values:
    """Flat numbers by name."""
    return [(name, numbers(one).reshape(-1)) for name, one in zip(names, tensors)]
