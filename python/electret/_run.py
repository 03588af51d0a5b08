"""Runs in directories: simulating into them, and reading them."""

from __future__ import annotations

import os
from typing import Any, NamedTuple

import numpy as np

from . import _core, _html
from ._arrays import Floats, flag, path, thread_count
from ._errors import IoError
from ._field_function import refuse_functions
from ._own_words import own_words
from ._progress import ProgressArgument, progress_function
from ._repr import of_fields, one_line
from ._run_files import read_summary, read_table
from ._scene import Scene, scene_of
from ._scene_values import Overrides
from ._trajectory import Trajectory
from ._warn import warn


class EnergyTable(NamedTuple):
    """The columns of energy.csv: new arrays (frames,), in s and J.

    work is that of fields, loads, key-frames and pins, and dissipation what drag, spring damping and friction took, over
    all steps so far. Both are NaN in runs of versions that did not write them.

    Examples
    --------
    >>> Run("runs/jelly").energies.time.round(3)
    array([0.  , 0.01, 0.02])
    """

    time: Floats
    kinetic: Floats
    elastic: Floats
    coulomb: Floats
    external: Floats
    gravity: Floats
    total: Floats
    work: Floats
    dissipation: Floats

    @property
    def balance(self) -> Floats:
        """E - E_0 - work + dissipation since frame 0, shape (frames,), J: what the method gained or, below 0, lost. docs/physics.md."""
        kept = self.total - self.work + self.dissipation
        return kept - kept[:1]

    def __repr__(self) -> str:
        return of_fields(self)


class Run:
    """A run's directory. Each property reads its file when it is used.

    Parameters
    ----------
    directory : path

    Raises IoError if there is no such directory, or if a file of it is missing or damaged.

    Examples
    --------
    >>> Run("runs/jelly").energies.total.shape
    (3,)
    """

    def __init__(self, directory: str | os.PathLike[str]) -> None:
        self.directory = os.path.abspath(path(directory, "directory"))
        if not os.path.isdir(self.directory):
            raise IoError(f"{self.directory}: there is no such folder", self.directory)

    @property
    def trajectory(self) -> Trajectory:
        """Its trajectory.h5, opened anew at each use."""
        return Trajectory(self.directory)

    @property
    def energies(self) -> EnergyTable:
        """The rows of energy.csv, J."""
        table = read_table(os.path.join(self.directory, "energy.csv"), EnergyTable._fields[:-2])
        unknown = np.full(len(table["time"]), np.nan)
        return EnergyTable(*(table.get(name, unknown) for name in EnergyTable._fields))

    @property
    def observables(self) -> dict[str, Floats]:
        """The columns of observables.csv by name, each (frames,), in the units of docs/outputs.md; copies."""
        return read_table(os.path.join(self.directory, "observables.csv"), ("time",))

    @property
    def summary(self) -> dict[str, Any]:
        """The contents of summary.json, as it is."""
        return read_summary(os.path.join(self.directory, "summary.json"))

    @property
    def status(self) -> str:
        """"done", "interrupted", "diverged", "failed" or "running"."""
        return str(self.summary["status"])

    @property
    def warnings(self) -> list[str]:
        """The warnings that the user was given."""
        return list(self.summary.get("warnings", []))

    def __repr__(self) -> str:
        return f"<electret.Run: {one_line(self.directory)}>"

    def _repr_html_(self) -> str:
        try:
            rows = [(key, value) for key, value in self.summary.items() if isinstance(value, (str, int, float))]
            told = [(line,) for line in self.warnings]
        except IoError as error:
            return _html.table(repr(self)[1:-1], (), [(str(error),)])
        return _html.table(repr(self)[1:-1], (), rows) + (_html.table("", ("warnings",), told) if told else "")


def run(scene: Scene | str | os.PathLike[str], directory: str | os.PathLike[str], *, overrides: Overrides = (),
        resume: bool = False, overwrite: bool = False, threads: int = 0, progress: ProgressArgument = False) -> Run:
    """Simulates into a directory. It writes the same files with the same bits as `electret run`.

    Ctrl-C finishes the current step, saves it and raises KeyboardInterrupt.

    Parameters
    ----------
    scene : Scene or path
    directory : path
        It is made if it does not exist.
    overrides : list of "KEY=VALUE", or {key: value}; default none
        As for `Scene.load`.
    resume : bool, default False
        Whether to continue from the directory's checkpoint.
    overwrite : bool, default False
        Whether to replace an unfinished run.
    threads : int, default 0
        0: one per core. Results have the same bits for any number.
    progress : bool or function, default False
        True shows a line on stderr, at most 10 times per second. A function is called as progress(done, total) after
        each step.

    Returns
    -------
    Run

    Warns as the command does, before the run and during it. If warnings before it are errors, no run begins.

    Raises InputError, DivergenceError and IoError where the command would end with an error. Exceptions of `progress`
    arrive unchanged.

    Examples
    --------
    >>> run(scene, "runs/other").status
    'done'
    """
    name, threads = path(directory, "directory"), thread_count(threads)
    resume, overwrite, show = flag(resume, "resume"), flag(overwrite, "overwrite"), progress_function(progress, "electret")
    made = scene_of(scene, overrides)
    refuse_functions(made, "recorded")
    with own_words(name, can_resume=True):
        _core.run(made.assembly(), name, resume, overwrite, threads, show, warn)
    return Run(name)
