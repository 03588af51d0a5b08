"""What notebooks show of objects: static tables of at most 50 kB, with all text escaped."""

from __future__ import annotations

from html import escape
from typing import Any, Iterable, Sequence

from ._repr import encodable

MOST_BYTES = 14000  # A table's rows; no representation has more than three tables.
MOST_LETTERS = 200  # Of a cell.
STYLE = 'style="text-align:left;padding:1px 10px 1px 0;vertical-align:top"'


def _text(value: Any) -> str:
    text = f"{value:.6g}" if isinstance(value, float) else str(value)
    text = encodable(text)
    return escape(text if len(text) <= MOST_LETTERS else text[:MOST_LETTERS - 1] + "…")


def _row(values: Sequence[Any], tag: str = "td") -> str:
    return "<tr>" + "".join(f"<{tag} {STYLE}>{_text(value)}</{tag}>" for value in values) + "</tr>"


def table(title: str, head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A titled table; `head` may be empty. Rows beyond 14 kB are counted, not shown."""
    lines = [f"<div><b>{_text(title)}</b><table>"] + ([_row(head, "th")] if head else [])
    size = left_out = 0
    for row in rows:
        line = _row(row)
        size += len(line.encode())
        if size <= MOST_BYTES:
            lines.append(line)
        else:
            left_out += 1
    if left_out:
        lines.append(_row([f"and {left_out} more"]))
    return "".join(lines) + "</table></div>"


def of_description(title: str, about: dict[str, Any]) -> str:
    """What `Scene.describe` says."""
    bodies = [(name, body["vertices"], body["springs"], body["mass"], body["charge"]) for name, body in about["bodies"].items()]
    rest = [(key.replace("_", " "), value) for key, value in about.items() if key not in ("bodies", "name") and value != ""]
    return table(title, ("body", "vertices", "springs", "mass, kg", "charge, C"), bodies) + table("", (), rest)
