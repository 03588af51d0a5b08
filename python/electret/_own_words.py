"""The library's advice in the words of Python: it names options of the command, where a caller has arguments."""

from __future__ import annotations

from contextlib import contextmanager
from typing import Iterator

from ._errors import InputError, IoError

_WORDS = {"another output folder (-o)": "another directory", "give -o a folder": "give a directory",
          "give -o another folder": "give another directory", "--resume": "resume=True", "--overwrite": "overwrite=True"}
_RESUMING = "--resume goes on with it, "


def _said(text: str, can_resume: bool) -> str:
    if not can_resume:
        text = text.replace(_RESUMING, "")
    for option, argument in _WORDS.items():
        text = text.replace(option, argument)
    return text


@contextmanager
def own_words(directory: str, can_resume: bool) -> Iterator[None]:
    """Errors of a run's directory name the arguments `resume` and `overwrite`; with `can_resume` False only `overwrite`.
    What the user wrote stays as it is. An IoError names at least the directory."""
    try:
        yield
    except InputError as error:
        raise InputError([found._replace(advice=_said(found.advice, can_resume)) for found in error.findings]) from None
    except IoError as error:
        before, mark, after = str(error).rpartition("; run with ")
        name = directory if error.filename is None else error.filename
        raise IoError(before + mark + (_said(after, can_resume) if mark else after), name) from None
