"""A closed loop, roll-out and controller together, as one node of autograd (docs/control.md)."""

from __future__ import annotations

from typing import Any, Callable, Iterable, Mapping, NamedTuple, Optional

import torch

from ._arrays import whole
from ._field_function import refuse_gradients
from ._repr import of_fields
from ._rollout_plan import frame_steps
from ._simulator import Simulator
from ._torch_attached import attached, parameter_tensors
from ._torch_loop import Frame, Loop
from ._torch_step import TorchState, check_start, memory_arrays, memory_tensors
from ._torch_tensors import check_tensor, refuse_second_derivatives, tensor


class RolloutResult(NamedTuple):
    """The result of a closed loop. Everything but the times is differentiable.

    Attributes
    ----------
    positions, velocities : (F, n, 3) tensors
        Of the requested frames, m, m/s.
    observations : (J, d) tensor
        The policy's observations, one row per interval.
    actions : (J, m) tensor
        Its answers, in the controls' units.
    remember : tensor or None
        The last r of a recurrent policy, of its own dtype.
    state : TorchState
        The last state. Another roll-out may start there.
    times : (F,) tensor
        The times of the frames, s.

    Examples
    --------
    >>> out = et.rollout(sim, net, observe=lambda f: f.positions.mean(0), steps=4, hold=2)
    >>> out.positions.shape, out.actions.shape
    (torch.Size([1, 32, 3]), torch.Size([2, 1]))
    """

    positions: torch.Tensor
    velocities: torch.Tensor
    observations: torch.Tensor
    actions: torch.Tensor
    remember: Optional[torch.Tensor]
    state: TorchState
    times: torch.Tensor

    def __repr__(self) -> str:
        return of_fields(self)


def rollout(sim: Simulator, policy: Callable[..., Any], *, observe: Callable[[Frame], torch.Tensor], steps: int, hold: int = 1,
            start: TorchState | None = None, parameters: Mapping[str, Any] | None = None, inputs: Iterable[torch.Tensor] = (),
            remember: torch.Tensor | None = None, frames: Iterable[int] | str = (-1,),
            memory: int | float | str | None = None) -> RolloutResult:
    """Runs `sim`'s scene under a policy, as one node of autograd (docs/control.md has the derivation).

    Every `hold` steps the policy receives an observation of the state and answers with an action, which then holds.
    Backward computes states between checkpoints again with the recorded actions; the policy never runs again. `sim`
    itself is not changed.

    Parameters
    ----------
    sim : Simulator
        A simulator with controls. Its scene, parameters and threads are used.
    policy : callable
        policy(o) -> (m,) tensor, the action in the controls' units; with `remember` policy(o, r) -> (u, r'). Its graph
        is kept, so that dropout and noise are differentiated as they were drawn.
    observe : callable
        observe(frame) -> (d,) tensor. It must depend only on the frame, because backward evaluates it again.
    steps : int
        T.
    hold : int, default 1
        Steps over which an action holds. There are J = ceil(steps / hold) actions.
    start : TorchState, optional
        Default: the scene's initial state.
    parameters : {name: tensor}, optional
        In the shapes of `sim.parameters`. Others have the values that they have in `sim`. No two may hold the same
        numbers, as "body.a.mass" and "body.a.masses" do.
    inputs : tensors, optional
        Tensors that the policy uses besides `policy.parameters()` (if it is a `torch.nn.Module`).
    remember : tensor, optional
        r at the start.
    frames : steps, or "all"
        The steps whose states are kept, counted from the start, in ascending order, each once; -1 is the last.
        Their memory comes on top of `memory`.
    memory : bytes, or text such as "2GB"; optional
        Memory for states; default: half of the free memory. It changes no bit of the result.

    Returns
    -------
    RolloutResult
        Differentiable with respect to `start`, `parameters`, `remember` and the policy's tensors.

    Raises ValueError for a tensor of the policy that requires a gradient and is not declared, for wrong shapes, and for
    `memory` that holds fewer than three states; TypeError for tensors that are not on the CPU; InputError for unknown
    parameters, values that are not allowed and names that hold the same numbers; and DivergenceError. Exceptions of
    `policy` and `observe` arrive unchanged. Backward raises GradientError if `observe` gives other bits than before,
    for `create_graph=True`, and if `sim.set` was called in between.

    Examples
    --------
    >>> out = et.rollout(sim, net, observe=lambda f: f.positions.mean(0), steps=4, hold=2)
    >>> out.positions[-1].square().sum().backward(); net.weight.grad.shape
    torch.Size([1, 3])
    """
    for name, function in (("policy", policy), ("observe", observe)):
        if not callable(function):
            raise TypeError(f"{name} must be a function, not {type(function).__name__}")
    here = attached(sim)
    names, values = parameter_tensors(sim, parameters)
    steps, hold = whole(steps, "steps", 1), whole(hold, "hold", 1)
    weights = _declared(policy, inputs)
    if start is not None:
        check_start(start, "start")
    x = v = None
    if start is not None:
        shape = (len(sim.masses), 3)
        x, v = tensor(start.positions, "start.positions", shape), tensor(start.velocities, "start.velocities", shape)
    if remember is not None:
        check_tensor(remember, "remember")
    loop = Loop(sim, policy, observe, names, weights, steps, hold, memory)
    loop.frames = frame_steps(frames, loop.steps)
    loop.kept = sorted({*loop.frames, loop.steps})
    if start is not None:
        loop.start = (whole(start.step, "start.step", 0), memory_arrays(start.memory, "start.memory", here.own, is_known=False))
    given = [one for one in (x, v, remember, *values, *weights) if one is not None]
    loop.is_watched = torch.is_grad_enabled()
    loop.is_recorded = loop.is_watched and any(one.requires_grad for one in given)
    if loop.is_recorded:
        refuse_gradients(sim.scene)
    found = _Rollout.apply(loop, x, v, remember, *values, *weights)
    sim._notices.tell("capped", loop.capped)
    positions, velocities, observations, actions, last_x, last_v = found[:6]
    first = 0 if loop.start is None else loop.start[0]
    times = torch.tensor([(first + frame) * sim.time_step for frame in loop.frames], dtype=torch.float64)
    return RolloutResult(positions, velocities, observations, actions, found[6] if remember is not None else None,
                         TorchState(first + loop.steps, last_x, last_v, memory_tensors(loop.memory_after)), times)


def _declared(policy: Any, inputs: Iterable[torch.Tensor]) -> list[torch.Tensor]:
    """The policy's tensors that require gradients, each once."""
    tensors: list[torch.Tensor] = [*policy.parameters()] if isinstance(policy, torch.nn.Module) else []
    tensors += [inputs] if isinstance(inputs, torch.Tensor) else list(inputs)
    found: dict[int, torch.Tensor] = {}
    for number, one in enumerate(tensors):
        if check_tensor(one, f"inputs[{number}]").requires_grad:
            found.setdefault(id(one), one)
    return list(found.values())


class _Rollout(torch.autograd.Function):
    """The node: (loop, x, v, r, *parameters, *the policy's tensors) -> (frames' x, v, o, u, last x, v[, r])."""

    @staticmethod
    def forward(ctx: Any, *args: Any, **kwargs: Any) -> Any:
        loop, x, v, r, *rest = args
        ctx.set_materialize_grads(False)
        found = loop.forward(x, v, r, rest[:len(loop.names)])
        ctx.loop = loop
        ctx.save_for_backward(x, v, r, *rest)
        return found

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        refuse_second_derivatives()
        tensors = ctx.saved_tensors
        if all(one is None for one in grad_outputs):
            return (None,) * len(ctx.needs_input_grad)
        return (None, *ctx.loop.backward(tensors, grad_outputs, ctx.needs_input_grad[1:]))
