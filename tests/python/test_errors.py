"""Every row of the contract's table of errors: the class, its attributes, a pickle's round trip; the state is as before
and the next call works.

Acceptance point 9, but for torch.
"""

import os
import pickle
import subprocess
import sys

import numpy as np
import pytest

import electret as el
from electret import _core
from conftest import jelly


def round_trip(error):
    """The error's copy through a pickle, of the same class, text and attributes."""
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error) and str(copy) == str(error)
    for name in ("findings", "step", "vertex", "cause", "advice", "filename"):
        assert getattr(copy, name, None) == getattr(error, name, None), name
    return copy


def driven(**keys):
    return el.Simulator(jelly(steps=10, **keys), controls=["body.jelly.charge", "external_charge.0.position"])


GOOD = [1e-7, 0.0, 0.0, 2.0]

INPUT = {
    "scene": lambda tmp: el.Simulator(el.Scene(time={"step": 1.0})),
    "file": lambda tmp: el.Scene.parse("[time]\nstep = -1\nsteps = 3\n"),
    "mesh": lambda tmp: el.Mesh.read((tmp / "bad.obj").write_text("v 1 x 2\n") and tmp / "bad.obj"),
    "override": lambda tmp: el.run(jelly(), tmp / "run", overrides={"time.stepp": 3}),
    "control": lambda tmp: el.Simulator(jelly(), controls=["body.jelly.chargee"]),
    "twice": lambda tmp: el.Simulator(jelly(), controls=["body.jelly.charge", "body.jelly.charges"]),
    "solver": lambda tmp: el.FieldSolver(4, solver="gpu"),
    "parameter": lambda tmp: el.Rollout(el.Simulator(jelly()), wrt=["body.jelly.stiff"]),
    "bounds": lambda tmp: el.Simulator(jelly()).set({"body.jelly.stiffness": -1.0}),
    "loss": lambda tmp: el.gradient(jelly(steps=1), "energie", ["gravity"]),
}


@pytest.mark.parametrize("name", INPUT)
def test_bad_input(name, tmp_path):
    with pytest.raises(el.InputError) as caught:
        INPUT[name](tmp_path)
    error = caught.value
    assert isinstance(error, ValueError) and isinstance(error, el.Error) and len(error.findings) >= 1
    for finding in error.findings:
        assert isinstance(finding, el.Finding) and finding.message and finding.allowed and str(finding) in str(error)
    round_trip(error)
    # The traceback ends in the package's Python, called from the user's line.
    assert any(frame.name == "<lambda>" for frame in caught.traceback)


def test_divergence_leaves_the_last_good_step():
    sim = driven()
    sim.run(3, action=GOOD)
    before = sim.state()
    with pytest.raises(el.DivergenceError) as caught:
        for _ in range(5):
            sim.step([1e9, 0.0, 0.0, 2.0])
            before = sim.state()
    error = caught.value
    assert isinstance(error, ArithmeticError) and error.step == sim.steps_done + 1 and error.cause and error.advice
    assert error.cause in str(error)
    round_trip(error)
    after = sim.state()
    assert np.array_equal(after.positions, before.positions) and after.work == before.work and after.step == before.step
    sim.step(GOOD)


def test_coincident_charges_diverge():
    scene = el.Scene(time={"step": 0.01, "steps": 3}, coulomb={})
    scene.body(name="b", mesh=el.Mesh([[0, 0, 0], [0, 0, 1]], lines=[[0, 1]]), mass=1.0, charge=1e-6)
    scene.external_charge(charge=1e-6, position=(0, 1, 0))
    sim = el.Simulator(scene, controls=["external_charge.0.position"])
    with pytest.raises(el.DivergenceError) as caught:
        sim.step([0.0, 0.0, 1.0])
    assert caught.value.vertex == 1 and caught.value.step == 1
    round_trip(caught.value)
    assert sim.steps_done == 0 and np.array_equal(sim.positions, [[0, 0, 0], [0, 0, 1]])
    sim.step([0.0, 1.0, 0.0])


IO = {"absent": lambda tmp: el.Trajectory(tmp / "no.h5"), "foreign": lambda tmp: el.Trajectory((tmp / "x.h5").write_text("x") and tmp / "x.h5"),
      "folder": lambda tmp: el.Run(tmp / "no"), "under a file": lambda tmp: el.run(jelly(steps=2), (tmp / "f").write_text("x") and tmp / "f" / "run"),
      "a scene under a file": lambda tmp: jelly().save((tmp / "f").write_text("x") and tmp / "f" / "scene.toml"),
      "a scene over a folder": lambda tmp: jelly().save((tmp / "d.toml").mkdir() or tmp / "d.toml"),
      "a record under a file": lambda tmp: el.Simulator(jelly()).record((tmp / "f").write_text("x") and tmp / "f" / "run"),
      "no summary": lambda tmp: el.Run(tmp).summary, "no table": lambda tmp: el.Run(tmp).energies}


@pytest.mark.parametrize("name", IO)
def test_files(name, tmp_path):
    with pytest.raises(el.IoError) as caught:
        IO[name](tmp_path)
    error = caught.value
    assert isinstance(error, OSError) and str(tmp_path) in str(error.filename)
    assert round_trip(error).filename == error.filename


HEADER = "time,kinetic,elastic,coulomb,external,gravity,total\n"
DAMAGED = {
    ("energy.csv", ""): "energy.csv:1: the line that names the columns is missing",
    ("energy.csv", "time,kinetic\n"): "energy.csv:1: it names no column 'elastic'",
    ("energy.csv", HEADER + "0,1,2,3,4,5,6\n0,1,x,3,4,5,6\n"): "energy.csv:3: 'x' is no number",
    ("energy.csv", HEADER + "0,1,2,3\n0,1,2,3,4,5,6\n"): "energy.csv:2: 4 values where 7 columns are named",
    ("energy.csv", b"\xff\xfe\x00"): "energy.csv: 'utf-8'",
    ("observables.csv", "tim\n"): "observables.csv:1: it names no column 'time'",
    ("summary.json", ""): "summary.json:1: Expecting value",
    ("summary.json", '{"status": "done",\n "warnings": [}'): "summary.json:2: Expecting value",
    ("summary.json", "[1]"): "summary.json:1: it must be a table, not list",
    ("summary.json", "{}"): 'summary.json:1: "status" is missing',
    ("summary.json", '{"status": "done", "warnings": 3}'): 'summary.json:1: "warnings" is no list'}


@pytest.mark.parametrize("name, text", DAMAGED, ids=range(len(DAMAGED)))
def test_damaged_files(name, text, tmp_path):
    (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    run = el.Run(tmp_path)
    asked = {"energy.csv": ["energies"], "observables.csv": ["observables"], "summary.json": ["summary", "status", "warnings"]}[name]
    for what in asked:
        with pytest.raises(el.IoError) as caught:
            getattr(run, what)
        assert str(caught.value).startswith(f"{tmp_path}/{DAMAGED[name, text]}") and caught.value.filename == str(tmp_path / name)
    assert "<table" in run._repr_html_()


def test_a_line_that_is_being_written_is_not_read(tmp_path):
    (tmp_path / "energy.csv").write_text(HEADER + "0,1,2,3,4,5,6\n1,1,2,3")
    assert el.Run(tmp_path).energies.total.tolist() == [6.0]


def test_a_damaged_trajectory_is_an_error_of_ours(tmp_path):
    """Whatever bytes are lost: it reads, or it says IoError with its name."""
    el.run(jelly(steps=3), tmp_path / "run")
    whole = (tmp_path / "run/trajectory.h5").read_bytes()
    random, path = np.random.default_rng(4), tmp_path / "damaged.h5"
    refused = 0
    for k in range(60):
        data = bytearray(whole[:random.integers(len(whole))] if k % 3 == 0 else whole)
        if k % 3:
            first = int(random.integers(len(whole) if k % 3 == 1 else 4096))
            data[first:first + 16] = random.bytes(16)
        path.write_bytes(data)
        try:
            with el.Trajectory(path) as trajectory:
                trajectory.positions[:], trajectory.times, trajectory.charges[:], trajectory.springs, trajectory.groups
        except el.IoError as error:
            refused += 1
            assert str(path) in str(error)
    assert refused > 20


def test_what_has_no_gradient():
    scene = jelly(steps=3)
    scene.electric_field(function=lambda x, t: 0.0 * x)
    with pytest.raises(el.GradientError, match="electric_field.0.function") as caught:
        el.gradient(scene, "energy", ["gravity"])
    assert isinstance(caught.value, RuntimeError)
    round_trip(caught.value)


@pytest.mark.parametrize("call, error, words", [
    (lambda sim: sim.step([1.0]), ValueError, r"action must have shape \(4,\)"), (lambda sim: sim.step([1.0, 0.0, np.nan, 0.0]), ValueError, "nan at index 2"),
    (lambda sim: sim.step([1j] * 4), TypeError, "complex"), (lambda sim: sim.step(["a"] * 4), TypeError, "action"),
    (lambda sim: sim.step(np.ma.masked_array(GOOD)), TypeError, "masked"),
    (lambda sim: sim.run(3, action=GOOD[:2]), ValueError, "action"), (lambda sim: sim.run(-1), ValueError, "steps"),
    (lambda sim: sim.run(1, every=0), ValueError, "every"), (lambda sim: el.Rollout(sim, memory=10), ValueError, "three states"),
    (lambda sim: el.Rollout(sim, steps=3).forward(actions=np.zeros((2, 4))), ValueError, r"\(3, 4\)"),
    (lambda sim: sim.restore(sim.state()._replace(positions=np.zeros((3, 3)))), ValueError, "state.positions"),
    (lambda sim: sim.set({"gravity": [0.0, 1.0]}), ValueError, "gravity")])
def test_wrong_arrays_change_nothing(call, error, words):
    sim, fresh = driven(), driven()
    for one in (sim, fresh):
        one.run(2, action=GOOD)
    with pytest.raises(error, match=words):
        call(sim)
    assert sim.steps_done == 2
    for one in (sim, fresh):
        one.step(GOOD)
    assert np.array_equal(sim.positions, fresh.positions) and sim.work == fresh.work


def test_closed_things():
    sim = driven()
    sim.close()
    for call in (sim.step, sim.run, sim.reset, sim.energies, sim.state, lambda: sim.positions, lambda: sim.set({"gravity": [0, 0, 0]}),
                 lambda: el.Rollout(sim)):
        with pytest.raises(RuntimeError, match="closed"):
            call()


@pytest.mark.parametrize("raised", [ZeroDivisionError("mine"), KeyboardInterrupt(), el.DivergenceError("m", 1, 2, "c", "a"), SystemExit(3)], ids=repr)
def test_what_users_functions_raise_arrives_unchanged(raised, tmp_path):
    def throw(*_):
        raise raised

    sim = driven()
    roll = el.Rollout(sim, wrt=["gravity"], steps=3)
    field = jelly(steps=3)
    field.electric_field(function=throw, vjp=throw)
    for call in (lambda: sim.run(2, callback=throw), lambda: sim.run(2, progress=throw), lambda: roll.value_and_grad(throw),
                 lambda: el.gradient(jelly(steps=2), throw, ["gravity"]), lambda: el.Simulator(field).step(),
                 lambda: el.run(jelly(steps=3), tmp_path / "run", progress=throw, overwrite=True),
                 lambda: el.Problem(roll, throw, {"gravity": "linear"})(np.zeros(3))):
        with pytest.raises(type(raised)) as caught:
            call()
        assert caught.value is raised
    assert sim.steps_done == 2
    sim.step()


@pytest.mark.skipif("ELECTRET_SANITIZED" in os.environ, reason="a sanitizer reserves more than any limit")
def test_out_of_memory_keeps_the_state():
    code = """
import resource
import electret as el
import numpy as np
scene = el.Scene(time={"step": 0.01, "steps": 10})
scene.body(name="a", generate={"shape": "chain", "vertices": 4}, mass=1.0)
sim = el.Simulator(scene, threads=1)
sim.run(2)
x = sim.positions.copy()
with open("/proc/self/statm") as file:
    now = int(file.read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (now + 30_000_000, resource.RLIM_INFINITY))
large = el.Scene(time={"step": 0.01, "steps": 10})
large.body(name="a", generate={"shape": "chain", "vertices": 2000000}, mass=1.0)
try:
    el.Simulator(large, threads=1)
except MemoryError as error:
    print("MemoryError")
print(np.array_equal(sim.positions, x))
sim.step()
"""
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert said.stdout.splitlines() == ["MemoryError", "True"] and said.returncode == 0, said.stdout + said.stderr


def test_a_defect_of_ours():
    error = el.InternalError("a broken invariant")  # No call is known that makes the library throw it.
    assert isinstance(error, RuntimeError) and isinstance(error, el.Error)
    round_trip(error)


def test_a_callers_mistake_that_the_library_finds():
    for mistake in (lambda: _core.trajectory_loss([], []), lambda: _core.trajectory_loss([3, 3], 2 * [np.zeros((1, 3))]),
                    lambda: _core.difference(lambda x: x, 0.0, False)):
        with pytest.raises(ValueError) as caught:
            mistake()
        assert type(caught.value) is ValueError and str(caught.value)


def test_a_mistyped_parameter_gets_the_name_that_is_meant():
    sim = el.Simulator(jelly())
    for act in (lambda name: el.Rollout(sim, wrt=[name]), lambda name: sim.set({name: 1.0})):
        with pytest.raises(el.InputError) as caught:
            act("body.jelly.stifness")
        assert caught.value.findings[0].allowed == 'did you mean "body.jelly.stiffness"?'
        with pytest.raises(el.InputError) as caught:
            act("viscosity")
        assert caught.value.findings[0].allowed.startswith("gravity, ")
