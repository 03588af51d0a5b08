"""What the package warns of: the lines of the command, in its order, and what summary.json keeps."""

import json
import os
import re
import resource
import warnings

import pytest

import electret as el
from conftest import jelly


def told(call):
    """The warnings of a call, and the files that they point at."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", el.ElectretWarning)
        call()
    return [str(one.message) for one in caught], {one.filename for one in caught}


def plain(steps=2, **tables):
    """A scene that gives no cause for warnings."""
    scene = el.Scene(time={"step": 0.01, "steps": steps}, gravity={"acceleration": (0.0, 0.0, -1.0)}, **tables)
    body = scene.body(name="ball", generate={"shape": "sphere", "radius": 0.3, "vertices": 32}, mass=0.05)
    body.springs("nearest", neighbours=12, stiffness=30.0)
    return scene


def stiff():
    scene = plain()
    scene.set("body.0.springs.0.stiffness", 1e12)
    return scene


def charged(charge):
    scene = plain(coulomb={})
    scene.set("body.0.charge", charge)
    return scene


def of_several():
    scene = jelly(steps=2, method="verlet")
    scene.set("coulomb.ddef", {"grid_points": 5})
    scene.set("body.0.springs.0.neighbours", 40)
    scene.set("body.0.springs.0.stiffness", 1e9)
    scene.set("time.step", 1e-3)
    return scene


SCENES = {
    "nothing to tell": plain,
    "a step thousands of times too large": stiff,
    "a step far too large for the charges": lambda: charged(1e-2),
    "charges of the first frame": lambda: charged(2e-5),
    "settings, groups, neighbours and the step": of_several,
}


@pytest.mark.parametrize("make", SCENES.values(), ids=SCENES)
def test_a_run_warns_as_the_command_does(make, tmp_path, command):
    scene = make()
    scene.save(tmp_path / "scene.toml")
    done = command("run", "scene.toml", "-o", "by_command", cwd=tmp_path)
    said = [line.removeprefix("electret: ") for line in done.stderr.splitlines()
            if not re.match("electret: (step|error)", line) and not line.startswith("run")]
    with pytest.MonkeyPatch.context() as here:
        here.chdir(tmp_path)

        def run():
            try:
                el.run("scene.toml", tmp_path / "by_package")
            except el.DivergenceError:
                pass

        lines, files = told(run)
    kept = [json.loads((tmp_path / name / "summary.json").read_text())["warnings"] for name in ("by_command", "by_package")]
    shown = [line for line in said if line in lines]
    assert shown == lines and kept[0] == kept[1] == lines[:len(kept[0])] and files <= {__file__}
    assert bool(lines) == (make is not plain)


@pytest.mark.parametrize("make", SCENES.values(), ids=SCENES)
def test_a_simulator_warns_as_check_does(make, tmp_path, command):
    """But of no group: controls and `groups` use those that the scene does not. Charges that only the first frame is too
    large for are told of when it steps."""
    scene = make()
    scene.save(tmp_path / "scene.toml")
    checked = command("check", "scene.toml", cwd=tmp_path).stderr.splitlines()
    expected = [line for line in checked if " warning: " in line and " warning: group " not in line]
    with pytest.MonkeyPatch.context() as here:
        here.chdir(tmp_path)
        lines, _ = told(lambda: el.Simulator("scene.toml").step())
    assert [line.split(" warning: ")[-1] for line in lines] == [line.split(" warning: ")[-1] for line in expected]


@pytest.mark.parametrize("make", SCENES.values(), ids=SCENES)
def test_a_gradient_warns_as_the_command_does(make, tmp_path, command):
    make().save(tmp_path / "scene.toml")
    done = command("gradient", "scene.toml", "--loss", "energy", "--wrt", "gravity", cwd=tmp_path)
    said = [line.removeprefix("electret: ") for line in done.stderr.splitlines()
            if not re.match("electret: (step|error|backward)", line) and not line.startswith(("gradient", "preparing"))]
    with pytest.MonkeyPatch.context() as here:
        here.chdir(tmp_path)

        def run():
            try:
                el.gradient("scene.toml", "energy", "gravity", check=make is plain)
            except el.DivergenceError:
                pass

        lines, files = told(run)
    assert lines and [line for line in said if line in lines] == lines and files == {__file__}
    assert len(said) - len(lines) <= 1  # What diverges is told of by an error.


def test_no_gradient_begins_where_warnings_are_errors():
    with warnings.catch_warnings():
        warnings.simplefilter("error", el.ElectretWarning)
        with pytest.raises(el.ElectretWarning, match="the step of 0.01 s is"):
            el.gradient(stiff(), "energy", "gravity")


def test_no_run_begins_where_warnings_are_errors(tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error", el.ElectretWarning)
        with pytest.raises(el.ElectretWarning, match="the step of 0.01 s is .* times the .* which is that of springs"):
            el.run(stiff(), tmp_path / "run")
        with pytest.raises(el.ElectretWarning, match="the step of 0.01 s is"):
            el.Simulator(stiff())
    assert not (tmp_path / "run").exists()


def test_a_disk_that_is_too_small_is_told_of(tmp_path, command):
    scene = plain(steps=10**15)
    scene.save(tmp_path / "scene.toml")
    said = command("check", "scene.toml", "-o", "run", cwd=tmp_path).stderr

    class Enough(Exception):
        pass

    def stop(done, total):
        raise Enough

    def run():
        with pytest.raises(Enough):
            el.run(scene, tmp_path / "run", progress=stop)

    lines, _ = told(run)
    free = re.compile("only .* is free")
    assert [free.sub("", line) for line in lines] == [free.sub("", line) for line in said.splitlines()] and len(lines) == 1
    assert re.match(r"electret: warning: a run takes about \S+ [TPE]B of disk, but only \S+ \S+ is free; write", lines[0])
    assert told(lambda: el.Simulator(scene)) == ([], set())


@pytest.mark.skipif("ELECTRET_SANITIZED" in os.environ, reason="a sanitizer takes more address space than any limit")
def test_memory_that_is_too_small_is_told_of():
    before = resource.getrlimit(resource.RLIMIT_AS)
    scene = plain()
    el.Simulator(scene, threads=1)  # What the first one allocates for good.
    with open("/proc/self/statm") as file:
        now = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (now + 20_000_000, before[1]))
    try:
        lines, _ = told(lambda: el.Simulator(scene, threads=1))
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)
    assert len(lines) == 1
    assert re.match(r"electret: warning: a run takes about \S+ MB of memory, but only \S+ MB is free; use fewer", lines[0])
