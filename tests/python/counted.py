"""Many calls of a function, and what they leave behind: references to its arguments, objects, memory."""

import gc
import os
import sys

import numpy as np

LONG = "ELECTRET_CALLS" in os.environ  # `./dev test --long` asks for 100000 calls of each function.
CALLS = int(os.environ.get("ELECTRET_CALLS", "1000"))
IS_SANITIZED = "ELECTRET_SANITIZED" in os.environ


def resident():
    """Bytes of memory that the process has."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def leaves_nothing(call, held, cost=1, is_ours=True):
    """Asserts that calls change no count of references to `held` and make no objects that stay.

    A call of `cost` 10 is made a tenth as often. The long test heeds this from 20 on only: what writes or reads files.
    Where `is_ours` is false another package makes objects of its own, which are not counted.
    """
    count = max(CALLS // (1 if LONG and cost < 20 else cost), 30)
    shared = [np.dtype(float), None, True]  # What every array, and every call without a result, refers to.
    for _ in range(3):
        call()
    before = [sys.getrefcount(one) for one in held]
    rounds, of_shared = [], []
    for _ in range(3):  # Caches fill in the first ones; what is leaked by every call is so in all.
        gc.collect()
        blocks, references = sys.getallocatedblocks(), [sys.getrefcount(one) for one in shared]
        for _ in range(count // 3):
            call()
        gc.collect()
        rounds.append(sys.getallocatedblocks() - blocks)
        of_shared.append(max(abs(sys.getrefcount(one) - n) for one, n in zip(shared, references)))
    after = [sys.getrefcount(one) for one in held]
    assert after == before, f"{before} references before, {after} after {count} calls"
    if not is_ours:
        return
    assert min(of_shared) < max(count / 6, 300), f"{of_shared} references to what everybody has came or went"
    assert min(rounds) < max(count / 6, 300), f"{rounds} blocks of memory stayed after {count // 3} calls each"
