"""Calls of a function in place of a sweep's runs. Executors make them in processes, or threads, of their own."""

from __future__ import annotations

import os
import threading
import time
import traceback
from typing import Any, Callable, Mapping, NamedTuple

import numpy as np

from . import _core
from ._errors import DivergenceError, InputError
from ._scene import Scene
from ._sweep_work import Signals, opened
from ._time_limit import TookTooLong, call_within

MapFunction = Callable[[Scene, "dict[str, Any]", int], Mapping[str, Any]]

_DONE, _DIVERGED, _REFUSED, _FAILED, _TIMEOUT = 0, 1, 2, 3, 4
_MOST_WAITING = 20  # Calls without a result after which no first result is waited for.


class NoResult(RuntimeError):
    """No call of a function has had a result yet, so that nothing is known of its columns."""


def do_calls(directory: str, runs: list[int], again: bool, function: MapFunction) -> tuple[int, int, float]:
    """Calls `function` for these runs into one part file, as `do_runs` does runs of the library."""
    with Signals.task():
        return _Calls(directory, runs, function).make(again)


class _Ended(NamedTuple):
    """A call that has ended: what it gave by name, or why nothing."""

    run: int
    found: dict[str, Any] | None
    status: int
    note: str
    wall: float
    cpu: float
    has_begun: bool  # As the part has it.


class _Calls:
    """Calls of a function for some runs.

    A part has its columns from its beginning, and only a result shows which these are: the first one that any call of the sweep
    ever gave. Calls that end without a result before it wait until it is there.
    """

    def __init__(self, directory: str, runs: list[int], function: MapFunction) -> None:
        self.directory, self.runs, self.function = directory, runs, function
        self.sweep = opened(directory)
        self.part: _core.SweepPart | None = None
        self.waiting: list[_Ended] = []
        self.without_result, self.cpu = 0, 0.0

    def make(self, again: bool) -> tuple[int, int, float]:
        left = self.runs if again else self.sweep.without_a_row(self.runs, self.runs[0], self.runs[-1])
        for run in left:
            ended = self._call(run)
            if ended.found is not None and not self.sweep.mapped:
                self._fix_columns(ended.found)
            self.waiting.append(ended)
            if self.sweep.mapped:
                self._write_waiting()
            elif len(self.waiting) >= _MOST_WAITING:
                break
        if self.waiting:
            first = self.waiting[0]
            raise NoResult(f"the function has no result for run {first.run}: {first.note}")
        return len(left), self.without_result, self.cpu

    def _call(self, run: int) -> _Ended:
        """Makes the call. Once columns are known, the part says first that it begins, so that a death in it is an attempt."""
        has_begun = bool(self.sweep.mapped)
        if has_begun:
            self._open_part().begin(run)
        wall, cpu = time.perf_counter(), _processor_time()
        try:
            found, status, note = self._result(run)
        except BaseException:  # A stop on request is no attempt.
            if has_begun:
                self._open_part().take_back(run)
            raise
        return _Ended(run, found, status, note, time.perf_counter() - wall, _processor_time() - cpu, has_begun)

    def _result(self, run: int) -> tuple[dict[str, Any] | None, int, str]:
        """What the function gives; or None, the status and the cause."""
        try:
            scene, values = Scene._of_text(*self.sweep.scene(run)), values_of(self.sweep, run)
            given = call_within(self.sweep.wall, lambda: self.function(scene, values, run))
            if not isinstance(given, Mapping) or not given:
                raise TypeError(f"the function must return {{name: number or array}}, not {type(given).__name__}")
            return {name: _numbers(name, given[name]) for name in sorted(given, key=str)}, _DONE, ""
        except TookTooLong:
            return None, _TIMEOUT, f"the run took longer than {self.sweep.wall_text}"
        except DivergenceError as error:
            return None, _DIVERGED, str(error)
        except InputError as error:
            return None, _REFUSED, str(error)
        except (Exception, SystemExit) as error:  # sys.exit ends the run, not whoever does it.
            return None, _FAILED, "".join(traceback.format_exception_only(type(error), error)).strip()

    def _fix_columns(self, found: dict[str, Any]) -> None:
        """Makes the columns those of this result, unless another process was first."""
        try:
            self.sweep.set_mapped([(name, value.shape) for name, value in found.items()])
        except InputError:
            if not os.path.exists(os.path.join(self.directory, "inputs/map.json")):
                raise
        self.sweep = opened(self.directory)

    def _write_waiting(self) -> None:
        part = self._open_part()
        for ended in self.waiting:
            if not ended.has_begun:
                part.begin(ended.run)
            status, note, results = self._in_columns(ended)
            part.add(ended.run, status, results, ended.wall, ended.cpu, note)
            self.without_result += status > _DIVERGED
            self.cpu += ended.cpu
        self.waiting.clear()

    def _in_columns(self, ended: _Ended) -> tuple[int, str, list[list[float]]]:
        """The results in the order of the columns; a failure if they are others."""
        if ended.found is None:
            return ended.status, ended.note, []
        given = [(name, value.shape) for name, value in ended.found.items()]
        if given != self.sweep.mapped:
            return _FAILED, f"the function gives {given}, not {self.sweep.mapped} as for the first run", []
        return ended.status, ended.note, [value.ravel().tolist() for value in ended.found.values()]

    def _open_part(self) -> _core.SweepPart:
        if self.part is None:
            self.part = _core.SweepPart(self.sweep, self.runs[0], self.runs[-1])
        return self.part


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
