"""A function in a forked child, and what it returns."""

import multiprocessing
import os
import time

HANGS = 120  # s: far above what any machine takes, however busy.
LATEST = 5.0 if "ELECTRET_SANITIZED" not in os.environ else 60.0  # s of processor time; waiting for others is not counted.


def in_child(function):
    """Result of `function()` in a forked child. Fails if it hangs, raises, or computes for longer than LATEST."""
    def child(connection):
        start = time.process_time()
        try:
            connection.send((function(), time.process_time() - start))
        except BaseException as error:  # The parent is to see it.
            connection.send((error, 0.0))

    here, there = multiprocessing.Pipe()
    process = multiprocessing.get_context("fork").Process(target=child, args=(there,))
    process.start()
    try:
        assert here.poll(HANGS), "the child hangs"
        answer, seconds = here.recv()
    finally:
        process.kill()
        process.join()
    if isinstance(answer, BaseException):
        raise answer
    assert seconds < LATEST
    return answer
