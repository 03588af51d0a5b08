"""What a simulator tells: warnings, each once, and a line of progress."""

import io
import itertools
import sys
import warnings

import pytest

import electret as el
from conftest import jelly


def test_steps_that_miss_their_tolerance_are_warned_of(tmp_path):
    scene = jelly(steps=4)
    sim = el.Simulator(scene)
    with warnings.catch_warnings():
        warnings.simplefilter("error", el.ElectretWarning)
        sim.run()
    scene.set("integrator.max_iterations", 1)
    said = r"4 of 4 steps ended before integrator\.tolerance was met, within integrator\.max_iterations = 1"
    sim = el.Simulator(scene)
    with pytest.warns(el.ElectretWarning, match=said) as told:
        sim.run()
    assert sim.steps_done == 4 and [one.filename for one in told] == [__file__]
    with pytest.warns(el.ElectretWarning, match=said):
        el.run(scene, tmp_path / "run")


def test_steps_that_miss_their_tolerance_are_warned_of_once():
    scene = jelly(steps=6)
    scene.set("integrator.max_iterations", 1)
    sim = el.Simulator(scene)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", el.ElectretWarning)
        for _ in range(6):
            sim.run(1)
    assert len(told) == 1 and str(told[0].message).startswith("1 of 1 step ended")


@pytest.mark.parametrize("way", ["step", "run"])
def test_charges_too_close_for_the_step_are_warned_of_once(way):
    """Two equal charges fly apart in less than a step, but not in so much less that a simulator tells of it when it is made."""
    scene = el.Scene(time={"step": 0.01, "steps": 3}, coulomb={})
    mesh = el.Mesh([[0, 0, 0], [1e-3, 0, 0], [1, 0, 0]], lines=[[0, 1], [1, 2]])
    scene.body(name="pair", mesh=mesh, mass=1e-3, charges=[3e-9, 3e-9, 0.0])
    sim = el.Simulator(scene)
    with pytest.warns(el.ElectretWarning, match="too large for the charges of vertices 0 and 1") as told:
        for _ in range(3):
            sim.step() if way == "step" else sim.run(1)
    assert [one.filename for one in told] == [__file__]


def test_progress_is_a_line_on_stderr(scene, capfd):
    el.Simulator(scene).run(progress=True)
    out, err = capfd.readouterr()
    assert out == "" and err.endswith("step 20 of 20\n") and err.startswith("\r")


def test_progress_is_shown_at_once_and_ten_times_a_second(monkeypatch):
    """By a clock that goes 1/64 s a step."""
    from electret import _progress

    class Shown(io.StringIO):
        def flush(self):
            lines.append(self.getvalue())
            self.seek(0), self.truncate()

    lines, ticks = [], itertools.count(1000)
    monkeypatch.setattr(sys, "stderr", Shown())
    monkeypatch.setattr(_progress.time, "monotonic", lambda: next(ticks) / 64)
    show = _progress.progress_function(True, "it")
    for done in range(1, 96):
        show(done, 95)
    assert lines == [f"\rit: step {done} of 95" for done in range(1, 95, 7)] + ["\rit: step 95 of 95\n"]


def test_warnings_of_the_scene_are_told_where_a_simulator_is_made():
    """But not of groups that the scene does not use: controls and `groups` may."""
    scene = jelly(steps=2)
    scene.set("body.0.springs.0.neighbours", 40)
    told_of = [text for text in scene.warnings() if " warning: group " not in text]
    assert len(told_of) == 1 and "neighbours" in told_of[0] and len(scene.warnings()) == 3
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", el.ElectretWarning)
        sim = el.Simulator(scene)
        assert [str(one.message) for one in told] == told_of and [one.filename for one in told] == [__file__]
        sim.run()
    assert len(told) == 1
