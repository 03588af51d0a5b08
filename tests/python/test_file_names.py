"""Names of files: those that are not UTF-8, lone surrogates that no file can have, links, and places that hold no file."""

import os
import subprocess

import numpy as np
import pytest

import electret as el
from conftest import COMMAND, jelly

LATIN = os.fsdecode(b"caf\xe9")  # A name in Latin-1.
NO_TEXT = "x\ud800y"  # Of which not even bytes can be made.


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / LATIN
    place.mkdir()
    return place


def test_scenes_runs_and_trajectories(folder):
    scene = jelly(steps=4)
    scene.save(folder / "scene.toml")
    loaded = el.Scene.load(folder / "scene.toml", ["time.steps=3"])
    run = el.run(loaded, folder / "run")
    assert run.status == "done" and len(run.trajectory) == 4
    assert el.run(folder / "scene.toml", folder / "other", overrides={"time.steps": 2}).energies.time.size == 3
    assert np.array_equal(el.Trajectory(folder / "run/trajectory.h5").positions[3], el.Trajectory(run).positions[3])
    sim = el.Simulator(folder / "scene.toml")
    with sim.record(folder / "recorded"):
        sim.run(3)
    assert np.array_equal(el.Run(folder / "recorded").trajectory.positions[3], run.trajectory.positions[3])
    for each in (loaded, run, run.trajectory, sim):
        (repr(each) + each._repr_html_()).encode()
    said = subprocess.run([COMMAND, "run", os.fsencode(folder / "scene.toml"), "-o", os.fsencode(folder / "command"), "--set", "time.steps=3"],
                          capture_output=True, check=False)
    assert said.returncode == 0, said.stderr
    assert np.array_equal(el.Run(folder / "command").trajectory.positions[3], run.trajectory.positions[3])


def test_a_run_goes_on_there(folder):
    scene = jelly(steps=2)
    el.run(scene, folder / "run")
    scene.set("time.steps", 4)
    assert len(el.run(scene, folder / "run", resume=True).trajectory) == 5


def test_meshes_beside_a_scene(folder, tmp_path):
    """A relative name starts from the folder, whatever that is called."""
    scene = el.Scene(time={"step": 0.01, "steps": 2})
    scene.body(name="b", mesh=el.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], faces=[[0, 1, 2]]), mass=1.0)
    scene.save(folder / "scene.toml")
    (mesh,) = folder.glob("*.ply")
    assert el.Mesh.read(mesh).vertices.shape == (3, 3)
    loaded = el.Scene.load(folder / "scene.toml")
    assert loaded.describe()["vertices"] == 3
    again = el.Scene({"time": {"step": 0.01, "steps": 2}, "body": [{"name": "b", "mesh": mesh.name, "mass": 1.0}]}, folder=folder)
    assert again.describe()["vertices"] == 3
    assert again.folder == str(folder)
    with pytest.raises(el.InputError, match=r"^body\.0\.mesh: error: \".*caf\\xe9/scene_b\.ply\" is no Unicode text"):
        again.save(tmp_path / "elsewhere.toml")  # The file would have to name it.
    assert not (tmp_path / "elsewhere.toml").exists()


def test_text_that_no_scene_can_hold(tmp_path):
    """Whoever reads the scene finds it, as every other fault."""
    scene = el.Scene(time={"step": 0.01, "steps": 2})
    scene.body(name="b" + NO_TEXT, generate={"shape": "chain", "vertices": 2}, mass=1.0)
    for use in (el.Simulator, el.Scene.describe, el.Scene.to_toml, lambda scene: scene.save(tmp_path / "scene.toml"),
                lambda scene: el.run(scene, tmp_path / "run")):
        with pytest.raises(el.InputError) as caught:
            use(scene)
        (finding,) = caught.value.findings
        assert finding.file == "body.0.name" and finding.message == "'bx\\ud800y' is no Unicode text", finding
    assert scene.check() == [finding] and not any(tmp_path.iterdir())
    with pytest.raises(el.InputError, match="is no Unicode text"):
        el.Simulator(el.Scene({"time": {"step": 0.01, "steps": 2, NO_TEXT: 1}}))


def test_advice_names_the_arguments(tmp_path):
    """The library advises options of the command, which Python does not have."""
    class Enough(Exception):
        pass

    def stop(done, total):
        raise Enough

    with pytest.raises(Enough):
        el.run(jelly(steps=4), tmp_path / "run", progress=stop)
    with pytest.raises(el.InputError) as caught:
        el.run(jelly(steps=4), tmp_path / "run")
    (finding,) = caught.value.findings
    assert finding.advice == "resume=True goes on with it, overwrite=True replaces it, another directory leaves it alone"
    assert f'"{tmp_path}/run" holds an unfinished run' in finding.message
    with pytest.raises(el.InputError) as caught:  # Nobody can go on with a record.
        el.Simulator(jelly(steps=4)).record(tmp_path / "run")
    assert caught.value.findings[0].advice == "overwrite=True replaces it, another directory leaves it alone"
    with pytest.raises(el.InputError) as caught:
        el.run(jelly(steps=4, count=40), tmp_path / "run", resume=True)
    assert caught.value.findings[0].advice == "a resumed run needs the same scene; overwrite=True starts afresh"
    (tmp_path / "run/energy.csv").unlink()
    with pytest.raises(el.IoError, match="; run with overwrite=True to start afresh$"):
        el.run(jelly(steps=4), tmp_path / "run", resume=True)
    with pytest.raises((el.InputError, el.IoError)) as nameless:
        el.run(jelly(steps=4), "")
    assert isinstance(nameless.value, el.InputError) or nameless.value.filename == ""


def test_errors_name_them(folder):
    path = folder / "scene.toml"
    path.write_bytes(b"[time]\nstep = -1\nsteps = 3\n")
    with pytest.raises(el.InputError) as caught:
        el.Scene.load(path)
    said = subprocess.run([COMMAND, "check", os.fsencode(path)], capture_output=True, text=True, check=False)
    assert caught.value.findings[0].file == f"{folder.parent}/caf\\xe9/scene.toml"
    assert [line for line in said.stderr.splitlines() if "error:" in line] == str(caught.value).splitlines()
    for call, name in ((lambda: el.Trajectory(folder / "no.h5"), "no.h5"), (lambda: jelly().save(path / "scene.toml"), "scene.toml"),
                       (lambda: el.run(jelly(steps=1), path / "run"), "scene.toml/run")):
        with pytest.raises(el.IoError) as failed:
            call()
        assert failed.value.filename == str(folder / name)
        str(failed.value).encode(errors="surrogateescape")
    for call in (lambda: el.Scene.load(folder / "no.toml"), lambda: el.Mesh.read(folder / "no.obj")):
        with pytest.raises(el.InputError) as missing:
            call()
        assert str(folder) in missing.value.findings[0].file + missing.value.findings[0].message


@pytest.mark.parametrize("call", [
    lambda: el.Scene.load(NO_TEXT), lambda: el.Mesh.read(NO_TEXT), lambda: el.Trajectory(NO_TEXT), lambda: el.Run(NO_TEXT),
    lambda: el.run(jelly(), NO_TEXT), lambda: el.Simulator(jelly()).record(NO_TEXT), lambda: jelly().save(NO_TEXT), lambda: el.Scene(folder=NO_TEXT),
    lambda: el.Scene.parse("", folder=NO_TEXT)])
def test_what_no_file_can_be_called(call):
    with pytest.raises(ValueError, match=r" must be a path, not 'x\\ud800y', which no file can be called"):
        call()


def named(**keys):
    scene = el.Scene(time={"step": 0.01, "steps": 1})
    scene.body(**{"name": "b", "generate": {"shape": "chain", "vertices": 2}, "mass": 1.0, **keys})
    return scene


@pytest.mark.parametrize("call", [
    lambda: el.Simulator(named(name=NO_TEXT)), lambda: named(name=NO_TEXT).to_toml(), lambda: named(**{NO_TEXT: 1}).describe(),
    lambda: named(mesh=LATIN, generate={}).describe(), lambda: el.Simulator(jelly(), controls=[NO_TEXT]),
    lambda: el.Rollout(el.Simulator(jelly()), wrt=[NO_TEXT]), lambda: el.gradient(jelly(), NO_TEXT, ["gravity"]),
    lambda: el.Simulator(jelly()).set({NO_TEXT: 1.0}), lambda: el.Scene.parse(NO_TEXT), lambda: el.run(jelly(), "no", overrides=[NO_TEXT]),
    lambda: el.run(jelly(), "no", overrides={"name": NO_TEXT}), lambda: el.run(jelly(), "no", overrides={NO_TEXT: 1}), lambda: jelly().set(NO_TEXT, 1),
    lambda: el.field(np.zeros((1, 3)), [1e-9], solver=NO_TEXT), lambda: el.gradient(jelly(), el.loss.centre_of_mass((0, 0, 0), NO_TEXT), ["gravity"])])
def test_names_that_are_no_text(call):
    with pytest.raises(ValueError) as caught:
        call()
    said = str(caught.value)
    assert not isinstance(caught.value, UnicodeError) and not any(words in said for words in ("Unable to cast", "incompatible", "codec")), said
    assert "\\ud" in ascii(said)


def test_such_a_name_is_a_finding():
    (finding,) = named(name=NO_TEXT).check()
    assert finding.file == "body.0.name" and "is no Unicode text" in finding.message


def test_links_are_followed(tmp_path):
    """The command does the same (test_unfinished.cpp)."""
    target, link = tmp_path / "deep/scene.toml", tmp_path / "link.toml"
    target.parent.mkdir()
    target.write_text("old")
    link.symlink_to("deep/scene.toml")
    jelly(steps=3).save(link)
    assert link.is_symlink() and not target.is_symlink() and el.Scene.load(target).describe()["steps"] == 3
    assert sorted(os.listdir(tmp_path)) == ["deep", "link.toml"] and os.listdir(target.parent) == ["scene.toml"]


@pytest.mark.parametrize("kind", ["pipe", "folder", "link to a pipe", "device", "loop"])
def test_only_a_file_is_replaced(kind, tmp_path):
    place = pipe = tmp_path / "scene.toml"
    if kind == "folder":
        place.mkdir()
    elif kind == "device":  # One of its own, where making one is allowed.
        try:
            os.mknod(place, 0o600 | 0o020000, os.makedev(1, 3))
        except PermissionError:
            pytest.skip("no device can be made here")
    elif kind == "loop":
        place.symlink_to("scene.toml")
    else:
        if kind == "link to a pipe":
            pipe = tmp_path / "pipe"
            place.symlink_to("pipe")
        os.mkfifo(pipe)
    before = os.lstat(place), sorted(os.listdir(tmp_path))
    with pytest.raises(el.IoError, match="^cannot write .*scene.toml: ") as caught:
        jelly().save(place)
    assert caught.value.filename == str(place)
    assert (os.lstat(place), sorted(os.listdir(tmp_path))) == before
