"""A trajectory that was opened before a fork: it raises in the child, and the parent's goes on.

Part of acceptance point 9. test_processes.py has the other objects.
"""

import numpy as np

import electret as el
from conftest import jelly
from forked import in_child


def said_in_child(act):
    """What `act` returns in a forked child, as text; or its error, as "CLASS: message"."""
    try:
        return str(in_child(act))
    except BaseException as error:  # The child's.
        return f"{type(error).__name__}: {error}"


def readings(trajectory):
    yield from (lambda: len(trajectory), lambda: trajectory.positions[0].shape, lambda: trajectory.positions[:].shape, lambda: trajectory.times.shape,
                lambda: trajectory.masses.shape, lambda: trajectory.springs.shape, lambda: trajectory.faces.shape, lambda: trajectory.rest_positions.shape,
                lambda: list(trajectory.bodies), lambda: list(trajectory.groups), lambda: len(trajectory.scene), lambda: trajectory.version,
                trajectory.refresh)


def test_a_trajectory_raises_in_the_child_alone(tmp_path):
    trajectory = el.run(jelly(steps=3), tmp_path / "run").trajectory
    frames = trajectory.positions
    for use in readings(trajectory):
        said = said_in_child(use)
        assert said.startswith("RuntimeError: this trajectory was made before the process forked"), said
    assert said_in_child(lambda: frames[1].shape).startswith("RuntimeError: this trajectory")
    assert said_in_child(lambda: el.Trajectory(tmp_path / "run").positions[3].tolist()) == str(trajectory.positions[3].tolist())
    assert said_in_child(lambda: trajectory.close()) == "None"
    before = frames[2]
    trajectory.refresh()
    assert np.array_equal(trajectory.positions[2], before)
