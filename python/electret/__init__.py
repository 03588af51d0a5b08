"""Electret from Python: simulate charged, deformable bodies, differentiate and fit them.

>>> import electret as el
>>> el.field([[0, 0, 0]], [1e-9], at=[[0, 0, 1]]).potential.round(3)
array([8.988])
"""

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

from ._devices import Device, devices
from ._errors import (DeviceError, DivergenceError, ElectretWarning, Error, Finding, GradientError, InputError, InternalError,
                      IoError, Stop)
from ._field import FieldSolver, field, verify_field
from ._field_results import Field, FieldAdjoint, FieldError, FieldProducts
from . import loss
from ._fit import Fit, FitEvaluation, fit
from ._controls import ControlTable
from ._edit import edit
from ._gradient import Gradient
from ._gradient_check import Check
from ._mesh import Mesh
from ._parameters import Parameter, Parameters
from ._problem import Problem
from ._record import Recording
from ._rollout import Frames, Rollout
from ._run import EnergyTable, Run, run
from ._scene import Body, Scene
from ._scene_gradient import gradient
from ._simulator import Simulator
from ._state import Contact, ContactPairs, ElementStress, Energies, Grab, Observables, State, StepReport, Work
from ._sweep import Sweep, SweepFailure, SweepFrames
from ._trajectory import FrameArray, FrameContactPairs, FrameContacts, Trajectory

for _class in (DeviceError, DivergenceError, ElectretWarning, Error, Finding, GradientError, InputError, InternalError, IoError, Stop, Grab, State, Work):
    _class.__module__ = "electret"  # As pickles name them.


def build_info() -> dict[str, object]:
    """What the package was made with and runs on, by name.

    "version", "pybind11", "numpy", "compiler", "instruction_set" (the one in force: "portable", "avx2" or "avx512"), "tbb",
    "hdf5", "cholmod", and "licence": with CHOLMOD's supernodal part the binary as a whole goes under the GPL.

    Raises
    ------
    InputError
        If the environment variable ELECTRET_INSTRUCTIONS names an instruction set that the processor lacks.

    Examples
    --------
    >>> build_info()["version"] == __version__
    True
    """
    info: dict[str, object] = {**_core.build_info(), "numpy": _numpy.__version__}
    return info


__all__ = [
    "Body", "Check", "Contact", "ContactPairs", "ControlTable", "Device", "DeviceError", "DivergenceError", "ElectretWarning", "ElementStress", "Energies", "EnergyTable", "Error", "Field",
    "FieldAdjoint", "FieldError", "FieldProducts", "FieldSolver", "Finding", "Fit", "FitEvaluation", "FrameArray", "FrameContactPairs", "FrameContacts", "Frames", "Grab", "Gradient", "GradientError", "InputError",
    "InternalError", "IoError", "Mesh", "Observables", "Parameter", "Parameters", "Problem", "Recording", "Rollout", "Run", "Scene", "Simulator", "State", "StepReport",
    "Stop", "Sweep", "SweepFailure", "SweepFrames", "Trajectory", "Work", "__version__", "build_info", "devices", "edit", "field", "fit", "gradient", "loss", "run", "verify_field",
]
