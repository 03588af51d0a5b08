"""Warnings at the line of the caller, however deep in the package they arise."""

from __future__ import annotations

import os
import sys
import warnings

from ._errors import ElectretWarning

_FOLDER = os.path.dirname(__file__)


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
