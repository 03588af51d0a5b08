"""What the tests share. Which points of the contract's acceptance list each file holds stands in its head."""

import gc
import os
import pathlib
import re
import subprocess
import warnings

import numpy as np
import pytest

import electret as el

if "ELECTRET_SANITIZED" in os.environ:
    gc.set_threshold(1)  # What is freed too early is freed at once.

SOURCE = pathlib.Path(os.environ["ELECTRET_SOURCE"])
COMMAND = os.environ["ELECTRET"]
SWEEP_JOB = (SOURCE / "tests/sweep/job.toml").read_text(encoding="utf-8") + "velocities = true\n"
METHODS = ["imex", "newton", "linear_implicit", "kick_midpoint", "kick_trbdf2", "verlet", "symplectic_euler", "explicit_euler"]


@pytest.fixture
def command():
    """Calls the command; returns what subprocess says. What it says only because the machine is busy is left out."""
    def call(*arguments, cwd=None):
        done = subprocess.run([COMMAND, *map(str, arguments)], capture_output=True, text=True, cwd=cwd, check=False)
        done.stderr = re.sub(r"^electret: (?:.*, [\w. ]+ so far|step \d+ of \d+, [\w. ]+ left)\n", "", done.stderr, flags=re.M)
        return done
    return call


def jelly(steps=20, count=32, method="imex", **tables):
    """A charged ball of springs with two groups, an external charge, gravity."""
    scene = el.Scene(time={"step": 0.01, "steps": steps}, coulomb={}, integrator={"method": method, "tolerance": 1e-12},
                     gravity={"acceleration": (0.0, 0.0, -1.0)}, damping={"drag": 0.3}, **tables)
    body = scene.body(name="jelly", generate={"shape": "sphere", "radius": 0.3, "vertices": count}, mass=0.05, charge=2e-7)
    body.springs("nearest", neighbours=6, stiffness=30.0)
    body.group(name="left", box=[[-1, -1, -1], [0, 1, 1]])
    body.group(name="right", box=[[0, -1, -1], [1, 1, 1]])
    scene.external_charge(charge=-4e-7, position=(0.0, 0.0, 2.0), width=0.2)
    return scene


KEYED = """
[time]
step = 0.01
steps = 12
[integrator]
tolerance = 1e-12
[coulomb]
[[body]]
name = "b"
generate = { shape = "lattice", nx = 3, ny = 3, nz = 2, spacing = 0.2 }
mass = 0.02
charge = 1e-7
[[body.springs]]
from = "nearest"
stiffness = 20
[[body.group]]
name = "low"
box = [[-9, -9, -9], [9, 9, 0.05]]
[[body.group]]
name = "one"
indices = [0, 1]
[[body.group_charge]]
group = "low"
times = [0, 0.04, 0.08]
values = [1e-7, 3e-7, -2e-7]
interpolation = "step"
[[body.pin]]
group = "one"
[[body.load]]
group = "low"
force = [0, 0, 0.01]
[[external_charge]]
charge = -1e-6
position = [0, 0, 2]
"""


def keyed():
    return el.Scene.parse(KEYED)


@pytest.fixture(autouse=True)
def quiet():
    """Groups that only the tests use are warned of by el.run."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", el.ElectretWarning)
        yield


@pytest.fixture
def scene():
    return jelly()


@pytest.fixture
def random():
    return np.random.default_rng(20)


@pytest.fixture
def job(tmp_path, monkeypatch):
    """The job of a sweep of 20 runs, in the test's folder."""
    jelly(steps=8, count=16).save(tmp_path / "scene.toml")
    (tmp_path / "job.toml").write_text(SWEEP_JOB)
    monkeypatch.chdir(tmp_path)
    # Workers find the functions, too.
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([os.path.dirname(__file__), os.environ.get("PYTHONPATH", "")]))
    return "job.toml"
