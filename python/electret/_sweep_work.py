"""What a worker of a sweep does. Executors call these functions in processes, or threads, of their own."""

from __future__ import annotations

import multiprocessing
import multiprocessing.connection
import os
import signal
import threading
from contextlib import contextmanager
from typing import Any, Iterator

from . import _core

_MOST_OPEN = 4  # Sweeps that a thread keeps open.
_local = threading.local()  # The sweeps that this thread has open.


def stamp_of(directory: str) -> list[tuple[int, int, int] | None]:
    """What tells whether a sweep's own files have changed."""
    names = [os.path.join(directory, name) for name in ("design.csv", "inputs/sweep.json", "inputs/map.json")]
    return [_stamp(os.stat(name)) if os.path.exists(name) else None for name in names]


def _stamp(stat: os.stat_result) -> tuple[int, int, int]:
    return stat.st_mtime_ns, stat.st_size, stat.st_ino


def opened(directory: str) -> _core.Sweep:
    """The sweep in `directory`, whose meshes stay from task to task. It is opened anew when its files have changed."""
    known: dict[str, tuple[Any, _core.Sweep]] = _local.__dict__.setdefault("known", {})
    stamp = stamp_of(directory)
    if directory not in known or known[directory][0] != stamp:
        if len(known) >= _MOST_OPEN:
            known.clear()
        known[directory] = (stamp, _core.Sweep(directory))
    return known[directory][1]


class Signals:
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
    signal.signal(signal.SIGINT, Signals.stop)
    parent = multiprocessing.parent_process()

    def end_with_parent() -> None:
        if parent is not None:
            multiprocessing.connection.wait([parent.sentinel])
            os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=end_with_parent, daemon=True).start()


def do_runs(directory: str, runs: list[int], again: bool) -> tuple[int, int, float]:
    """Does these runs into one part file. Those that an earlier call with the same runs has done are not repeated, unless `again`.
    Gives how many it did, how many of these have no result, and their processor time: results stay out of the engine's memory."""
    with Signals.task():
        return opened(directory).work(runs, runs[0], runs[-1], again)
