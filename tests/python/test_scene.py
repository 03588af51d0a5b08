"""Scenes from files, values and both; what is wrong with them.

Acceptance point 3 (scenes); what the command refuses is in test_findings.py.
"""

import copy
import pickle
import tomllib

import numpy as np
import pytest

import electret as el
from conftest import SOURCE, jelly

EXAMPLES = sorted((SOURCE / "examples").glob("*.toml"))

def test_a_finding_of_values_names_the_key():
    scene = jelly()
    scene.set("body.0.charges", np.ones(31) * 1e-7)
    scene.set("time.stp", 3)
    found = {finding.file: finding for finding in scene.check()}
    assert "31" in found["body.0.charges"].message or "one of" in found["body.0.charges"].allowed
    assert 'unknown key "stp"' in found["time.stp"].message and "step" in found["time.stp"].allowed
    scene.set("body.0.springs.0.stiffness", -1.0)
    assert "body.0.springs.0.stiffness" in {finding.file for finding in scene.check()}


def test_overrides_are_the_commands(tmp_path):
    path = SOURCE / "examples/charged_torus.toml"
    assert el.Scene.load(path, ["time.step=0.01"]).describe()["time_step"] == 0.01
    assert el.Scene.load(path, {"time.step": 0.01, "gravity.acceleration": np.array([0.0, 0.0, -1.0])}).describe()["time_step"] == 0.01
    with pytest.raises(el.InputError, match=r"--set time.stp"):
        el.Scene.load(path, ["time.stp=0.01"])
    with pytest.raises(TypeError):
        el.Scene.load(path, "time.step=0.01")


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_a_file_and_its_tables_are_one_scene(path):
    loaded = el.Scene.load(path)
    made = el.Scene(tomllib.loads(path.read_text()), folder=path.parent)
    assert made.check() == [] and made.describe() == loaded.describe()


def test_file_values_and_saved_run_to_the_same_bits(tmp_path, command, random):
    vertices = random.uniform(-1, 1, (12, 3))
    mesh = el.Mesh(vertices, faces=[[0, 1, 2], [2, 3, 4, 5]], groups={"tip": [3, 1]}, attributes={"mass": random.uniform(1, 2, 12)})
    scene = el.Scene(time={"step": 0.01, "steps": 5}, coulomb={}, output={"every": 5})
    body = scene.body(name="odd one", mesh=mesh, charges=random.uniform(-1e-6, 1e-6, 12), velocities=random.uniform(-1, 1, (12, 3)))
    body.springs("nearest", neighbours=4, stiffness=3.0)
    body.group(name="tip", attribute="tip")
    body.pin(group="tip")
    scene.save(tmp_path / "sub" / "scene.toml")
    sim = el.Simulator(scene)
    sim.run()
    again = el.Simulator(tmp_path / "sub" / "scene.toml")
    again.run()
    assert np.array_equal(sim.positions, again.positions)
    said = command("run", tmp_path / "sub" / "scene.toml", "-o", tmp_path / "run")
    assert said.returncode == 0, said.stderr
    assert np.array_equal(el.Trajectory(tmp_path / "run").positions[-1], sim.positions)
    assert np.array_equal(el.Trajectory(tmp_path / "run").rest_positions, vertices)


@pytest.mark.parametrize("mesh", [
    el.Mesh([[0, 0, 0], [1, 0, 0], [0, 1 / 3, 0]], lines=[[0, 1], [1, 2]]),
    el.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1 / 3]], tetrahedra=[[0, 1, 2, 3]])], ids=["lines", "tetrahedron"])
def test_meshes_in_memory_keep_their_bits(mesh):
    scene = el.Scene(time={"step": 0.01, "steps": 1})
    scene.body(name="b", mesh=mesh, mass=1.0).springs("edges", stiffness=2.0)
    sim = el.Simulator(scene)
    assert np.array_equal(sim.rest_positions, mesh.vertices)
    assert len(sim.springs) == (2 if len(mesh.lines) else 6)


def test_a_saved_scene_names_its_files_from_the_new_folder(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "q.csv").write_text("q\n" + "1e-7\n" * 4)
    scene = el.Scene(time={"step": 0.01, "steps": 1}, folder=tmp_path / "a")
    scene.body(name="c", generate={"shape": "chain", "vertices": 4}, mass=1.0, charges="q.csv")
    assert scene.check() == []
    scene.save(tmp_path / "b" / "scene.toml")
    assert el.Scene.load(tmp_path / "b" / "scene.toml").describe()["bodies"]["c"]["charge"] == pytest.approx(4e-7)


def test_scenes_and_meshes_pickle_compare_copy(scene):
    mesh = el.Mesh([[0, 0, 0], [1, 0, 0]], lines=[[0, 1]])
    for made in (scene, mesh, el.Scene.load(SOURCE / "examples/charged_torus.toml")):
        assert pickle.loads(pickle.dumps(made)) == made and copy.copy(made) == made and copy.deepcopy(made) == made
    other = copy.copy(scene)
    other.set("body.0.charge", 1e-7)
    assert other != scene and scene.to_toml() != other.to_toml()


def test_arrays_are_copied_in():
    charges = np.full(4, 1e-7)
    scene = el.Scene(time={"step": 0.01, "steps": 1})
    scene.body(name="c", generate={"shape": "chain", "vertices": 4}, mass=1.0, charges=charges)
    charges[:] = 5.0
    assert scene.describe()["bodies"]["c"]["charge"] == pytest.approx(4e-7)


@pytest.mark.parametrize("value, error", [(1 + 2j, TypeError), (object(), TypeError), (np.zeros((2, 2, 2)), ValueError),
                                          (np.array(["a"]), TypeError), (2**70, ValueError)])
def test_values_that_no_scene_has_are_refused(scene, value, error):
    scene.set("body.0.charge", value)
    with pytest.raises(error, match="body.0.charge"):
        el.Simulator(scene)
    assert [finding.file.removesuffix(".0") for finding in scene.check()] == ["body.0.charge"]


def test_keys_that_lead_nowhere(scene):
    with pytest.raises(el.InputError, match="leads nowhere"):
        scene.set("body.5.charge", 1.0)
    with pytest.raises(el.InputError, match="leads nowhere"):
        scene.set("time.step.a.b", 1.0)


NUMBERS = [np.array([0, 0, 1]), np.array([0, 0, 1], np.uint8), np.array([0.0, 0.0, 1.0], np.float32), np.array([0.0, 0.0, 1.0]),
           np.array([0, 0, 1], np.longdouble), [0, 0, 1], (0.0, 0, 1)]


@pytest.mark.parametrize("given", NUMBERS, ids=lambda given: str(getattr(given, "dtype", type(given).__name__)))
def test_a_number_set_within_an_array_stays_what_it_is(given, tmp_path):
    scene = el.Scene(time={"step": 0.01, "steps": 1}, gravity={"acceleration": given})
    scene.body(name="c", generate={"shape": "chain", "vertices": 3}, mass=1.0, velocity=given, charges=given, velocities=np.outer(given, [1, 1, 1]))
    del scene._tables()["body"][0]["velocity"]
    scene.set("gravity.acceleration.2", -9.81)
    scene.set("body.0.charges.0", 0.1)
    scene.set("body.0.velocities.1.2", 0.3)
    scene.set("body.0.velocities.2", [0.5, 0.25, 0.1])
    sim = el.Simulator(scene)
    assert sim.charges.tolist() == [0.1, 0, 1] and sim.velocities.tolist() == [[0, 0, 0], [0, 0, 0.3], [0.5, 0.25, 0.1]]
    start = sim.velocities
    sim.step()
    assert np.allclose(sim.velocities - start, [0, 0, -0.0981], rtol=1e-12, atol=1e-15)
    run = el.run(scene, tmp_path / "run", overrides={"body.0.charges.1": 2e-8})
    assert np.array_equal(run.trajectory.charges[0], [0.1, 2e-8, 1])


@pytest.mark.parametrize("value", [True, "3", [1.0], None])
@pytest.mark.parametrize("given", NUMBERS[:4], ids=lambda given: str(given.dtype))
def test_what_is_no_number_is_none_within_an_array(given, value):
    scene = el.Scene(time={"step": 0.01, "steps": 1})
    scene.body(name="c", generate={"shape": "chain", "vertices": 3}, mass=1.0, charges=given)
    scene.set("body.0.charges.1", value)
    (finding,) = scene.check()
    assert finding.file.startswith("body.0.charges")


def test_a_key_that_leads_nowhere_leaves_the_scene_as_it_was(scene):
    text = scene.to_toml()
    for key in ("water.level.1.x", "obstacle.3.name", "body.0.charges.1.2", "body.0.springs.0.stiffness.a", "time.step.0", "body.-1.mass", "body.².mass"):
        with pytest.raises(el.InputError, match="leads nowhere"):
            scene.set(key, 1.0)
        assert scene.to_toml() == text, key
    loaded = el.Scene.parse("# A remark.\n" + text)
    with pytest.raises(el.InputError, match="leads nowhere"):
        loaded.set("obstacle.3.name", "o")
    assert loaded.to_toml().startswith("# A remark.")


def test_whole_numbers_beyond_64_bits_are_refused():
    """2^63 - 1 is the largest one."""
    scene = el.Scene(time={"step": 0.01, "steps": 1})
    body = scene.body(name="c", generate={"shape": "chain", "vertices": 2}, mass=1.0)
    for given in (np.array([2**63, 1], np.uint64), [2**63, 1], [np.uint64(2**63), 1], np.array([[1, 2, 2**64 - 1]], np.uint64)):
        scene.set("body.0.charges", given)
        with pytest.raises(ValueError, match=r"body\.0\.charges.*2\^63 - 1"):
            el.Simulator(scene)
    scene.set("body.0.charges", np.array([2**63 - 1, 0], np.uint64))
    assert el.Simulator(scene).charges.tolist() == [2.0**63, 0] and repr(body)


def test_numbers_of_numpys_longest_type():
    scene = el.Scene(time={"step": np.longdouble("0.25"), "steps": 1})
    scene.body(name="c", generate={"shape": "chain", "vertices": 2}, mass=np.array(np.longdouble("0.5")))
    assert scene.describe()["time_step"] == 0.25 and el.Simulator(scene).masses.tolist() == [0.5, 0.5]
    scene.set("time.step", np.clongdouble(1))
    assert scene.check()


@pytest.mark.parametrize("arguments, error", [
    (dict(vertices=[[0, 0, 0]], faces=[[0, 1, 2]]), ValueError), (dict(vertices=[[0, 0]]), ValueError),
    (dict(vertices=[[0, 0, 0]] * 3, faces=[[0, 1]]), ValueError), (dict(vertices=[[0, 0, 0]] * 3, lines=[[0.5, 1]]), TypeError),
    (dict(vertices=[[0, 0, 0]] * 3, groups={"a": [-1]}), ValueError), (dict(vertices=[[0, 0, 0]], attributes={"q": [1, 2]}), ValueError)])
def test_bad_meshes_are_refused(arguments, error):
    with pytest.raises(error):
        el.Mesh(**arguments)


def test_a_mesh_file_reads(tmp_path):
    mesh = el.Mesh.read(SOURCE / "examples/duck.obj")
    assert mesh.vertices.shape[1] == 3 and mesh.triangles.max() < len(mesh.vertices)
    (tmp_path / "bad.obj").write_text("v 0 0\n")
    with pytest.raises(el.InputError, match=r"bad.obj:1"):
        el.Mesh.read(tmp_path / "bad.obj")


@pytest.mark.parametrize("kind, name", [("groups", name) for name in ("charge", "mass", "vx", "vy", "vz", "x", "y", "z")]
                         + [("attributes", name) for name in "xyz"])
def test_names_that_mean_something_else_in_a_scene_are_refused(kind, name):
    mesh = el.Mesh(np.eye(3), faces=[[0, 1, 2]], **{kind: {name: [0, 1, 2]}})
    scene = el.Scene(time={"step": 0.01, "steps": 1})
    scene.body(name="b", mesh=mesh, mass=1.0)
    with pytest.raises(ValueError, match=f"{name!r}.*another name"):
        el.Simulator(scene)
    assert len(scene.check()) == 1 and mesh == pickle.loads(pickle.dumps(mesh)) != el.Mesh(np.eye(3), faces=[[0, 1, 2]])


def test_lines_of_a_mesh_of_elements_are_not_lost():
    corners = np.vstack([np.zeros(3), np.eye(3), np.ones(3)])
    for more, refused in (({"lines": [[0, 4]]}, True), ({"faces": [[0, 1, 2]]}, False), ({}, False)):
        scene = el.Scene(time={"step": 0.01, "steps": 1})
        scene.body(name="b", mesh=el.Mesh(corners, tetrahedra=[[0, 1, 2, 3], [1, 2, 3, 4]], **more), mass=1.0)
        if refused:
            with pytest.raises(ValueError, match="elements with lines"):
                el.Simulator(scene)
        else:
            assert len(el.Simulator(scene).tetrahedra) == 2


def test_a_mesh_that_was_read_is_the_file(tmp_path):
    """Its groups do not become charges."""
    text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\ng {}\nf 1 2 3\n"
    for name in ("charge", "tip"):
        (tmp_path / "m.obj").write_text(text.format(name))
        scenes = [el.Scene(time={"step": 0.01, "steps": 1}, coulomb={}, folder=tmp_path) for _ in range(2)]
        for scene, mesh in zip(scenes, ("m.obj", el.Mesh.read(tmp_path / "m.obj"))):
            scene.body(name="b", mesh=mesh, mass=1.0)
        assert el.Simulator(scenes[0]).charges.tolist() == [0, 0, 0, 0]
        if name == "tip":
            assert el.Simulator(scenes[1]).charges.tolist() == [0, 0, 0, 0]
        else:
            with pytest.raises(ValueError, match="name the mesh's file"):
                el.Simulator(scenes[1])


STRANGE = {"body a number": {"body": 3}, "body a table": {"body": {"name": "b"}}, "bodies no tables": {"body": [3, None]}, "an object": {"time": object()},
          "a function": {"time": {"step": len}}, "complex": {"gravity": {"acceleration": np.array([1j, 0, 0])}}, "three dimensions": {"body": [{"charges": np.zeros((2, 2, 2))}]},
          "keys": {"time": {3: 1}}, "mixed keys": {"electric_field": [{"function": len, 3: 1, "x": 2}]}, "beyond 64 bits": {"time": {"steps": 10**30}},
          "no function": {"electric_field": [{"function": 3}]}, "a mesh": {"body": [{"name": "b", "mesh": el.Mesh(np.eye(3), attributes={"a b": [0, 0, 0]})}]}}


@pytest.mark.parametrize("name", STRANGE)
def test_a_faulty_scene_is_shown_and_checked(name):
    scene = el.Scene(STRANGE[name])
    assert repr(scene).startswith("<electret.Scene: ") and "cannot be simulated" in scene._repr_html_()
    findings = scene.check()
    assert findings and all(isinstance(finding, el.Finding) and finding.message for finding in findings)
    with pytest.raises((el.InputError, TypeError, ValueError)):
        el.Simulator(scene)


def test_a_finding_of_a_value_names_its_key():
    assert el.Scene(time={"step": object()}).check() == [el.Finding(
        "time.step", 0, 0, "a value of type object cannot stand in a scene", "allowed: numbers, text, true and false, lists, arrays, dicts")]


def test_showing_a_body_changes_no_scene():
    scene = el.Scene.parse(jelly(steps=2).to_toml())
    body = el.Scene.parse(jelly().to_toml()).body(name="two")
    text, before = scene.to_toml(), scene.assembly()
    from electret._scene import Body
    assert repr(Body(scene, 0)) == "<electret.Body: jelly>" and repr(body) == "<electret.Body: two>" and repr(Body(scene, 7)) == "<electret.Body: ?>"
    assert scene.to_toml() == text and scene.assembly() is before


def test_what_is_allowed_is_said_without_the_word():
    finding = next(finding for finding in el.Scene(time={"step": -1, "steps": 1}).check() if finding.file == "time.step")
    assert finding.allowed.startswith("number > 0") and f"; allowed: {finding.allowed}" in str(finding)
    assert el.Finding("a", 1, 2, "b", "name it once").allowed == "name it once" and str(el.Finding("a", 1, 2, "b", "c")) == "a:1:2: error: b; c"


def test_a_text_finds_its_files_in_its_folder(tmp_path, monkeypatch):
    (tmp_path / "in").mkdir()
    (tmp_path / "in/m.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    text = '[time]\nstep = 0.01\nsteps = 1\n[[body]]\nname = "b"\nmesh = "m.obj"\nmass = 1.0\n'
    monkeypatch.chdir(tmp_path)
    scene = el.Scene.parse(text, folder="in")
    assert scene.folder == str(tmp_path / "in")
    scene.set("time.step", 0.02)
    assert scene.describe()["vertices"] == 3 and scene.describe()["time_step"] == 0.02


def test_overrides_stay_when_the_scene_is_set(tmp_path, scene):
    scene.save(tmp_path / "scene.toml")
    scene = el.Scene.load(tmp_path / "scene.toml", ["time.steps=7"])
    scene.set("time.step", 0.003)
    about = scene.describe()
    assert (about["steps"], about["time_step"]) == (7, 0.003)
