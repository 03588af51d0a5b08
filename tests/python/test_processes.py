"""Forked and spawned processes.

Acceptance points 12 and 13 (across processes); after torch has used OpenMP: test_torch_processes.py.
"""

import multiprocessing
import os
import pickle

import numpy as np
import pytest

import electret as el
from conftest import METHODS, jelly
from forked import in_child


def test_a_forked_child_computes_the_parents_bits(scene, random):
    positions, charges = random.uniform(-1, 1, (300, 3)), random.uniform(-1e-6, 1e-6, 300)

    def answers():
        sim = el.Simulator(scene)
        sim.run(3)
        gradient = el.gradient(scene, "energy", ["body.jelly.charges"])["body.jelly.charges"]
        return sim.positions.copy(), el.field(positions, charges).field, gradient

    before = answers()
    for one, other in zip(in_child(answers), before):
        assert np.array_equal(one, other)
    for one, other in zip(answers(), before):
        assert np.array_equal(one, other)


OLD = {"step": lambda t: t.sim.step(), "run": lambda t: t.sim.run(1), "positions": lambda t: t.sim.positions, "energies": lambda t: t.sim.energies(),
       "reset": lambda t: t.sim.reset(), "close": lambda t: t.sim.close(), "set": lambda t: t.sim.set({"gravity": [0, 0, 0]}), "record": lambda t: t.sim.record(t.folder / "b"),
       "roll-out of it": lambda t: el.Rollout(t.sim), "forward": lambda t: t.roll.forward(), "vjp": lambda t: t.roll.vjp({"energy": 1.0}),
       "value_and_grad": lambda t: t.roll.value_and_grad("energy"), "problem": lambda t: t.problem(t.problem.start()),
       "prepare": lambda t: t.solver.prepare([[0, 0, 0]]), "field": lambda t: t.solver.field([1e-9])}


class Things:
    def __init__(self, scene, folder):
        self.folder = folder
        self.sim, self.roll = el.Simulator(scene), el.Rollout(el.Simulator(scene), wrt=["gravity"])
        self.sim.run(3)
        self.problem = el.Problem(self.roll, "energy", {"gravity": "linear"})
        self.solver = el.FieldSolver(1)
        self.solver.prepare([[0, 0, 0]])
        self.roll.forward()


def test_what_was_made_before_a_fork_is_the_parents(scene, tmp_path):
    things = Things(scene, tmp_path)

    def said():
        answers = {}
        for name, call in OLD.items():
            try:
                call(things)
                answers[name] = "nothing"
            except RuntimeError as error:
                answers[name] = str(error)
        return answers

    for name, text in in_child(said).items():
        assert "was made before the process forked" in text, name
    fresh = el.Simulator(scene)
    fresh.run(5)
    things.sim.run(2)
    assert np.array_equal(things.sim.positions, fresh.positions)
    assert np.any(things.roll.vjp({"energy": 1.0})["gravity"]) and things.solver.field([1e-9]).coincident_pairs == 0


@pytest.mark.parametrize("way", ["exit", "end", "close"])
def test_a_forked_child_leaves_a_record_to_its_parent(scene, tmp_path, way):
    sim = el.Simulator(scene)
    with sim.record(tmp_path / "run") as recording:
        sim.run(2)
        child = os.fork()
        if child == 0:
            try:
                if way == "close":
                    recording.close()
            except RuntimeError:
                pass
            finally:
                if way != "end":
                    del sim
                os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
        sim.run(2)
    run = el.Run(tmp_path / "run")
    assert run.status == "done" and len(run.trajectory) == 5


def test_a_child_that_ends_as_programs_do_leaves_a_record_to_its_parent(tmp_path):
    """By SystemExit, with whatever Python frees at its end."""
    import subprocess
    import sys
    code = f"""
import os, sys
sys.path.insert(0, {str(os.path.dirname(__file__))!r})
import electret as el
from conftest import jelly
sim = el.Simulator(jelly())
with sim.record({str(tmp_path / "run")!r}):
    sim.run(2)
    child = os.fork()
    if child == 0:
        raise SystemExit(0)
    os.waitpid(child, 0)
    sim.run(2)
"""
    said = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stderr
    assert el.Run(tmp_path / "run").status == "done" and len(el.Run(tmp_path / "run").trajectory) == 5


def _spawned(scene, state):
    sim = el.Simulator(scene)
    sim.restore(state)
    sim.run(2)
    return sim.state()


def test_spawned_processes_go_on_from_pickled_states():
    scenes = [jelly(steps=8, method=method) for method in METHODS]
    for scene in scenes:
        scene.set("time.step", 0.002)
    sims = [el.Simulator(scene) for scene in scenes]
    for sim in sims:
        sim.run(2)
    states = [sim.state() for sim in sims]
    for sim in sims:
        sim.run(2)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        for sim, end in zip(sims, pool.starmap(_spawned, zip(scenes, states))):
            assert np.array_equal(end.positions, sim.positions) and np.array_equal(end.velocities, sim.velocities) and end.work == sim.work


@pytest.mark.parametrize("make, word", [(lambda scene: el.Simulator(scene), "pickle its scene and sim.state"), (lambda scene: el.FieldSolver(3), "does not pickle"),
                                        (lambda scene: el.Rollout(el.Simulator(scene)), "does not pickle")])
def test_what_computes_does_not_pickle(scene, make, word):
    with pytest.raises(TypeError, match=word):
        pickle.dumps(make(scene))
