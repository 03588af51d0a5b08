"""Sweeps: many runs of a scene or fits of a job, by any executor."""

from __future__ import annotations

import os
import shlex
import threading
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import Any, Iterable, Iterator, Mapping, NamedTuple

import numpy as np

from . import _core, _html
from ._arrays import Floats, Integers, flag, path, whole
from ._errors import Finding, InputError, IoError
from ._own_words import own_words
from ._progress import ProgressArgument, progress_function
from ._repr import one_line
from ._run_files import read_object
from ._scene_values import plain
from ._sweep_calls import MapFunction, do_calls, values_of
from ._sweep_engine import Engine
from ._sweep_work import do_runs, stamp_of
from ._warn import warn

_STATUS = ("done", "diverged", "refused", "failed", "timeout", "lost", "missing")
_WITHOUT_RESULT = _STATUS[2:6]
_TURNS: dict[str, Any] = {}  # A lock for each folder in which this process does runs.
_TURNS_LOCK = threading.Lock()
_NARROW = 64  # Numbers of a run in `table`.


class SweepFailure(NamedTuple):
    """A run without a result.

    Attributes
    ----------
    run : int
        Its number.
    status, cause : str
        "refused", "failed", "timeout" or "lost", and why.
    command : str
        The command that repeats it alone, as a shell takes it; of a call of `map`, the call in Python.

    Examples
    --------
    >>> SweepFailure(3, "timeout", "the run took longer than 1s", "electret run scene.toml").run
    3
    """

    run: int
    status: str
    cause: str
    command: str


class SweepFrames:
    """Positions or velocities that a sweep has kept, by run. Made by `Sweep.positions` and `Sweep.velocities`.

    `frames[run]` is a new array (frames, n, 3), in m or m/s; it is read when it is asked for. Raises IndexError for a number that
    is no run's, and KeyError for a run that has not ended.

    Examples
    --------
    >>> Sweep("sweeps/map").positions[0].shape
    (2, 32, 3)
    """

    def __init__(self, sweep: Sweep, name: str) -> None:
        self._sweep, self._name = sweep, name

    def __len__(self) -> int:
        return len(self._sweep)

    def __getitem__(self, run: int) -> Floats:
        return self._sweep._of_run(self._name, run)

    def __repr__(self) -> str:
        return f"<electret.SweepFrames: {self._name} of {len(self)} runs>"


class Sweep:
    """Many runs of a scene whose values vary, or many fits, in a folder. docs/sweeps.md.

    The same folder, job and results as `electret sweep`, bit for bit. A sweep that is in the folder goes on where it stopped, also
    one that the command began.

    Parameters
    ----------
    job : path
        The job file, or in its place the folder of a sweep that is there. A job in which nothing varies is a sweep without runs,
        which `append` adds.
    directory : path, optional
        The sweep's folder; default: sweeps/JOB-STEM.
    overwrite : bool, default False
        Whether to remove an earlier sweep there.

    Raises InputError with every finding about the job, its scenes and the folder, and IoError.

    Examples
    --------
    >>> sweep = Sweep("sweep.toml", "sweeps/map")
    >>> sweep.run()
    >>> sweep["size"].shape, len(sweep.missing)
    ((4,), 0)
    """

    def __init__(self, job: str | os.PathLike[str], directory: str | os.PathLike[str] | None = None, *, overwrite: bool = False) -> None:
        name, overwrite = path(job, "job"), flag(overwrite, "overwrite")
        if os.path.isdir(name):
            if directory is not None or overwrite:
                raise ValueError("job is a folder, that of a sweep; directory and overwrite go with a job file")
            self.directory = os.path.abspath(name)
        else:
            target = os.path.join("sweeps", os.path.splitext(os.path.basename(name))[0]) if directory is None else path(directory, "directory")
            self.directory = os.path.abspath(target)
            with own_words(self.directory, can_resume=False):
                _core.begin_sweep(name, self.directory, overwrite)
        self._known: tuple[Any, Any] = (None, None)  # Stamp and sweep; other threads replace both at once.
        self._known_rows: tuple[Any, Any] = (None, None)
        self._core_sweep()

    def _core_sweep(self) -> _core.Sweep:
        """The sweep as its files are now."""
        stamp, known = stamp_of(self.directory), self._known
        if known[0] != stamp:
            known = self._known = (stamp, _core.Sweep(self.directory))
        core: _core.Sweep = known[1]
        return core

    def run(self, executor: Executor | None = None, *, workers: int = 0, block: int = 0, again: str | Iterable[str] = (),
            progress: ProgressArgument = False) -> None:
        """Does the runs that are missing, and merges: sweep.h5, runs.csv, pictures, summary.json.

        Tasks are blocks of runs. Each leaves a part file, and gives its executor nothing but counts. The results have the same bytes
        whatever executor does the runs, in whatever order, also after tasks were lost or repeated. Ctrl-C keeps all runs that have
        ended; the same call goes on.

        Parameters
        ----------
        executor : concurrent.futures.Executor, optional
            Who does the tasks: a pool of processes or threads, `Client(…).get_executor()` of Dask, `MPIPoolExecutor()` of mpi4py. It
            remains open. Default: a pool of spawned processes, for which a script needs `if __name__ == "__main__":`.
        workers : int, default 0
            Processes of the default pool; 0: one per core.
        block : int, default 0
            Runs of a task; 0: as many as take about 2 s.
        again : str or list of str, optional
            Runs that ended so are done once more, before the missing ones: "refused", "failed", "timeout", "lost".
        progress : bool or function, default False
            True: a line on stderr; a function gets the runs that have ended, and all.

        Calls by several threads of a process wait for each other. Runs without a result are in `failures`. Warns if parts do not
        count, and if the sweep stops because too many runs have no result or have taken too much time (`failures`, `cpu_hours` in
        [limits]). Raises InputError if the sweep is one of `map`, IoError with the file, TypeError if executor is none, what `merge`
        raises, and what the executor raises when none of its tasks gets on.

        Examples
        --------
        >>> from concurrent.futures import ThreadPoolExecutor
        >>> with ThreadPoolExecutor(1) as pool:
        ...     Sweep("sweep.toml", "sweeps/map").run(pool, block=2)
        """
        if self._core_sweep().mapped:
            raise InputError([_finding("run", "the runs of this sweep are calls of a function", "go on with map")])
        self._go(lambda runs, once_more: (do_runs, self.directory, runs, once_more), executor, workers, block, again, progress)

    def map(self, function: MapFunction, executor: Executor | None = None, *, workers: int = 0, block: int = 0,
            again: str | Iterable[str] = (), progress: ProgressArgument = False) -> None:
        """Calls a function of yours in place of each run, such as a roll-out with a policy, and stores what it returns alike.

        `[keep]` of the job has no meaning then. The folder must be one in which `run` has done nothing. A function that changes is not
        noticed: `overwrite` starts afresh. Draw random numbers from `run`, such as `numpy.random.default_rng(run)`, so that the
        results depend on nothing else.

        Parameters
        ----------
        function : function
            Called as function(scene, values, run): the run's Scene, its {key: number or text}, its number. It returns
            {name: number or array}, the same names and shapes for each run. What it raises, SystemExit too, makes the run `failed`, a
            DivergenceError `diverged`, an InputError `refused`. After `wall` of [limits] it gets an exception that is no Exception,
            and its run is a `timeout`. Executors of processes pickle it: define it at the top of a module.
        executor, workers, block, again, progress
            As for `run`.

        Raises TypeError if function is none, InputError if a scene's file has changed since the sweep began, or if `run` has done
        runs, and what `run` raises; RuntimeError if no call has a result.

        Examples
        --------
        >>> from concurrent.futures import ThreadPoolExecutor
        >>> def height(scene, values, run):
        ...     return {"charge": values["body.0.charge"], "top": scene.describe()["vertices"]}
        >>> sweep = Sweep("sweep.toml", "sweeps/own", overwrite=True)
        >>> with ThreadPoolExecutor(1) as pool:
        ...     sweep.map(height, pool)
        >>> sweep["top"]
        array([32., 32., 32., 32.])
        """
        if not callable(function):
            raise TypeError(f"function must be a function, not {type(function).__name__}")
        core = self._core_sweep()
        if not core.mapped and core.state()["ended"]:
            raise InputError([_finding("map", "runs of this sweep have ended that are no calls of a function", "give the calls a folder of their own")])
        changed = core.changed_files()
        if changed:
            raise InputError([_finding(name, "has changed since the sweep began", "overwrite=True starts afresh") for name in changed])
        self._go(lambda runs, once_more: (do_calls, self.directory, runs, once_more, function), executor, workers, block, again, progress)

    def _go(self, task: Any, executor: Executor | None, workers: int, block: int, again: str | Iterable[str],
            progress: ProgressArgument) -> None:
        if isinstance(executor, type):
            raise TypeError(f"executor must be an executor, not the class {executor.__name__}")
        if executor is not None and not callable(getattr(executor, "submit", None)):
            raise TypeError(f"executor must have a method submit, as those of concurrent.futures, not {type(executor).__name__}")
        told = progress_function(progress, "sweep", "run")
        engine = Engine(self._core_sweep, task, executor, whole(workers, "workers", 0, 1024), whole(block, "block", 0), told)
        statuses = _statuses_of(again)
        with _turn(self.directory):
            engine.go(statuses)
            self.merge()

    def merge(self) -> str:
        """Writes sweep.h5, runs.csv, pictures and summary.json from the parts, as `run` does at its end; returns the digest.

        Warns of parts and rows that do not count. Raises IoError, and InputError if sweep.h5 has results that the parts no longer have.

        Examples
        --------
        >>> len(Sweep("sweeps/map").merge())
        16
        """
        with _turn(self.directory):
            digest, faults = self._core_sweep().merge()
        if faults:
            warn("\n".join(faults))
        return str(digest)

    def append(self, runs: Iterable[Mapping[str, Any]]) -> Integers:
        """Adds runs, for searches that choose their next values themselves; `run` or `map` does them.

        Parameters
        ----------
        runs : list of dict
            The values of each run by key: those of the sweep's keys, or if it has no runs yet, any keys of `--set`, the same in each.

        Returns
        -------
        (k,) array
            The numbers of the new runs, by which results are found: indices of `sweep["loss"]`.

        Raises InputError with every finding about keys and scenes; nothing is added then. Threads and processes may append at the
        same time.

        Examples
        --------
        >>> Sweep("sweep.toml", "sweeps/more").append([{"body.0.charge": 3e-7}, {"body.0.charge": 4e-7}])
        array([4, 5])
        """
        if isinstance(runs, Mapping):
            raise TypeError("runs must be a list of dicts, one for each run, not a dict")
        rows = [dict(row) for row in runs]
        if not rows:
            return np.empty(0, np.int64)
        keys = list(rows[0])
        for k, row in enumerate(rows):
            if set(row) != set(keys):
                raise InputError([_finding(f"runs[{k}]", "it has other keys than runs[0]", "each run has a value of every key")])
        first = self._core_sweep().append(keys, [[_cell(row[key], key) for key in keys] for row in rows])
        return np.arange(first, first + len(rows))

    def table(self) -> dict[str, Any]:
        """The runs that have ended: {name: array}, one number or text a run, as pandas.DataFrame takes it. Also while it runs.

        "run", "status" (text), a column for each key, for each quantity, "loss" and so on, in the units of their kinds; rows of up
        to 64 numbers are (k, numbers). "wall" and "cpu" are in s. All are copies.

        Raises IoError if a part that was there is gone.

        Examples
        --------
        >>> sorted(Sweep("sweeps/map").table())
        ['body.0.charge', 'cpu', 'run', 'size', 'status', 'steps', 'wall']
        """
        core, rows = self._core_sweep(), self._rows()
        runs = rows.runs()
        found: dict[str, Any] = {"run": runs, "status": self._statuses()[runs]}
        for key in core.keys:
            found[key] = self[key][runs]
        for name, shape, column, place in core.columns():
            if np.prod(shape, dtype=int) <= _NARROW:
                found[name] = self._column(runs, shape, column, place)
        return found

    def __getitem__(self, name: str) -> Any:
        """The values of a key, or a result, of all runs: (runs, …), NaN for runs that have not ended."""
        core = self._core_sweep()
        if name == "status":
            return self._statuses()
        if name in core.keys:
            return self._values(core.keys.index(name))
        for known, shape, column, place in core.columns():
            if known == name:
                runs = self._rows().runs()
                all_runs = np.full((core.runs, *shape), np.nan)
                all_runs[runs] = self._column(runs, shape, column, place)
                return all_runs
        known_names = ["status", *core.keys, *(each[0] for each in core.columns())]
        raise KeyError(f"{name} is neither a key nor a result; there are: {', '.join(known_names)}")

    def __len__(self) -> int:
        return int(self._core_sweep().runs)

    def _values(self, key: int) -> Any:
        core = self._core_sweep()
        numbers = [core.number(run, key) for run in range(core.runs)]
        if any(number is None for number in numbers):
            return np.array([core.value(run, key) for run in range(core.runs)])
        return np.array(numbers, dtype=float)

    def _column(self, runs: Any, shape: tuple[int, ...], column: str, place: int) -> Floats:
        numbers = self._rows().numbers(column, runs.tolist())
        if place < 0:
            return numbers.reshape(len(runs), *shape)
        count = sum(each[2] == column for each in self._core_sweep().columns())
        return numbers.reshape(len(runs), count)[:, place].copy()

    def _of_run(self, name: str, run: int) -> Floats:
        number = whole(run, "run")
        if not 0 <= number < len(self):
            raise IndexError(f"there is no run {number}; 0 … {len(self) - 1}")
        for known, shape, column, place in self._core_sweep().columns():
            if known == name:
                if number not in self._rows().runs():
                    raise KeyError(f"run {number} has not ended")
                found: Floats = self._column(np.array([number]), shape, column, place)[0]
                return found
        raise KeyError(f"the sweep keeps no {name}: give frames in [keep]")

    def _rows(self) -> _core.SweepRows:
        """The rows as the parts are now."""
        parts = os.path.join(self.directory, "parts")
        with os.scandir(parts) as entries:
            sizes = sorted((entry.name, entry.stat().st_size, entry.stat().st_mtime_ns) for entry in entries)
        stamp, known = (stamp_of(self.directory), sizes), self._known_rows
        if known[0] != stamp:
            known = self._known_rows = (stamp, _core.SweepRows(self._core_sweep()))
        rows: _core.SweepRows = known[1]
        return rows

    def _statuses(self) -> Any:
        return np.array(_STATUS)[self._core_sweep().state()["statuses"]]

    @property
    def keys(self) -> list[str]:
        """The keys whose values vary, in the order of design.csv."""
        return list(self._core_sweep().keys)

    @property
    def fitted(self) -> list[str]:
        """The names of the fitted values, in the order of `sweep["fitted"][run]`. Empty unless the runs are fits."""
        return list(self._core_sweep().values_fitted)

    @property
    def positions(self) -> SweepFrames:
        """What `frames` of [keep] kept: `sweep.positions[run]` is (frames, n, 3), m."""
        return SweepFrames(self, "positions")

    @property
    def velocities(self) -> SweepFrames:
        """What `velocities` of [keep] kept: `sweep.velocities[run]` is (frames, n, 3), m/s."""
        return SweepFrames(self, "velocities")

    @property
    def missing(self) -> Integers:
        """The numbers (k,) of the runs that have not ended; indices, a new array."""
        missing: Integers = self._core_sweep().state()["missing"]
        return missing

    @property
    def failures(self) -> list[SweepFailure]:
        """Runs that have ended without a result, with their causes: the first 100."""
        core = self._core_sweep()
        return [SweepFailure(run, status, cause, _repetition(core, run)) for run, status, cause in core.state()["failures"]]

    @property
    def summary(self) -> dict[str, Any]:
        """The contents of summary.json as of the last merge, as it is: counts, digest, of fits the distinct minima.

        Raises IoError before the first merge.
        """
        name = os.path.join(self.directory, "summary.json")
        if not os.path.exists(name):
            raise IoError(f"there is no {name} yet: run, map and merge write it", name)
        return read_object(name)

    def __repr__(self) -> str:
        return f"<electret.Sweep: {len(self)} runs, {one_line(self.directory)}>"

    def _repr_html_(self) -> str:
        try:
            statuses = self._core_sweep().state()["statuses"]
            rows = [(name, int((statuses == number).sum())) for number, name in zip((0, 1, 2, 3, 4, 5, -1), _STATUS)]
        except (InputError, IoError) as error:
            return _html.table(f"electret.Sweep: {one_line(self.directory)}", (), [(str(error),)])
        return _html.table(repr(self)[1:-1], (), [row for row in rows if row[1]])


@contextmanager
def _turn(directory: str) -> Iterator[None]:
    """Lets one thread at a time do the runs of a sweep, so that none is done twice."""
    with _TURNS_LOCK:
        turn = _TURNS.setdefault(os.path.realpath(directory), threading.RLock())
    with turn:
        yield


def _statuses_of(again: str | Iterable[str]) -> list[int]:
    """The numbers of the statuses whose runs are done once more."""
    names = [again] if isinstance(again, str) else list(again)
    for name in names:
        if name not in _WITHOUT_RESULT:
            raise ValueError(f"again must be of {', '.join(_WITHOUT_RESULT)}, not {name!r}")
    return [_STATUS.index(name) for name in names]


def _repetition(core: _core.Sweep, run: int) -> str:
    """What does the run again, alone."""
    if not core.mapped:
        return shlex.join(["electret", *core.command(run)])
    _, file, _, overrides = core.scene(run)
    return f"function(electret.Scene.load({file!r}, {list(overrides)!r}), {values_of(core, run)!r}, {run})"


def _finding(where: str, message: str, advice: str) -> Finding:
    return Finding(where, 0, 0, message, advice)


def _cell(value: Any, key: str) -> str:
    """A value as it stands in design.csv: numbers with 17 digits."""
    if isinstance(value, str):
        return value
    return _core.toml_line(plain(value, key))
