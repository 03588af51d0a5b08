"""Electric fields that are Python functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Mapping, NamedTuple, NoReturn

from . import _core
from ._arrays import Floats, vectors
from ._errors import Finding, GradientError, InputError

if TYPE_CHECKING:
    from ._scene import Scene

PLACEHOLDER = {"expression": ["0", "0", "0"]}


class FieldFunction(NamedTuple):
    """Number `number` of a scene's electric fields, as functions: e(x, t), and (∂e/∂x)ᵀz or None."""

    number: int
    function: Callable[[Floats, float], Any]
    vjp: Callable[[Floats, float, Floats], Any] | None

    @property
    def name(self) -> str:
        """Its name in findings."""
        return f"electric_field.{self.number}.function"

    def give_to(self, assembly: _core.Assembly) -> None:
        """Replaces the table's expressions in `assembly` by the function. Its results are checked."""
        name, function, vjp = self.name, self.function, self.vjp

        def value(x: Floats, t: float) -> Floats:
            return vectors(function(x, t), name, len(x))

        def product(x: Floats, t: float, z: Floats) -> Floats:
            if vjp is None:
                refuse_gradient(name)
            return vectors(vjp(x, t, z), f"electric_field.{self.number}.vjp", len(x))

        _core.set_field_function(assembly, self.number, value, product)


def split(tree: Mapping[str, Any]) -> tuple[dict[str, Any], list[FieldFunction]]:
    """A scene's tables with the expression 0 in place of each function, and the functions."""
    tables = tree.get("electric_field")
    if not isinstance(tables, list) or not any(isinstance(table, Mapping) and "function" in table for table in tables):
        return dict(tree), []
    functions, plain = [], list(tables)
    for k, table in enumerate(tables):
        if isinstance(table, Mapping) and "function" in table:
            functions.append(_checked(k, table))
            plain[k] = PLACEHOLDER
    return {**tree, "electric_field": plain}, functions


def _checked(index: int, table: Mapping[str, Any]) -> FieldFunction:
    others = sorted(str(key) for key in set(table) - {"function", "vjp"})
    if others:
        raise InputError([Finding(f"electric_field.{index}.{others[0]}", 0, 0, f'"{others[0]}" stands beside a function',
                                  "allowed beside function: vjp")])
    for name in ("function", "vjp"):
        if not callable(table.get(name)) and not (name == "vjp" and table.get(name) is None):
            raise TypeError(f"electric_field.{index}.{name} must be a function, not {type(table[name]).__name__}")
    return FieldFunction(index, table["function"], table.get("vjp"))


def refuse_functions(scene: Scene, what: str) -> None:
    """Raises InputError if the scene has field functions, which no file can hold. `what` is "saved", "recorded", …"""
    findings = [Finding(f.name, 0, 0, f"a scene with a field that is a function cannot be {what}", "allowed: expression")
                for f in scene.field_functions()]
    if findings:
        raise InputError(findings)


def refuse_gradients(scene: Scene) -> None:
    """Raises GradientError before the run if a field function has no `vjp`."""
    for f in scene.field_functions():
        if f.vjp is None:
            refuse_gradient(f.name)


def refuse_gradient(name: str) -> NoReturn:
    """Raises the GradientError of the field function `name`."""
    raise GradientError(f"{name} has no vjp: what the field acts on cannot be differentiated; give vjp=(x, t, z) -> (n, 3)")
