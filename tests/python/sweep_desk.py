"""What the tests of sweeps share: executors that behave oddly, looks at processes and files."""

import os
import time
from concurrent.futures import Executor, Future

import h5py

import electret as el


def until(happened):
    """Waits for `happened()`, whenever the machine gets round to it. What takes longer hangs."""
    end = time.monotonic() + float(os.environ.get("ELECTRET_TEST_SECONDS", "600"))
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.05)


def children_of(process):
    """The processes that `process` has started and that have not ended."""
    try:
        with open(f"/proc/{process.pid}/task/{process.pid}/children") as file:
            return [int(word) for word in file.read().split()]
    except OSError:
        return []


def is_there(pid):
    """Whether the process has not ended; one that nobody has waited for has."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(") ")[2][0] != "Z"
    except OSError:
        return False


def parts(directory):
    folder = os.path.join(directory, "parts")
    return [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith(".h5")] if os.path.isdir(folder) else []


def results(directory):
    with h5py.File(os.path.join(directory, "sweep.h5")) as file:
        return {name: file["results"][name][()].tobytes() for name in file["results"]}


class Losing(Executor):
    """Does every other task only, and some twice."""

    def __init__(self):
        self.count = 0

    def submit(self, function, *arguments):
        self.count += 1
        future = Future()
        if self.count % 2:
            future.cancel()
            future.set_running_or_notify_cancel()
            return future
        first, second = function(*arguments), function(*arguments)
        assert first[0] == len(arguments[1]) and second == (0, 0, 0.0), "what a task has done is not done again"
        future.set_result(first)
        return future


class Looking(Executor):
    """Does each task at once, and looks at the sweep after it."""

    def __init__(self):
        self.missing = []

    def submit(self, function, directory, *arguments):
        future = Future()
        try:
            future.set_result(function(directory, *arguments))
        except Exception as error:
            future.set_exception(error)
        self.missing.append(len(el.Sweep(directory).missing))
        return future
