"""What must not pass without a word: files that would be lost, steps that a loss would miss, states that were changed."""

import numpy as np
import pytest

import electret as el
from conftest import jelly

TRIANGLE = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])


def two_triangles(folder):
    """A triangle in memory called a, and one of a file a.ply that is 5 m higher."""
    (folder / "a.ply").write_text("ply\nformat ascii 1.0\nelement vertex 3\nproperty double x\nproperty double y\nproperty double z\n"
                                  "element face 1\nproperty list int int vertex_indices\nend_header\n"
                                  + "".join(f"{x} {y} {z + 5.0}\n" for x, y, z in TRIANGLE) + "3 0 1 2\n")
    scene = el.Scene(time={"step": 0.01, "steps": 2}, folder=str(folder))
    scene.body(name="a", mesh=el.Mesh(TRIANGLE, [[0, 1, 2]]), mass=1.0)
    scene.body(name="b", mesh="a.ply", mass=1.0)
    return scene


def test_a_mesh_in_memory_hides_no_file(tmp_path):
    scene = two_triangles(tmp_path)
    heights = np.array(el.Simulator(scene).positions)[:, 2]
    assert np.array_equal(heights, [0.0, 0.0, 0.0, 5.0, 5.0, 5.0])


def test_saving_overwrites_no_file_of_the_scene(tmp_path):
    scene = two_triangles(tmp_path)
    (tmp_path / "a.ply").rename(tmp_path / "w_a.ply")
    scene.set("body.1.mesh", "w_a.ply")
    before = (tmp_path / "w_a.ply").read_bytes()
    scene.save(tmp_path / "w.toml")
    scene.save(tmp_path / "w.toml")  # Once more to the same files.
    assert (tmp_path / "w_a.ply").read_bytes() == before
    heights = np.array(el.Simulator(tmp_path / "w.toml").positions)[:, 2]
    assert np.array_equal(heights, [0.0, 0.0, 0.0, 5.0, 5.0, 5.0])
    assert not list(tmp_path.glob("*.part"))


def test_a_save_that_fails_leaves_the_file(tmp_path):
    jelly().save(tmp_path / "x.toml")
    before = (tmp_path / "x.toml").read_bytes()
    scene = el.Scene.load(tmp_path / "x.toml")
    scene.set("body.0.charge", None)
    with pytest.raises(Exception):
        scene.save(tmp_path / "x.toml")
    assert (tmp_path / "x.toml").read_bytes() == before


@pytest.mark.parametrize("loss", [lambda one: one, lambda one: 2.0 * one + el.loss.energy(), lambda one: el.loss.energy() - one])
def test_a_loss_of_steps_beyond_the_run(loss):
    scene = jelly(steps=10)
    target = np.zeros((2, 32, 3))
    beyond = loss(el.loss.trajectory(target, [5, 11]))
    with pytest.raises(ValueError, match="reads step 11, the run has 10"):
        el.gradient(scene, beyond, ["body.jelly.stiffness"])
    with pytest.raises(ValueError, match="reads step 11"):
        el.Rollout(el.Simulator(scene)).value(beyond)
    el.gradient(scene, loss(el.loss.trajectory(target, [5, 10])), ["body.jelly.stiffness"])


def test_a_mistake_in_a_loss_arrives_as_it_is():
    roll = el.Rollout(el.Simulator(jelly(steps=2)), wrt=["body.jelly.stiffness"])

    def unpacks(frames):
        first, second = 5  # noqa: F841

    with pytest.raises(TypeError, match="cannot unpack non-iterable int"):
        roll.value_and_grad(unpacks)
    for returned in (1.0, (1.0,), (1.0, {}, 2)):
        with pytest.raises(TypeError, match="its value and the cotangents"):
            roll.value_and_grad(lambda frames: returned)
