"""Dask and mpi4py, and processes of an engine that are killed or interrupted."""

import os
import shutil
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import h5py
import pytest

import electret as el
from conftest import SWEEP_JOB as JOB
from sweep_desk import children_of, is_there, parts, results, until


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


def test_dask_s_scheduler_and_workers_that_are_killed_lose_no_finished_run(job, tmp_path):
    pytest.importorskip("distributed")
    open("job.toml", "w").write(JOB.replace("[sweep]", "[sweep]\nset = ['time.steps=4000']"))
    el.Sweep(job, "whole").run(workers=2)
    (tmp_path / "client.py").write_text(
        "import dask\nimport electret as el\nfrom distributed import Client\nif __name__ == '__main__':\n"
        "    dask.config.set({'distributed.comm.timeouts.connect': '2s', 'distributed.comm.retry.count': 0})\n"
        "    with Client(scheduler_file='scheduler.json') as client:\n"
        "        el.Sweep('job.toml', 's', overwrite=True).run(client.get_executor(retries=3, pure=False), block=1)\n")

    def start(*words):
        return subprocess.Popen([sys.executable, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def rows():
        runs = []
        for part in parts("s"):
            try:
                with h5py.File(part) as file:
                    runs += list(file["run"][()])
            except OSError:  # It is being written.
                pass
        return runs

    for _ in range(10):
        for name in ("s", "scheduler.json"):
            shutil.rmtree(name, ignore_errors=True) if name == "s" else tmp_path.joinpath(name).unlink(missing_ok=True)
        dask = [start("-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", "scheduler.json")]
        try:
            until(lambda: os.path.exists("scheduler.json"))
            dask += [start("-m", "distributed.cli.dask_worker", "--scheduler-file", "scheduler.json", "--nthreads", "1", "--no-nanny", "--no-dashboard",
                           "--death-timeout", "600") for _ in range(2)]
            client = start("client.py")
            dask.append(client)
            # First a worker, whose task the other one gets; then the scheduler, and the client has nobody left.
            for victim in (dask[1], dask[0]):
                before = len(rows())
                until(lambda: len(rows()) > before or client.poll() is not None)
                victim.kill()
                victim.wait()
            was_over = client.poll() is not None
        finally:
            for process in dask:
                process.kill()
                process.wait()
        sweep = el.Sweep("s")
        if not was_over and sweep.missing.size > 0:
            break
    assert sweep.missing.size > 0, "it was always over before the kill"
    sweep.run(workers=2)
    assert results("s") == results("whole")
    assert sorted(rows()) == list(range(20)), "no run that has ended is repeated"


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
