"""Sweeps by any executor: the command's bytes, whoever does which run; own functions; runs that are appended."""

import json
import multiprocessing
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import warnings
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor

import h5py
import numpy as np
import pytest

import electret as el
import sweep_functions
from conftest import jelly

JOB = """
[sweep]
scene = "scene.toml"
samples = 10
[[vary]]
key = "body.0.charge"
range = [1e-7, 4e-7]
[[vary]]
key = "integrator.method"
values = ["imex", "verlet"]
[keep]
quantities = { swing = "max of kinetic", end = "last of total" }
frames = 2
velocities = true
"""


@pytest.fixture
def job(tmp_path, monkeypatch):
    jelly(steps=8, count=16).save(tmp_path / "scene.toml")
    (tmp_path / "job.toml").write_text(JOB)
    monkeypatch.chdir(tmp_path)
    # Workers find the functions, too.
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([os.path.dirname(__file__), os.environ.get("PYTHONPATH", "")]))
    return "job.toml"


def until(happened):
    """Waits for `happened()`, whenever the machine gets round to it. What takes longer hangs."""
    end = time.monotonic() + float(os.environ.get("ELECTRET_TEST_SECONDS", "600"))
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.05)


def children_of(process):
    """The processes that `process` has started and that have not ended."""
    try:
        with open(f"/proc/{process.pid}/task/{process.pid}/children") as file:
            return [int(word) for word in file.read().split()]
    except OSError:
        return []


def is_there(pid):
    """Whether the process has not ended; one that nobody has waited for has."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(") ")[2][0] != "Z"
    except OSError:
        return False


def parts(directory):
    folder = os.path.join(directory, "parts")
    return [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith(".h5")] if os.path.isdir(folder) else []


def results(directory):
    with h5py.File(os.path.join(directory, "sweep.h5")) as file:
        return {name: file["results"][name][()].tobytes() for name in file["results"]}


class Losing(Executor):
    """Does every other task only, and some twice."""

    def __init__(self):
        self.count = 0

    def submit(self, function, *arguments):
        self.count += 1
        future = Future()
        if self.count % 2:
            future.cancel()
            future.set_running_or_notify_cancel()
            return future
        first, second = function(*arguments), function(*arguments)
        assert first[0] == len(arguments[1]) and second == (0, 0, 0.0), "what a task has done is not done again"
        future.set_result(first)
        return future


class Looking(Executor):
    """Does each task at once, and looks at the sweep after it."""

    def __init__(self):
        self.missing = []

    def submit(self, function, directory, *arguments):
        future = Future()
        try:
            future.set_result(function(directory, *arguments))
        except Exception as error:
            future.set_exception(error)
        self.missing.append(len(el.Sweep(directory).missing))
        return future


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


def test_dask_gives_the_same_bytes(job):
    distributed = pytest.importorskip("distributed")
    el.Sweep(job, "own").run(ThreadPoolExecutor(1))
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, distributed.Client(cluster) as client:
        el.Sweep(job, "dask").run(client.get_executor(retries=3, pure=False), block=3)
        # A worker that is killed loses its task, which the engine gives to another one.
        pids = list(client.run(os.getpid).values())

        def killing(done, total):
            if pids and done < total:
                os.kill(pids.pop(), signal.SIGKILL)

        el.Sweep(job, "killed").run(client.get_executor(retries=3, pure=False), block=1, progress=killing)
        assert pids == []
    assert results("dask") == results("own") == results("killed")


def test_mpi4py_gives_the_same_bytes(job, tmp_path):
    pytest.importorskip("mpi4py")
    el.Sweep(job, "own").run(ThreadPoolExecutor(1))
    (tmp_path / "by_mpi.py").write_text(
        "from mpi4py.futures import MPIPoolExecutor\nimport electret as el\n"
        "if __name__ == '__main__':\n    with MPIPoolExecutor() as pool:\n        el.Sweep('job.toml', 'mpi').run(pool, block=3)\n")
    try:
        done = subprocess.run(["mpiexec", "--allow-run-as-root", "--oversubscribe", "-n", "3", sys.executable, "-m", "mpi4py.futures", "by_mpi.py"],
                              capture_output=True, text=True, check=False, env={**os.environ, "OMPI_MCA_rmaps_base_oversubscribe": "1"})
    except FileNotFoundError:
        pytest.skip("mpiexec is not installed")
    assert done.returncode == 0, done.stdout + done.stderr
    assert results("mpi") == results("own")


def test_what_is_there_is_read_while_it_runs(job):
    sweep = el.Sweep(job, "s")
    assert len(sweep) == 20 and sweep.keys == ["body.0.charge", "integrator.method"]
    assert list(sweep.missing) == list(range(20)) and np.isnan(sweep["swing"]).all() and sweep.table()["run"].size == 0
    seen, looking = [], Looking()
    sweep.run(looking, block=5, progress=lambda done, total: seen.append((done, total)))
    assert looking.missing == [15, 10, 5, 0] and seen == [(5, 20), (10, 20), (15, 20), (20, 20)]
    assert sweep.missing.size == 0 and sweep.failures == []
    run = 13
    scene = el.Scene.load("scene.toml", [f"body.0.charge={sweep['body.0.charge'][run]!r}", f"integrator.method={sweep['integrator.method'][run]}"])
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


def test_a_process_that_is_killed_leaves_no_workers_and_loses_nothing(job, tmp_path):
    open("job.toml", "w").write(JOB.replace("[sweep]", "[sweep]\nset = ['time.steps=4000']"))
    el.Sweep(job, "whole").run(workers=2)
    (tmp_path / "script.py").write_text("import electret as el\nif __name__ == '__main__':\n    el.Sweep('job.toml', 's', overwrite=True).run(workers=2, block=1)\n")
    for _ in range(10):
        shutil.rmtree("s", ignore_errors=True)
        process = subprocess.Popen([sys.executable, "script.py"])
        until(lambda: len(parts("s")) > 1 or process.poll() is not None)
        children = children_of(process)
        process.kill()
        process.wait()
        until(lambda: not any(is_there(child) for child in children))
        sweep = el.Sweep("s")
        if len(children) > 1 and sweep.missing.size > 0:
            break
    assert sweep.missing.size > 0, "it was always over before the kill"
    sweep.run(workers=2)
    assert results("s") == results("whole")
    runs = []
    for part in parts("s"):
        with h5py.File(part) as file:
            runs += list(file["run"][()])
            started = list(file["started"][()])
            assert {run for run in started if run >= 0} - set(file["run"][()]) == {-1 - run for run in started if run < 0}, "no attempt was lost"
    assert sorted(runs) == list(range(20)), "no run that has ended is repeated"


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


def test_ctrl_c_keeps_what_has_ended(job, tmp_path):
    open("job.toml", "w").write(JOB.replace("[sweep]", "[sweep]\nset = ['time.steps=4000']"))
    (tmp_path / "script.py").write_text("import electret as el\nif __name__ == '__main__':\n    el.Sweep('job.toml', 's').run(workers=2)\n")
    process = subprocess.Popen([sys.executable, "script.py"], stderr=subprocess.PIPE, text=True)
    until(lambda: parts("s") or process.poll() is not None)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate()
    assert process.returncode != 0 and "KeyboardInterrupt" in err
    for part in parts("s"):  # Runs that were stopped on request are no attempts.
        with h5py.File(part) as file:
            started = list(file["started"][()])
            assert {run for run in started if run >= 0} - set(file["run"][()]) == {-1 - run for run in started if run < 0}
    sweep = el.Sweep("s")
    sweep.run(workers=2)
    assert sweep.missing.size == 0
