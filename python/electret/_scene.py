"""Scenes, read from a file or made from Python values."""

from __future__ import annotations

import copy
import os
from typing import Any, Mapping

import numpy as np

from . import _core, _html
from ._arrays import path as path_text
from ._arrays import text as text_of
from ._errors import Finding, InputError, IoError, finding_of
from ._field_function import FieldFunction, refuse_functions, split
from ._mesh import Mesh
from ._repr import one_line
from ._scene_files import FileNames, file_stem, write_files
from ._scene_values import Overrides, override_lines, plain
from ._tables import BodyTables, SceneTables


_WITH_MESHES = ("body", "external_charge", "obstacle")


class Scene(SceneTables):
    """A scene: bodies, forces and settings, with the keys of docs/scene-format.md.

    Parameters
    ----------
    tables : dict, optional
        The whole scene as one dict.
    folder : str, default "."
        The folder from which relative paths start.
    **more
        Tables by name: `time={"step": 0.02, "steps": 200}`, `coulomb={}`, `body=[{...}]`.

    Arrays are accepted wherever the format takes a list or a CSV file, and are copied. The scene is checked only when it
    is used, for example by `check`, `describe` or a simulator. InputError then has every finding.

    Examples
    --------
    >>> scene = Scene(time={"step": 0.01, "steps": 10}, gravity={"acceleration": (0, 0, -9.81)})
    >>> body = scene.body(name="chain", generate={"shape": "chain", "vertices": 5}, mass=0.1)
    >>> body.springs("edges", stiffness=50.0)
    >>> scene.describe()["springs"]
    4
    """

    def __init__(self, tables: Mapping[str, Any] | None = None, *, folder: str | os.PathLike[str] = ".", **more: Any) -> None:
        if tables is not None and not isinstance(tables, Mapping):
            raise TypeError(f"tables must be a dict of tables, not {type(tables).__name__}; Scene.load reads a file")
        self._tree: dict[str, Any] = plain({**(tables or {}), **more})
        self._text: str | None = None
        self._name = ""
        self._folder = os.path.abspath(path_text(folder, "folder"))
        self._overrides: list[str] = []
        self._assembly: _core.Assembly | None = None

    @classmethod
    def load(cls, path: str | os.PathLike[str], overrides: Overrides = ()) -> Scene:
        """The scene in the file at `path`, checked completely with its meshes.

        `overrides` is a list of "KEY=VALUE", as for `--set`, or a dict {key: value}, whose values may be arrays; default
        none. Raises InputError with every finding, which are the lines that the command prints.

        Examples
        --------
        >>> Scene.load("examples/charged_torus.toml", ["time.step=0.01"]).describe()["time_step"]
        0.01
        """
        name = path_text(path, "path")
        scene = cls._of_text(_core.read_text(name), name, os.path.dirname(name) or ".", overrides)
        scene._folder = os.path.dirname(os.path.abspath(name))
        return scene

    @classmethod
    def parse(cls, text: str, *, folder: str | os.PathLike[str] = ".", overrides: Overrides = ()) -> Scene:
        """The scene in a TOML `text`; relative paths start from `folder`.

        `overrides` and InputError are as for `load`.

        Examples
        --------
        >>> Scene.parse("[time]\\nstep = 0.01\\nsteps = 1")  # doctest: +IGNORE_EXCEPTION_DETAIL
        Traceback (most recent call last):
        electret.InputError: scene: error: [[body]] is missing; it is required
        """
        return cls._of_text(text_of(text, "text").encode(), "scene", path_text(folder, "folder"), overrides)

    @classmethod
    def _of_text(cls, text: bytes, name: str, folder: str, overrides: Overrides) -> Scene:
        lines = override_lines(overrides)
        assembly = _core.load_text(text, name, folder, lines, {})
        scene = cls(folder=folder)
        scene._text, scene._name, scene._overrides, scene._assembly = text.decode(), name, lines, assembly
        return scene

    def set(self, key: str, value: Any) -> None:
        """Sets a dotted `key` to a copy of `value`: `set("body.0.charge", 8e-6)`. Items of lists and arrays are numbered from 0.

        The item after a list's last one is appended. Raises InputError if the key leads nowhere; the scene stays as it was.

        Examples
        --------
        >>> scene = Scene(time={"step": 0.01, "steps": 1})
        >>> scene.set("time.step", 0.02)
        """
        parts, given, tree = text_of(key, "key").split("."), plain(value, key), self._tables_now()
        self._placed(tree, parts, key, given)
        self._tree, self._text, self._overrides = tree, None, []
        self._changed()

    def check(self) -> list[Finding]:
        """Everything that is wrong with the scene, as `electret check` finds it. Empty if nothing is wrong.

        A value that no file could hold is the only finding until it is mended.

        Examples
        --------
        >>> [finding.file for finding in Scene(time={"step": -1, "steps": 1}).check()]
        ['', 'time.step']
        """
        try:
            self.assembly()
        except InputError as error:
            return error.findings
        except (TypeError, ValueError) as error:  # Not of a kind that stands in a scene.
            return [finding_of(error)]
        return []

    def describe(self) -> dict[str, Any]:
        """Checks the scene and describes it: bodies, vertices, springs, masses (kg), charges (C), solvers, steps.

        Raises InputError as a simulator would.

        Examples
        --------
        >>> Scene().describe()  # doctest: +IGNORE_EXCEPTION_DETAIL
        Traceback (most recent call last):
        electret.InputError: error: [time] is missing; it is required
        """
        return _core.describe(self.assembly())

    def warnings(self) -> list[str]:
        """One line for each part of the scene that is valid, but perhaps not what its author meant.

        Raises InputError if the scene is wrong.

        Examples
        --------
        >>> Scene.load("examples/charged_torus.toml").warnings()
        []
        """
        return _core.scene_warnings(self.assembly())

    def to_toml(self) -> str:
        """The scene as TOML. It names meshes in memory as files that `save` would write; other arrays are in the text.

        Raises InputError for a scene with an electric field that is a function.

        Examples
        --------
        >>> print(Scene(time={"step": 0.5, "steps": 2}).to_toml(), end="")
        [time]
        step = 0.5
        steps = 2
        """
        if self._text is not None and not self._overrides:
            return self._text
        refuse_functions(self, "written")
        return _core.toml_text(self._files()[0])

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the scene to `path`, and meshes in memory to files beside it. The command runs it to the same bits.

        Files that the scene names stay where they are; their paths are written relative to the new folder. A mesh never
        replaces another file, unless the scene that was saved at `path` before names it: it takes another name. A symbolic
        link is followed. Raises IoError, also if `path` is a device, a pipe or a folder, and InputError for a scene with an
        electric field that is a function.

        Examples
        --------
        >>> Scene(time={"step": 0.5, "steps": 2}).save("scene.toml")
        """
        refuse_functions(self, "saved")
        target = os.path.abspath(path_text(path, "path"))
        folder = os.path.dirname(target)
        tree, files = self._files(target)
        text = _core.moved_toml_text(tree, self._folder, folder, self._in_memory())  # Before anything is written: it may be refused.
        write_files(folder, {**{os.path.join(folder, name): data for name, data in files.items()}, target: text.encode()})

    @property
    def folder(self) -> str:
        """The folder from which relative paths in the scene start, as an absolute path."""
        return self._folder

    def assembly(self) -> _core.Assembly:
        """The checked scene with its meshes read, for the package's own use. Raises InputError.

        Examples
        --------
        >>> Scene().assembly()  # doctest: +IGNORE_EXCEPTION_DETAIL
        Traceback (most recent call last):
        electret.InputError: error: [time] is missing; it is required
        """
        if self._assembly is None:
            if self._text is not None:
                self._assembly = _core.load_text(self._text.encode(), self._name, self._folder, self._overrides, {})
            else:
                tree, files = self._files()
                within = {os.path.join(self._folder, name): data for name, data in files.items()}
                assembly = _core.load_tree(tree, self._folder, [], within)
                for function in self.field_functions():
                    function.give_to(assembly)
                self._assembly = assembly
        return self._assembly

    def field_functions(self) -> list[FieldFunction]:
        """The electric fields that are Python functions: for the package's own use.

        Examples
        --------
        >>> Scene().field_functions()
        []
        """
        return [] if self._text is not None else split(self._tree)[1]

    def __eq__(self, other: object) -> bool:
        return (isinstance(other, Scene) and self._folder == other._folder and self._written() == other._written()
                and self.field_functions() == other.field_functions())

    __hash__ = None  # type: ignore[assignment]

    def __copy__(self) -> Scene:
        return copy.deepcopy(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> Scene:
        made = Scene(self._tree, folder=self._folder)
        made._text, made._name, made._overrides, made._assembly = self._text, self._name, list(self._overrides), self._assembly
        return made

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_assembly": None}

    def __repr__(self) -> str:
        bodies = self._tables_now().get("body", [])
        tables = bodies if isinstance(bodies, list) else [bodies]
        names = one_line(", ".join(str(body.get("name", "?")) if isinstance(body, Mapping) else "?" for body in tables))
        return f"<electret.Scene: {len(tables)} {'body' if len(tables) == 1 else 'bodies'}" + (f" ({names})>" if names else ">")

    def _repr_html_(self) -> str:
        try:
            return _html.of_description(repr(self)[1:-1], self.describe())
        except (InputError, TypeError, ValueError) as error:
            return _html.table(repr(self)[1:-1], ("cannot be simulated",), [(line,) for line in str(error).splitlines()])

    def _written(self) -> tuple[str, dict[str, bytes]]:
        tree, files = self._files()
        return _core.toml_text(tree), files

    def _tables_now(self) -> dict[str, Any]:
        if self._text is None:
            return self._tree
        tables: dict[str, Any] = _core.tree_of(self._text.encode(), self._name, self._overrides)
        return tables

    def _tables(self) -> dict[str, Any]:
        """The tables, to be changed. A scene that was read from a text becomes one made from values."""
        if self._text is not None:
            self._tree, self._text, self._overrides = self._tables_now(), None, []
        self._changed()
        return self._tree

    def _changed(self) -> None:
        self._assembly = None

    def _list(self, name: str) -> list[Any]:
        tables = self._tables().setdefault(name, [])
        if not isinstance(tables, list):
            raise TypeError(f"{name} must be a list of tables, not {type(tables).__name__}")
        return tables

    def _add(self, name: str, keys: Mapping[str, Any]) -> int:
        tables = self._list(name)
        tables.append(plain(keys))
        return len(tables) - 1

    def _body(self, number: int) -> Body:
        return Body(self, number)

    def _files(self, beside: str | None = None) -> tuple[dict[str, Any], dict[str, bytes]]:
        """A copy of the tables in which meshes in memory are named as files, and these files by name.

        They are in the scene's own folder, or beside the file `beside` as which the scene is saved. Their names are those of
        no other file.
        """
        tree = split(self._tables_now())[0]
        folder, prefix = (self._folder, "") if beside is None else (os.path.dirname(beside), os.path.splitext(os.path.basename(beside))[0] + "_")
        names = FileNames(folder, tree, self._folder, beside)

        def named(table: Any, fallback: str) -> Any:
            if not isinstance(table, Mapping) or not isinstance(table.get("mesh"), Mesh):
                return table
            ending, data = table["mesh"]._file()
            name = names.add(f"{prefix}{file_stem(str(table.get('name', fallback)))}{ending}", data)
            return {**table, "mesh": name}

        for key in _WITH_MESHES:
            if isinstance(tree.get(key), list):
                tree[key] = [named(table, f"{key}{i}") for i, table in enumerate(tree[key])]
        return tree, names.files

    def _in_memory(self) -> list[tuple[str, int]]:
        """The tables whose meshes are in memory: their names and numbers."""
        tree = self._tables_now()
        return [(key, i) for key in _WITH_MESHES if isinstance(tree.get(key), list) for i, table in enumerate(tree[key])
                if isinstance(table, Mapping) and isinstance(table.get("mesh"), Mesh)]

    @staticmethod
    def _leads_nowhere(key: str, why: str) -> InputError:
        return InputError([Finding(key, 0, 0, f'"{key}" leads nowhere: {why}',
                                   "write the keys of the scene with dots, lists by number from 0 up to their end: body.0.charge")])

    @classmethod
    def _placed(cls, node: Any, parts: list[str], key: str, value: Any) -> Any:
        """`node` with `value` at `parts` of `key` within it. Nothing is changed unless the key leads there.

        Arrays become lists on the way: an array would turn the value into its own type.
        """
        if not parts:
            return value
        part, rest = parts[0], parts[1:]
        within: Any = [] if rest and _is_number(rest[0]) else {}
        if isinstance(node, np.ndarray) and node.ndim > 0:
            node = (node if node.dtype.kind != "f" else node.astype(np.float64)).tolist()
        if isinstance(node, dict):
            node[part] = cls._placed(node.get(part, within), rest, key, value)
        elif not isinstance(node, list):
            raise cls._leads_nowhere(key, f'nothing is inside what stands before "{part}"')
        elif not _is_number(part) or int(part) > len(node):
            raise cls._leads_nowhere(key, f'there is no number "{part}" in a list of {len(node)}')
        else:
            at = int(part)
            node[at:at + 1] = [cls._placed(node[at] if at < len(node) else within, rest, key, value)]
        return node


def _is_number(part: str) -> bool:
    return part.isascii() and part.isdigit()


class Body(BodyTables):
    """A body of a scene. Each method adds one of its tables and takes the keys of that `[[body.…]]`. Made by `Scene.body`.

    Parameters
    ----------
    scene : Scene
    number : int
        The body's number in the scene, from 0.

    Examples
    --------
    >>> Scene().body(name="ball", mass=1.0)
    <electret.Body: ball>
    """

    def __init__(self, scene: Scene, number: int) -> None:
        self._scene, self._number = scene, number

    def __repr__(self) -> str:
        bodies = self._scene._tables_now().get("body", [])
        table = bodies[self._number] if isinstance(bodies, list) and self._number < len(bodies) else {}
        return f"<electret.Body: {one_line(str(table.get('name', '?')))}>"

    def _table(self) -> dict[str, Any]:
        table: dict[str, Any] = self._scene._list("body")[self._number]
        return table

    def _add(self, name: str, keys: Mapping[str, Any]) -> int:
        tables = self._table().setdefault(name, [])
        if not isinstance(tables, list):
            raise TypeError(f"body.{self._number}.{name} must be a list of tables, not {type(tables).__name__}")
        tables.append(plain(keys))
        return len(tables) - 1


def scene_of(scene: Scene | str | os.PathLike[str], overrides: Any = ()) -> Scene:
    """A copy of the scene, or the scene in a file. Later changes of the argument do not affect the copy."""
    if isinstance(scene, Scene):
        if not isinstance(overrides, Mapping) and override_lines(overrides):
            raise TypeError("overrides: of a Scene they are given as {key: value}, not as text")
        made = scene.__copy__()
        for key, value in overrides.items() if isinstance(overrides, Mapping) else ():
            made.set(text_of(key, "overrides: a key"), value)
        return made
    if not isinstance(scene, (str, os.PathLike)):
        raise TypeError(f"scene must be a Scene or a path, not {type(scene).__name__}")
    return Scene.load(scene, overrides)
