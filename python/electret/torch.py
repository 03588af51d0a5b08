"""Electret for torch: steps, closed loops and fields as nodes of autograd.

Tensors must be on the CPU. Any floating dtype is accepted and converted exactly; results are float64. Only first
derivatives exist: `create_graph=True` raises GradientError. Backward passes change no tensor in place, so that a second
one on a retained graph gives the same bits.

>>> import electret.torch as et
>>> import torch
>>> at = torch.tensor([[0.0, 0.0, 1.0]], requires_grad=True)
>>> E, phi = et.field([[0, 0, 0]], [1e-9], at=at)
>>> phi.sum().backward(); at.grad
tensor([[ 0.0000,  0.0000, -8.9876]])
"""

try:
    import torch as _torch
except ImportError as error:
    raise ImportError("electret.torch needs torch 1.13 or newer (Debian: python3-torch)") from error

from ._torch_field import field
from ._torch_loop import Frame
from ._torch_rollout import RolloutResult, rollout
from ._torch_step import TorchState, state, step

for _class in (Frame, RolloutResult, TorchState):
    _class.__module__ = "electret.torch"

__all__ = ["Frame", "RolloutResult", "TorchState", "field", "rollout", "state", "step"]
