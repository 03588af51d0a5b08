"""Hands the missing runs of a sweep to an executor, and goes on until none is missing."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from typing import Any, Callable, Iterator

import numpy as np

from . import _core
from ._errors import InputError, IoError
from ._sweep_calls import NoResult
from ._sweep_work import prepare_worker
from ._warn import warn

_BLOCK_SECONDS = 2.0
_FIRST, _WAITING, _LEAST_BLOCKS, _LEAST_ENDED = 16, 64, 32, 20
_ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}

Task = Callable[["list[int]", bool], "tuple[Any, ...]"]


@contextmanager
def _own_pool(workers: int) -> Iterator[Executor]:
    """A pool of spawned processes of one thread each. An exception on its way stops what they do."""
    before, outer = set(multiprocessing.active_children()), {key: os.environ.get(key) for key in _ONE_THREAD}
    os.environ.update(_ONE_THREAD)  # For the processes, which start as tasks come.
    pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), prepare_worker)
    try:
        yield pool
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for child in set(multiprocessing.active_children()) - before:
            if child.pid is not None:
                os.kill(child.pid, signal.SIGINT)
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
        for key, value in outer.items():
            os.environ.pop(key, None) if value is None else os.environ.update({key: value})


@contextmanager
def _given_pool(executor: Executor) -> Iterator[Executor]:
    yield executor


class Engine:
    """One call of `Sweep.run` or `Sweep.map`. `open_sweep` opens the sweep anew; `task` gives what a block submits."""

    def __init__(self, open_sweep: Callable[[], _core.Sweep], task: Task, executor: Executor | None, workers: int, block: int,
                 progress: Callable[[int, int], object] | None) -> None:
        self.open, self.task, self.executor, self.workers, self.block, self.progress = open_sweep, task, executor, workers, block, progress
        self.ended, self.without_result, self.cpu = 0, 0, 0.0
        self.once_more = False  # Whether runs are done that have a row.

    def go(self, again: list[int]) -> None:
        """Does what is missing, after the runs that ended with these statuses. Raises what a task raises, unless others of its round
        got on."""
        state = self._again(self._state(), again)
        while len(state["missing"]):
            if self._is_over():
                warn(f"the sweep stops: {self._why()}")
                return  # What has ended remains.
            error = self._round(state)
            before, state = state, self._state()
            if error is not None and (isinstance(error, (InputError, IoError)) or not _got_on(before, state) or (
                    self.executor is not None and isinstance(error, BrokenExecutor))):
                raise error
            if error is None and not self._is_over() and not _got_on(before, state):
                raise RuntimeError("the executor has done none of its tasks")

    def _again(self, state: dict[str, Any], statuses: list[int]) -> dict[str, Any]:
        """Does these runs once more, each once: a process that dies leaves those that it had not done as they were."""
        runs = np.flatnonzero(np.isin(state["statuses"], statuses))
        if not len(runs):
            return state
        self.ended, self.without_result = self.ended - len(runs), self.without_result - len(runs)
        self.once_more = True
        try:
            error = self._round({**state, "missing": runs})
        finally:
            self.once_more = False
        if error is not None:
            raise error
        return self._state()

    def _state(self) -> dict[str, Any]:
        """How far the sweep is, after runs that took their process down too often were given up."""
        sweep = self.open()
        state: dict[str, Any] = sweep.state()
        lost = state["missing"][state["attempts"] >= sweep.attempts]
        if len(lost):
            sweep.give_up(lost.tolist())
            state = sweep.state()
        self.ended, self.without_result, self.cpu = state["ended"], int((state["statuses"] > 1).sum()), state["cpu"]
        return state

    def _is_over(self) -> bool:
        """Whether [limits] lets no further run begin."""
        return bool(self._why())

    def _why(self) -> str:
        return self.open().over(self.ended, self.without_result, self.cpu)

    def _round(self, state: dict[str, Any]) -> BaseException | None:
        """Submits what is missing; returns the first error of a task."""
        runs: list[int] = state["missing"].tolist()
        workers = self.workers or len(os.sched_getaffinity(0))
        with (_own_pool(min(workers, len(runs))) if self.executor is None else _given_pool(self.executor)) as pool:
            if state["timed"] or self.block or self.once_more:
                return self._blocks(pool, runs, self._block_of(state, len(runs)))
            # The first runs show how long one takes.
            error = self._blocks(pool, runs[:_FIRST], 1)
            if error is not None or self._is_over():
                return error
            now = self._state()
            ended = set(np.flatnonzero(now["statuses"] >= 0))
            rest = [run for run in runs[_FIRST:] if run not in ended]
            return self._blocks(pool, rest, self._block_of(now, len(rest)))

    def _block_of(self, state: dict[str, Any], count: int) -> int:
        if self.block:
            return self.block
        each = state["wall"] / max(state["timed"], 1)
        return max(1, min(int(_BLOCK_SECONDS / max(each, 1e-6)), -(-count // _LEAST_BLOCKS)))

    def _blocks(self, pool: Executor, runs: list[int], size: int) -> BaseException | None:
        """Gives the runs to the pool. No block begins after an error or beyond the limits, or when this call is left."""
        blocks = [runs[k:k + size] for k in range(0, len(runs), size)][::-1]
        waiting: dict[Future[Any], int] = {}  # When each was submitted.
        try:
            error = self._through(pool, blocks, waiting)
        except BrokenExecutor as broken:
            error = broken
        except BaseException:
            for other in waiting:
                other.cancel()
            raise
        for other in waiting:
            other.cancel()
        wait(waiting)
        return error

    def _through(self, pool: Executor, blocks: list[list[int]], waiting: dict[Future[Any], int]) -> BaseException | None:
        first: BaseException | None = None
        submitted = unknown = 0
        while blocks or waiting:
            while blocks and len(waiting) < _WAITING:
                waiting[self._submitted(pool, blocks.pop())] = submitted
                submitted += 1
            for future in sorted(wait(waiting, return_when=FIRST_COMPLETED).done, key=waiting.__getitem__):
                del waiting[future]
                error = self._heard(future)
                first = first or error
                unknown += isinstance(error, NoResult)
                if (error is not None and not isinstance(error, NoResult)) or unknown >= _LEAST_ENDED:
                    return first
            if self._is_over():
                return first
        return first

    def _submitted(self, pool: Executor, runs: list[int]) -> Future[Any]:
        future = pool.submit(*self.task(runs, self.once_more))
        if not isinstance(future, Future):
            raise TypeError(f"submit of the executor must return a concurrent.futures.Future, not {type(future).__name__}")
        return future

    def _heard(self, future: Future[Any]) -> BaseException | None:
        """Counts what a task has done; returns its error. A cancelled one the executor has lost; the next round does its runs."""
        try:
            error = future.exception()
        except CancelledError:
            return None
        if error is not None:
            return None if isinstance(error, CancelledError) else error
        counts = future.result()
        if not isinstance(counts, (tuple, list)) or len(counts) != 3:
            raise TypeError(f"a task of the executor must have the result of the function that it was given, not {type(counts).__name__}")
        done, without_result, cpu = counts
        self.ended, self.without_result, self.cpu = self.ended + done, self.without_result + without_result, self.cpu + cpu
        if self.progress is not None:
            self.progress(self.ended, self.open().runs)
        return None


def _got_on(before: dict[str, Any], after: dict[str, Any]) -> bool:
    """Whether runs have ended or begun in between; a run that begins again and again is given up at last."""
    return bool(after["ended"] > before["ended"] or after["attempts"].sum() > before["attempts"].sum())
