"""What the package says of itself: docstrings, their examples, signatures, and what notebooks show.

Acceptance point 26 but for types.
"""

import ast
import doctest
import importlib
import inspect
import pkgutil
import re
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import electret as el
from conftest import SOURCE, jelly

MODULES = ["electret", *sorted(f"electret.{path.stem}" for path in (SOURCE / "python/electret").glob("*.py")
                               if path.stem not in ("__init__", "torch") and not path.stem.startswith("_torch"))]
MODULE_NAMES = {"loss", "plot", "torch"}
UNIT = re.compile(r"\b(m|s|kg|N|J|C|V|Pa|m²|m/s|N/C|N/m|kg m|bytes)\b|without unit|indices|copies|copied|as it is")


def plot():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    return importlib.import_module("electret.plot")


def public():
    """(name, thing, class or None) of everything public: functions, classes, their methods and properties."""
    plot()
    modules = {"": el, "loss.": el.loss, "plot.": importlib.import_module("electret.plot")}
    for prefix, module in modules.items():
        for name in module.__all__:
            thing = getattr(module, name)
            if not inspect.ismodule(thing) and not isinstance(thing, str):
                yield prefix + name, thing, None
                if inspect.isclass(thing):
                    yield from members(prefix + name, thing)


def members(name, kind):
    fields = getattr(kind, "_fields", ())
    for member, value in inspect.getmembers_static(kind):
        ours = any(member in vars(base) for base in kind.__mro__ if base.__module__.startswith("electret"))
        if not member.startswith("_") and ours and member not in fields and (callable(value) or isinstance(value, (property, classmethod))):
            yield f"{name}.{member}", value if isinstance(value, property) else getattr(kind, member), kind


def parameters(thing):
    """Names that a caller may give."""
    try:
        signature = inspect.signature(thing)
    except ValueError:
        return []
    return [p.name for p in signature.parameters.values() if p.name != "self" and p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL)]


@pytest.mark.parametrize("name, thing, kind", list(public()), ids=lambda value: value if isinstance(value, str) else "")
def test_every_public_name_is_documented(name, thing, kind):
    text = thing.__doc__ or ""
    assert text.strip() and len(text.splitlines()[0]) > 10, "no docstring"
    if isinstance(thing, property):
        told = str(inspect.signature(thing.fget).return_annotation)
        if any(word in told for word in ("Floats", "Integers", "FrameArray", "float")):
            assert UNIT.search(text), "no unit"
        if told.strip("'") in ("Floats", "Integers", "FrameArray"):
            assert "(" in text, "no shape"
        return
    assert ">>> " in text and "Examples\n" in text and "--------\n" in text, "no example"
    is_tuple = inspect.isclass(thing) and issubclass(thing, tuple)
    given = [] if is_tuple or (inspect.isclass(thing) and "Made by" in text) else parameters(thing)
    missing = [p for p in given if f"`{p}`" not in text and not re.search(rf"^ *([\w, ]+, )?{p}(, [\w, ]+)?( :.*)?$", text, re.MULTILINE)]
    assert not missing, f"not told of: {', '.join(missing)}"
    if given and not (inspect.isclass(thing) and issubclass(thing, BaseException)) and "loss.Loss" != name:
        assert re.search(r"[Rr]aise|Error\b", text), "no errors"


def test_entries_of_docstrings_are_indented_as_their_sections():
    """A deeper one is shown as part of the entry before it."""
    deeper = []
    for path in (SOURCE / "python/electret").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            text = ast.get_docstring(node) or "" if isinstance(node, (ast.FunctionDef, ast.ClassDef)) else ""
            for line in text.split("Examples\n")[0].splitlines():
                if re.match(r" +(\w[\w, *]* : |Raises |-+$)", line):
                    deeper.append(f"{path.name}: {node.name}: {line.strip()}")
    assert not deeper


def surroundings(folder):
    """What examples may name: a charged ball, its simulator, a roll-out and a problem; a finished run in runs/jelly, a job in job.toml and
    its fit in fits/job."""
    scene = jelly(steps=2)
    sim = el.Simulator(scene)
    roll = el.Rollout(sim, wrt=["body.jelly.stiffness"])
    return {"scene": scene, "sim": sim, "roll": roll, "p": el.Problem(roll, "energy", {"body.jelly.stiffness": "log"}),
            "trajectory": el.Trajectory(folder / "runs/jelly")}


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    folder = tmp_path_factory.mktemp("examples")
    (folder / "examples").symlink_to(SOURCE / "examples")
    el.run(jelly(steps=2), folder / "runs/jelly")
    jelly(steps=2).save(folder / "jelly.toml")
    (folder / "job.toml").write_text('''[fit]
scene = "jelly.toml"
[[parameter]]
name = "body.jelly.stiffness"
start = 20.0
[[loss]]
of = "trajectory:runs/jelly/trajectory.h5"
''')
    el.fit(folder / "job.toml", folder / "fits/job")
    (folder / "sweep.toml").write_text('''[sweep]
scene = "jelly.toml"
[[vary]]
key = "body.0.charge"
range = [1e-7, 4e-7]
points = 4
[keep]
quantities = { size = "last of radius_of_gyration" }
frames = 2
''')
    with ThreadPoolExecutor(1) as pool:
        el.Sweep(folder / "sweep.toml", folder / "sweeps/map").run(pool)
    return folder


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_run(name, desk, monkeypatch):
    if name == "electret.plot":
        plot()
    monkeypatch.chdir(desk)
    module = importlib.import_module(name)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    for test in doctest.DocTestFinder(exclude_empty=True).find(module, name):
        names = {part.split(".")[0] for example in test.examples for part in re.findall(r"[A-Za-z_.]+", example.source)}
        if wanted := names & {"scene", "sim", "roll", "p", "trajectory"} - set(vars(module)):
            given = surroundings(desk)
            test.globs.update({key: given[key] for key in wanted})
        runner.run(test)
    assert runner.failures == 0
    assert "+SKIP" not in inspect.getsource(module)


def test_help_shows_signatures():
    import pydoc
    assert "step(self, action: 'ArrayLike | None' = None, *, grabs: 'Iterable[Grab]' = ()) -> 'StepReport'" in pydoc.plain(pydoc.render_doc(el.Simulator.step))


HOSTILE = '<script>alert("x")</script>&\'<img src=x onerror=y>'


def hostile(steps=2):
    scene = el.Scene(time={"step": 0.01, "steps": steps})
    for k in range(300):
        scene.body(name=f"{HOSTILE}{'<' * 50}{k}", generate={"shape": "chain", "vertices": 2}, mass=1.0)
    return scene


def representations(folder):
    scene = hostile()
    sim = el.Simulator(scene)
    run = el.run(scene, folder / "run <b>")
    roll = el.Rollout(sim, wrt=[name for name in sim.parameters if name.endswith(".mass")])
    closed = el.Simulator(scene)
    closed.close()
    return {"scene": scene, "faulty": el.Scene({HOSTILE: 1}), "sim": sim, "run": run, "trajectory": run.trajectory,
            "gradient": roll.value_and_grad("energy")[1], "closed": closed, "absent": el.Run(folder)}


def test_what_notebooks_show(tmp_path):
    for name, thing in representations(tmp_path).items():
        html = thing._repr_html_()
        assert len(html.encode()) <= 50_000, name
        assert "<table" in html and "electret" in html, name
        bare = re.sub(r'</?(div|b|table|tr|td|th)( style="[^"<>]*")?>', "", html)
        assert "<" not in bare and ">" not in bare and '"' not in bare, name
        assert repr(thing).count("\n") == 0 and repr(thing).startswith("<electret"), name
    assert "and " in representations(tmp_path / "again" if (tmp_path / "again").mkdir() is None else tmp_path)["scene"]._repr_html_()


def test_showing_changes_nothing(scene):
    sim, fresh = el.Simulator(scene), el.Simulator(scene)
    address = sim.positions.__array_interface__["data"][0]
    before = pickle_of(scene)
    for _ in range(3):
        sim._repr_html_(), scene._repr_html_()
        sim.step(), fresh.step()
    assert np.array_equal(sim.positions, fresh.positions) and sim.positions.__array_interface__["data"][0] == address
    assert pickle_of(scene) == before


def pickle_of(scene):
    import pickle
    return pickle.dumps(scene)


def test_plots_return_axes_and_open_nothing(tmp_path, monkeypatch):
    pictures = plot()
    import matplotlib.pyplot as plt
    monkeypatch.setattr(plt, "show", lambda *a, **k: pytest.fail("show was called"))
    scene = jelly(steps=4)
    run, sim = el.run(scene, tmp_path / "run"), el.Simulator(scene)
    figure, (left, right) = plt.subplots(1, 2)
    assert pictures.energies(run, left) is left and pictures.energies(tmp_path / "run").figure is not figure
    kinetic = next(line for line in left.lines if line.get_label() == "kinetic")
    assert np.array_equal(kinetic.get_ydata(), run.energies.kinetic) and left.get_xlabel() == "time, s"
    before = sim.state()
    axes = pictures.body(sim)
    assert np.array_equal(axes.collections[-1].get_array(), sim.charges) and axes.get_xlabel() == "x, m"
    assert len(axes.collections[0]._segments3d) == len(sim.springs)
    assert np.array_equal(sim.positions, before.positions)
    axes = plt.figure().add_subplot(projection="3d")
    assert pictures.body(run.trajectory.positions[0], axes, springs=sim.springs) is axes
    assert pictures.body(run.trajectory).name == "3d"
    assert pictures.fit([3.0, 1.0, 0.1], right) is right and right.get_yscale() == "log"
    assert pictures.fit({"loss": [1.0, -1.0], "stiffness": [2.0, 3.0]}).get_yscale() == "linear"
    for bad, error in (([["a"]], TypeError), ([1.0, np.nan], ValueError)):
        with pytest.raises(error):
            pictures.fit(bad)
    plt.close("all")


def test_sources_have_no_docstring_that_is_skipped():
    for path in (SOURCE / "python/electret").glob("*.py"):
        assert ast.get_docstring(ast.parse(path.read_text())), path.name


def test_every_representation_has_one_line(tmp_path):
    """Names may hold line breaks; arrays are told by their shapes."""
    scene = el.Scene(time={"step": 0.01, "steps": 2}, coulomb={})
    scene.body(name="a\nb", generate={"shape": "chain", "vertices": 40}, mass=1.0, charge=1e-9)
    sim = el.Simulator(scene, controls=["body.a\nb.forces"])
    run, roll = el.run(scene, tmp_path / "a\nrun"), el.Rollout(sim, wrt=["body.a\nb.mass"])
    field = el.field(sim.positions, sim.charges)
    solver = el.FieldSolver(40)
    solver.prepare(sim.positions)
    things = [scene, sim, sim.state(), sim.energies(), sim.work, sim.observables(), sim.parameters, sim.parameters["body.a\nb.masses"], sim.controls, run, run.energies,
              run.trajectory, run.trajectory.positions, roll, roll.forward(), roll.value_and_grad("energy")[1], field, solver, solver.adjoint(sim.charges, p=sim.charges),
              solver.field_and_products(sim.charges, sim.positions), el.loss.centre_of_mass((0, 0, 0), "a\nb"), el.Problem(roll, "energy", {"body.a\nb.mass": "log"}),
              el.Mesh(np.eye(3)), sim.step()]
    for thing in things:
        assert "\n" not in repr(thing) and len(repr(thing)) < 2000, type(thing)
    assert repr(field).startswith("Field(field=<(40, 3) float64>, potential=<(40,) float64>, coincident_pairs=0, choice=")
    assert len(str(sim.parameters).splitlines()) == len(sim.parameters)


def test_no_name_is_public_by_accident():
    pytest.importorskip("torch")
    plot()
    names = [one.name for one in pkgutil.iter_modules(el.__path__) if not one.name.startswith("_")]
    assert set(names) == MODULE_NAMES
    for module in (el, *(importlib.import_module(f"electret.{name}") for name in names)):
        public = {name for name in dir(module) if not name.startswith("_") and not (inspect.ismodule(getattr(module, name)) and name in MODULE_NAMES)}
        assert public == {name for name in module.__all__ if not name.startswith("_")} - MODULE_NAMES, module.__name__


def test_what_the_package_was_made_with():
    info = el.build_info()
    assert set(info) == {"version", "pybind11", "numpy", "compiler", "instruction_set", "tbb", "hdf5", "cholmod", "licence"}
    assert info["numpy"] == np.__version__ and info["instruction_set"] in ("avx512", "avx2", "portable")
    h5py = pytest.importorskip("h5py")
    assert info["hdf5"].split(".")[:2] == h5py.version.hdf5_version.split(".")[:2]
    assert ("GPL" in info["licence"]) == (info["cholmod"] is not None)
