"""Pictures by matplotlib, which is imported with this module. Each function draws into axes and returns them.

The functions do not show the figure: call `matplotlib.pyplot.show`, or save it.

>>> import electret.plot
>>> electret.plot.fit([4.0, 0.5, 0.1]).get_yscale()
'log'
"""

import os
from typing import Any, Mapping, Sequence, Union

import matplotlib.pyplot as plt
import numpy as np
from mpl_toolkits.mplot3d.art3d import Line3DCollection
from numpy.typing import ArrayLike

from ._arrays import Floats, indices, scalars, vectors
from ._run import EnergyTable, Run
from ._simulator import Simulator
from ._trajectory import Trajectory

# Categorical colours that the colour-blind tell apart (Okabe and Ito), the total in black.
_COLOURS = {"kinetic": "#0072B2", "elastic": "#009E73", "coulomb": "#D55E00", "external": "#CC79A7", "gravity": "#56B4E9",
            "total": "#000000"}


def __dir__() -> list[str]:
    return __all__


def energies(run: Run | EnergyTable | str | os.PathLike[str], ax: Any = None) -> Any:
    """Draws the energies of a run over time, one line per energy. Energies that stay 0 are left out.

    Parameters
    ----------
    run : Run, EnergyTable, or path of a run's directory
        J and s, as in energy.csv.
    ax : matplotlib axes, optional
        Where to draw; default: those of a new figure.

    Returns
    -------
    matplotlib axes

    Raises IoError if there is no such run.

    Examples
    --------
    >>> zero = np.zeros(3)
    >>> table = EnergyTable(time=np.arange(3.0), kinetic=np.arange(3.0), elastic=zero, coulomb=zero, external=zero, gravity=zero, total=np.arange(3.0),
    ...                     work=zero, dissipation=zero)
    >>> [line.get_label() for line in energies(table).lines]
    ['kinetic', 'total']
    """
    table = run if isinstance(run, EnergyTable) else (run if isinstance(run, Run) else Run(run)).energies
    if ax is None:
        _, ax = plt.subplots(layout="constrained")
    for name, colour in _COLOURS.items():
        values = getattr(table, name)
        if np.any(values) or name == "total":
            ax.plot(table.time, values, color=colour, label=name, linewidth=1.8 if name == "total" else 1.3)
    ax.set_xlabel("time, s")
    ax.set_ylabel("energy, J")
    ax.legend(frameon=False)
    return ax


def body(sim_or_frame: Union[Simulator, Trajectory, ArrayLike], ax: Any = None, *, charges: ArrayLike | None = None,
         springs: ArrayLike | None = None) -> Any:
    """Draws vertices, coloured by their charges, and springs in three dimensions.

    Parameters
    ----------
    sim_or_frame : Simulator, Trajectory, or positions (n, 3) m
        A simulator in its present state, a trajectory's last frame, or the positions of one frame.
    ax : matplotlib axes of three dimensions, optional
        Where to draw; default: those of a new figure.
    charges : (n,) array, C, optional
        Default: those of the simulator or trajectory. For positions, none are shown by default.
    springs : (s, 2) array of vertex indices, optional
        The same.

    Returns
    -------
    matplotlib axes

    Raises ValueError and TypeError for arrays of other shapes. The simulator is not changed.

    Examples
    --------
    >>> body([[0, 0, 0], [0, 0, 1]], springs=[[0, 1]]).get_zlabel()
    'z, m'
    """
    positions, own_charges, own_springs = _frame(sim_or_frame)
    q = own_charges if charges is None else scalars(charges, "charges", len(positions))
    pairs = own_springs if springs is None else indices(springs, "springs", len(positions)).reshape(-1, 2)
    if ax is None:
        ax = plt.figure(layout="constrained").add_subplot(projection="3d")
    if pairs is not None and len(pairs):
        ax.add_collection3d(Line3DCollection(positions[pairs], colors="0.6", linewidths=0.5))
    if q is not None and np.any(q):
        most = float(np.abs(q).max())
        points = ax.scatter(*positions.T, c=q, cmap="coolwarm", vmin=-most, vmax=most, s=18, depthshade=False,
                            edgecolors="0.25", linewidths=0.4)
        ax.figure.colorbar(points, ax=ax, label="charge, C", shrink=0.7)
    else:
        ax.scatter(*positions.T, color="0.25", s=14, depthshade=False)
    _equal_axes(ax, positions)
    return ax


def fit(history: Sequence[float] | Mapping[str, Sequence[float]], ax: Any = None) -> Any:
    """Draws the course of a fit: the loss over its evaluations. The axis is logarithmic if all values are positive.

    Parameters
    ----------
    history : (k,) losses, or {name: (k,) values}
        `Problem.history`, or values that a callback of the optimiser has collected.
    ax : matplotlib axes, optional
        Where to draw; default: those of a new figure.

    Returns
    -------
    matplotlib axes

    Raises ValueError and TypeError for anything but lists of numbers.

    Examples
    --------
    >>> fit({"loss": [1.0, 0.1]}).get_xlabel()
    'evaluation'
    """
    lines = history if isinstance(history, Mapping) else {"loss": history}
    values = {name: scalars(list(line), f"history of {name}") for name, line in lines.items()}
    if ax is None:
        _, ax = plt.subplots(layout="constrained")
    for name, line in values.items():
        ax.plot(np.arange(len(line)), line, marker=".", markersize=4, linewidth=1.2, label=name)
    if all(len(line) and (line > 0.0).all() for line in values.values()):
        ax.set_yscale("log")
    ax.set_xlabel("evaluation")
    ax.set_ylabel("loss" if not isinstance(history, Mapping) else "")
    if len(values) > 1:
        ax.legend(frameon=False)
    return ax


def _frame(given: Any) -> tuple[Floats, Floats | None, Any]:
    """Positions, charges and springs."""
    if isinstance(given, Simulator):
        return given.positions.copy(), given.charges, given.springs
    if isinstance(given, Trajectory):
        return np.asarray(given.positions[-1], dtype=float), np.asarray(given.charges[-1], dtype=float), given.springs
    return vectors(given, "positions"), None, None


def _equal_axes(ax: Any, positions: Floats) -> None:
    """One scale for all three axes."""
    if len(positions):
        middle = (positions.max(axis=0) + positions.min(axis=0)) / 2
        half = max(float(np.ptp(positions, axis=0).max()) / 2, 1e-9) * 1.05
        for axis, centre in zip("xyz", middle):
            getattr(ax, f"set_{axis}lim")(centre - half, centre + half)
    ax.set_box_aspect((1, 1, 1))
    ax.locator_params(nbins=5)
    for axis in "xyz":
        getattr(ax, f"set_{axis}label")(f"{axis}, m", labelpad=8)


__all__ = ["body", "energies", "fit"]
