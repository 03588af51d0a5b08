"""Scenes that are saved: where their paths lead, and which files they replace."""

import os
import tomllib

import numpy as np
import pytest

import electret as el
from conftest import SOURCE

CHAIN = """[time]
step = 0.01
steps = 4
[coulomb]
[[body]]
name = "a"
generate = { shape = "chain", vertices = 2 }
mass = 1.0
"""


def charges_at_the_end(path):
    sim = el.Simulator(path)
    sim.run()
    return sim.charges.tolist()


@pytest.mark.parametrize("change", ['"body.0.charges=q.csv"', "'body.0.charges = \"q.csv\"'"])
def test_files_of_a_change_move_with_the_scene(tmp_path, change):
    for folder, charge in (("A", 1e-9), ("B", 5e-9)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "q.csv").write_text(f"q\n{charge}\n{charge}\n")
    (tmp_path / "A/s.toml").write_text(CHAIN + f'[[change]]\nstep = 2\nset = ["time.step=0.005", {change}]\n')
    scene = el.Scene.load(tmp_path / "A/s.toml")
    for name in ("B/s.toml", "C/s.toml"):
        scene.save(tmp_path / name)
        assert charges_at_the_end(tmp_path / name) == charges_at_the_end(tmp_path / "A/s.toml") == [1e-9, 1e-9]


def test_files_within_a_table_of_a_change_move(tmp_path):
    """Nothing checks a scene that is saved: what a change may set is for its reader to say."""
    scene = el.Scene.parse(CHAIN, folder=tmp_path / "A")
    scene.set("change", [{"step": 2, "set": ['body.0={name = "a", charges = "q.csv"}', 3]}, {"step": 3, "set": "body.0.charges=q.csv"}, 4])
    scene.save(tmp_path / "B/s.toml")
    set_then = tomllib.loads((tmp_path / "B/s.toml").read_text())["change"][0]["set"]
    assert set_then == ['body.0={ name = "a", charges = "../A/q.csv" }', 3]


def wide(width):
    return f"v 0 0 0\nv {width} 0 0\nv 0 1 0\nf 1 2 3\n"


def scene_of_file(mesh):
    return f'[time]\nstep = 0.01\nsteps = 1\n[[body]]\nname = "a"\nmesh = "{mesh}"\nmass = 1.0\n'


def width_of(path):
    return el.Simulator(path).rest_positions[:, 0].max()


def test_paths_follow_links_to_folders(tmp_path):
    """`lnk/..` is the folder above the link's target, as the operating system reads it."""
    for folder in ("real/deep", "real/meshes", "meshes", "other"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "lnk").symlink_to("real/deep")
    (tmp_path / "out").symlink_to("other")
    (tmp_path / "real/meshes/m.obj").write_text(wide(1))
    (tmp_path / "meshes/m.obj").write_text(wide(7))
    (tmp_path / "lnk/s.toml").write_text(scene_of_file("../meshes/m.obj"))
    scene = el.Scene.load(tmp_path / "lnk/s.toml")
    for name in ("out.toml", "lnk/t.toml", "real/deep/u.toml", "out/v.toml", "real/w.toml"):
        scene.save(tmp_path / name)
        assert width_of(tmp_path / name) == 1, name


def test_a_file_behind_a_link_keeps_its_name(tmp_path):
    """The target's name says no format."""
    (tmp_path / "store").mkdir()
    (tmp_path / "store/1234").write_text(wide(1))
    (tmp_path / "in").mkdir()
    (tmp_path / "in/m.obj").symlink_to("../store/1234")
    (tmp_path / "in/s.toml").write_text(scene_of_file("m.obj"))
    el.Scene.load(tmp_path / "in/s.toml").save(tmp_path / "out/s.toml")
    assert width_of(tmp_path / "out/s.toml") == 1 and "../in/m.obj" in (tmp_path / "out/s.toml").read_text()


def test_a_scene_saved_in_its_own_folder_keeps_its_paths(tmp_path):
    (tmp_path / "store").mkdir()
    (tmp_path / "store/m.obj").write_text(wide(1))
    (tmp_path / "in").mkdir()
    (tmp_path / "in/data").symlink_to("../store")
    (tmp_path / "in/s.toml").write_text(scene_of_file("data/m.obj"))
    el.Scene.load(tmp_path / "in/s.toml").save(tmp_path / "in/t.toml")
    assert '"data/m.obj"' in (tmp_path / "in/t.toml").read_text()


def in_memory(*bodies):
    scene = el.Scene(time={"step": 0.01, "steps": 1})
    for name, width in bodies:
        scene.body(name=name, mesh=el.Mesh([[0, 0, 0], [width, 0, 0], [0, 1, 0]], faces=[[0, 1, 2]]), mass=1.0)
    return scene


def test_a_mesh_replaces_no_file_of_another(tmp_path):
    for content in (b"precious", b""):
        (tmp_path / "x_a.ply").write_bytes(content)
        in_memory(("a", 3)).save(tmp_path / "x.toml")
        assert (tmp_path / "x_a.ply").read_bytes() == content and width_of(tmp_path / "x.toml") == 3
    (tmp_path / "y_a.ply").mkdir()
    os.mkfifo(tmp_path / "_y_a.ply")
    in_memory(("a", 4)).save(tmp_path / "y.toml")
    assert width_of(tmp_path / "y.toml") == 4 and (tmp_path / "y_a.ply").is_dir()


def test_scenes_whose_meshes_would_share_a_name_stay_apart(tmp_path):
    first, second = in_memory(("x_y", 1)), in_memory(("y", 2))
    first.save(tmp_path / "s.toml")
    second.save(tmp_path / "s_x.toml")
    assert (width_of(tmp_path / "s.toml"), width_of(tmp_path / "s_x.toml")) == (1, 2)
    for width in (5, 6):  # Either is saved again.
        second = in_memory(("y", width))
        second.save(tmp_path / "s_x.toml")
        first.save(tmp_path / "s.toml")
        assert (width_of(tmp_path / "s.toml"), width_of(tmp_path / "s_x.toml")) == (1, width)
    assert sorted(os.listdir(tmp_path)) == ["_s_x_y.ply", "s.toml", "s_x.toml", "s_x_y.ply"]


def test_a_scene_that_is_saved_again_replaces_its_own_meshes(tmp_path):
    for width in (1, 2, 2, 3):
        in_memory(("a", width), ("b", 1)).save(tmp_path / "s.toml")
        assert width_of(tmp_path / "s.toml") == width
    assert sorted(os.listdir(tmp_path)) == ["s.toml", "s_a.ply", "s_b.ply"]


def test_a_mesh_in_memory_and_a_file_of_its_name_elsewhere(tmp_path):
    (tmp_path / "A").mkdir()
    (tmp_path / "A/s_a.ply").write_bytes(el.Mesh(np.eye(3) * 7, faces=[[0, 1, 2]])._file()[1])
    scene = in_memory(("a", 2))
    scene = el.Scene({"time": {"step": 0.01, "steps": 1}, "body": scene._tables()["body"]}, folder=tmp_path / "A")
    scene.body(name="file", mesh="s_a.ply", mass=1.0)
    scene.save(tmp_path / "B/s.toml")
    for sim in (el.Simulator(scene), el.Simulator(tmp_path / "B/s.toml")):
        assert sim.rest_positions[:, 0].tolist() == [0, 2, 0, 7, 0, 0]


def test_an_example_keeps_its_files(tmp_path):
    path = SOURCE / "examples/filled_duck.toml"
    el.Scene.load(path).save(tmp_path / "s.toml")
    assert el.Scene.load(tmp_path / "s.toml").describe() == el.Scene.load(path).describe()
