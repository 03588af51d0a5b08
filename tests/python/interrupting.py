"""SIGINT in the middle of a call, and how much the process still computes until KeyboardInterrupt arrives."""

import os
import signal
import threading
import time

import pytest

# s of the process's own processor time. Work for others on the machine stretches wall time, but not this: the package
# looks for signals by the wall clock, and whoever gets less of the processor computes less until then.
LATEST = 0.1 if "ELECTRET_SANITIZED" not in os.environ else 1.0
AFTER = 0.12  # s; between two looks, and early enough that a look every 0.4 s would come too late.


class Interrupt:
    """Sends SIGINT after `after` s and once `once()` is true; `delay` is the processor time from then until the block was left."""

    def __init__(self, after=AFTER, once=lambda: True):
        self.after, self.once, self.sent, self.delay = after, once, None, None
        self.is_left = threading.Event()

    def __enter__(self):
        def send():
            while not self.once():
                if self.is_left.wait(0.01):
                    return
            self.sent = time.process_time()
            os.kill(os.getpid(), signal.SIGINT)

        if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # As of a shell's job in the background.
            signal.signal(signal.SIGINT, signal.default_int_handler)
        self.timer = threading.Timer(self.after, send)
        self.timer.start()
        return self

    def __exit__(self, *_):
        self.delay = None if self.sent is None else time.process_time() - self.sent
        self.is_left.set()
        self.timer.cancel()
        self.timer.join()


def interrupted(call, after=AFTER, once=lambda: True):
    """Calls until the signal; fails unless KeyboardInterrupt comes in time."""
    with Interrupt(after, once) as it, pytest.raises(KeyboardInterrupt):
        call()
        pytest.fail("the call was over before the signal")
    assert it.delay < LATEST, f"{it.delay:.3f} s of processor time after the signal"
