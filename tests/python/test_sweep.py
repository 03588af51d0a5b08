"""Sweeps by any executor: the command's bytes, whoever does which run, and what is told of runs and of wrong arguments."""

import json
import multiprocessing
import os
import subprocess
import sys
import time
import warnings
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest

import electret as el
import sweep_functions
from conftest import SWEEP_JOB as JOB
from sweep_desk import Looking, Losing, parts, results


def test_every_executor_gives_the_command_s_bytes(job, command):
    command("sweep", "job.toml", "-o", "command")
    wanted = results("command")
    assert json.loads(open("command/summary.json").read())["status"]["done"] == 20
    el.Sweep(job, "own").run(workers=2)
    with ThreadPoolExecutor(3) as threads, ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as processes:
        for name, executor, block in [("threads", threads, 1), ("processes", processes, 7), ("whole", threads, 200), ("losing", Losing(), 3)]:
            el.Sweep(job, name).run(executor, block=block)
    for name in ("own", "threads", "processes", "whole", "losing"):
        assert results(name) == wanted, name
        assert open(f"{name}/runs.csv").read() == open("command/runs.csv").read()
        assert el.Sweep(name).summary["digest"] == el.Sweep("command").summary["digest"]
    # Nothing is left to do, by either.
    before = sorted(os.listdir("own/parts"))
    el.Sweep("own").run(ThreadPoolExecutor(1))
    assert "have ended already" in command("sweep", "job.toml", "-o", "own").stderr and sorted(os.listdir("own/parts")) == before


def test_what_is_there_is_read_while_it_runs(job):
    sweep = el.Sweep(job, "s")
    assert len(sweep) == 20 and sweep.keys == ["body.0.charge", "integrator.method"]
    assert list(sweep.missing) == list(range(20)) and np.isnan(sweep["swing"]).all() and sweep.table()["run"].size == 0
    seen, looking = [], Looking()
    sweep.run(looking, block=5, progress=lambda done, total: seen.append((done, total)))
    assert looking.missing == [15, 10, 5, 0] and seen == [(5, 20), (10, 20), (15, 20), (20, 20)]
    assert sweep.missing.size == 0 and sweep.failures == []
    run = 13
    scene = el.Scene.load("scene.toml", [f"body.0.charge={sweep['body.0.charge'][run]}", f"integrator.method={sweep['integrator.method'][run]}"])
    alone = el.run(scene, "alone")
    assert sweep["swing"][run] == alone.energies.kinetic.max() and sweep["end"][run] == alone.energies.total[-1]
    assert np.array_equal(sweep.positions[run], np.float32(alone.trajectory.positions[4::4]))
    assert np.array_equal(sweep.velocities[run][1], np.float32(alone.trajectory.velocities[8]))
    table = sweep.table()
    assert set(table) == {"run", "status", "body.0.charge", "integrator.method", "steps", "wall", "cpu", "swing", "end"}
    assert np.array_equal(table["swing"], sweep["swing"]) and set(table["status"]) == {"done"}
    assert sweep["positions"].shape == (20, 2, 16, 3)
    with pytest.raises(KeyError, match="neither a key nor a result; there are: status, body.0.charge"):
        sweep["swings"]
    with pytest.raises(IndexError):
        sweep.positions[20]


def test_a_merge_keeps_results_whose_parts_are_gone(job):
    sweep = el.Sweep(job, "s")
    sweep.run(ThreadPoolExecutor(1), block=5)
    digest, before = sweep.summary["digest"], open("s/sweep.h5", "rb").read()
    gone = [part for part in parts("s") if os.path.basename(part).startswith(("5-", "10-"))]
    for part in gone:
        os.remove(part)
    with pytest.raises(el.InputError, match="results of 10 runs that the parts no longer have: 5-14, from "):
        sweep.merge()
    assert open("s/sweep.h5", "rb").read() == before and list(sweep.missing) == list(range(5, 15))
    sweep.run(ThreadPoolExecutor(1))
    assert sweep.missing.size == 0 and sweep.summary["digest"] == digest


def test_runs_without_a_result_are_told(job):
    open("job.toml", "w").write(JOB + '[limits]\nwall = "0.000001s"\nfailures = 1.0\n')
    sweep = el.Sweep(job, "s")
    sweep.run(ThreadPoolExecutor(1))
    first = sweep.failures[0]
    assert (first.run, first.status) == (0, "timeout") and "longer than 0.000001s" in first.cause
    assert first.command.startswith("electret run ") and "body.0.charge=" in first.command
    # Too many of them stop the sweep, not only when all have ended.
    open("job.toml", "w").write(JOB.replace("samples = 10", "samples = 100") + '[limits]\nwall = "0.000001s"\nfailures = 0.5\n')
    for executor, most in [(Looking(), 64), (ThreadPoolExecutor(2), 200)]:
        sweep = el.Sweep(job, f"most{most}")
        with pytest.warns(el.ElectretWarning, match="the sweep stops: .* runs have no result, more than the share of 0.5"):
            sweep.run(executor, block=1)
        assert 20 <= 200 - len(sweep.missing) <= most


def test_runs_without_a_result_are_done_again_where_they_are_asked_for(job):
    whole = el.Sweep(job, "whole")
    whole.run(ThreadPoolExecutor(1))
    open("short.toml", "w").write(JOB + '[limits]\nwall = "0.000000001s"\nfailures = 1.0\n')
    sweep = el.Sweep("short.toml", "s")
    sweep.run(ThreadPoolExecutor(1))
    assert len(sweep.failures) == 20
    # [limits] may change while a sweep goes on. Without a word nothing is repeated.
    sweep = el.Sweep(job, "s")
    sweep.run(ThreadPoolExecutor(1))
    sweep.run(ThreadPoolExecutor(1), again=["failed", "lost"])
    assert len(sweep.failures) == 20
    # Also by blocks of the same runs as before, and by tasks that are lost at first.
    sweep.run(ThreadPoolExecutor(2), block=7, again="timeout")
    assert sweep.failures == [] and sweep.summary["digest"] == whole.summary["digest"]
    for again, error in [("done", ValueError), (["timeout", "slow"], ValueError), (3, TypeError)]:
        with pytest.raises(error):
            sweep.run(ThreadPoolExecutor(1), again=again)


def test_calls_without_a_result_are_made_again_where_they_are_asked_for(job):
    sweep = el.Sweep(job, "s")
    with ThreadPoolExecutor(1) as pool:
        sweep.map(sweep_functions.fails_at_odd_runs, pool, block=4)
        assert [failure.run for failure in sweep.failures] == list(range(1, 20, 2))
        sweep.map(sweep_functions.never_fails, pool, block=4)
        assert len(sweep.failures) == 10
        sweep.map(sweep_functions.never_fails, pool, block=4, again="failed")
    assert sweep.failures == [] and list(sweep["number"]) == list(range(20))


def test_processor_time_is_limited(job):
    open("job.toml", "w").write(JOB.replace("samples = 10", "samples = 100") + "[limits]\ncpu_hours = 1e-9\n")
    sweep = el.Sweep(job, "s")
    with pytest.warns(el.ElectretWarning, match="the sweep stops: the runs have taken the processor time that cpu_hours = 1e-09") as told:
        sweep.run(Looking(), block=2)
    assert len(told) == 1 and len(sweep.missing) == 200 - 128
    assert sweep.summary["missing"] == 72
    # Not once all has ended: then nothing is left to stop.
    open("job.toml", "w").write(JOB + "[limits]\ncpu_hours = 1e-9\n")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        el.Sweep(job, "whole").run(Looking(), block=20)


def test_processor_time_of_threads_is_counted_once(job):
    open("long.toml", "w").write(JOB.replace("[sweep]", "[sweep]\nset = ['time.steps=2000']"))
    calls, runs = el.Sweep(job, "calls"), el.Sweep("long.toml", "runs")
    for do, sweep, least in [(lambda pool: calls.map(sweep_functions.busy, pool, block=1), calls, 20 * 0.02), (lambda pool: runs.run(pool, block=1), runs, 0.0)]:
        before = time.process_time()
        with ThreadPoolExecutor(4) as pool:
            do(pool)
        assert least < sweep["cpu"].sum() <= time.process_time() - before


def test_a_full_disk_is_told_with_its_file(job):
    script = ("import resource, sys\nimport electret as el\nfrom concurrent.futures import ThreadPoolExecutor\n"
              "sweep = el.Sweep('job.toml', 's')\nresource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2)\n"
              "try:\n    sweep.run(ThreadPoolExecutor(1), block=20)\n"
              "except el.IoError as error:\n    print(error.filename)\n    assert error.filename in str(error) and 'File too large' in str(error)\n")
    el.Sweep(job, "whole").run(ThreadPoolExecutor(1), block=20)
    for limit, place in [(1, "/s/parts"), (os.path.getsize(parts("whole")[0]) - 1, "/s/parts/0-19.")]:
        done = subprocess.run([sys.executable, "-c", script, str(limit)], capture_output=True, text=True, check=True)
        assert place in done.stdout, done


def test_wrong_executors_raise(job):
    class Silent(Executor):
        def submit(self, function, *arguments):
            return None

    class Idle(Executor):
        def submit(self, function, *arguments):
            future = Future()
            future.cancel()
            future.set_running_or_notify_cancel()
            return future

    class Empty(Executor):
        def submit(self, function, *arguments):
            future = Future()
            future.set_result(None)
            return future

    closed = ThreadPoolExecutor(1)
    closed.shutdown()
    broken = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"))
    with pytest.raises(BrokenExecutor):
        broken.submit(os._exit, 1).result()
    sweep = el.Sweep(job, "s")
    for executor, error, said in [(Silent(), TypeError, "must return a concurrent.futures.Future, not NoneType"), (closed, RuntimeError, "after shutdown"),
                                  (Idle(), RuntimeError, "has done none of its tasks"), (broken, BrokenExecutor, ""), ("threads", TypeError, "method submit"),
                                  (Empty(), TypeError, "must have the result of the function that it was given, not NoneType"),
                                  (ThreadPoolExecutor, TypeError, "not the class ThreadPoolExecutor")]:
        with pytest.raises(error, match=said):
            sweep.run(executor)
    assert len(sweep.missing) == 20
    # What a progress function raises ends the call; what has ended is kept.
    def refuse(done, total):
        raise LookupError("enough")

    with ThreadPoolExecutor(1) as pool, pytest.raises(LookupError, match="enough"):
        sweep.run(pool, block=1, progress=refuse)
    assert 1 <= 20 - len(sweep.missing) < 20


def test_fits_from_many_starts(job):
    open("fit.toml", "w").write('[fit]\nscene = "scene.toml"\n[[parameter]]\nname = "body.jelly.stiffness"\nminimum = 5\nmaximum = 90\n'
                                '[[loss]]\nof = "trajectory:alone/trajectory.h5"\n')
    el.run("scene.toml", "alone")
    open("fits.toml", "w").write('[sweep]\nfit = "fit.toml"\nsamples = 4\n[[vary]]\nkey = "start.body.jelly.stiffness"\nrange = [20, 40]\n')
    sweep = el.Sweep("fits.toml", "fits")
    sweep.run(ThreadPoolExecutor(1))
    assert sweep.fitted == ["body.jelly.stiffness"] and sweep["fitted"].shape == (4, 1) and np.allclose(sweep["fitted"], 30.0, rtol=1e-6)
    assert sweep.summary["distinct_minima"] == 1 and sweep.summary["minima"][0]["fits"] == 4
    assert {"loss", "gradient_norm", "evaluations", "end", "start", "fitted"} <= set(sweep.table())
    assert "electret fit" in subprocess.run([os.environ["ELECTRET"], "sweep", "fits", "--show", "1"], capture_output=True, text=True, check=True).stdout


def test_wrong_arguments_raise(job):
    open("bad.toml", "w").write(JOB.replace("range", "rnge"))
    with pytest.raises(el.InputError, match='unknown key "rnge"'):
        el.Sweep("bad.toml", "s")
    assert not os.path.exists("s")
    sweep = el.Sweep(job, "s")
    with pytest.raises(el.IoError, match="there is no .*/s/summary.json yet: run, map and merge write it"):
        sweep.summary
    for call, error in [(lambda: sweep.run(3), TypeError), (lambda: sweep.run(workers=-1), ValueError), (lambda: sweep.run(block=1.0), TypeError),
                        (lambda: sweep.run(progress=3), TypeError), (lambda: el.Sweep("s", "t"), ValueError), (lambda: el.Sweep(3), TypeError),
                        (lambda: el.Sweep("none.toml"), el.InputError), (lambda: el.Sweep("."), el.InputError)]:
        with pytest.raises(error):
            call()
