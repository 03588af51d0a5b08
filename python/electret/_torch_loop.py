"""The two sweeps of a closed loop: the policy's answers in the forward sweep, its transposes in the backward sweep."""

from __future__ import annotations

from contextlib import contextmanager
from typing import Any, Callable, Iterator, NamedTuple

import numpy as np
import torch

from ._arrays import Floats, shaped
from ._errors import GradientError
from ._gradient import refuse_missing
from ._rollout import Rollout
from ._simulator import Simulator
from ._torch_attached import attached, check_unchanged, values_of
from ._torch_tensors import MaybeTensor, check_tensor, cotangent, numbers, of_array, undeclared


class Frame(NamedTuple):
    """The state that `observe` receives, in new float64 tensors.

    Attributes
    ----------
    positions, velocities : (n, 3) tensors
        m, m/s.
    time : () tensor
        s, since the scene's start.
    step : int

    Examples
    --------
    >>> s = et.state(sim)
    >>> f = et.Frame(s.positions, s.velocities, torch.tensor(0.0), s.step)
    >>> torch.cat([f.positions.mean(0), f.velocities.mean(0)]).shape
    torch.Size([6])
    """

    positions: torch.Tensor
    velocities: torch.Tensor
    time: torch.Tensor
    step: int


class _Lease:
    """A roll-out compiled for this simulator. It is handed on to the next loop when this one is forgotten."""

    def __init__(self, sim: Simulator, names: tuple[str, ...], steps: int, hold: int, memory: Any) -> None:
        here, key = attached(sim), (names, steps, hold, memory)
        self._idle = here.idle.setdefault(key, [])
        self.roll = self._idle.pop() if self._idle else Rollout(sim, wrt=names, steps=steps, hold=hold, memory=memory)

    def __del__(self) -> None:
        roll = getattr(self, "roll", None)
        if roll is None:
            return
        try:
            roll._core.forget()
        except RuntimeError:  # Of a process that has forked: of no use here.
            return
        self._idle.append(roll)


class _Answer(NamedTuple):
    """One interval: the policy's arguments, its leaves, and its answer, with the graph between them."""

    observation: torch.Tensor
    remembered: MaybeTensor
    action: torch.Tensor
    remembers: MaybeTensor


class _Back(NamedTuple):
    """The present state of the backward sweep: derivatives with respect to r, and sums of those by the policy's tensors."""

    remembered: list[MaybeTensor]
    weights: list[MaybeTensor]
    needed: list[int]


class Loop:
    """One closed loop. It is run once and swept back any number of times."""

    def __init__(self, sim: Simulator, policy: Callable[..., Any], observe: Callable[..., Any], names: tuple[str, ...],
                 weights: list[torch.Tensor], steps: int, hold: int, memory: Any) -> None:
        if sim.controls.size == 0:
            raise ValueError("a policy needs something to drive: name the simulator's `controls`")
        self.sim, self.policy, self.observe, self.names = sim, policy, observe, names
        self.version = attached(sim).version
        self.lease = _Lease(sim, names, steps, hold, memory)
        self.steps, self.hold = steps, hold
        self.frames: tuple[int, ...] = ()
        self.kept: list[int] = []  # They and the last step, ascending.
        self.start: tuple[int, dict[str, Floats]] | None = None
        self.is_recorded = False
        self.is_watched = False  # Gradients are on, so that an undeclared tensor is an error, even if nothing is declared.
        self.memory_after: dict[str, Floats] = {}
        self.capped = ""  # What to tell of steps that missed their tolerance.
        self._weights = weights if weights else []
        self._answers: list[_Answer] = []
        self._shape = (len(sim.masses), 3)

    # Forward

    def forward(self, x: MaybeTensor, v: MaybeTensor, r: MaybeTensor, values: Any) -> tuple[torch.Tensor, ...]:
        """Runs the loop. Gives frames' positions and velocities, observations, actions, last positions and velocities, and r."""
        answers: list[_Answer] = []
        self._answers = answers
        self._remembered = None if r is None else r.detach()
        start = None
        if x is not None and v is not None:
            assert self.start is not None
            start = {"step": self.start[0], "positions": numbers(x), "velocities": numbers(v), "memory": self.start[1]}
        core = self.lease.roll._core
        kept = self.kept
        _, positions, velocities, _, self.capped = core.forward([(name, list(flat)) for name, flat in values_of(self.names, values)], None, kept, None,
                                                   start, self._act, self.is_recorded)
        self.memory_after = core.memory
        shown = [kept.index(frame) for frame in self.frames]
        found = [_stacked([array[k] for k in shown], self._shape) for array in (positions, velocities)]
        found += [torch.stack([one.detach().to(torch.float64) for one in column])
                  for column in ([a.observation for a in answers], [a.action for a in answers])]
        found += [of_array(positions[-1]), of_array(velocities[-1])]
        if self._remembered is not None:
            found.append(self._remembered.clone())
        if not self.is_recorded:
            answers.clear()
        self._weights, self._remembered = [], None  # Saved by autograd from here on.
        return tuple(found)

    def _act(self, interval: int, step: int, positions: Floats, velocities: Floats) -> Floats:
        """The policy's answer to a state, and its graph."""
        x, v = of_array(positions).requires_grad_(self.is_recorded), of_array(velocities).requires_grad_(self.is_recorded)
        observed = self._look(x, v, step, interval)
        if self.is_watched:  # In every interval, because what is read may depend on it.
            self._check_declared([observed], [x, v], "observe", "let the policy read it, and name it in `inputs`")
        observation = observed.detach().requires_grad_(self.is_recorded)
        remembered = self._remembered
        if remembered is not None:
            remembered = remembered.detach().requires_grad_(self.is_recorded)
        with torch.set_grad_enabled(self.is_watched):
            said = self.policy(observation) if remembered is None else self.policy(observation, remembered)
        action, remembers = self._checked(said, interval, remembered)
        if self.is_watched:
            roots = [action] if remembers is None else [action, remembers]
            leaves = [observation, *self._weights] if remembered is None else [observation, remembered, *self._weights]
            self._check_declared(roots, leaves, "the policy", "name it in `inputs`")
        self._answers.append(_Answer(observation, remembered, action, remembers))
        self._remembered = None if remembers is None else remembers.detach()
        return shaped(action.detach().to(torch.float64).numpy(), f"action of interval {interval}", (self.sim.controls.size,))

    def _look(self, x: torch.Tensor, v: torch.Tensor, step: int, interval: int) -> torch.Tensor:
        time = torch.full((), step * self.sim.time_step, dtype=torch.float64)
        with torch.set_grad_enabled(self.is_watched):
            observed = check_tensor(self.observe(Frame(x, v, time, step)), "observation")
        first = self._answers[0].observation if self._answers else None
        if observed.dim() != 1 or not observed.is_floating_point() or (first is not None and observed.shape != first.shape):
            wanted = "(d,)" if first is None else str(tuple(first.shape))
            raise ValueError(f"observation of interval {interval} must be {wanted} floats, not {tuple(observed.shape)} of {observed.dtype}")
        shaped(observed.detach().to(torch.float64).numpy(), f"observation of interval {interval}", tuple(observed.shape))
        return observed

    def _checked(self, said: Any, interval: int, remembered: MaybeTensor) -> tuple[torch.Tensor, MaybeTensor]:
        """(action, r') from what the policy returned, checked."""
        remembers = None
        if remembered is not None:
            if not isinstance(said, tuple) or len(said) != 2:
                raise TypeError("with `remember` the policy returns (action, r')")
            said, remembers = said
            if check_tensor(remembers, "r'").shape != remembered.shape or remembers.dtype != remembered.dtype:
                raise ValueError(f"r' of interval {interval} must have shape {tuple(remembered.shape)} of {remembered.dtype}, not "
                                 f"{tuple(remembers.shape)} of {remembers.dtype}")
        action = check_tensor(said, "action")
        if tuple(action.shape) != (self.sim.controls.size,):
            raise ValueError(f"action of interval {interval} must have shape ({self.sim.controls.size},), not {tuple(action.shape)}")
        return action, remembers

    def _check_declared(self, roots: list[torch.Tensor], leaves: list[torch.Tensor], who: str, advice: str) -> None:
        found = undeclared(roots, leaves)
        if found is not None:
            raise ValueError(f"{who} reads a tensor of shape {tuple(found.shape)} that requires a gradient and was not declared: {advice}, or "
                             f"detach it")

    # Back

    def backward(self, tensors: Any, by_outputs: Any, needed: tuple[bool, ...]) -> tuple[Any, ...]:
        """Derivatives with respect to x, v, r, parameters and the policy's tensors; None for those that are not needed."""
        check_unchanged(self.sim, self.version)
        x, _, r, *rest = tensors
        count = len(self.names)
        weights, needs = rest[count:], needed[3 + count:]
        by_x, by_v, by_o, by_u, by_last_x, by_last_v = by_outputs[:6]
        # What the policy does not read goes no way on which it would be looked at.
        cotangent(by_o, "observations", (len(self._answers), *self._answers[0].observation.shape))
        cotangent(by_u, "actions", (len(self._answers), self.sim.controls.size))
        if len(by_outputs) > 6 and r is not None:
            cotangent(by_outputs[6], "remember", tuple(r.shape))
        back = _Back([by_outputs[6] if len(by_outputs) > 6 else None], [None] * len(weights), [k for k, is_needed in enumerate(needs) if is_needed])
        wanted = [weights[k] for k in back.needed]

        def acted(interval: int, step: int, positions: Floats, velocities: Floats, by_action: Floats) -> Any:
            total = of_array(by_action)
            if by_u is not None:
                total = total + by_u[interval].to(torch.float64)
            by_observation = self._transpose(self._answers[interval], total, wanted, back)
            if by_o is not None:
                extra = by_o[interval].to(torch.float64)
                by_observation = extra if by_observation is None else by_observation + extra
            return None if by_observation is None else self._look_back(interval, step, positions, velocities, by_observation)

        wrt = [name for name, is_needed in zip(self.names, needed[3:]) if is_needed]
        by_frames = self._by_frames(by_x, by_last_x, "positions"), self._by_frames(by_v, by_last_v, "velocities")
        with _without_hooks(wanted):
            result = self.lease.roll._core.backward(*by_frames, 0.0, False, wrt, acted)
        refuse_missing(result["gradients"])
        self.lease.roll._tell_gradient(result["report"])
        found: list[Any] = [None, None, back.remembered[0] if r is not None and needed[2] else None]
        if x is not None:
            found[:2] = [of_array(result["start"][name]) if is_needed else None for name, is_needed in zip(("positions", "velocities"), needed)]
        found += [of_array(result["gradients"][name], tuple(value.shape)) if name in wrt else None for name, value in zip(self.names, rest)]
        return tuple(found + back.weights)

    def _transpose(self, answer: _Answer, by_action: torch.Tensor, wanted: list[torch.Tensor], back: _Back) -> MaybeTensor:
        """(ō, r̄_j, φ̄ +=) = VJP of the policy at (o_j, r_j) with (ū, r̄_{j+1}); gives ō."""
        outputs, by_outputs = [], []
        if answer.action.requires_grad:
            outputs.append(answer.action)
            by_outputs.append(by_action.to(answer.action.dtype))
        by_remembers = back.remembered[0]
        if answer.remembers is not None and answer.remembers.requires_grad and by_remembers is not None:
            outputs.append(answer.remembers)
            by_outputs.append(by_remembers)
        back.remembered[0] = None
        if not outputs:
            return None
        leaves = [answer.observation] + ([] if answer.remembered is None else [answer.remembered])
        found = list(torch.autograd.grad(outputs, leaves + wanted, by_outputs, retain_graph=True, allow_unused=True))
        for k, one in zip(back.needed, found[len(leaves):]):
            if one is not None:
                before = back.weights[k]
                back.weights[k] = one.clone() if before is None else before + one
        if answer.remembered is not None:
            back.remembered[0] = found[1]
        by_observation: MaybeTensor = found[0]
        return None if by_observation is None else by_observation.to(torch.float64)

    def _look_back(self, interval: int, step: int, positions: Floats, velocities: Floats, by_observation: torch.Tensor) -> Any:
        """(∂ω/∂(x, v))ᵀ ō, (n, 3) each; None if the observation does not depend on the state."""
        x, v = of_array(positions).requires_grad_(), of_array(velocities).requires_grad_()
        again = self._look(x, v, step, interval)
        before = self._answers[interval].observation.detach()
        if again.dtype != before.dtype or not torch.equal(again.detach(), before):
            raise GradientError(f"observe gave other numbers in interval {interval} than on the way forward: it has to depend on the frame alone; noise "
                                f"belongs to the policy")
        if not again.requires_grad:
            return None
        found = torch.autograd.grad(again, (x, v), by_observation.to(again.dtype), allow_unused=True)
        names = ("positions", "velocities")
        return [np.zeros(self._shape) if one is None else shaped(one.numpy(), f"cotangent of {name} through observe", self._shape)
                for one, name in zip(found, names)]

    def _by_frames(self, by_frames: MaybeTensor, by_last: MaybeTensor, name: str) -> list[Floats]:
        """The derivatives with respect to every kept frame and the last state; empty if there are none."""
        if by_frames is None and by_last is None:
            return []
        found: dict[int, Floats] = {frame: np.zeros(self._shape) for frame in self.kept}
        given = cotangent(by_frames, name, (len(self.frames), *self._shape))
        if given is not None:
            found.update({frame: np.array(given[k]) for k, frame in enumerate(self.frames)})
        last = cotangent(by_last, f"state.{name}", self._shape)
        if last is not None:
            found[self.steps] = found[self.steps] + last
        return [found[frame] for frame in self.kept]


@contextmanager
def _without_hooks(tensors: list[torch.Tensor]) -> Iterator[None]:
    """Takes the tensors' hooks away for a while. They are of the whole derivative, which autograd hands them at the end;
    torch 2 would also call them with the part of each interval."""
    taken = [(hooks, dict(hooks)) for hooks in (one._backward_hooks for one in tensors) if hooks]
    for hooks, _ in taken:
        hooks.clear()
    try:
        yield
    finally:
        for hooks, own in taken:
            hooks.update(own)


def _stacked(arrays: list[Floats], shape: tuple[int, ...]) -> torch.Tensor:
    """(F, n, 3); a copy."""
    return of_array(np.array(arrays).reshape(len(arrays), *shape))
