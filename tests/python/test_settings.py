"""What the caller's process is set to changes no bit and no path: floating-point environment, numpy's errors, locale,
working directory, torch's denormals.

Acceptance point 24.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import numpy as np
import pytest

import electret as el
from conftest import jelly
from test_device import DEVICE, needs_device

# Numbers whose sums are denormal: charges of 1e-165 C at 1 m.
CODE = """
import sys
sys.path.insert(0, {here!r})
{before}
import hashlib
import warnings
warnings.simplefilter("ignore")
import numpy as np
import electret as el
from conftest import jelly
{after}
random = np.random.default_rng(3)
x, q = random.uniform(-1, 1, (40, 3)), random.uniform(-1e-165, 1e-165, 40)
bits = hashlib.sha256()
scene = jelly(steps=5)
scene.set("body.0.charge", 1e-160)
scene.set("gravity.acceleration", [0.0, 0.0, -1e-305])
sim = el.Simulator(scene, threads=2)
bits.update(sim.positions.tobytes())
sim.run()
field = el.field(x, q, constant=1e-150, threads=2)
gradient = el.gradient(scene, "energy", ["body.jelly.charges", "gravity"], threads=2)
solver = el.FieldSolver(40, constant=1e-150, threads=2)
solver.prepare(x)
for array in (sim.positions, sim.velocities, field.field, field.potential, gradient["body.jelly.charges"], gradient["gravity"], solver.field(q).field):
    bits.update(np.ascontiguousarray(array).tobytes())
tiny = np.abs(field.field)
print(bits.hexdigest(), bool(((tiny > 0) & (tiny < 2.2e-308)).any()))
{end}
"""


def bits(before="", after="", end="", **environment):
    code = CODE.format(here=str(pathlib.Path(__file__).parent), before=before, after=after, end=end)
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env={**os.environ, **environment})
    assert said.returncode == 0, said.stderr
    return said.stdout.splitlines()


@pytest.fixture(scope="module")
def usual():
    digest, has_denormals = bits()[0].split()
    assert has_denormals == "True"
    return digest


def test_flushed_denormals(usual):
    """The mode that torch sets, by torch where it is installed; the caller has it again afterwards."""
    pytest.importorskip("torch")
    for before, after in (("import torch; torch.set_flush_denormal(True)", ""), ("", "import torch; torch.set_flush_denormal(True)")):
        lines = bits(before, after, "print(bool((torch.tensor([1e-308], dtype=torch.float64) / 10 == 0).all()))")
        assert lines[0].split()[0] == usual and lines[1] == "True"


def test_numpys_errors(usual):
    assert bits(after="np.seterr(all='raise')")[0].split()[0] == usual


DECIMAL_COMMA = "import locale; locale.setlocale(locale.LC_ALL, 'de_DE.UTF-8'); assert locale.localeconv()['decimal_point'] == ','"


@pytest.fixture
def decimal_comma(tmp_path):
    """A decimal comma, of a locale made for the test where the system has the sources of one."""
    if shutil.which("localedef") is None or not os.path.exists("/usr/share/i18n/locales/de_DE"):
        pytest.skip("this system cannot make a locale")
    subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", tmp_path / "de_DE.UTF-8"], check=False, capture_output=True)
    return {**os.environ, "LOCPATH": str(tmp_path)}


def test_locale(usual, decimal_comma):
    lines = bits(DECIMAL_COMMA, end="print(scene.to_toml().count(','), el.Scene.parse(scene.to_toml()) is not None)",
                 LOCPATH=decimal_comma["LOCPATH"])
    assert lines[0].split()[0] == usual and lines[1].endswith("True")


def test_files_in_another_locale(decimal_comma, tmp_path):
    """Pictures and pages have decimal points."""
    code = f"""
import sys
sys.path.insert(0, {str(pathlib.Path(__file__).parent)!r})
import electret as el
from conftest import jelly
%s
el.run(jelly(steps=6), sys.argv[1])
"""
    # A run's folder is the same one, because its page names it.
    files = []
    for before in ("", DECIMAL_COMMA):
        subprocess.run([sys.executable, "-c", code % before, tmp_path / "run"], check=True, env=decimal_comma)
        files.append({path.name: path.read_bytes() for path in (tmp_path / "run").rglob("*") if path.suffix in (".svg", ".html")})
        shutil.rmtree(tmp_path / "run")
    usual, other = files
    assert usual.keys() == other.keys() and {pathlib.Path(name).suffix for name in usual} == {".svg", ".html"}
    page, other_page = (names.pop("index.html").decode().splitlines() for names in (usual, other))
    assert usual == other
    for line, other_line in zip(page, other_page, strict=True):
        assert line == other_line or (" s (field " in line and not re.search(r"\d,\d", other_line)), "but for the times that it took"


@needs_device
def test_a_devices_kernels_in_another_locale(decimal_comma):
    """The text of a kernel has constants, which are written where it is compiled."""
    code = f"""
{DECIMAL_COMMA}
import numpy as np
import electret as el
x = np.random.default_rng(0).uniform(-1, 1, (3000, 3))
q = np.linspace(0.5, 1.0, 3000)
field = el.field(x, q, solver="fmm", accuracy=1e-3, device={DEVICE!r}).field
exact = el.field(x, q, solver="direct").field
assert np.linalg.norm(field - exact) < 1e-3 * np.linalg.norm(exact)
"""
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=decimal_comma)
    assert said.returncode == 0, said.stderr


def test_working_directory(tmp_path, monkeypatch, command):
    """Relative paths mean what they meant when they were given."""
    (tmp_path / "a").mkdir(), (tmp_path / "b").mkdir()
    (tmp_path / "a/m.obj").write_text("v 0 0 0\nv 1 0 0\nl 1 2\n")
    (tmp_path / "a/s.toml").write_text('[time]\nstep = 0.01\nsteps = 2\n[[body]]\nmesh = "m.obj"\nmass = 1\n[[body.springs]]\nstiffness = 1\n')
    monkeypatch.chdir(tmp_path / "a")
    loaded, made = el.Scene.load("s.toml"), el.Scene(time={"step": 0.01, "steps": 2})
    made.body(mesh="m.obj", mass=1.0).springs("edges", stiffness=1.0)
    run = el.run("s.toml", "run")
    monkeypatch.chdir(tmp_path / "b")
    assert loaded.folder == made.folder == str(tmp_path / "a") and run.status == "done" and len(run.trajectory) == 3
    assert el.Simulator(loaded).masses.shape == el.Simulator(made).masses.shape == (2,)
    loaded.set("time.steps", 3)
    assert loaded.describe()["vertices"] == 2
    made.save("s.toml")
    assert command("check", "s.toml", cwd=tmp_path / "b").returncode == 0
    assert np.array_equal(el.Simulator("s.toml").positions, el.Simulator(made).positions)


def test_errstate_of_the_caller_is_kept():
    with np.errstate(all="raise"):
        sim = el.Simulator(jelly(steps=5))
        sim.run()
        with pytest.raises(FloatingPointError):
            np.array([1.0]) / 0.0


def test_the_callers_functions_have_the_callers_floating_point_environment():
    torch = pytest.importorskip("torch")
    if not torch.set_flush_denormal(True):
        pytest.skip("this processor has no such mode")
    try:
        def flushes(*_):
            seen.append(bool((torch.tensor([1e-308], dtype=torch.float64) / 10 == 0).all()))

        seen = []
        scene = jelly(steps=4)
        scene.electric_field(function=lambda x, t: (flushes(), 0 * x)[1])
        sim = el.Simulator(scene)
        sim.run(2, callback=flushes, progress=flushes)
        assert len(seen) > 4 and all(seen)
        sim.run(1, callback=lambda sim: torch.set_flush_denormal(False))
        seen.clear()
        flushes()
        assert seen == [False], "what a callback sets stays"
    finally:
        torch.set_flush_denormal(False)
