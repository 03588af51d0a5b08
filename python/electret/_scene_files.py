"""The files that a scene names, and those with which it is saved."""

from __future__ import annotations

import os
from typing import Any, Iterator, Mapping

from . import _core
from ._errors import InputError, IoError


def file_stem(name: str) -> str:
    """A name for a file, made from the name of a body or mesh."""
    return "".join(c if c.isalnum() or c in "-_" else "_" for c in name) or "mesh"


def texts_within(value: Any) -> Iterator[str]:
    """All texts within tables."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from texts_within(each)
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from texts_within(each)


class FileNames:
    """Names of new files in `folder`, which are those of no file that a scene of `scene_folder` names in `tree`.

    With `beside`, the path of the scene's own file, they are also those of no file that is there. A file with the same
    bytes may be there, and one that the file at `beside` names, because it was written with it.
    """

    def __init__(self, folder: str, tree: Mapping[str, Any], scene_folder: str, beside: str | None) -> None:
        self._folder, self._is_saved = folder, beside is not None
        self._taken = set(_named(tree, scene_folder))
        self.files: dict[str, bytes] = {}
        self._replaced: set[str] = set() if beside is None else set(_named(_tables_of(beside), folder))

    def add(self, name: str, data: bytes) -> str:
        """A name for a file of these bytes: `name` with underscores before it until it is free. It is in `files` then."""
        while name in self.files or not self._is_free(os.path.normpath(os.path.join(self._folder, name)), data):
            name = "_" + name
        self.files[name] = data
        return name

    def _is_free(self, path: str, data: bytes) -> bool:
        if path in self._taken:
            return False
        return not self._is_saved or path in self._replaced or not os.path.lexists(path) or _holds(path, data)


def _named(tree: Mapping[str, Any], folder: str) -> Iterator[str]:
    return (os.path.normpath(os.path.join(folder, text)) for text in texts_within(tree))


def _tables_of(path: str) -> Mapping[str, Any]:
    """Those of the scene file at `path`; none if there is none."""
    if not os.path.isfile(path):  # A pipe would wait for its writer.
        return {}
    try:
        tables: Mapping[str, Any] = _core.tree_of(_core.read_text(path), path, [])
    except (InputError, IoError, ValueError):
        return {}
    return tables


def _holds(path: str, data: bytes) -> bool:
    if not os.path.isfile(path):
        return False
    try:
        with open(path, "rb") as file:
            return file.read(len(data) + 1) == data
    except OSError:
        return False


def write_files(folder: str, files: Mapping[str, bytes]) -> None:
    """Writes `files` {path: contents} in `folder`, which is made if it is missing. Each replaces what stood there as a whole,
    as the command's files do. Raises IoError with the path that failed."""
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise IoError(f"cannot make the folder {folder}: {error.strerror or error}", folder) from error
    for name, data in files.items():
        _core.write_file_whole(name, data)
