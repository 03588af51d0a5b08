"""Scenes, read from a file or made from Python values."""

from __future__ import annotations

import copy
import os
from typing import Any, Iterable, Iterator, Mapping, Union

import numpy as np

from . import _core, _html
from ._errors import Finding, InputError
from ._field_function import FieldFunction, refuse_functions, split
from ._mesh import Mesh
from ._tables import BodyTables, SceneTables

Overrides = Union[Iterable[str], Mapping[str, Any]]


def override_lines(overrides: Overrides) -> list[str]:
    """Overrides as "KEY=VALUE" lines, as for `--set`."""
    if isinstance(overrides, Mapping):
        return [f"{key}={_core.toml_line(_plain(value))}" for key, value in overrides.items()]
    if isinstance(overrides, str):
        raise TypeError("overrides: a list of \"KEY=VALUE\" or a dict is wanted, not one text")
    return [str(line) for line in overrides]


def _plain(value: Any) -> Any:
    """A copy of `value` that later changes do not affect, with paths as text. Meshes are not copied: they never change."""
    if isinstance(value, Mapping):
        return {key: _plain(member) for key, member in value.items()}
    if isinstance(value, np.ma.MaskedArray):
        raise TypeError("a masked array is not taken; fill it or leave the masked rows out")
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, (list, tuple)):
        return [_plain(member) for member in value]
    return value


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
        self._tree: dict[str, Any] = _plain({**(tables or {}), **more})
        self._text: str | None = None
        self._name = ""
        self._folder = os.path.abspath(os.fspath(folder))
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
        name = os.fspath(path)
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
        return cls._of_text(text.encode(), "scene", os.fspath(folder), overrides)

    @classmethod
    def _of_text(cls, text: bytes, name: str, folder: str, overrides: Overrides) -> Scene:
        lines = override_lines(overrides)
        assembly = _core.load_text(text, name, folder, lines, {})
        scene = cls(folder=folder)
        scene._text, scene._name, scene._overrides, scene._assembly = text.decode(), name, lines, assembly
        return scene

    def set(self, key: str, value: Any) -> None:
        """Sets a dotted `key` to a copy of `value`: `set("body.0.charge", 8e-6)`. Items of lists are numbered from 0.

        Raises InputError if the key leads nowhere.

        Examples
        --------
        >>> scene = Scene(time={"step": 0.01, "steps": 1})
        >>> scene.set("time.step", 0.02)
        """
        tree, parts = self._tables(), key.split(".")
        node: Any = tree
        for part, following in zip(parts[:-1], parts[1:]):
            node = self._entered(node, part, key, [] if following.isdigit() else {})
        self._assign(node, parts[-1], key, _plain(value))
        self._changed()

    def check(self) -> list[Finding]:
        """Everything that is wrong with the scene, as `electret check` finds it. Empty if nothing is wrong.

        Examples
        --------
        >>> [finding.file for finding in Scene(time={"step": -1, "steps": 1}).check()]
        ['', 'time.step']
        """
        try:
            self.assembly()
        except InputError as error:
            return error.findings
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
        return _core.toml_text(self._files("", self._folder)[0])

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the scene to `path`, and meshes in memory to files beside it. The command runs it to the same bits.

        Files that the scene names stay where they are; their paths are written relative to the new folder. Raises OSError,
        and InputError for a scene with an electric field that is a function.

        Examples
        --------
        >>> Scene(time={"step": 0.5, "steps": 2}).save("scene.toml")
        """
        refuse_functions(self, "saved")
        target = os.path.abspath(os.fspath(path))
        folder, stem = os.path.dirname(target), os.path.splitext(os.path.basename(target))[0]
        tree, files = self._files(stem + "_", folder)
        _move_paths(tree, self._folder, folder, set(files))
        text = _core.toml_text(tree)  # Before anything is written: it may be refused.
        os.makedirs(folder, exist_ok=True)
        written = {os.path.join(folder, name): data for name, data in files.items()}
        for name, data in {**written, target: text.encode()}.items():
            with open(name + ".part", "wb") as file:
                file.write(data)
            os.replace(name + ".part", name)  # What stood there stays whole until then.

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
                tree, files = self._files("", self._folder)
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
        tables = self._tables_now()
        names = [str(body.get("name", "?")) for body in tables.get("body", []) if isinstance(body, Mapping)]
        return f"<electret.Scene: {len(names)} {'body' if len(names) == 1 else 'bodies'}" + (f" ({', '.join(names)})>" if names else ">")

    def _repr_html_(self) -> str:
        try:
            return _html.of_description(repr(self)[1:-1], self.describe())
        except (InputError, TypeError, ValueError) as error:
            return _html.table(repr(self)[1:-1], ("cannot be simulated",), [(line,) for line in str(error).splitlines()])

    def _written(self) -> tuple[str, dict[str, bytes]]:
        tree, files = self._files("", self._folder)
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
            raise TypeError(f"{name}: a list of tables is wanted, not {type(tables).__name__}")
        return tables

    def _add(self, name: str, keys: Mapping[str, Any]) -> int:
        tables = self._list(name)
        tables.append(_plain(keys))
        return len(tables) - 1

    def _body(self, number: int) -> Body:
        return Body(self, number)

    def _files(self, prefix: str, folder: str) -> tuple[dict[str, Any], dict[str, bytes]]:
        """A copy of the tables in which meshes in memory are named as files of `folder`, and these files.

        No name is that of a file to which the scene refers.
        """
        tree = split(self._tables_now())[0]
        files: dict[str, bytes] = {}
        taken = {os.path.normpath(os.path.join(self._folder, text)) for text in _texts(tree)}

        def named(table: Any, fallback: str) -> Any:
            if not isinstance(table, Mapping) or not isinstance(table.get("mesh"), Mesh):
                return table
            ending, data = table["mesh"]._file()
            name = f"{prefix}{_file_stem(str(table.get('name', fallback)))}{ending}"
            while name in files or os.path.normpath(os.path.join(folder, name)) in taken:
                name = "_" + name
            files[name] = data
            return {**table, "mesh": name}

        for key in ("body", "external_charge"):
            if isinstance(tree.get(key), list):
                tree[key] = [named(table, f"{key}{i}") for i, table in enumerate(tree[key])]
        return tree, files

    @staticmethod
    def _leads_nowhere(key: str, why: str) -> InputError:
        return InputError([Finding(key, 0, 0, f'"{key}" leads nowhere: {why}',
                                   "write the keys of the scene with dots, lists by number from 0 up to their end: body.0.charge")])

    @classmethod
    def _entered(cls, node: Any, part: str, key: str, empty: Any) -> Any:
        if isinstance(node, dict):
            return node.setdefault(part, empty)
        if isinstance(node, list):
            if not part.isdigit() or int(part) > len(node):
                raise cls._leads_nowhere(key, f'there is no number "{part}" in a list of {len(node)}')
            if int(part) == len(node):
                node.append(empty)
            return node[int(part)]
        raise cls._leads_nowhere(key, f'nothing is inside what stands before "{part}"')

    @classmethod
    def _assign(cls, node: Any, part: str, key: str, value: Any) -> None:
        if isinstance(node, dict):
            node[part] = value
        elif isinstance(node, (list, np.ndarray)) and part.isdigit() and int(part) < len(node):
            node[int(part)] = value
        elif isinstance(node, list) and part.isdigit() and int(part) == len(node):
            node.append(value)
        else:
            raise cls._leads_nowhere(key, f'"{part}" is neither a key nor the number of an item')


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
        return f"<electret.Body: {self._table().get('name', '?')}>"

    def _table(self) -> dict[str, Any]:
        table: dict[str, Any] = self._scene._list("body")[self._number]
        return table

    def _add(self, name: str, keys: Mapping[str, Any]) -> int:
        tables = self._table().setdefault(name, [])
        tables.append(_plain(keys))
        return len(tables) - 1


def _file_stem(name: str) -> str:
    return "".join(c if c.isalnum() or c in "-_" else "_" for c in name) or "mesh"


# The keys whose text is a file, by table.
_FILE_KEYS = {"": ("mesh", "masses", "charges", "velocities", "initial_positions"), "springs": ("stiffnesses", "rest_lengths"),
              "load": ("forces",), "muscle": ("activations",)}


def _texts(value: Any) -> Iterator[str]:
    """All texts within tables."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from _texts(each)


def _move_paths(tree: dict[str, Any], from_folder: str, to_folder: str, own: set[str]) -> None:
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
