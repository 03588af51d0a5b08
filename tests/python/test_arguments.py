"""Arguments of every public call: what is wrong with one is said by the package, in its own words and with the argument's
name, and nothing is changed by it.

Acceptance points 8 and 9, their part.
"""

import re

import numpy as np
import pytest

import electret as el
from conftest import jelly

WRONG = {"text": "x", "none": None, "bytes": b"x", "list": [1, "a"], "object": object(), "nan": float("nan"), "complex": 1j, "cube": np.zeros((2, 2, 2)),
         "huge": 10**30, "negative": -1, "fraction": 2.5, "whole": 3.0, "truth": True, "masked": np.ma.masked_array([1.0, 2.0], [True, False]), "table": {"a": 1},
         "names": [3], "function": len, "type": int}

# What Python or pybind11 would say instead of the package.
FOREIGN = re.compile(r"incompatible|Invoked with|arguments were supported|has no attribute|unsupported operand|not iterable|not callable|subscriptable"
                     r"|unexpected keyword|required positional|must be str|expected str|Unable to cast|not supported between|cannot be interpreted|interpreted as an integer")


class Desk:
    """What the calls work with; made anew for each."""

    def __init__(self, tmp_path):
        self.tmp = tmp_path
        self.sim = el.Simulator(jelly(steps=3), controls=["body.jelly.charge"])
        self.state = self.sim.state()

    @property
    def roll(self):
        return el.Rollout(self.sim, wrt=["gravity"], steps=2)

    @property
    def solver(self):
        made = el.FieldSolver(2)
        made.prepare(PLACES)
        return made


PLACES, CHARGES = np.array([[0.0, 0, 0], [1, 0, 0]]), np.array([1e-9, 2e-9])

CALLS = {
    "Simulator scene": lambda d, w: el.Simulator(w), "Simulator controls": lambda d, w: el.Simulator(jelly(), controls=w),
    "Simulator threads": lambda d, w: el.Simulator(jelly(), threads=w), "step action": lambda d, w: d.sim.step(w), "run steps": lambda d, w: d.sim.run(w),
    "run every": lambda d, w: d.sim.run(1, every=w), "run callback": lambda d, w: d.sim.run(0, callback=w), "run progress": lambda d, w: d.sim.run(0, progress=w),
    "run action": lambda d, w: d.sim.run(1, action=w), "record directory": lambda d, w: d.sim.record(w).close(),
    "record every": lambda d, w: d.sim.record(d.tmp / "r", w).close(), "record overwrite": lambda d, w: d.sim.record(d.tmp / "r", overwrite=w).close(),
    "restore state": lambda d, w: d.sim.restore(w), "restore state.step": lambda d, w: d.sim.restore(d.state._replace(step=w)),
    "restore state.positions": lambda d, w: d.sim.restore(d.state._replace(positions=w)), "restore state.memory": lambda d, w: d.sim.restore(d.state._replace(memory=w)),
    "restore elastic_solver": lambda d, w: d.sim.restore(d.state._replace(memory={"elastic_solver": w})),
    "restore state.work": lambda d, w: d.sim.restore(d.state._replace(work=w)), "restore state.action": lambda d, w: d.sim.restore(d.state._replace(action=w)),
    "set values": lambda d, w: d.sim.set(w), "set gravity": lambda d, w: d.sim.set({"gravity": w}), "pack values": lambda d, w: d.sim.controls.pack(w),
    "pack body.jelly.charge": lambda d, w: d.sim.controls.pack({"body.jelly.charge": w}), "unpack action": lambda d, w: d.sim.controls.unpack(w),
    "Rollout sim": lambda d, w: el.Rollout(w), "Rollout wrt": lambda d, w: el.Rollout(d.sim, wrt=w), "Rollout steps": lambda d, w: el.Rollout(d.sim, steps=w),
    "Rollout hold": lambda d, w: el.Rollout(d.sim, hold=w), "Rollout frames": lambda d, w: el.Rollout(d.sim, frames=w), "Rollout memory": lambda d, w: el.Rollout(d.sim, memory=w),
    "forward values": lambda d, w: d.roll.forward(w), "forward actions": lambda d, w: d.roll.forward(actions=w), "forward start": lambda d, w: d.roll.forward(start=w),
    "vjp cotangent": lambda d, w: swept(d).vjp(w), "vjp positions": lambda d, w: swept(d).vjp({"positions": w}), "vjp energy": lambda d, w: swept(d).vjp({"energy": w}),
    "value loss": lambda d, w: d.roll.value(w), "loss cotangents": lambda d, w: d.roll.value_and_grad(lambda traj: (1.0, w)), "loss loss": lambda d, w: d.roll.value(lambda traj: (w, {})),
    "Problem roll": lambda d, w: el.Problem(w, "energy", {"gravity": "linear"}), "Problem scales": lambda d, w: el.Problem(d.roll, "energy", w),
    "Problem gravity": lambda d, w: el.Problem(d.roll, "energy", {"gravity": w}), "Problem actions": lambda d, w: el.Problem(d.roll, "energy", {"actions": "linear"}, actions=w),
    "Problem theta": lambda d, w: el.Problem(d.roll, "energy", {"gravity": "linear"}).values(w), "gradient scene": lambda d, w: el.gradient(w, "energy", ["gravity"]),
    "gradient loss": lambda d, w: el.gradient(jelly(steps=1), w, ["gravity"]), "gradient wrt": lambda d, w: el.gradient(jelly(steps=1), "energy", w),
    "gradient check": lambda d, w: el.gradient(jelly(steps=1), "energy", ["damping.drag"], check=w), "gradient memory": lambda d, w: el.gradient(jelly(steps=1), "energy", ["gravity"], memory=w),
    "gradient threads": lambda d, w: el.gradient(jelly(steps=1), "energy", ["gravity"], threads=w), "final_position target": lambda d, w: el.loss.final_position(w),
    "trajectory target": lambda d, w: el.loss.trajectory(w, [1]), "trajectory frames": lambda d, w: el.loss.trajectory(PLACES[None], w),
    "centre_of_mass target": lambda d, w: el.loss.centre_of_mass(w), "centre_of_mass body": lambda d, w: el.loss.centre_of_mass((0, 0, 0), w), "of_text text": lambda d, w: el.loss.of_text(w),
    "forward direction": lambda d, w: el.loss.forward(w), "speed direction": lambda d, w: el.loss.speed(w), "speed sideways": lambda d, w: el.loss.speed((1, 0, 0), w), "speed group": lambda d, w: el.loss.speed((1, 0, 0), 1.0, w),
    "times factor": lambda d, w: el.loss.energy() * w, "field positions": lambda d, w: el.field(w, CHARGES), "field charges": lambda d, w: el.field(PLACES, w),
    "field at": lambda d, w: el.field(PLACES, CHARGES, w), "field accuracy": lambda d, w: el.field(PLACES, CHARGES, accuracy=w), "field solver": lambda d, w: el.field(PLACES, CHARGES, solver=w),
    "field constant": lambda d, w: el.field(PLACES, CHARGES, constant=w), "field softening": lambda d, w: el.field(PLACES, CHARGES, softening=w),
    "field threads": lambda d, w: el.field(PLACES, CHARGES, threads=w), "FieldSolver count": lambda d, w: el.FieldSolver(w), "prepare positions": lambda d, w: el.FieldSolver(2).prepare(w),
    "prepare at": lambda d, w: el.FieldSolver(2).prepare(PLACES, w), "field out": lambda d, w: d.solver.field(CHARGES, out=w), "adjoint w": lambda d, w: d.solver.adjoint(CHARGES, w=w),
    "adjoint p": lambda d, w: d.solver.adjoint(CHARGES, p=w), "jacobian_product z": lambda d, w: d.solver.jacobian_product(CHARGES, w),
    "verify_field field": lambda d, w: el.verify_field(PLACES, CHARGES, w), "verify_field samples": lambda d, w: el.verify_field(PLACES, CHARGES, PLACES, samples=w),
    "verify_field potential": lambda d, w: el.verify_field(PLACES, CHARGES, PLACES, potential=w), "Mesh vertices": lambda d, w: el.Mesh(w), "Mesh faces": lambda d, w: el.Mesh(np.eye(3), w),
    "Mesh lines": lambda d, w: el.Mesh(np.eye(3), lines=w), "Mesh groups": lambda d, w: el.Mesh(np.eye(3), groups=w), "Mesh attributes": lambda d, w: el.Mesh(np.eye(3), attributes=w),
    "Mesh tetrahedra": lambda d, w: el.Mesh(np.eye(3), tetrahedra=w), "Mesh.read path": lambda d, w: el.Mesh.read(w), "Scene tables": lambda d, w: el.Scene(w),
    "Scene folder": lambda d, w: el.Scene(folder=w), "load path": lambda d, w: el.Scene.load(w), "parse text": lambda d, w: el.Scene.parse(w),
    "parse overrides": lambda d, w: el.Scene.parse(jelly().to_toml(), overrides=w), "set key": lambda d, w: jelly().set(w, 1), "save path": lambda d, w: jelly().save(w),
    "run scene": lambda d, w: el.run(w, d.tmp / "run"), "run directory": lambda d, w: el.run(jelly(steps=1), w), "run overrides": lambda d, w: el.run(jelly(steps=1), d.tmp / "run", overrides=w),
    "run resume": lambda d, w: el.run(jelly(steps=1), d.tmp / "run", resume=w), "run threads": lambda d, w: el.run(jelly(steps=1), d.tmp / "run", threads=w),
    "el.run progress": lambda d, w: el.run(jelly(steps=1), d.tmp / "run", progress=w), "Trajectory path": lambda d, w: el.Trajectory(w), "Run directory": lambda d, w: el.Run(w),
    "fit job": lambda d, w: el.fit(w), "fit directory": lambda d, w: el.fit("none.toml", w), "fit resume": lambda d, w: el.fit("none.toml", resume=w),
    "fit overwrite": lambda d, w: el.fit("none.toml", overwrite=w), "fit threads": lambda d, w: el.fit("none.toml", threads=w),
    "fit memory": lambda d, w: el.fit("none.toml", memory=w), "fit callback": lambda d, w: el.fit("none.toml", callback=w), "Fit directory": lambda d, w: el.Fit(w)}


def swept(desk):
    roll = desk.roll
    roll.forward()
    return roll


@pytest.mark.parametrize("call", CALLS)
def test_what_is_wrong_is_said_in_the_packages_words(call, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    what = call.split()[-1]
    refused = 0
    for name, wrong in WRONG.items():
        if callable(wrong) and what in ("loss", "progress", "callback"):
            continue
        desk = Desk(tmp_path)
        try:
            CALLS[call](desk, wrong)
        except (TypeError, ValueError, el.Error) as error:
            refused += 1
            assert not FOREIGN.search(str(error)), f"{name}: {error}"
            assert isinstance(error, el.Error) or what in str(error), f"{name}: {error}"
            assert desk.sim.steps_done == 0 and np.array_equal(desk.sim.positions, desk.state.positions), name
    assert refused > 5


WHOLE = [call for call in CALLS if call.split()[-1] in ("steps", "every", "hold", "threads", "count", "samples") or call.endswith("state.step")]


@pytest.mark.parametrize("call", WHOLE)
@pytest.mark.parametrize("wrong", [3.0, 2.5, np.float64(2.0), True, "3", np.array([3])], ids=repr)
def test_what_is_no_whole_number_is_not_cut(call, wrong, tmp_path):
    """3.0 neither: what was computed as a float may be meant as 3 and be less."""
    with pytest.raises(TypeError, match=call.split()[-1] + " must be a whole number, not"):
        CALLS[call](Desk(tmp_path), wrong)


@pytest.mark.parametrize("number", [np.int32(2), np.uint8(2), np.array(2)], ids=repr)
def test_any_whole_number_is_taken(number):
    sim = el.Simulator(jelly(steps=4))
    sim.run(number, every=number)
    roll = el.Rollout(sim, steps=number, hold=number, frames=[np.int64(1), number])
    assert sim.steps_done == 2 and roll.steps == 2 and roll.frames == (1, 2) and el.FieldSolver(number) is not None


def test_kept_frames_ascend():
    """The result has them in time's order, so that no other order is taken for it."""
    sim = el.Simulator(jelly(steps=3))
    for frames in ([-1, 0], [2, 1, 3]):
        with pytest.raises(ValueError, match="frames: .* are the steps .*, which must ascend"):
            el.Rollout(sim, frames=frames)
    roll = el.Rollout(sim, frames=[0, 2, 3, -1])
    assert roll.frames == (0, 2, 3) and roll.forward().steps == (0, 2, 3)


@pytest.mark.parametrize("frames", [[1.0], [0.5], [True], "1", 3])
def test_frames_are_whole_steps(frames):
    for call in (lambda: el.Rollout(el.Simulator(jelly(steps=3)), frames=frames), lambda: el.loss.trajectory(np.zeros((1, 32, 3)), frames)):
        with pytest.raises((TypeError, ValueError), match="frames"):
            call()


def test_a_number_that_is_not_finite_is_named_without_an_index():
    with pytest.raises(ValueError, match=r"^softening must be a finite number, not nan$"):
        el.field(PLACES, CHARGES, softening=float("nan"))


@pytest.mark.parametrize("part, value, words", [
    ("step", -1, "state.step must be at least 0"), ("memory", {"elastic_solvr": np.zeros(5)}, "no method keeps 'elastic_solvr'; allowed: elastic_solver"),
    ("memory", {"elastic_solver": np.zeros(4)}, r"state.memory\['elastic_solver'\] must have shape \(9,\)"), ("memory", {"elastic_solver": np.full(9, np.nan)}, "nan at index 0"),
    ("work", el.Work(0.0, float("nan"), 0.0, 0.0), "state.work must be finite, not nan at index 1"), ("work", (0.0,) * 3, "state.work must have shape"), ("action", [np.nan], "state.action must be finite, not nan"),
    ("action", [0.0, 1.0], r"state.action must have shape \(1,\)"), ("velocities", np.full((32, 3), np.inf), "state.velocities must be finite, not inf")])
def test_states_that_are_none(part, value, words):
    sim = el.Simulator(jelly(steps=5), controls=["body.jelly.charge"])
    sim.run(2, action=[1e-7])
    good = sim.state()
    with pytest.raises(ValueError, match=words):
        sim.restore(good._replace(**{part: value}))
    assert sim.steps_done == 2 and np.array_equal(sim.positions, good.positions)
    if part not in ("work", "action"):
        roll = el.Rollout(sim, steps=2)
        with pytest.raises(ValueError, match=words.replace("state", "start")):
            roll.forward(start=good._replace(**{part: value}))
    sim.restore(good)


def test_masked_targets_are_refused(random):
    target = np.ma.masked_array(random.normal(size=(1, 32, 3)), mask=False)
    target[0, 3] = np.ma.masked
    for call in (lambda: el.loss.trajectory(target, [1]), lambda: el.loss.trajectory(list(target), [1]), lambda: el.loss.final_position(target[0]),
                 lambda: el.loss.centre_of_mass(target[0, 0]), lambda: el.Scene(body=[{"charges": target[0, :, 0]}])):
        with pytest.raises(TypeError, match="masked"):
            call()


def test_a_solver_is_for_as_many_charges_as_it_was_made_for():
    solver = el.FieldSolver(3)
    with pytest.raises(ValueError, match=r"positions must have shape \(3, 3\), not \(2, 3\)"):
        solver.prepare(PLACES)
    with pytest.raises(RuntimeError, match="prepare"):
        solver.field(CHARGES)


@pytest.mark.parametrize("faces", [[0, 1, 2], np.array([0, 1, 2]), [[[0, 1, 2]]], 3, np.array(3)], ids=repr)
def test_faces_of_other_dimensions(faces):
    with pytest.raises((TypeError, ValueError), match="faces must be polygons of 3 or more vertex indices"):
        el.Mesh(np.eye(3), faces)


def test_stop_ends_a_run_from_its_callback_alone():
    def stop(*_):
        raise el.Stop

    sim = el.Simulator(jelly(steps=9))
    sim.run(callback=stop)
    assert sim.steps_done == 1
    with pytest.raises(el.Stop):
        sim.run(progress=stop)
    scene = jelly(steps=9)
    scene.electric_field(function=stop)
    with pytest.raises(el.Stop):
        el.Simulator(scene).run(callback=lambda sim: None)
