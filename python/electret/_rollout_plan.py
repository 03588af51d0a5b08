"""Arguments of roll-outs: which frames it keeps, and how much memory it may take."""

from __future__ import annotations

from typing import Iterable

from ._arrays import number, whole


def frame_steps(frames: Iterable[int] | str, steps: int) -> tuple[int, ...]:
    """The steps of 0 … `steps` that `frames` names, each once. Raises ValueError unless they ascend, as the kept frames do."""
    if isinstance(frames, str):
        if frames != "all":
            raise ValueError(f'frames must be steps or "all", not {frames!r}')
        return tuple(range(steps + 1))
    if not isinstance(frames, Iterable):
        raise TypeError(f'frames must be a list of steps or "all", not {frames!r}')
    numbers = [whole(frame, "frames") for frame in frames]
    bad = [frame for frame in numbers if not -steps - 1 <= frame <= steps]
    if bad:
        raise ValueError(f"frames: {bad[0]} is not between {-steps - 1} and {steps}")
    kept = [frame % (steps + 1) for frame in numbers]
    if kept != sorted(kept):
        raise ValueError(f"frames: {', '.join(map(str, numbers))} are the steps {', '.join(map(str, kept))}, which must ascend")
    return tuple(dict.fromkeys(kept))


def memory_bytes(memory: int | float | str | None) -> float:
    """`memory`, a number or text such as "2GB", in bytes; 0 for None."""
    if memory is None:
        return 0.0
    if isinstance(memory, str):
        units = {"kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12, "B": 1.0}
        for unit, factor in units.items():
            if memory.strip().endswith(unit):
                try:
                    memory = float(memory.strip()[:-len(unit)]) * factor
                    break
                except ValueError:
                    raise ValueError(f'memory must be bytes, or text such as "2GB", not {memory!r}') from None
        else:
            raise ValueError(f'memory must be bytes, or text such as "2GB", not {memory!r}')
    size = number(memory, "memory")
    if not size > 0.0:
        raise ValueError(f"memory must be > 0, not {memory!r}")
    return size
