"""How the rows of the performance table are measured: interleaved pairs, on pinned cores."""

import contextlib
import os
import statistics
import time
from typing import Callable, NamedTuple

REPEATS = 7


class Length:
    """Of the measurement. In its short form the rows are there, but their values say nothing (--short)."""

    is_short = False


def count_of(usual: int) -> int:
    """How often something is repeated within a measurement."""
    return max(usual // 100, 2) if Length.is_short else usual


def repeats() -> int:
    """How many pairs, or single values, a median is of."""
    return 1 if Length.is_short else REPEATS


class Row(NamedTuple):
    """One line of the table: what was measured, its value and unit, and the most (or least) it may be."""

    name: str
    value: float
    unit: str
    limit: float
    at_least: bool = False
    detail: str = ""

    @property
    def is_met(self) -> bool:
        return self.value >= self.limit if self.at_least else self.value <= self.limit


class Clock:
    """Wall time; processor time where the machine is at work for others, too (--processor-time)."""

    now = time.perf_counter


def seconds_of(call: Callable[[], object]) -> float:
    """Time of one call, s."""
    start = Clock.now()
    call()
    return Clock.now() - start


def native(call: Callable[[], float]) -> float:
    """Time of a native loop, which says its own wall time, s."""
    start = Clock.now()
    wall = call()
    return wall if Clock.now is time.perf_counter else Clock.now() - start


def pairs(ours: Callable[[], float], native: Callable[[], float]) -> list[tuple[float, float]]:
    """Seconds of both, in turn, after one of each that does not count; who is first changes from pair to pair."""
    ours(), native()
    result = []
    for k in range(repeats()):
        first, second = (ours, native) if k % 2 else (native, ours)
        a, b = first(), second()
        result.append((a, b) if k % 2 else (b, a))
    return result


def ratio(measured: list[tuple[float, float]]) -> float:
    """Median of the pairs' quotients."""
    return statistics.median(a / b for a, b in measured)


def difference(measured: list[tuple[float, float]], count: int) -> float:
    """Median of the pairs' differences, s a call, of `count` calls each."""
    return statistics.median((a - b) / count for a, b in measured)


@contextlib.contextmanager
def pinned(count: int):
    """The process on the first `count` of its cores."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(before)[:count])
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
