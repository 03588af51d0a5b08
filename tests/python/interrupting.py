"""SIGINT in the middle of a call, and how long the call goes on until KeyboardInterrupt arrives."""

import os
import signal
import threading
import time

import pytest

LATEST = 0.1 if "ELECTRET_SANITIZED" not in os.environ else 0.3  # s of the thread's processor time; waiting for others is not counted.
AFTER = 0.12  # s; between two looks for signals, and so early that a look every 0.4 s would come too late.
TRIES = 8  # A busy machine delays one signal or the other, even beyond the call's end; a fault delays them all.


class Interrupt:
    """Sends SIGINT after `after` s and once `once()` is true. `delay` is the processor time that the block's thread took from
    then until it left the block, s. A KeyboardInterrupt that comes when the block has been left is dropped."""

    def __init__(self, after=AFTER, once=lambda: True):
        self.after, self.once, self.sent, self.is_sent, self.delay = after, once, None, False, None
        self.is_left = threading.Event()

    def __enter__(self):
        clock = time.pthread_getcpuclockid(threading.get_ident())
        self.now = lambda: time.clock_gettime(clock)

        def send():
            while not self.once():
                if self.is_left.wait(0.01):
                    return
            self.sent = self.now()
            os.kill(os.getpid(), signal.SIGINT)
            self.is_sent = True

        if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # As of a shell's job in the background.
            signal.signal(signal.SIGINT, signal.default_int_handler)
        self.timer = threading.Timer(self.after, send)
        self.timer.start()
        return self

    def __exit__(self, *_):
        try:
            self.delay = None if self.sent is None else self.now() - self.sent
            self.is_left.set()
            self.timer.cancel()
            self.timer.join()
            time.sleep(0.01)  # Python looks for signals behind it, if it has not looked before.
        except KeyboardInterrupt:
            pass


def interrupted(call, after=AFTER, once=lambda: True):
    """Calls until the signal, several times; fails unless KeyboardInterrupt comes out of every call, and once in time."""
    delays = []
    for _ in range(TRIES):
        was_over = False
        try:
            with Interrupt(after, once) as it:
                call()
                if it.is_sent:
                    time.sleep(0.01)  # Python raises here if the signal came behind the call's last look.
                    pytest.fail("the call has dropped the signal")
                was_over = True
        except KeyboardInterrupt:
            pass
        if was_over:
            continue
        delays.append(it.delay)
        if it.delay < LATEST:
            return
    pytest.fail(f"KeyboardInterrupt came {', '.join(f'{delay:.3f}' for delay in delays)} s after the signal, and "
                f"{TRIES - len(delays)} times the call was over before it")
