"""A full disk: IoError with the file's name wherever something is written, and what was done before stays.

Part of acceptance point 9. Writing beyond a process's limit of a file's size is what a full disk is to a writer.
"""

import subprocess
import sys

import pytest

HEAD = """
import os, resource, signal, sys, warnings
sys.path.insert(0, {tests!r})
os.chdir({folder!r})
warnings.simplefilter("ignore")
import numpy as np
import electret as el
from conftest import jelly
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

def full(size):
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

def free():
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))

def refused(call):
    try:
        call()
    except el.IoError as error:
        assert isinstance(error, OSError) and ("too large" in str(error) or "failed before" in str(error)), error
        return os.path.relpath(error.filename)
    return None
"""


def child(code, tmp_path):
    """The lines that `code` prints in a process of its own, whose files may be limited."""
    head = HEAD.format(tests=str(__file__).rsplit("/", 1)[0], folder=str(tmp_path))
    said = subprocess.run([sys.executable, "-c", head + code], capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stdout + said.stderr
    return said.stdout.splitlines()


@pytest.mark.parametrize("way", ["step", "run"])
def test_a_recorded_step_was_taken(way, tmp_path):
    """Its state is that of a simulator that is not recorded; the frames before it can be read; the record says that it failed, and
    the simulator goes on."""
    lines = child(f"""
way = {way!r}
sim, free_one = el.Simulator(jelly(steps=400, count=40)), el.Simulator(jelly(steps=400, count=40))
recording = sim.record("run")
full(200000)
def act():
    for _ in range(300):
        sim.step() if way == "step" else sim.run(1)
print(refused(act))
done = sim.steps_done
free_one.run(done)
print(0 < done < 300, np.array_equal(sim.positions, free_one.positions), sim.work == free_one.work)
print(refused(sim.step), sim.steps_done - done)
free()
recording.close()
print(el.Run("run").status, "too large" in el.Run("run").summary["failure"]["cause"])
frames = el.Trajectory("run").positions
print(len(frames) == done, np.array_equal(frames[-1], el.Trajectory("run").positions[done - 1]))
sim.run(2)
print(sim.steps_done - done)
""", tmp_path)
    assert lines[:2] == ["run/trajectory.h5", "True True True"]
    assert lines[2:] == ["run/trajectory.h5 1", "failed True", "True True", "3"]


def test_closing_a_recording(tmp_path):
    lines = child("""
sim = el.Simulator(jelly(steps=40, count=200))
recording = sim.record("run", every=100)
sim.run(5)
full(3000)
print(refused(recording.close))
free()
sim.step()
print(el.Run("run").status)
""", tmp_path)
    assert lines == ["run/checkpoint.h5", "failed"]


def test_a_recording_that_a_full_disk_ends(tmp_path):
    """Its summary tells of the disk, though the block ends by an exception."""
    lines = child("""
sim = el.Simulator(jelly(steps=400, count=40))
def act():
    with sim.record("run"):
        full(200000)
        sim.run()
print(refused(act))
free()
print(el.Run("run").status, "too large" in el.Run("run").summary["failure"]["cause"])
""", tmp_path)
    assert lines == ["run/trajectory.h5", "failed True"]


def test_beginning_a_recording(tmp_path):
    lines = child("""
sim = el.Simulator(jelly(steps=40, count=200))
full(3000)
print(refused(lambda: sim.record("run")))
free()
sim.run(2)
with sim.record("run", overwrite=True):
    sim.run(2)
print(el.Run("run").status)
""", tmp_path)
    assert lines == ["run/trajectory.h5", "done"]


def test_a_run(tmp_path):
    lines = child("""
full(200000)
print(refused(lambda: el.run(jelly(steps=400, count=40), "run")))
print(len(el.Trajectory("run")) > 1, el.Run("run").status)
""", tmp_path)
    assert lines == ["run/trajectory.h5", "True failed"]


def test_saving_a_scene(tmp_path):
    """What stood there stays, whole, and nothing is left beside it."""
    lines = child("""
scene = jelly(steps=3)
scene.save("scene.toml")
before = open("scene.toml", "rb").read()
full(20)
print(refused(lambda: jelly(steps=4).save("scene.toml")))
print(open("scene.toml", "rb").read() == before, sorted(os.listdir()))
mesh = el.Mesh(np.zeros((100, 3)), faces=[[0, 1, 2]])
other = el.Scene(time={"step": 0.01, "steps": 1})
other.body(name="b", mesh=mesh, mass=1.0)
print(refused(lambda: other.save("deep/other.toml")))
""", tmp_path)
    assert lines == ["scene.toml", "True ['scene.toml']", "deep/other_b.ply"]
