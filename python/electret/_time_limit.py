"""Ends a call of Python code that takes too long."""

from __future__ import annotations

import ctypes
import signal
import threading
from typing import Any, Callable, TypeVar

_T = TypeVar("_T")


class TookTooLong(BaseException):
    """The time is over. No Exception, so that a function which catches those ends, too."""


def call_within(seconds: float | None, call: Callable[[], _T]) -> _T:
    """Gives what `call()` gives. Raises TookTooLong in it once `seconds` are over; None: never.

    In the main thread of a process a signal does, which ends waiting calls and those of this package, too. Other threads get the
    exception between two of their own statements. A foreign library's call ends before either.
    """
    if seconds is None:
        return call()
    is_main = threading.current_thread() is threading.main_thread()
    if is_main and signal.getsignal(signal.SIGALRM) == signal.SIG_DFL:
        return _by_signal(seconds, call)
    return _by_exception(seconds, call)


def _by_signal(seconds: float, call: Callable[[], _T]) -> _T:
    is_on = True

    def end(number: int, frame: Any) -> None:
        if is_on:
            raise TookTooLong

    before = signal.signal(signal.SIGALRM, end)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        try:
            return call()
        finally:
            is_on = False
    finally:  # The signal comes only once: it has come by now, or does nothing.
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)


def _by_exception(seconds: float, call: Callable[[], _T]) -> _T:
    is_on, lock, thread = True, threading.Lock(), ctypes.c_ulong(threading.get_ident())
    throw: Callable[..., int] = ctypes.pythonapi.PyThreadState_SetAsyncExc

    def end() -> None:
        with lock:
            if is_on:
                throw(thread, ctypes.py_object(TookTooLong))

    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()
    try:
        try:
            return call()
        finally:
            with lock:
                is_on = False
    finally:
        timer.cancel()
        throw(thread, None)  # One that is still on its way comes too late.
