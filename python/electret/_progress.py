"""The progress of a run: a line on stderr, or a caller's function."""

from __future__ import annotations

import sys
import time
from typing import Callable, Union

ProgressArgument = Union[bool, Callable[[int, int], object]]


def progress_function(progress: ProgressArgument, what: str, unit: str = "step") -> Callable[[int, int], object] | None:
    """`progress` itself if it is callable. For True, a function that writes a line to stderr at most 10 times per second."""
    if progress is False or progress is None:
        return None
    if callable(progress):
        return progress
    if progress is not True:
        raise TypeError(f"progress must be True, False or a function, not {type(progress).__name__}")
    last = [0.0]

    def show(done: int, total: int) -> None:
        now = time.monotonic()
        if now - last[0] < 0.1 and done < total:
            return
        last[0] = now
        sys.stderr.write(f"\r{what}: {unit} {done} of {total}" + ("\n" if done == total else ""))
        sys.stderr.flush()

    return show
