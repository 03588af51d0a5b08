"""The package as such: what it imports, installs, exports; its errors and documents.

Acceptance points 1 (install), 9 (classes) and 25, and of 26 docstrings and the tutorial.
"""

import doctest
import os
import pathlib
import pickle
import subprocess
import sys

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
    assert "ImportError" in said.stderr and "pybind11 2.12" in said.stderr


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


def test_every_public_name_is_documented():
    missing = []
    for name in el.__all__:
        thing = getattr(el, name)
        if name != "__version__" and not (thing.__doc__ or "").strip():
            missing.append(name)
        if isinstance(thing, type):
            for member, value in vars(thing).items():
                if not member.startswith("_") and (callable(value) or isinstance(value, (property, classmethod))):
                    if not (getattr(thing, member).__doc__ if not isinstance(value, property) else value.__doc__):
                        missing.append(f"{name}.{member}")
    assert missing == []


def test_examples_in_docstrings_run(monkeypatch):
    monkeypatch.chdir(SOURCE)
    for module in ("", "._arrays", "._errors", "._field", "._mesh", "._run", "._scene", "._simulator"):
        failed, _ = doctest.testmod(sys.modules["electret" + module])
        assert failed == 0, module
