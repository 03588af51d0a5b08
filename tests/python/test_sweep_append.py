"""Runs that are appended to a sweep."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import h5py
import numpy as np
import pytest

import electret as el
from conftest import SWEEP_JOB as JOB
from sweep_desk import parts


def test_runs_are_appended_and_found_by_their_numbers(job, command):
    open("ask.toml", "w").write('[sweep]\nscene = "scene.toml"\n[keep]\nloss = "centre_of_mass:0,0,1"\n')
    sweep = el.Sweep("ask.toml", "s")
    assert len(sweep) == 0 and sweep.missing.size == 0
    first = sweep.append([{"body.0.charge": 1e-7}, {"body.0.charge": 2e-7}])
    sweep.run(ThreadPoolExecutor(1))
    second = sweep.append([{"body.0.charge": 3e-7}])
    sweep.run(ThreadPoolExecutor(1))
    assert list(first) == [0, 1] and list(second) == [2]
    losses = sweep["loss"][np.r_[first, second]]
    for k, charge in enumerate([1e-7, 2e-7, 3e-7]):
        assert losses[k] == el.gradient(el.Scene.load("scene.toml", {"body.0.charge": charge}), "centre_of_mass:0,0,1", ["body.jelly.charge"]).loss
    # It goes on with the job, and by the command.
    again = el.Sweep("ask.toml", "s")
    assert len(again) == 3 and again.missing.size == 0
    again.append([{"body.0.charge": 4e-7}])
    assert command("sweep", "s").returncode == 0
    assert np.isfinite(again["loss"]).all() and again["loss"].size == 4
    for rows, said in [([{"body.0.charges": 1.0}], "there is no value of this key"), ([{"body.0.charge": 1.0, "a": 2}], "no value of this key"),
                       ([{"body.0.charge": "x y"}], r"runs\[0\]"), ([{"body.0.charge": 1.0}, {}], "other keys than")]:
        with pytest.raises(el.InputError, match=said):
            again.append(rows)
    assert len(again) == 4 and again.append([]).size == 0
    with pytest.raises(TypeError, match="a list of dicts"):
        again.append({"body.0.charge": 1.0})
    # A job's own runs come first; then it does not grow any more.
    sweep = el.Sweep(job, "own")
    assert list(sweep.append([{"integrator.method": "imex", "body.0.charge": 5e-7}])) == [20]
    open("job.toml", "w").write(JOB.replace("samples = 10", "samples = 11"))
    with pytest.raises(el.InputError, match="others were appended to it"):
        el.Sweep(job, "own")
    open("job.toml", "w").write(JOB)
    assert len(el.Sweep(job, "own")) == 21
    # The command does them, too, whether it is given the job or the folder.
    for sweep in (["job.toml", "-o", "own"], ["own"]):
        done = command("sweep", *sweep)
        assert done.returncode == 0, done.stderr
        assert "does not count" not in done.stdout + done.stderr
        assert el.Sweep("own").missing.size == 0
        with h5py.File("own/sweep.h5") as file:
            assert list(file["results/run"]) == list(range(21))


def test_threads_and_processes_append_at_the_same_time(job, tmp_path):
    open("ask.toml", "w").write('[sweep]\nscene = "scene.toml"\n[keep]\nloss = "centre_of_mass:0,0,1"\n')
    sweep = el.Sweep("ask.toml", "s")
    with ThreadPoolExecutor(4) as pool:
        numbers = list(pool.map(lambda k: int((sweep if k % 2 else el.Sweep("s")).append([{"body.0.charge": 1e-8 * k}])[0]), range(40)))
    assert sorted(numbers) == list(range(40)) and len(sweep) == 40
    assert np.array_equal(sweep["body.0.charge"][numbers], 1e-8 * np.arange(40))
    (tmp_path / "more.py").write_text("import sys\nimport electret as el\n"
                                      "for k in range(20):\n    print(el.Sweep('ask.toml', 's').append([{'body.0.charge': float(sys.argv[1]) + k}])[0])\n")
    both = [subprocess.Popen([sys.executable, "more.py", start], stdout=subprocess.PIPE, text=True) for start in ("100", "200")]
    found = [int(word) for process in both for word in process.communicate()[0].split()]
    assert sorted(found) == list(range(40, 80)) and [process.returncode for process in both] == [0, 0]
    assert np.array_equal(sweep["body.0.charge"][found], np.r_[100:120, 200:220].astype(float))

    # Searches by several threads: each appends, runs and reads.
    asked = el.Sweep("ask.toml", "asked")

    def loss_of(charge):
        number = asked.append([{"body.0.charge": charge}])
        with ThreadPoolExecutor(1) as own:
            asked.run(own)
        return asked["loss"][number][0]

    charges = [1e-8 * k for k in range(1, 13)]
    with ThreadPoolExecutor(3) as pool:
        losses = list(pool.map(loss_of, charges))
    assert losses == [asked["loss"][list(asked["body.0.charge"]).index(charge)] for charge in charges] and np.isfinite(losses).all()
    rows = 0
    for part in parts("asked"):
        with h5py.File(part) as file:
            rows += len(file["run"])
    assert rows == 12, "no run is done twice"
