"""The files that a scene names, and those with which it is saved."""

from __future__ import annotations

import os
from typing import Any, Iterable, Iterator, Mapping

from . import _core
from ._errors import IoError


def file_stem(name: str) -> str:
    """A name for a file, made from the name of a body or mesh."""
    return "".join(c if c.isalnum() or c in "-_" else "_" for c in name) or "mesh"


# The keys whose text is a file, by table.
_FILE_KEYS = {"": ("mesh", "masses", "charges", "velocities", "initial_positions"), "springs": ("stiffnesses", "rest_lengths"),
              "load": ("forces",), "muscle": ("activations",)}


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
    def moved(table: Any, keys: Iterable[str]) -> Any:
        if not isinstance(table, Mapping):
            return table
        table = dict(table)
        for key in keys:
            value = table.get(key)
            if isinstance(value, str) and value not in own and not os.path.isabs(value):
                table[key] = os.path.relpath(os.path.join(from_folder, value), to_folder)
        return table

    def moved_body(table: Any) -> Any:
        table = moved(table, _FILE_KEYS[""])
        if isinstance(table, dict):
            for name, keys in _FILE_KEYS.items():
                if name and isinstance(table.get(name), list):
                    table[name] = [moved(inner, keys) for inner in table[name]]
            if isinstance(table.get("generate"), Mapping):
                table["generate"] = moved(table["generate"], ("surface",))
        return table

    if isinstance(tree.get("body"), list):
        tree["body"] = [moved_body(table) for table in tree["body"]]
    if isinstance(tree.get("external_charge"), list):
        tree["external_charge"] = [moved(table, ("mesh",)) for table in tree["external_charge"]]


def write_files(folder: str, files: Mapping[str, bytes]) -> None:
    """Writes `files` {path: contents} in `folder`, which is made if it is missing. Each replaces what stood there as a whole,
    as the command's files do. Raises IoError with the path that failed."""
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise IoError(f"cannot make the folder {folder}: {error.strerror or error}", folder) from error
    for name, data in files.items():
        _core.write_file_whole(name, data)
