"""`electret gradient` in Python."""

from __future__ import annotations

import os
from typing import Any, Callable, Sequence

import numpy as np

from . import _core
from ._arrays import flag, text as one_text, texts, thread_count
from ._controls import ControlTable
from ._errors import DivergenceError, Finding, InputError
from ._gradient import Gradient
from ._parameters import Parameters, reshaped
from ._rollout import LossArgument, Rollout
from ._scene import Scene, scene_of
from ._warn import Notices, warn


def gradient(scene: Scene | str | os.PathLike[str], loss: LossArgument, wrt: Sequence[str] | str, *, check: bool = False,
             memory: int | float | str | None = None, threads: int = 0) -> Gradient:
    """A loss of a scene's motion and its derivatives, with the bits of `electret gradient`.

    Parameters
    ----------
    scene : Scene or path
    loss : as for `Rollout.value_and_grad`
    wrt : names of parameters, or one text with commas between
    check : bool, default False
        Whether to add derivatives by differences, which takes up to 29 runs per value.
    memory : bytes, or text such as "2GB"; optional
        Memory for states; default: half of the free memory.
    threads : int, default 0
        0: one per core.

    Returns
    -------
    Gradient
        In new arrays, each of its parameter's shape.

    Warns as the command does, before the run. If warnings are errors, no run begins.
    Raises InputError with every finding, DivergenceError, and GradientError if a derivative does not exist.

    Examples
    --------
    >>> gradient(scene, "energy", ["body.jelly.stiffness"])["body.jelly.stiffness"] > 0
    True
    """
    names = wrt.split(",") if isinstance(wrt, str) else texts(wrt, "wrt")
    is_checked, threads = flag(check, "check"), thread_count(threads)
    made = scene_of(scene)
    assembly = made.assembly()
    result = _of_assembly(made, assembly, loss, names, memory, threads, warns=True)
    if is_checked:
        def value(changed: _core.Assembly) -> float:
            try:
                found = _of_assembly(made, changed, loss, (), memory, threads, value_only=True).loss
            except DivergenceError:  # Too far away.
                return float("inf")
            assert found is not None
            return found

        result.check = {name: _compared(assembly, name, result, value) for name in names}
    return result


def _of_assembly(scene: Scene, assembly: _core.Assembly, loss: LossArgument, names: Sequence[str], memory: Any, threads: int,
                 value_only: bool = False, warns: bool = False) -> Gradient:
    holder = _Bare(scene, assembly, threads)
    roll = Rollout(holder, wrt=names, memory=memory)  # type: ignore[arg-type]
    # A function may use any group.
    used = _core.groups_of_loss(assembly, one_text(loss, "loss")) if warns and isinstance(loss, str) else None
    for text in roll._core.warnings(used) if warns else ():
        warn(text)
    if value_only:
        return Gradient({}, roll._value(loss), {})
    return roll.value_and_grad(loss)[1]


class _Bare:
    """What a roll-out needs of a simulator, made from a scene without one."""

    def __init__(self, scene: Scene, assembly: _core.Assembly, threads: int) -> None:
        self._core, self.controls, self.threads = self, ControlTable([]), threads
        self._assembly, self.scene, self._notices = assembly, scene, Notices()
        about = _core.describe(assembly)
        self.last_step, self.time_step, self.masses = about["steps"], about["time_step"], range(about["vertices"])
        if self.last_step == 0:
            raise InputError([Finding("time", 0, 0, "the scene has no step", "a gradient needs at least one")])

    def assembly(self) -> _core.Assembly:
        return self._assembly


def _compared(assembly: _core.Assembly, name: str, got: Gradient, value: Callable[[_core.Assembly], float]) -> tuple[Any, Any]:
    """Differences, and errors relative to the largest difference, as for the command's `--check`."""
    shape = Parameters(assembly)[name].shape
    found, _ = _core.differences(assembly, name, value)
    slope = np.asarray(got[name]).reshape(-1)
    size = max(1e-7 * abs(got.loss or 0.0) / _core.typical_size(assembly, name), float(np.abs(found).max(initial=0.0, where=~np.isnan(found))))
    apart = np.abs(slope - found)
    scale = np.where(size > 0.0, size, np.abs(slope))
    errors = np.divide(apart, scale, out=np.zeros_like(apart), where=apart != 0.0)
    return reshaped(found, shape), reshaped(errors, shape)
