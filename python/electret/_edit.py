"""Edits of a scene's text that keep its comments."""

from __future__ import annotations

import os
from typing import Any, Iterable, Mapping

from . import _core
from ._arrays import path as path_text
from ._arrays import text as text_of
from ._arrays import texts
from ._scene_values import plain


def edit(scene: str | os.PathLike[str], set: Mapping[str, Any] | None = None, unset: Iterable[str] = (), *,
         rename: Mapping[str, str] | None = None, append: Mapping[str, Mapping[str, Any]] | None = None) -> str:
    """The text of a scene with values changed; comments, order, indentation and line ends stay.

    Parameters
    ----------
    scene : str or path
        A scene's text, or the path of a scene's file: a str without a line break is a path. The file is only read.
    set : dict, optional
        Values by dotted key, as for `--set`: `{"time.step": 0.01, "body.0.charge": 8e-6}`. Values are numbers, texts, lists,
        arrays and dicts. A number after a list's last one adds an item.
    unset : list of str, optional
        Dotted keys of what is removed, before all else.
    rename : dict, optional
        New names of keys by dotted key, which count before `set`: `{"body.0.mass": "total_mass"}`.
    append : dict, optional
        A table to add to a list of tables, by the list's key, after `set`: `{"body.0.springs": {"stiffness": 3.0}}`.

    Returns
    -------
    str
        The text. It holds the values that the overrides of the same words give; `Scene.parse` checks them as a scene. In a
        file it keeps its line ends if it is opened with `newline=""`.

    Raises
    ------
    InputError
        With all findings, if the text is not TOML or a key leads nowhere.

    Examples
    --------
    >>> print(edit("[time]\\nstep = 0.1  # s\\nsteps = 5\\n", {"time.step": 0.05}), end="")
    [time]
    step = 0.05  # s
    steps = 5
    """
    if isinstance(scene, str) and "\n" in scene:
        name, text = "scene", text_of(scene, "scene").encode()
    else:
        name = path_text(scene, "scene")
        text = _core.read_text(name)
    edits = [("unset", key, "") for key in texts(unset, "unset")]
    edits += [("rename", text_of(key, "rename: a key"), text_of(to, f"rename: {key}")) for key, to in _items(rename, "rename")]
    edits += [("set", text_of(key, "set: a key"), _core.toml_value(plain(value, key))) for key, value in _items(set, "set")]
    edits += [("append", text_of(key, "append: a key"), _lines(table, key)) for key, table in _items(append, "append")]
    return _core.edited_text(text, name, edits).decode()


def _items(given: Mapping[str, Any] | None, name: str) -> Iterable[tuple[str, Any]]:
    if given is not None and not isinstance(given, Mapping):
        raise TypeError(f"{name} must be a dict by key, not {type(given).__name__}")
    return (given or {}).items()


def _lines(table: Any, key: str) -> str:
    if not isinstance(table, Mapping):
        raise TypeError(f"append: {key} must be a dict, not {type(table).__name__}")
    return "\n".join(_core.toml_pair(text_of(name, f"append: a key of {key}"), plain(value, f"{key}.{name}"))
                     for name, value in table.items())
