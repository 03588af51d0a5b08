"""Functions of one's own in place of a sweep's runs."""

import multiprocessing
import os
import re
import signal
import time
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest

import electret as el
import sweep_functions
from conftest import SWEEP_JOB as JOB
from electret._time_limit import TookTooLong, call_within
from sweep_desk import Looking, Losing, results


def test_functions_of_ones_own(job, command):
    sweep = el.Sweep(job, "own")
    sweep.map(sweep_functions.rolled, workers=2)
    assert sweep["path"].shape == (20, 3) and np.isfinite(sweep["height"]).all()
    assert np.array_equal(sweep["charge"], sweep["body.0.charge"])
    other = el.Sweep(job, "threads")
    other.map(sweep_functions.rolled, ThreadPoolExecutor(2), block=3)
    el.Sweep(job, "losing").map(sweep_functions.rolled, Losing(), block=3)
    assert results("own") == results("threads") == results("losing")
    expected = sweep_functions.rolled(el.Scene.load("scene.toml", {key: sweep[key][3].item() for key in sweep.keys}), {"body.0.charge": 0.0}, 3)
    assert sweep["height"][3] == expected["height"] and np.array_equal(sweep["path"][3], expected["path"])
    with open("own/runs.csv") as file:
        assert file.readline() == "run,status,body.0.charge,integrator.method,charge,height\n"
    with pytest.raises(el.InputError, match="calls of a function"):
        sweep.run()
    # Nor are they the command's, which tells of them and touches nothing.
    def files():
        return {name: os.stat(os.path.join(folder, name)).st_mtime_ns for folder, _, names in os.walk("own") for name in names}

    before = files()
    for words in (["job.toml", "-o", "own"], ["own"], ["own", "--list"], ["own", "--slurm"], ["own", "--runs", "3"], ["own", "--check"]):
        done = command("sweep", *words)
        assert done.returncode == 2 and "Sweep.map of the package electret goes on with it" in done.stderr and files() == before, words
    assert "whose scene this command runs:" in command("sweep", "own", "--show", "3").stdout
    assert command("sweep", "own", "--merge").returncode == 0 and results("own") == results("threads")
    assert len(el.Sweep(job, "own").missing) == 0
    plain = el.Sweep(job, "plain")
    plain.run(ThreadPoolExecutor(1))
    with pytest.raises(el.InputError, match="that are no calls"):
        plain.map(sweep_functions.rolled)


def test_a_function_that_fails_ends_no_other_run(job, monkeypatch):
    open("job.toml", "w").write(JOB.replace("samples = 10", "samples = 3"))
    sweep = el.Sweep(job, "s")
    sweep.map(sweep_functions.failing, ThreadPoolExecutor(1))
    assert list(sweep["status"]) == ["done", "failed", "failed", "done", "done", "done"]
    assert list(sweep["number"][[0, 3, 5]]) == [0.0, 3.0, 5.0] and np.isnan(sweep["number"][1])
    causes = {failure.run: failure.cause for failure in sweep.failures}
    assert causes[1] == "ValueError: no run of this kind" and "not [('number', ())] as for the first run" in causes[2]
    # The call is told in Python; no command does it.
    with pytest.raises(ValueError, match="no run of this kind"):
        eval(sweep.failures[0].command, {"function": sweep_functions.failing, "electret": el})
    given = eval(sweep.failures[1].command, {"function": lambda scene, values, run: (scene, values, run), "electret": el})
    assert given[1:] == ({key: sweep[key][2].item() for key in sweep.keys}, 2) and given[0].to_toml() == el.Scene.load("scene.toml", given[1]).to_toml()
    # Also where the first run is one of them, and no other begins before it has failed.
    for name, block, waiting in [("alone", 1, 1), ("together", 6, 64)]:
        monkeypatch.setattr("electret._sweep_engine._WAITING", waiting)
        sweep = el.Sweep(job, name)
        sweep.map(sweep_functions.late, Looking(), block=block)
        assert list(sweep["status"]) == ["failed", "diverged", "refused", "done", "done", "done"]
        causes = {failure.run: failure.cause for failure in sweep.failures}
        assert causes[0] == "ZeroDivisionError: no result yet" and "scene: error: it is wrong; take another" in causes[2] and len(causes) == 2
    # One that ends its program ends no more than its run.
    for name, executor in [("exits", Looking()), ("exits in processes", None)]:
        sweep = el.Sweep(job, name)
        sweep.map(sweep_functions.exiting, executor, workers=2)
        assert list(sweep["status"]) == ["done", "failed", "done", "done", "done", "done"] and sweep.failures[0].cause == "SystemExit: 3"
    # A function without any result is told; it is not called for all runs.
    open("job.toml", "w").write(JOB.replace("samples = 10", "samples = 100"))
    called = []
    for function, said in [(lambda scene, values, run: called.append(run), "TypeError: the function must return {name: number or array}, not NoneType$"),
                           (lambda scene, values, run: {"a": []}, "must have numbers, not the shape"), (lambda scene, values, run: {"a": 1j}, "must be numbers"),
                           (lambda scene, values, run: {3: 1.0}, "name must be text, not 3")]:
        with pytest.raises(RuntimeError, match="the function has no result for run 0: .*" + said.replace("{", r"\{")):
            el.Sweep(job, "none").map(function, Looking(), block=1)
    assert len(called) == 64
    with pytest.raises(el.InputError, match="a result cannot be called so"):
        el.Sweep(job, "none").map(lambda scene, values, run: {"status": 1.0}, Looking())
    sweep = el.Sweep(job, "none")
    with pytest.raises(TypeError, match="function must be a function"):
        sweep.map(3)


def test_a_call_that_takes_its_process_down_is_lost_and_no_other(job, command):
    open("job.toml", "w").write(JOB.replace("samples = 10", "samples = 3") + "[limits]\nattempts = 3\nfailures = 1.0\n")
    sweep = el.Sweep(job, "s")
    # Run 3 is under way whenever run 2 takes its process, and with it the pool, down.
    sweep.map(sweep_functions.dying, workers=2)
    assert open("kills").read() == "xxx"
    # What a lost run has taken is unknown, and not counted.
    assert np.isnan(sweep["cpu"][2]) and sweep.summary["cpu_s"] == np.nansum(sweep["cpu"]) > 0 and sweep.summary["wall_s"] == np.nansum(sweep["wall"]) > 0
    told = command("sweep", "s", "--status").stdout
    assert re.search(r"CPU time +[0-9.]+ ", told) and "again: in Python, electret.Sweep(\"s\").failures has the call" in told
    assert list(sweep["status"]) == ["done", "done", "lost", "done", "done", "done"]
    # A pool that is given is not replaced: its end is told, and a further call goes on.
    os.remove("kills")
    sweep = el.Sweep(job, "given")
    calls = 0
    while len(sweep.missing):
        with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
            try:
                sweep.map(sweep_functions.dying, pool, block=1)
            except BrokenExecutor:
                calls += 1
    assert calls == 3 and list(sweep["status"]) == ["done", "done", "lost", "done", "done", "done"]


def test_calls_end_at_their_time_limit(job):
    open("job.toml", "w").write(JOB.replace("samples = 10", "samples = 3") + '[limits]\nwall = "4s"\nfailures = 1.0\n')
    with ThreadPoolExecutor(3) as threads:
        for name, executor in [("processes", None), ("threads", threads)]:
            sweep = el.Sweep(job, name)
            sweep.map(sweep_functions.endless, executor, workers=3, block=1)
            assert list(sweep["status"]) == ["done", "timeout", "timeout", "timeout", "done", "done"]
            assert {failure.cause for failure in sweep.failures} == {"the run took longer than 4s"} and np.isnan(sweep["number"][1])
            assert (sweep["wall"][1:4] >= 4.0).all()


def test_a_time_limit_ends_its_call_and_nothing_else():
    def loop():
        while True:
            pass

    def raising():
        raise LookupError("its own")

    def limited():
        assert call_within(600.0, lambda: 3) == call_within(None, lambda: 3) == 3
        with pytest.raises(LookupError, match="its own"):
            call_within(600.0, raising)
        with pytest.raises(TookTooLong):
            call_within(0.01, loop)
        # What is ended while it waits in the system is told as soon as that returns.
        with pytest.raises(TookTooLong):
            call_within(0.01, lambda: [time.sleep(0.05) for _ in range(10000)])
        # It may end just then: it gives its result or is ended, and nothing comes later.
        for _ in range(200):
            try:
                call_within(0.0005, lambda: sum(range(10000)))
            except TookTooLong:
                pass
        for _ in range(1000):
            sum(range(1000))
        return True

    assert limited() and signal.getsignal(signal.SIGALRM) == signal.SIG_DFL
    with ThreadPoolExecutor(3) as pool:
        assert all(pool.map(lambda _: limited(), range(3)))
    # A handler of the caller's is left alone.
    def own(number, frame):
        pass

    before = signal.signal(signal.SIGALRM, own)
    try:
        assert limited() and signal.getsignal(signal.SIGALRM) is own
    finally:
        signal.signal(signal.SIGALRM, before)
