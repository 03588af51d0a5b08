"""What notebooks show of a simulator."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _html

if TYPE_CHECKING:
    from ._simulator import Simulator


def html_of(sim: Simulator) -> str:
    """Tables of its bodies, its state and choices, and its controls."""
    try:
        bodies = [(name, part.stop - part.start, float(sim.masses[part].sum()), float(sim.charges[part].sum()))
                  for name, part in sim.bodies.items()]
        rest = [("step", sim.steps_done), ("time", f"{sim.time:.6g} s"), ("threads", sim.threads), *sim.choices.items()]
    except RuntimeError:  # Closed, or at work.
        return _html.table(repr(sim)[1:-1], (), [])
    head = ("body", "vertices", "mass, kg", "charge, C")
    controls = [(name, unit, shape) for name, unit, shape in zip(sim.controls.names, sim.controls.units, sim.controls.shapes)]
    return (_html.table(repr(sim)[1:-1], head, bodies) + _html.table("", (), [row for row in rest if row[1] != ""])
            + (_html.table("", ("control", "unit", "shape"), controls) if controls else ""))
