"""What the package raises: each class derives from `Error` and from the builtin that fits it."""

from __future__ import annotations

from typing import Any, NamedTuple, Sequence


class Finding(NamedTuple):
    """One thing that is wrong with the user's input.

    Attributes
    ----------
    file : str
        Path as the user wrote it, "--set KEY", or of a scene made in Python the key ("body.0.charge").
    line, column : int
        From 1; 0 where they are not known.
    message : str
        What is wrong, quoting the key, value, group or file.
    allowed : str
        What is allowed instead.

    Examples
    --------
    >>> print(Finding("scene.toml", 3, 8, "\\"step\\" is 0", "allowed: number > 0, in s"))
    scene.toml:3:8: error: "step" is 0; allowed: number > 0, in s
    """

    file: str
    line: int
    column: int
    message: str
    allowed: str

    def __str__(self) -> str:
        """The line that the command prints."""
        place = self.file
        if self.line:
            place += f":{self.line}" + (f":{self.column}" if self.column else "")
        return (f"{place}: " if place else "") + f"error: {self.message}" + (f"; {self.allowed}" if self.allowed else "")


class Error(Exception):
    """Base of everything that the package raises of its own.

    Examples
    --------
    >>> issubclass(InputError, Error) and issubclass(InputError, ValueError)
    True
    """


class InputError(Error, ValueError):
    """A scene, mesh, override or name that is not right; every finding at once, in `findings`.

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
    """The motion left the finite world; the simulator stands at the last good step.

    `step` counts from 1, `vertex` is the worst one (-1: none), `cause` and `advice` are sentences; `message` is the
    command's.

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


class IoError(Error, OSError):
    """A file that could not be read or written; `filename` where it is known; its text is `message`.

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
    """Something that cannot be differentiated, named by the message.

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
    """What a scene says without effect, and what a run should be watched for.

    Examples
    --------
    >>> issubclass(ElectretWarning, UserWarning)
    True
    """


class Stop(Exception):
    """Raised in a callback of `Simulator.run` it ends the run quietly after the step.

    Examples
    --------
    >>> issubclass(Stop, Exception)
    True
    """
