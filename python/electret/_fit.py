"""Fitting jobs: `electret fit` in Python."""

from __future__ import annotations

import os
from typing import Any, Callable, NamedTuple

import numpy as np

from . import _core, _html
from ._arrays import Floats, flag, path, thread_count
from ._errors import IoError
from ._own_words import own_words
from ._repr import one_line
from ._rollout_plan import memory_bytes
from ._run_files import read_summary, read_table
from ._scene import Scene
from ._warn import warn


class FitEvaluation(NamedTuple):
    """One run of a fit with its gradient, as `callback` of `fit` receives it.

    Attributes
    ----------
    start, evaluation : int
        The index of its start, from 0; its number within the horizon, from 1. Without unit.
    steps : int
        The length of the run.
    loss, gradient_norm : float
        The loss with its priors, inf if the run diverged; and the largest derivative by the optimiser's variables.
    values : (k,) array
        The values of all parameters, in their units; a new array.

    Examples
    --------
    >>> FitEvaluation(0, 1, 20, 0.5, 0.1, [30.0]).loss
    0.5
    """

    start: int
    evaluation: int
    steps: int
    loss: float
    gradient_norm: float
    values: Any


class Fit:
    """A fit's directory, whoever wrote it: `fit` or the command. Each property reads its file when it is used.

    Parameters
    ----------
    directory : path

    Raises IoError if there is no such directory, or if a file of it is missing or damaged.

    Examples
    --------
    >>> Fit("fits/job").converged
    True
    """

    def __init__(self, directory: str | os.PathLike[str]) -> None:
        self.directory = os.path.abspath(path(directory, "directory"))
        if not os.path.isdir(self.directory):
            raise IoError(f"{self.directory}: there is no such folder", self.directory)

    @property
    def summary(self) -> dict[str, Any]:
        """The contents of fit.json, as it is."""
        return read_summary(os.path.join(self.directory, "fit.json"))

    @property
    def status(self) -> str:
        """"done", "interrupted", "failed" or "running"."""
        return str(self.summary["status"])

    @property
    def converged(self) -> bool:
        """Whether the gradient or the loss became small enough. If not, `values` are the best ones met."""
        return bool(self._known("converged"))

    @property
    def end(self) -> str:
        """Why the best start ended, such as "the gradient is small"."""
        return str(self._known("end"))

    @property
    def loss(self) -> float:
        """The loss of `values`, with priors, as it is in fit.json."""
        return float(self._known("loss"))

    @property
    def values(self) -> dict[str, Any]:
        """{name: value} of the fitted parameters in their units: a float, or a new array (k,) if there are several."""
        found = self._known("values")
        return {name: float(row[0]) if len(row) == 1 else np.array(row, dtype=float) for name, row in found.items()}

    @property
    def scene(self) -> Scene:
        """The scene with the values found, from fitted.toml."""
        return Scene.load(os.path.join(self.directory, "fitted.toml"))

    @property
    def history(self) -> dict[str, Floats]:
        """The columns of fit.csv by name, each (runs,): start, duration (s), evaluation, loss, gradient_norm, values; copies."""
        return read_table(os.path.join(self.directory, "fit.csv"), ("loss",))

    def _known(self, key: str) -> Any:
        summary = self.summary
        if key not in summary:
            raise IoError(f"{self.directory}: this fit has not ended; its status is {summary['status']}", self.directory)
        return summary[key]

    def __repr__(self) -> str:
        return f"<electret.Fit: {one_line(self.directory)}>"

    def _repr_html_(self) -> str:
        try:
            rows = [(key, value) for key, value in self.summary.items() if isinstance(value, (str, int, float)) and key != "identity"]
        except IoError as error:
            return _html.table(repr(self)[1:-1], (), [(str(error),)])
        return _html.table(repr(self)[1:-1], (), rows)


def fit(job: str | os.PathLike[str], directory: str | os.PathLike[str] | None = None, *, resume: bool = False,
        overwrite: bool = False, threads: int = 0, memory: int | float | str | None = None,
        callback: Callable[[FitEvaluation], object] | None = None) -> Fit:
    """Runs a fitting job. It writes the same files with the same bits as `electret fit`.

    Ctrl-C ends the current step, and raises KeyboardInterrupt; `resume=True` goes on later, to the same bits.

    Parameters
    ----------
    job : path
        A job file (docs/gradients.md, "Fits"). Paths in it start from its folder.
    directory : path, optional
        It is made if it does not exist; default: fits/JOB-STEM.
    resume : bool, default False
        Whether to go on with an unfinished fit.
    overwrite : bool, default False
        Whether to replace an unfinished fit, or one of another job.
    threads : int, default 0
        0: one per core. Results have the same bits for any number.
    memory : bytes, or text such as "2GB"; optional
        Memory for states; default: half of the free memory.
    callback : function, optional
        Called as callback(FitEvaluation) after each run of the fit. If it raises, the fit ends as interrupted, and the
        exception arrives unchanged.

    Returns
    -------
    Fit

    Warns as the command does; also if the fit has not converged. Raises InputError with every finding about the job, its
    scene and its targets, DivergenceError if the first run from every start diverges, and IoError.

    Examples
    --------
    >>> round(fit("job.toml", "fits/job").values["body.jelly.stiffness"], 3)
    30.0
    """
    name, threads, size = path(job, "job"), thread_count(threads), memory_bytes(memory)
    resume, overwrite = flag(resume, "resume"), flag(overwrite, "overwrite")
    if callback is not None and not callable(callback):
        raise TypeError(f"callback must be a function, not {type(callback).__name__}")
    if directory is None:
        target = os.path.join("fits", os.path.splitext(os.path.basename(name))[0])
    else:
        target = path(directory, "directory")

    def told(start: int, evaluation: int, steps: int, loss: float, gradient_norm: float, values: Floats) -> None:
        assert callback is not None
        callback(FitEvaluation(start, evaluation, steps, loss, gradient_norm, values))

    with own_words(target, can_resume=True):
        _core.fit(name, target, resume, overwrite, threads, size, None if callback is None else told, warn)
    return Fit(target)
