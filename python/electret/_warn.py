"""Warnings at the line of the caller, however deep in the package they arise."""

from __future__ import annotations

import os
import sys
import warnings

from ._errors import ElectretWarning

_FOLDER = os.path.dirname(__file__)


class Notices:
    """What the user of one simulator has been told. Each kind of notice is given once."""

    def __init__(self) -> None:
        self._told: set[str] = set()

    def tell(self, kind: str, text: str | None, error: BaseException | None = None) -> None:
        """Warns of `text`, unless it is empty or a notice of this kind was given. Where warnings are errors and `error`
        is on its way, that stays the error."""
        if not text or kind in self._told:
            return
        self._told.add(kind)
        try:
            warn(text)
        except ElectretWarning as refused:
            if error is None:
                raise
            error.add_note(str(refused))


def warn(text: str) -> None:
    """An ElectretWarning at the innermost line that is not the package's own."""
    level = 2
    while level < sys.getrecursionlimit():
        try:
            frame = sys._getframe(level - 1)
        except ValueError:  # Nobody outside called.
            break
        if os.path.dirname(frame.f_code.co_filename) != _FOLDER:
            break
        level += 1
    warnings.warn(text, ElectretWarning, stacklevel=level)
