"""Recording a simulation that its caller steps."""

from __future__ import annotations

import os
from types import TracebackType
from typing import Any

from ._errors import DivergenceError


class Recording:
    """Records the steps of a simulator until it is closed. A context manager. Made by `Simulator.record`.

    Attributes
    ----------
    directory : str
        The run directory; `electret.Run` reads it.

    Examples
    --------
    >>> with sim.record("runs/walk") as recording:
    ...     sim.run(2)
    >>> recording.directory
    'runs/walk'
    """

    def __init__(self, core: Any, directory: str | os.PathLike[str], every: int, overwrite: bool) -> None:
        if int(every) < 1:
            raise ValueError(f"every: at least 1, not {every}")
        self._core, self.directory = core, os.fspath(directory)
        core.record(self.directory, int(every), bool(overwrite))

    def close(self) -> None:
        """Writes the rest and ends the record; later steps are not recorded. A second call does nothing. Raises IoError.

        Examples
        --------
        >>> sim.record("runs/walk", overwrite=True).close()
        """
        self._core.stop_recording("done", None)

    def __enter__(self) -> Recording:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if error is None:
            self.close()
        elif isinstance(error, DivergenceError):
            self._core.stop_recording("diverged", (error.step, error.vertex, error.cause, error.advice))
        else:
            self._core.stop_recording("interrupted", None)

    def __repr__(self) -> str:
        return f"<electret.Recording in {self.directory}>"
