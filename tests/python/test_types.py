"""Types: mypy and stubtest over the package and the examples, and the stub that is made from the scene's schema.

Acceptance point 26, types.
"""

import importlib.util
import os
import pathlib
import subprocess
import sys

import pytest

from conftest import SOURCE

BUILT = pathlib.Path(os.environ["ELECTRET_BUILD"]) / "python"
CONFIGURATION = SOURCE / "pyproject.toml"


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    pytest.importorskip("mypy")
    return tmp_path_factory.mktemp("mypy")


def call(*arguments, cwd, **more):
    return subprocess.run([sys.executable, "-m", *map(str, arguments)], capture_output=True, text=True, check=False, cwd=cwd,
                          env={**os.environ, "MYPYPATH": str(BUILT), "PYTHONPATH": str(BUILT), "MPLBACKEND": "Agg", **more})


def test_the_package_is_strict(cache):
    said = call("mypy", "--config-file", CONFIGURATION, "--cache-dir", cache, "-p", "electret", cwd=cache)
    assert said.returncode == 0, said.stdout


def test_the_examples_are_strict(cache):
    files = sorted((SOURCE / "examples/python").glob("*.py"))
    if not files:
        pytest.skip("there is no example in Python")
    said = call("mypy", "--config-file", CONFIGURATION, "--cache-dir", cache, "--explicit-package-bases", *files, cwd=cache)
    assert said.returncode == 0, said.stdout


def test_stubs_are_what_there_is(cache):
    """pybind11's classes have its metaclass, which the stub does not name: nothing else may differ."""
    said = call("mypy.stubtest", "electret._core", "electret._tables", "--concise", "--mypy-config-file", CONFIGURATION, cwd=cache)
    others = [line for line in said.stdout.splitlines() if not line.endswith(" is inconsistent, metaclass differs")]
    assert others == [] and said.stdout, said.stdout + said.stderr


def test_keywords_are_those_of_the_schema():
    spec = importlib.util.spec_from_file_location("scene_tables", SOURCE / "tools/scene_tables.py")
    generator = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generator)
    assert (SOURCE / "python/electret/_tables.pyi").read_text() == generator.stub(), \
        "./dev python tools/scene_tables.py > python/electret/_tables.pyi"


@pytest.mark.parametrize("line, said", [
    ('scene.body(name="a", mass="heavy")', "mass"), ("scene.obstacle(shap='plane')", "shap"), ("sim.step(actions=[1.0])", "actions"),
    ("x: str = sim.positions", "assignment"), ("el.run(scene)", "directory")])
def test_wrong_uses_are_seen(line, said, cache, tmp_path):
    (tmp_path / "use.py").write_text(f"import electret as el\nscene = el.Scene()\nsim = el.Simulator(scene)\n{line}\n")
    result = call("mypy", "--config-file", CONFIGURATION, "--cache-dir", cache, "use.py", cwd=tmp_path)
    assert result.returncode == 1 and said in result.stdout, result.stdout
