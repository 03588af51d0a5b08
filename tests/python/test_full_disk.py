"""A full disk: IoError with the file's name wherever something is written, and what was done before stays.

Part of acceptance point 9. Writing beyond a process's limit of a file's size is what a full disk is to a writer.
"""

import os
import pathlib
import shutil
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


FULL_FROM = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

ssize_t pwrite(int file, const void* bytes, size_t size, off_t place) {
  static int calls = 0;
  ssize_t (*real)(int, const void*, size_t, off_t) = dlsym(RTLD_NEXT, "pwrite");
  if (++calls < atoi(getenv("FULL_FROM"))) return real(file, bytes, size, place);
  errno = ENOSPC;
  return -1;
}
"""

DRIVEN = """
import os, sys
import electret as el
from conftest import jelly

def drive():
    sim = el.Simulator(jelly(steps=3, count=12))
    try:
        with sim.record("run", overwrite=True):
            sim.run()
    except el.IoError as error:
        sys.exit(1 if "No space left on device" in str(error) else 3)
    sys.exit(0)

first, status = 0, 1
while status == 1:
    first += 1
    os.environ["FULL_FROM"] = str(first)
    child = os.fork()
    if child == 0:
        drive()
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
print(status, first > 20)
"""


def test_the_interpreter_ends_as_usual_whatever_could_not_be_written(tmp_path):
    """From any write on the disk is full. HDF5 closes at the process's end what it could not close before, and must not crash."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler")
    (tmp_path / "full.c").write_text(FULL_FROM)
    subprocess.run([compiler, "-shared", "-fPIC", "-o", tmp_path / "full.so", tmp_path / "full.c", "-ldl"], check=True)
    paths = os.pathsep.join([str(pathlib.Path(__file__).parent), os.environ.get("PYTHONPATH", "")])
    surroundings = {**os.environ, "LD_PRELOAD": str(tmp_path / "full.so"), "PYTHONPATH": paths}
    done = subprocess.run([sys.executable, "-c", DRIVEN], cwd=tmp_path, env=surroundings, capture_output=True, text=True, check=False)
    assert done.stdout == "0 True\n", done
