"""Fitting jobs: the files, the bits and the findings of `electret fit`."""

import os
import re
import shutil
import signal
import threading
import time
import warnings

import numpy as np
import pytest

import electret as el
from conftest import jelly

JOB = """
[fit]
scene = "scene.toml"
[[parameter]]
name = "body.jelly.stiffness"
start = 20.0
maximum = 100.0
[[parameter]]
name = "body.jelly.velocity"
[[loss]]
of = "trajectory:target/trajectory.h5"
[starts]
count = 2
[[scan]]
parameter = "body.jelly.stiffness"
from = 20
to = 40
points = 3
"""


@pytest.fixture
def job(tmp_path, monkeypatch):
    """A job in a folder of its own; the working directory is the one above."""
    (tmp_path / "jobs").mkdir()
    jelly(steps=8, count=16).save(tmp_path / "jobs/scene.toml")
    el.run(tmp_path / "jobs/scene.toml", tmp_path / "jobs/target")
    (tmp_path / "jobs/job.toml").write_text(JOB)
    monkeypatch.chdir(tmp_path)
    return "jobs/job.toml"


def contents(directory):
    return {name: open(os.path.join(directory, name), "rb").read() for name in os.listdir(directory)}


@pytest.mark.parametrize("threads", [1, 3])
def test_the_same_files_as_the_command(job, command, threads):
    done = command("fit", job, "-o", "command")
    assert done.returncode == 0, done.stderr
    found = el.fit(job, "package", threads=threads)
    ours, theirs = contents("package"), contents("command")
    assert ours == theirs and set(ours) == {"fit.csv", "fit.json", "fit.svg", "fit.png", "fitted.toml", "scan.csv", "scan.svg", "scan.png"}
    assert found.converged and found.status == "done" and "small" in found.end
    assert abs(found.values["body.jelly.stiffness"] / 30.0 - 1.0) < 1e-6 and found.values["body.jelly.velocity"].shape == (3,)
    assert found.loss == min(found.history["loss"]) and set(found.history["start"]) == {0.0, 1.0}
    fitted = el.Simulator(found.scene).parameters["body.jelly.stiffness"].value
    assert np.all(np.asarray(fitted) == found.values["body.jelly.stiffness"])
    assert el.Fit("command").summary == found.summary and "done" in found._repr_html_()


def test_the_directory_is_named_after_the_job(job):
    assert el.fit(job).directory == os.path.abspath("fits/job")


WRONG = {
    "a key": JOB.replace("start = 20.0", "strat = 20.0"),
    "no TOML": JOB + "[[",
    "several": JOB.replace('"body.jelly.velocity"', '"body.jelly.velocty"').replace("maximum = 100.0", "maximum = 10.0").replace("to = 40", "to = 4")
    .replace("trajectory:target", "trajectory:nowhere"),
    "its scene": JOB.replace('scene = "scene.toml"', 'scene = "scene.toml"\nset = ["time.step=-1", "time.steps=x"]'),
    "no scene": JOB.replace('"scene.toml"', '"none.toml"'),
    "a sign that nothing has": JOB + "[signs]\ntrials = 3\n",
}


@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG)
def test_wrong_jobs_raise_with_every_finding(job, command, text):
    with open(job, "w") as file:
        file.write(text)
    done = command("fit", job)
    with pytest.raises(el.InputError) as caught:
        el.fit(job)
    assert done.returncode == 2 and [str(finding) for finding in caught.value.findings] == done.stderr.splitlines()
    assert not os.path.exists("fits")


def test_what_the_command_refuses_of_directories(job, command):
    el.fit(job, "fit")
    shutil.copy(job, "jobs/other.toml")
    with pytest.raises(el.InputError, match="holds a fit of another job.*give another directory, or overwrite=True to replace it"):
        el.fit("jobs/other.toml", "fit")
    os.mkdir("full")
    open("full/notes.txt", "w").close()
    with pytest.raises(el.InputError, match="holds something other than a fit; give a directory that is new or empty"):
        el.fit(job, "full")
    assert el.fit("jobs/other.toml", "fit", overwrite=True).converged


def test_either_goes_on_with_the_other(job, command):
    whole = el.fit(job, "whole")
    runs = len(whole.history["loss"])

    class Enough(Exception):
        pass

    for number in (1, 2, runs - 1):
        seen = []

        def stop(run):
            seen.append(run)
            if len(seen) == number:
                raise Enough

        with pytest.raises(Enough):
            el.fit(job, f"stopped{number}", callback=stop)
        stopped = el.Fit(f"stopped{number}")
        assert stopped.status == "interrupted" and len(stopped.history["loss"]) == number
        with pytest.raises(el.IoError, match="this fit has not ended; its status is interrupted"):
            _ = stopped.values
        with pytest.raises(el.InputError, match="holds an unfinished fit; resume=True goes on with it, overwrite=True replaces it"):
            el.fit(job, f"stopped{number}")
        shutil.copytree(f"stopped{number}", f"by_command{number}")
        assert command("fit", job, "-o", f"by_command{number}", "--resume").returncode == 0
        el.fit(job, f"stopped{number}", resume=True)
        assert contents(f"stopped{number}") == contents(f"by_command{number}") == contents("whole")


def test_the_callback_sees_every_run(job):
    seen = []
    found = el.fit(job, "fit", callback=seen.append)
    assert [run.loss for run in seen] == list(found.history["loss"]) and [run.start for run in seen] == list(found.history["start"])
    assert seen[0].values.shape == (4,) and seen[0].values[0] == pytest.approx(20.0) and seen[0].steps == 8 and seen[0].evaluation == 1


def test_ctrl_c_keeps_everything(job):
    whole = el.fit(job, "whole")
    with open(job) as file:
        text = file.read()

    def pressed():
        """Whether Ctrl-C, pressed at the second run, ended the fit; on a busy machine the fit may be over before."""
        seen, keys = [], []

        def press(run):
            seen.append(run)
            if len(seen) == 2:
                keys.append(threading.Timer(0.0, os.kill, (os.getpid(), signal.SIGINT)))
                keys[0].start()

        was_over = False
        try:
            el.fit(job, "fit", callback=press)
            was_over = True
            keys[0].join()
            time.sleep(0.01)  # Python looks for signals behind it, if it has not looked before.
        except KeyboardInterrupt:
            pass
        return not was_over

    for _ in range(20):
        if pressed():
            break
        shutil.rmtree("fit")
    assert el.Fit("fit").status == "interrupted"
    el.fit(job, "fit", resume=True)
    assert contents("fit") == contents("whole") and whole.converged and text == JOB


def test_warnings_are_those_of_the_command(job, command):
    text = JOB.replace("start = 20.0", "start = 2e12").replace("maximum = 100.0\n", "").split("[[scan]]")[0] + "[optimiser]\nevaluations = 1\n"
    with open(job, "w") as file:
        file.write(text)
    done = command("fit", job, "-o", "command")
    assert done.returncode == 1
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", el.ElectretWarning)
        found = el.fit(job, "package")
    told = [str(one.message) for one in caught]
    assert not found.converged and {one.filename for one in caught} == {__file__}
    said = [re.sub("^electret: ", "", line) for line in done.stderr.splitlines()]
    assert [line for line in said if line in told] == told and len(told) >= 2
    assert any("the step of 0.01 s is" in line for line in told) and told[-1].startswith("the fit has not converged after")
    with warnings.catch_warnings():
        warnings.simplefilter("error", el.ElectretWarning)
        with pytest.raises(el.ElectretWarning):
            el.fit(job, "none")
    assert not os.path.exists("none")


def test_wrong_arguments(job):
    with pytest.raises(TypeError, match="callback must be a function, not int"):
        el.fit(job, callback=3)
    with pytest.raises(ValueError, match="memory must be > 0"):
        el.fit(job, memory=0)
    with pytest.raises(el.InputError):
        el.fit("none.toml")
    with pytest.raises(el.IoError, match="there is no such folder"):
        el.Fit("none")
