"""What a worker of a sweep does. Executors call these functions in processes, or threads, of their own."""

from __future__ import annotations

import multiprocessing
import multiprocessing.connection
import os
import signal
import threading
import time
import traceback
from contextlib import contextmanager
from typing import Any, Callable, Iterator, Mapping

import numpy as np

from . import _core
from ._errors import DivergenceError, InputError
from ._scene import Scene

MapFunction = Callable[[Scene, "dict[str, Any]", int], Mapping[str, Any]]

_DONE, _DIVERGED, _REFUSED, _FAILED = 0, 1, 2, 3
_MOST_OPEN = 4  # Sweeps that a thread keeps open.
_MOST_UNKNOWN = 20  # Calls without a result after which no first result is waited for.
_local = threading.local()  # The sweeps that this thread has open.


class NoResult(RuntimeError):
    """No call of a function has had a result yet, so that nothing is known of its columns."""


def stamp_of(directory: str) -> list[tuple[int, int, int] | None]:
    """What tells whether a sweep's own files have changed."""
    names = [os.path.join(directory, name) for name in ("design.csv", "inputs/sweep.json", "inputs/map.json")]
    return [_stamp(os.stat(name)) if os.path.exists(name) else None for name in names]


def _stamp(stat: os.stat_result) -> tuple[int, int, int]:
    return stat.st_mtime_ns, stat.st_size, stat.st_ino


def _opened(directory: str) -> _core.Sweep:
    """The sweep in `directory`, whose meshes stay from task to task. It is opened anew when its files have changed."""
    known: dict[str, tuple[Any, _core.Sweep]] = _local.__dict__.setdefault("known", {})
    stamp = stamp_of(directory)
    if directory not in known or known[directory][0] != stamp:
        if len(known) >= _MOST_OPEN:
            known.clear()
        known[directory] = (stamp, _core.Sweep(directory))
    return known[directory][1]


class _Signals:
    """What signals do to a process of workers. A run that is stopped by one is no attempt: only kills are."""

    is_busy = False  # In a task that may be stopped.
    is_ending = False  # The process ends after its task.

    @classmethod
    def stop(cls, number: int, _: object) -> None:
        """Ctrl-C ends a task, and SIGTERM the process, too. A second signal changes nothing."""
        cls.is_ending |= number == signal.SIGTERM
        if cls.is_busy:
            cls.is_busy = False
            raise KeyboardInterrupt

    @classmethod
    @contextmanager
    def task(cls) -> Iterator[None]:
        """A task. In a process of a pool it ends in order by SIGTERM, by which a pool that has lost a process ends the others."""
        takes = threading.current_thread() is threading.main_thread() and multiprocessing.parent_process() is not None
        is_free = signal.getsignal(signal.SIGTERM) == signal.SIG_DFL
        before = signal.signal(signal.SIGTERM, cls.stop) if takes and is_free else None
        cls.is_busy = takes
        try:
            yield
        finally:
            cls.is_busy = False
            if cls.is_ending:
                os._exit(128 + signal.SIGTERM)
            if before is not None:
                signal.signal(signal.SIGTERM, before)


def prepare_worker() -> None:
    """Begins a process of our own pool. It says nothing of Ctrl-C while it waits for a task, and ends when the process that began
    it is gone."""
    signal.signal(signal.SIGINT, _Signals.stop)
    parent = multiprocessing.parent_process()

    def end_with_parent() -> None:
        if parent is not None:
            multiprocessing.connection.wait([parent.sentinel])
            os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=end_with_parent, daemon=True).start()


def do_runs(directory: str, runs: list[int]) -> tuple[int, int, float]:
    """Does these runs into one part file. Those that an earlier call with the same runs has done are not repeated.
    Gives how many it did, how many of these have no result, and their processor time: results stay out of the engine's memory."""
    with _Signals.task():
        return _opened(directory).work(runs, runs[0], runs[-1])


def do_calls(directory: str, runs: list[int], function: MapFunction) -> tuple[int, int, float]:
    """The same for calls of `function`."""
    with _Signals.task():
        return _Calls(directory, runs, function).make()


class _Calls:
    """Calls of a function for some runs. The results of the first call that ever had some decide what the others must give."""

    def __init__(self, directory: str, runs: list[int], function: MapFunction) -> None:
        self.directory, self.runs, self.function = directory, runs, function
        self.sweep = _opened(directory)
        self.part: _core.SweepPart | None = None
        self.unknown: list[tuple[int, int, str, float, float]] = []  # Rows that wait for the columns.
        self.without_result, self.cpu = 0, 0.0

    def make(self) -> tuple[int, int, float]:
        left = self.sweep.without_a_row(self.runs, self.runs[0], self.runs[-1])
        for run in left:
            self._one(run)
            if len(self.unknown) >= _MOST_UNKNOWN:
                break
        if self.unknown:
            run, _, note, _, _ = self.unknown[0]
            raise NoResult(f"the function has no result for run {run}: {note}")
        return len(left), self.without_result, self.cpu

    def _one(self, run: int) -> None:
        wall, cpu = time.perf_counter(), _processor_time()
        if self.sweep.mapped:
            self._begin(run)
        try:
            status, note, found = self._call(run)
        except BaseException:
            if self.part is not None:
                self.part.take_back(run)
            raise
        is_first = found is not None and not self.sweep.mapped
        if found is not None and is_first:
            self._fix_results(found)
        taken = time.perf_counter() - wall, _processor_time() - cpu
        if not self.sweep.mapped:
            self.unknown.append((run, status, note, *taken))
            return
        if is_first:
            self._begin(run)
        results: list[list[float]] = []
        if found is not None:
            status, note, results = self._in_columns(found)
        self._add(run, status, results, note, *taken)
        for other, its_status, its_note, its_wall, its_cpu in self.unknown:
            self._begin(other)
            self._add(other, its_status, [], its_note, its_wall, its_cpu)
        self.unknown.clear()

    def _begin(self, run: int) -> None:
        if self.part is None:
            self.part = _core.SweepPart(self.sweep, self.runs[0], self.runs[-1])
        self.part.begin(run)

    def _add(self, run: int, status: int, results: list[list[float]], note: str, wall: float, cpu: float) -> None:
        assert self.part is not None
        self.part.add(run, status, results, wall, cpu, note)
        self.without_result += status > _DIVERGED
        self.cpu += cpu

    def _fix_results(self, found: dict[str, Any]) -> None:
        try:
            self.sweep.set_mapped([(name, value.shape) for name, value in found.items()])
        except InputError:
            if not os.path.exists(os.path.join(self.directory, "inputs/map.json")):
                raise
        self.sweep = _opened(self.directory)

    def _call(self, run: int) -> tuple[int, str, dict[str, Any] | None]:
        """Status, cause, and results by name."""
        try:
            scene = Scene._of_text(*self.sweep.scene(run))
            given = self.function(scene, values_of(self.sweep, run), run)
            if not isinstance(given, Mapping) or not given:
                raise TypeError(f"the function must return {{name: number or array}}, not {type(given).__name__}")
            return _DONE, "", {name: _numbers(name, given[name]) for name in sorted(given, key=str)}
        except DivergenceError as error:
            return _DIVERGED, str(error), None
        except InputError as error:
            return _REFUSED, str(error), None
        except (Exception, SystemExit) as error:  # sys.exit ends the run, not whoever does it.
            return _FAILED, "".join(traceback.format_exception_only(type(error), error)).strip(), None

    def _in_columns(self, found: dict[str, Any]) -> tuple[int, str, list[list[float]]]:
        """The results in the order of the columns; a failure if they are others."""
        given = [(name, value.shape) for name, value in found.items()]
        if given != self.sweep.mapped:
            return _FAILED, f"the function gives {given}, not {self.sweep.mapped} as for the first run", []
        return _DONE, "", [found[name].ravel().tolist() for name in found]


def _processor_time() -> float:
    """In the main thread of a process that of the process, s, with the threads of the function; else that of this thread, because
    others may do other runs."""
    return time.process_time() if threading.current_thread() is threading.main_thread() else time.thread_time()


def values_of(sweep: _core.Sweep, run: int) -> dict[str, float | str]:
    """The run's values, as a function gets them."""
    return {key: _value(sweep, run, k) for k, key in enumerate(sweep.keys)}


def _value(sweep: _core.Sweep, run: int, key: int) -> float | str:
    number = sweep.number(run, key)
    return sweep.value(run, key) if number is None else number


def _numbers(name: Any, value: Any) -> Any:
    if not isinstance(name, str):
        raise TypeError(f"a result's name must be text, not {name!r}")
    array = np.asarray(value.detach().cpu() if hasattr(value, "detach") else value)
    if array.dtype.kind not in "fiub":
        raise TypeError(f"{name} must be numbers, not {array.dtype}")
    if array.size == 0:
        raise ValueError(f"{name} must have numbers, not the shape {array.shape}")
    return array.astype(float)
