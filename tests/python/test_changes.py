"""Scenes that change while they run: `[[change]]`, and `Simulator.set` at the same steps, to the bit."""

import numpy as np
import pytest

import electret as el

METHODS = ["imex", "newton", "linear_implicit", "kick_midpoint", "kick_trbdf2", "verlet", "symplectic_euler", "explicit_euler"]
LAST = 30


def chain(method="imex", **tables):
    scene = el.Scene(time={"step": 0.002, "steps": LAST}, integrator={"method": method}, coulomb={"softening": 0.05},
                     gravity={"acceleration": (0, 0, -9.81)}, **tables)
    body = scene.body(name="a", generate={"shape": "chain", "vertices": 8}, mass=0.1, charge=1e-6)
    body.springs("edges", stiffness=30.0)
    body.group(name="end", indices=[0])
    body.pin(group="end")
    return scene


def changing(method="imex", **tables):
    scene = chain(method, **tables)
    scene.change(step=7, set=["body.0.springs.0.stiffness=60"])
    scene.change(step=20, set=["body.0.charge=2e-6", "gravity.acceleration=[0, 0, -3]"])
    return scene


def by_hand(method):
    """Steps, `set`, steps."""
    sim = el.Simulator(chain(method), threads=1)
    sim.run(7)
    sim.set({"body.a.stiffness": 60.0})
    sim.run(13)
    sim.set({"body.a.charge": 2e-6, "gravity": (0, 0, -3)})
    sim.run(LAST - 20)
    return sim


@pytest.mark.parametrize("method", METHODS)
def test_run_and_simulator_have_the_bits_of_set_between_steps(method, tmp_path):
    wanted = by_hand(method)
    el.run(changing(method), tmp_path / "run", threads=3)
    trajectory = el.Run(tmp_path / "run").trajectory
    assert np.array_equal(trajectory.positions[LAST], wanted.positions)
    assert np.array_equal(trajectory.velocities[LAST], wanted.velocities)
    for threads in (1, 3):
        sim = el.Simulator(changing(method), threads=threads)
        sim.run()
        assert np.array_equal(sim.positions, wanted.positions)
        assert sim.work == wanted.work
        assert sim.energies() == wanted.energies()


def test_set_books_the_change_of_energy():
    sim = el.Simulator(chain(), threads=1)
    sim.run(15)
    before, work, places = sum(sim.energies()), sim.work.keyframe_work, sim.positions
    sim.set({"body.a.stiffness": 300.0})
    assert np.array_equal(sim.positions, places)
    gained = sum(sim.energies()) - before
    assert gained > 1e-4
    assert sim.work.keyframe_work - work == pytest.approx(gained, rel=1e-9)


def test_time_goes_on_with_another_step(tmp_path):
    scene = chain("verlet")
    scene.change(step=10, set=["time.step=0.001"])
    sim = el.Simulator(scene, threads=1)
    times = [sim.time]
    sim.run(callback=lambda sim: times.append(sim.time))
    assert times[10] == 10 * 0.002 and times[11] == 10 * 0.002 + 0.001 and times[LAST] == 10 * 0.002 + 20 * 0.001
    assert sim.time_step == 0.001
    el.run(scene, tmp_path / "run")
    trajectory = el.Run(tmp_path / "run").trajectory
    assert trajectory.times.tolist() == times
    assert np.array_equal(trajectory.positions[LAST], sim.positions)


def test_values_that_stay_are_those_after_the_change():
    sim = el.Simulator(changing(), threads=1)
    assert sim.spring_stiffness[0] == 30.0
    sim.run(8)
    assert sim.spring_stiffness[0] == 60.0
    assert sim.parameters["body.a.stiffness"].value == 60.0
    sim.reset()
    assert sim.spring_stiffness[0] == 30.0 and sim.steps_done == 0
    sim.run()
    assert np.array_equal(sim.positions, by_hand("imex").positions)


def test_restore_brings_the_scene_of_the_states_step_back():
    sim = el.Simulator(changing(), threads=1)
    states = {}
    sim.run(callback=lambda sim: states.setdefault(sim.steps_done, sim.state()))
    end = sim.positions
    for step in (3, 7, 25, 20, 8):
        sim.restore(states[step])
        assert sim.spring_stiffness[0] == (30.0 if step <= 7 else 60.0)
        sim.run(LAST - step)
        assert np.array_equal(sim.positions, end)


def test_controls_go_on_through_changes():
    """A driven charge keeps its value; what a simulator that is changed by `set` does is what the scene's change does."""
    def driven(scene, changes):
        sim = el.Simulator(scene, controls=["body.a.charge[end]"], threads=1)
        for step in range(LAST):
            if step in changes:
                sim.set(changes[step])
            sim.step([1e-6 * np.sin(step)])
        return sim

    wanted = driven(chain(), {7: {"body.a.stiffness": 60.0}, 20: {"body.a.charge": 2e-6, "gravity": (0, 0, -3)}})
    sim = driven(changing(), {})
    assert np.array_equal(sim.positions, wanted.positions)
    assert sim.work == wanted.work


def test_set_is_refused_while_changes_are_to_come():
    sim = el.Simulator(changing(), threads=1)
    with pytest.raises(el.InputError, match="lost at the change of step 7"):
        sim.set({"body.a.stiffness": 5.0})
    sim.run(21)
    sim.set({"body.a.stiffness": 5.0})
    assert sim.spring_stiffness[0] == 5.0


def test_gradients_are_refused_at_the_changes():
    sim = el.Simulator(changing(), threads=1)
    with pytest.raises(el.InputError, match="cannot pass the change at step 7") as refused:
        el.Rollout(sim, wrt=["body.a.stiffness"], steps=5).value_and_grad("energy")
    assert [finding.file for finding in refused.value.findings] == ["change.0", "change.1"]


def test_findings_of_changes_are_at_their_keys():
    scene = changing()
    scene.change(step=25, set=["damping.drg=1"])
    found = scene.check()
    assert [finding.file for finding in found] == ["change.2.set"]
    assert "the change at step 25" in found[0].message


def test_a_saved_scene_keeps_its_changes(tmp_path):
    changing().save(tmp_path / "scene.toml")
    sim = el.Simulator(tmp_path / "scene.toml", threads=1)
    sim.run()
    assert np.array_equal(sim.positions, by_hand("imex").positions)


def test_a_function_stays_through_changes():
    def field(x, t):
        return -2.0e5 * x

    def stepped(scene):
        scene.electric_field(function=field)
        sim = el.Simulator(scene, threads=1)
        sim.run(7)
        return sim

    wanted, sim = stepped(chain()), stepped(changing())
    wanted.set({"body.a.stiffness": 60.0})
    wanted.run(10)
    sim.run(10)
    assert np.array_equal(sim.positions, wanted.positions)


def test_a_record_goes_on_through_changes(tmp_path):
    sim = el.Simulator(changing("verlet"), threads=1)
    with sim.record(tmp_path / "run"):
        sim.run()
    trajectory = el.Run(tmp_path / "run").trajectory
    assert trajectory.charges[LAST][1] == 2e-6
    assert np.array_equal(trajectory.positions[LAST], sim.positions)
