"""The package as such: what it imports, installs, exports; its errors and documents.

Acceptance points 1 (install), 9 (classes) and 25.
"""

import os
import pathlib
import pickle
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile

import pytest

import electret as el
from conftest import SOURCE

BUILD = pathlib.Path(os.environ["ELECTRET_BUILD"])


def python(code, *options, **environment):
    return subprocess.run([sys.executable, *options, "-c", code], capture_output=True, text=True, check=False,
                          env={**os.environ, **environment})


def test_import_loads_numpy_alone():
    said = python("import electret, sys; print([m for m in ('torch', 'scipy', 'matplotlib', 'h5py') if m in sys.modules])", "-W", "error")
    assert said.stdout == "[]\n" and said.stderr == "", said.stderr


def test_import_in_isolation():
    said = python(f"import sys; sys.path.insert(0, {str(BUILD / 'python')!r}); import electret; print(electret.__version__)", "-I")
    assert said.stdout.strip() == el.__version__, said.stderr


def test_the_source_folder_says_what_it_lacks():
    said = python("import electret", PYTHONPATH=str(SOURCE / "python"))
    assert "ImportError" in said.stderr and "./dev build" in said.stderr


def test_a_numpy_that_does_not_work_is_refused():
    said = python("import numpy; numpy.__version__ = '2.1.0'; import electret")
    if el.build_info()["pybind11"] < (2, 12):
        assert "ImportError" in said.stderr and "pybind11 2.12" in said.stderr
    else:
        assert said.returncode == 0, said.stderr


def test_a_compiled_part_of_another_version_is_refused(tmp_path):
    shutil.copytree(pathlib.Path(el.__file__).parent, tmp_path / "electret")
    (tmp_path / "electret/_version.py").write_text('version = "9.9.9"\n')
    said = python("import electret", PYTHONPATH=str(tmp_path))
    assert f"the compiled part is of version {el.__version__}, the sources are of 9.9.9" in said.stderr


def test_the_version_is_the_projects():
    assert f"VERSION {el.__version__} " in (SOURCE / "CMakeLists.txt").read_text()
    assert el.build_info()["version"] == el.__version__


def test_one_function_is_exported():
    module = next((BUILD / "python/electret").glob("_core*.so"))
    said = subprocess.run(["nm", "-D", "--defined-only", module], capture_output=True, text=True, check=True).stdout
    functions = [line.split()[-1] for line in said.splitlines() if line.split()[-2] == "T"]
    assert functions == ["PyInit__core"]


def test_an_installed_package_imports_from_any_folder(tmp_path):
    subprocess.run(["cmake", "--install", BUILD, "--component", "python", "--prefix", tmp_path / "p"], check=True, capture_output=True)
    site = tmp_path / "p/lib" / f"python{sys.version_info.major}.{sys.version_info.minor}" / "site-packages"
    said = subprocess.run([sys.executable, "-c", "import electret, importlib.metadata as m; print(m.version('electret'), electret.__file__)"],
                          capture_output=True, text=True, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(site)}, check=False)
    assert said.stdout.split() == [el.__version__, str(site / "electret/__init__.py")], said.stderr
    assert sorted(path.name for path in (site / "electret").iterdir() if path.name != "__pycache__") == sorted(
        path.name for path in (BUILD / "python/electret").iterdir() if path.name != "__pycache__")


@pytest.mark.parametrize("name, base", [("InputError", ValueError), ("DivergenceError", ArithmeticError), ("IoError", OSError),
                                        ("GradientError", RuntimeError), ("InternalError", RuntimeError)])
def test_errors_derive_from_ours_and_the_builtin(name, base):
    kind = getattr(el, name)
    assert issubclass(kind, el.Error) and issubclass(kind, base) and kind.__module__ == "electret"


def test_findings_pickle():
    error = el.InputError([el.Finding("a.toml", 3, 4, "it is wrong", "this is right"), el.Finding("", 0, 0, "b", "")])
    copy = pickle.loads(pickle.dumps(error))
    assert str(copy) == "a.toml:3:4: error: it is wrong; this is right\nerror: b" and copy.findings == error.findings


def configured(folder, *settings):
    said = subprocess.run(["cmake", "-S", SOURCE, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DELECTRET_BUILD_TESTS=OFF",
                           "-DCMAKE_DISABLE_FIND_PACKAGE_pybind11=ON", *settings], capture_output=True, text=True, check=False)
    return said.returncode, said.stdout + said.stderr


def test_without_pybind11_the_build_says_what_is_missing(tmp_path):
    status, said = configured(tmp_path / "auto")
    assert status == 0 and "Without the Python package: it needs pybind11 2.10 or newer (pybind11-dev)" in said
    status, said = configured(tmp_path / "auto", "-DELECTRET_PYTHON=ON")
    assert status != 0 and "The Python package needs pybind11 2.10 or newer (pybind11-dev)" in " ".join(said.split())
    assert not (tmp_path / "auto/python/electret").exists()


def test_the_project_file():
    project = tomllib.loads((SOURCE / "pyproject.toml").read_text())
    version = project["tool"]["scikit-build"]["metadata"]["version"]
    assert re.search(version["regex"], (SOURCE / version["input"]).read_text())["value"] == el.__version__
    assert project["project"]["dependencies"] == ["numpy>=1.24"] and set(project["project"]["optional-dependencies"]) == {"torch", "fit", "plot"}
    build = project["tool"]["scikit-build"]
    assert build["build"]["targets"] == ["electret_python"] and build["install"]["components"] == ["python"]


def test_a_wheel_has_the_installed_files(tmp_path):
    """Where scikit-build-core is present; Debian 12 has no package of it."""
    backend = pytest.importorskip("scikit_build_core.build")
    here = pathlib.Path.cwd()
    os.chdir(SOURCE)
    try:
        wheel = backend.build_wheel(str(tmp_path), {"build-dir": str(tmp_path / "build")})
    finally:
        os.chdir(here)
    with zipfile.ZipFile(tmp_path / wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    built = {f"electret/{path.name}" for path in (BUILD / "python/electret").iterdir() if path.name != "__pycache__"}
    assert names == built
