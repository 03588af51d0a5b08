"""The files that a scene names, and those with which it is saved."""

from __future__ import annotations

import os
from typing import Any, Iterator, Mapping

from . import _core
from ._errors import IoError


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


def move_paths(tree: dict[str, Any], from_folder: str, to_folder: str, own: set[str]) -> None:
    """Makes the relative paths in `tree` start from another folder. Changed lists and tables are replaced by copies."""
    def moved(value: Any, path: list[str]) -> Any:
        if not path:
            is_relative = isinstance(value, str) and value not in own and not os.path.isabs(value)
            return os.path.relpath(os.path.join(from_folder, value), to_folder) if is_relative else value
        if isinstance(value, list):
            return [moved(each, path) for each in value]
        if not isinstance(value, Mapping) or path[0] not in value:
            return value
        return {**value, path[0]: moved(value[path[0]], path[1:])}

    for table, key in _core.file_keys():
        first, *rest = table.split(".")
        if first in tree:
            tree[first] = moved(tree[first], [*rest, key])


def write_files(folder: str, files: Mapping[str, bytes]) -> None:
    """Writes `files` {path: contents} in `folder`, which is made if it is missing. Each replaces what stood there as a whole,
    as the command's files do. Raises IoError with the path that failed."""
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise IoError(f"cannot make the folder {folder}: {error.strerror or error}", folder) from error
    for name, data in files.items():
        _core.write_file_whole(name, data)
