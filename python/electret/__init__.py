"""Electret from Python: simulate charged, deformable bodies, differentiate and fit them.

>>> import electret as el
>>> el.field([[0, 0, 0]], [1e-9], at=[[0, 0, 1]]).potential.round(3)
array([8.988])
"""

from __future__ import annotations

try:
    from . import _core
except ImportError as error:
    import os as _os

    if not any(name.startswith("_core.") and not name.endswith(".pyi") for name in _os.listdir(_os.path.dirname(__file__))):
        raise ImportError(
            "this folder has the package's sources alone, without its compiled part: build it by `./dev build`, "
            "and put build/release/python on PYTHONPATH"
        ) from error
    raise

import numpy as _numpy

from ._version import version as __version__

if _core.version != __version__:
    raise ImportError(f"the compiled part is of version {_core.version}, the sources are of {__version__}: install both anew")
if tuple(_core.build_info()["pybind11"]) < (2, 12) and int(_numpy.__version__.split(".")[0]) >= 2:
    raise ImportError(
        f"the compiled part was made with pybind11 {'.'.join(map(str, _core.build_info()['pybind11']))}, which "
        f"numpy {_numpy.__version__} does not work with: build it with pybind11 2.12 or newer, or use numpy 1"
    )

from ._errors import (DivergenceError, ElectretWarning, Error, Finding, GradientError, InputError, InternalError, IoError,
                      Stop)
from ._field import Field, FieldAdjoint, FieldError, FieldProducts, FieldSolver, field, verify_field
from . import loss
from ._gradient import Check, Frames, Gradient, Problem, Rollout, gradient
from ._mesh import Mesh
from ._record import Recording
from ._run import EnergyTable, FrameArray, Run, Trajectory, run
from ._scene import Body, Scene
from ._simulator import ControlTable, Energies, Parameter, Parameters, Simulator, State, StepReport, Work

for _class in (DivergenceError, ElectretWarning, Error, Finding, GradientError, InputError, InternalError, IoError, Stop):
    _class.__module__ = "electret"


def build_info() -> dict[str, object]:
    """Versions of the package, of pybind11 and of the compiler, by name.

    Examples
    --------
    >>> build_info()["version"] == __version__
    True
    """
    info: dict[str, object] = _core.build_info()
    return info


__all__ = [
    "Body", "Check", "ControlTable", "DivergenceError", "ElectretWarning", "Energies", "EnergyTable", "Error", "Field",
    "FieldAdjoint", "FieldError", "FieldProducts", "FieldSolver", "Finding", "FrameArray", "Frames", "Gradient", "GradientError", "InputError",
    "InternalError", "IoError", "Mesh", "Parameter", "Parameters", "Problem", "Recording", "Rollout", "Run", "Scene", "Simulator", "State", "StepReport",
    "Stop", "Trajectory", "Work", "__version__", "build_info", "field", "gradient", "loss", "run", "verify_field",
]
