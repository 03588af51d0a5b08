"""The recipes of docs/sweeps.md, each run as it stands. Those whose engine is not installed are skipped."""

import os
import re
import shutil
import subprocess
import sys

import numpy as np
import pytest

import electret as el
from conftest import COMMAND, SOURCE

PAGE = (SOURCE / "docs/sweeps.md").read_text(encoding="utf-8")
RECIPES = dict(re.findall(r"^```python\n# (\w+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    """A folder with the examples, in which the first recipe has run."""
    folder = tmp_path_factory.mktemp("recipes")
    shutil.copytree(SOURCE / "examples", folder / "examples")
    done(folder, "table")
    return folder


def done(folder, name):
    """Runs the recipe as a script; returns what it prints."""
    script = folder / f"recipe_{name}.py"  # Not by the name of the package that it imports.
    script.write_text(RECIPES[name])
    ran = subprocess.run([sys.executable, script.name], cwd=folder, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def test_each_recipe_has_its_test():
    assert set(RECIPES) == {"table", "map", "dask", "optuna", "torch", "slurm"}


def test_table(desk):
    sweep = el.Sweep(desk / "sweeps/grid")
    assert len(sweep) == 6 and (np.diff(sweep["swing"]) > 0).all(), "more charge, a larger torus"


def test_map(desk):
    assert "(6, 3)" in done(desk, "map")
    assert np.isfinite(el.Sweep(desk / "sweeps/shaken")["height"]).all()


def test_dask(desk):
    pytest.importorskip("distributed")
    done(desk, "dask")
    assert el.Sweep(desk / "sweeps/dask").summary["digest"] == el.Sweep(desk / "sweeps/grid").summary["digest"]


def test_optuna_beats_as_many_random_points(desk):
    pytest.importorskip("optuna")
    best = float(done(desk, "optuna").split()[0])
    (desk / "random.toml").write_text('[sweep]\nscene = "examples/fits/bob.toml"\nsamples = 40\n[[vary]]\nkey = "body.0.springs.0.stiffness"\n'
                                      'range = [1.0, 13.0]\n[keep]\nloss = "final_position:examples/fits/bob.obj"\n')
    subprocess.run([COMMAND, "sweep", "random.toml"], cwd=desk, check=True, capture_output=True)
    assert best < np.nanmin(el.Sweep(desk / "sweeps/random")["loss"])


def test_torch(desk):
    pytest.importorskip("torch")
    done(desk, "torch")


def test_slurm(desk):
    """The script's tasks are done by a shell, as Slurm would start them."""
    line = next(line for line in PAGE.splitlines() if line.startswith("electret sweep grid.toml -o sweeps/slurm --slurm"))
    subprocess.run([COMMAND, *line.split()[1:]], cwd=desk, check=True, capture_output=True)
    tasks = re.search("<<'RUNS'\n(.*)RUNS\n", (desk / "sweeps/slurm/slurm.sh").read_text(), re.DOTALL).group(1).split()
    for task in range(len(tasks)):
        subprocess.run(["bash", desk / "sweeps/slurm/slurm.sh"], env={**os.environ, "SLURM_ARRAY_TASK_ID": str(task)}, check=True,
                       capture_output=True)
    done(desk, "slurm")
    assert el.Sweep(desk / "sweeps/slurm").missing.size == 0
