#!/usr/bin/python3
"""Writes the keyword signatures of a scene's tables, from the library's own schema:

    ./dev python tools/scene_tables.py > python/electret/_tables.pyi
"""

from electret import _core

TYPES = {
    "text": "str", "number": "float", "number or word": "float | str", "whole number": "int", "true or false": "bool", "3 numbers": "ArrayLike",
    "table with a shape and its parameters": "Mapping[str, Any]", "list of 3 numbers each, or a CSV file": "ArrayLike | PathLike[str]",
    "list of numbers, or a CSV file": "ArrayLike | PathLike[str]", "list of pairs of vertex indices": "ArrayLike",
    "2 corners of 3 numbers each, the lower one first": "ArrayLike", "list of vertex indices": "ArrayLike", "list of numbers": "ArrayLike",
    "list of 3 numbers each": "ArrayLike", "list of element indices": "ArrayLike", "3 expressions": "Sequence[str]", "expression": "str", "3 numbers, or a table with an axis": "ArrayLike | Mapping[str, ArrayLike]",
    "table of named numbers": "Mapping[str, float]", "list of texts": "Sequence[str]",
}
HEAD = '''"""Keyword signatures of a scene's tables, made from its schema by tools/scene_tables.py."""

from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import Any

from numpy.typing import ArrayLike

from ._mesh import Mesh
from ._scene import Body

class SceneTables:
    def _add(self, name: str, keys: Mapping[str, Any]) -> int: ...
    def _body(self, number: int) -> Body: ...
'''
BODY = '''
class BodyTables:
    def _add(self, name: str, keys: Mapping[str, Any]) -> int: ...
'''
# What Python alone takes.
MORE = {"electric_field": ["function: Callable[[Any, float], Any] = ...,  # e(x, t) -> (n, 3), N/C",
                           "vjp: Callable[[Any, float, Any], Any] | None = ...,  # (x, t, z) -> (n, 3)"]}


def signature(table, keys):
    """The method that adds `table`, one key a line with its unit."""
    name = table.split(".")[-1]
    head = "self, from_: str = \"edges\", *" if name == "springs" else "self, *"
    lines = []
    for key, (kind, unit, _, is_required) in keys.items():
        if name == "springs" and key == "from":
            continue
        type_ = "str | PathLike[str] | Mesh" if key == "mesh" else TYPES[kind]
        # An expression's place may be taken by a function.
        default = "" if is_required and name not in MORE else " = ..."
        lines.append(f"{key}: {type_}{default}," + (f"  # {unit}" if unit else ""))
    lines += MORE.get(name, [])
    result = "Body" if table == "body" else "None"
    return f"    def {name}({head},\n" + "".join(f"        {line}\n" for line in lines) + f"    ) -> {result}: ...\n"


def stub():
    """The text of _tables.pyi."""
    tables = [(name, keys) for name, is_repeated, keys in _core.schema() if is_repeated]
    of_scene = "".join(signature(name, keys) for name, keys in tables if "." not in name)
    of_body = "".join(signature(name, keys) for name, keys in tables if name.startswith("body."))
    return HEAD + of_scene + BODY + of_body


if __name__ == "__main__":
    print(stub(), end="")
