"""The package's exceptions. Each class derives from `Error` and from a fitting builtin exception."""

from __future__ import annotations

import difflib
import re
from typing import Any, Iterable, NamedTuple, Sequence


def suggestion(name: str, known: Iterable[str]) -> str:
    """What is allowed instead of an unknown name: the one that is probably meant, else all."""
    names = list(known)
    close = difflib.get_close_matches(name, names, 1, 0.85)
    return f'did you mean "{close[0]}"?' if close else "allowed: " + ", ".join(names)


class Finding(NamedTuple):
    """One thing that is wrong with the user's input.

    Attributes
    ----------
    file : str
        The path as the user wrote it, or "--set KEY". For a scene made in Python it is the key ("body.0.charge").
    line, column : int
        They count from 1; 0 means unknown.
    message : str
        What is wrong, quoting the key, value, group or file.
    advice : str
        What to write instead, as the command says it: "allowed: number > 0, in s", "name each parameter once".

    Examples
    --------
    >>> finding = Finding("scene.toml", 3, 8, "\\"step\\" is 0", "allowed: number > 0, in s")
    >>> print(finding)
    scene.toml:3:8: error: "step" is 0; allowed: number > 0, in s
    >>> finding.allowed
    'number > 0, in s'
    """

    file: str
    line: int
    column: int
    message: str
    advice: str

    @property
    def allowed(self) -> str:
        """What is allowed instead, as it is in `advice` but without the word itself."""
        return self.advice.removeprefix("allowed: ")

    def __str__(self) -> str:
        """The line that the command prints."""
        place = re.sub("[\udc80-\udcff]", lambda byte: f"\\x{ord(byte[0]) - 0xdc00:02x}", self.file)  # Names of files are bytes.
        if self.line:
            place += f":{self.line}" + (f":{self.column}" if self.column else "")
        return (f"{place}: " if place else "") + f"error: {self.message}" + (f"; {self.advice}" if self.advice else "")


def finding_of(error: Exception) -> Finding:
    """The finding of a message "KEY: what is wrong; what is allowed", or "KEY must be …"."""
    said = str(error)
    key, colon, message = said.partition(": ")
    if not colon or " " in key:
        key, must, _ = said.partition(" must ")
        key, message = key if must and " " not in key else "", said
    message, _, advice = message.partition("; ")
    return Finding(key, 0, 0, message, advice)


class Error(Exception):
    """Base class of the package's own exceptions.

    Examples
    --------
    >>> issubclass(InputError, Error) and issubclass(InputError, ValueError)
    True
    """


class InputError(Error, ValueError):
    """A scene, mesh, override or name is wrong. `findings` holds every finding at once.

    Examples
    --------
    >>> InputError([Finding("time", 0, 0, "it is missing", "write it")]).findings[0].allowed
    'write it'
    """

    def __init__(self, findings: Sequence[Finding]) -> None:
        self.findings = list(findings)
        super().__init__("\n".join(str(finding) for finding in self.findings))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.findings,)


class DivergenceError(Error, ArithmeticError):
    """The motion diverged. The simulator is then at the last good step.

    `step` is the step that failed and counts from 1. `vertex` is the vertex that the cause names, or else the fastest
    one; -1 if none is known. `cause` and `advice` are sentences. `message` is what the command would print.

    Examples
    --------
    >>> DivergenceError("step 3: it left", 3, -1, "it left", "take shorter steps").step
    3
    """

    def __init__(self, message: str, step: int, vertex: int, cause: str, advice: str) -> None:
        super().__init__(message)
        self.step, self.vertex, self.cause, self.advice = step, vertex, cause, advice

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.step, self.vertex, self.cause, self.advice)


class DeviceError(Error, RuntimeError):
    """The device that computes the field failed: it was lost, or its memory ran out. A simulator is at the last good step.

    `message` says how it failed. `advice`, which is also in the exception's text, says how to go on.

    Examples
    --------
    >>> DeviceError("the device failed").advice
    'compute with device="cpu": coulomb.device in a scene'
    """

    advice = 'compute with device="cpu": coulomb.device in a scene'

    def __init__(self, message: str) -> None:
        super().__init__(message)

    def __str__(self) -> str:
        return f"{super().__str__()}; {self.advice}"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self.args


class IoError(Error, OSError):
    """A file could not be read or written. `filename` is its name if it is known; `message` is the exception's text.

    Examples
    --------
    >>> IoError("there is no such file", "scene.toml").filename
    'scene.toml'
    """

    def __init__(self, message: str, filename: str | None = None) -> None:
        super().__init__(message)
        self._message, self.filename = message, filename

    def __str__(self) -> str:
        return self._message

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.filename)


class GradientError(Error, RuntimeError):
    """A derivative does not exist or is not available. The message says of what.

    Examples
    --------
    >>> issubclass(GradientError, RuntimeError)
    True
    """


class InternalError(Error, RuntimeError):
    """A defect of the package, never the user's fault.

    Examples
    --------
    >>> issubclass(InternalError, RuntimeError)
    True
    """


class ElectretWarning(UserWarning):
    """A part of a scene has no effect, or the results of a run need a closer look.

    Examples
    --------
    >>> issubclass(ElectretWarning, UserWarning)
    True
    """


class Stop(Exception):
    """Raise it in a callback of `Simulator.run` to end the run after the current step, without an error.

    Examples
    --------
    >>> issubclass(Stop, Exception)
    True
    """
