"""SIGINT in the middle of a call, and how long it takes until KeyboardInterrupt arrives."""

import os
import signal
import threading
import time

import pytest

LATEST = 0.1 if "ELECTRET_SANITIZED" not in os.environ else 0.3  # s
AFTER = 0.12  # s; between two looks for signals, and so early that a look every 0.4 s would come too late.
TRIES = 8  # A busy machine delays one signal or the other; a fault delays them all.


class Interrupt:
    """Sends SIGINT after `after` s and once `once()` is true; `delay` is the time from then until the block was left, s."""

    def __init__(self, after=AFTER, once=lambda: True):
        self.after, self.once, self.sent, self.delay = after, once, None, None
        self.is_left = threading.Event()

    def __enter__(self):
        def send():
            while not self.once():
                if self.is_left.wait(0.01):
                    return
            self.sent = time.monotonic()
            os.kill(os.getpid(), signal.SIGINT)

        if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # As of a shell's job in the background.
            signal.signal(signal.SIGINT, signal.default_int_handler)
        self.timer = threading.Timer(self.after, send)
        self.timer.start()
        return self

    def __exit__(self, *_):
        self.delay = None if self.sent is None else time.monotonic() - self.sent
        self.is_left.set()
        self.timer.cancel()
        self.timer.join()


def interrupted(call, after=AFTER, once=lambda: True):
    """Calls until the signal, several times; fails unless KeyboardInterrupt comes each time, and in time once."""
    delays = []
    for _ in range(TRIES):
        with Interrupt(after, once) as it, pytest.raises(KeyboardInterrupt):
            call()
            pytest.fail("the call was over before the signal")
        delays.append(it.delay)
        if it.delay < LATEST:
            return
    pytest.fail(f"KeyboardInterrupt came {', '.join(f'{delay:.3f}' for delay in delays)} s after the signal")
