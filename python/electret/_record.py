"""Recording a simulation that its caller steps."""

from __future__ import annotations

import warnings
from types import TracebackType
from typing import Any

from ._arrays import whole
from ._errors import DivergenceError
from ._own_words import own_words
from ._repr import one_line


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

    def __init__(self, core: Any, directory: str, every: int, overwrite: bool) -> None:
        self._core: Any = None  # Until there is something to end.
        self.directory = directory
        with own_words(directory, can_resume=False):
            core.record(directory, every, overwrite)
        self._core = core

    def close(self) -> None:
        """Writes the rest and ends the record; later steps are not recorded. A second call does nothing. Raises IoError.

        Examples
        --------
        >>> sim.record("runs/walk", overwrite=True).close()
        """
        self._end("done", None)

    def __enter__(self) -> Recording:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if error is None:
            self.close()
            return
        try:
            if isinstance(error, DivergenceError):
                self._end("diverged", (whole(error.step, "step"), whole(error.vertex, "vertex"), str(error.cause), str(error.advice)))
            else:
                self._end("interrupted", None)
        except Exception as failed:  # The first error is the one to be told of.
            error.add_note(f"the recording in {self.directory} could not be ended: {failed}")
            self._drop()

    def __del__(self) -> None:
        if self._core is None:
            return
        warnings.warn(f"a recording in {self.directory} was neither closed nor used by `with`; it ends as interrupted", ResourceWarning,
                      stacklevel=2, source=self)
        self._drop()

    def _end(self, status: str, failure: tuple[int, int, str, str] | None) -> None:
        if self._core is not None:
            self._core.stop_recording(status, failure)
            self._core = None

    def _drop(self) -> None:
        """Ends it as interrupted, after the current call if there is one, so that it does not hold the
        simulator; what cannot be written is lost."""
        core, self._core = self._core, None
        if core is not None:
            core.abandon_recording()

    def __repr__(self) -> str:
        return f"<electret.Recording in {one_line(self.directory)}>"
