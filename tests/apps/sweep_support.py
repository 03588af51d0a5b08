"""What the tests of `electret sweep` share: a job of 20 runs, and looks at workers and results."""

import pathlib
import re
import zlib

import h5py
import numpy as np

from support import SCENE, SOURCE, CommandTest

JOB = (SOURCE / "tests/sweep/job.toml").read_text()




def fill_colours(svg):
    """The colour (red, green, blue, in per cent) of each filled path. Cairo 1.16 writes
    `style="…fill:rgb(1%,2%,3%);…"`, version 1.18 `fill="rgb(1%, 2%, 3%)"`."""
    for path in re.findall(r"<path ([^>]*)/>", svg):
        colour = re.search(r'\bfill(?::|=")rgb\(([\d.]+)%, ?([\d.]+)%, ?([\d.]+)%\)', path)
        if colour:
            yield tuple(map(float, colour.groups()))


def add_beginnings(part, runs):
    """Notes in a part that these runs were begun once more, as processes do that die in them."""
    with h5py.File(part, "r+") as file:
        started = file["started"]
        count = len(started)
        started.resize((count + len(runs),))
        started[count:] = runs


def change_row(part, row, column, number):
    """Changes a number of one row in a part, with the sum by which a damaged row is known."""
    with h5py.File(part, "r+") as file:
        values = file[column][row]
        file[column][row] = np.full_like(values, number)
        columns = file.attrs["columns"]
        columns = (columns.decode() if isinstance(columns, bytes) else columns).split()
        stored = [np.float64(file["run"][row])] + [file[name][row] for name in columns]
        numbers = [each if np.asarray(each).dtype == np.float32 else np.asarray(each, np.float64) for each in stored]
        file["sum"][row] = zlib.crc32(b"".join(np.ascontiguousarray(each).tobytes() for each in numbers))


class SweepTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.scene(SCENE)
        (self.folder / "job.toml").write_text(JOB)

    def digest(self, folder):
        return self.summary(folder)["digest"]

    def sweep(self, folder, *more, check=0):
        return self.electret("sweep", "job.toml", "-o", folder, *more, check=check)

    def workers_of(self, process):
        """The processes that `process` has started."""
        children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children")
        try:
            return [int(word) for word in children.read_text().split()]
        except OSError:
            return []

    def busy_workers_of(self, process, folder, count):
        """The workers, as soon as `count` of them have begun to write; none if the sweep is over before."""
        def busy():
            return [worker for worker in self.workers_of(process) if list((self.folder / folder / "parts").glob(f"*.{worker}.h5"))]

        self.wait_until(lambda: len(busy()) == count or process.poll() is not None, f"{count} workers at work")
        return busy()

    def results(self, folder):
        with h5py.File(self.folder / folder / "sweep.h5") as file:
            return {name: file["results"][name][()] for name in file["results"]}
