"""Forked and spawned processes.

Acceptance points 12 and 13 (across processes).
"""

import multiprocessing
import os
import pickle

import numpy as np
import pytest

import electret as el


def _in_child(connection, sim, scene, positions, charges):
    try:
        with pytest.raises(RuntimeError, match="fork"):
            sim.step()
        with pytest.raises(RuntimeError, match="fork"):
            _ = sim.positions
        fresh = el.Simulator(scene)
        fresh.run(3)
        connection.send((fresh.positions.copy(), el.field(positions, charges).field))
    except BaseException as error:  # The parent is to see it.
        connection.send(error)


def test_fork_after_use(scene, random):
    positions, charges = random.uniform(-1, 1, (300, 3)), random.uniform(-1e-6, 1e-6, 300)
    sim = el.Simulator(scene)
    sim.run(3)
    field = el.field(positions, charges).field
    here, there = multiprocessing.Pipe()
    child = multiprocessing.get_context("fork").Process(target=_in_child, args=(there, sim, scene, positions, charges))
    child.start()
    assert here.poll(60), "the child hangs"
    answer = here.recv()
    child.join()
    assert not isinstance(answer, BaseException), answer
    assert np.array_equal(answer[0], sim.positions) and np.array_equal(answer[1], field)
    sim.run(2)


def test_a_forked_child_leaves_a_record_to_its_parent(scene, tmp_path):
    sim = el.Simulator(scene)
    with sim.record(tmp_path / "run"):
        sim.run(2)
        child = os.fork()
        if child == 0:
            del sim
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
        sim.run(2)
    run = el.Run(tmp_path / "run")
    assert run.status == "done" and len(run.trajectory) == 5


def _spawned(scene, state):
    sim = el.Simulator(scene)
    sim.restore(state)
    sim.run(2)
    return sim.positions.copy()


def test_spawn_works(scene):
    sim = el.Simulator(scene)
    sim.run(2)
    state = sim.state()
    sim.run(2)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert np.array_equal(pool.apply(_spawned, (scene, state)), sim.positions)


def test_simulators_do_not_pickle(scene):
    with pytest.raises(TypeError, match="pickle its scene and sim.state"):
        pickle.dumps(el.Simulator(scene))
