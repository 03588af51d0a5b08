"""Stepping: the command's bits, controls, threads, signals, fork, states.

Acceptance points 2 (stepping), 10 (run), 11, 12, 13, 14, 15 (what a control moves) and 24.
"""

import multiprocessing
import os
import pickle
import signal
import threading
import time
import warnings

import numpy as np
import pytest

import electret as el
from conftest import jelly

METHODS = ["imex", "newton", "linear_implicit", "kick_midpoint", "kick_trbdf2", "verlet", "symplectic_euler", "explicit_euler"]


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_stepping_has_the_commands_bits(threads, tmp_path, command):
    scene = jelly(steps=6)
    scene.save(tmp_path / "scene.toml")
    assert command("run", tmp_path / "scene.toml", "-o", tmp_path / "run").returncode == 0
    run, sim = el.Run(tmp_path / "run"), el.Simulator(scene, threads=threads)
    trajectory, energies = run.trajectory, run.energies
    for step in range(7):
        assert np.array_equal(trajectory.positions[step], sim.positions)
        assert np.array_equal(trajectory.velocities[step], sim.velocities)
        assert tuple(row[step] for row in energies) == (sim.time, *sim.energies(), sim.energies().total)
        if step < 6:
            sim.step()


def test_step_and_run_are_one(scene):
    one, other = el.Simulator(scene), el.Simulator(scene)
    for _ in range(20):
        report = one.step()
    assert report.elastic_iterations > 0 and not report.capped
    other.run()
    assert np.array_equal(one.positions, other.positions) and one.steps_done == other.steps_done == 20
    other.run()
    assert other.steps_done == 20
    other.reset()
    assert other.steps_done == 0 and np.array_equal(other.positions, el.Simulator(scene).positions)


@pytest.mark.parametrize("method", METHODS)
def test_a_state_continues_bit_for_bit(method):
    scene = jelly(steps=8, method=method)
    scene.set("time.step", 0.002)
    sim = el.Simulator(scene, controls=["body.jelly.charge[left]"])
    sim.run(4, action=[1e-7])
    kept = pickle.loads(pickle.dumps(sim.state()))
    sim.run(4, action=[2e-7])
    end = sim.state()
    fresh = el.Simulator(pickle.loads(pickle.dumps(scene)), controls=["body.jelly.charge[left]"])
    fresh.restore(kept)
    fresh.run(4, action=[2e-7])
    assert np.array_equal(fresh.positions, end.positions) and np.array_equal(fresh.velocities, end.velocities)
    assert fresh.state().work == end.work


def test_simulators_do_not_pickle(scene):
    with pytest.raises(TypeError, match="pickle its scene and sim.state"):
        pickle.dumps(el.Simulator(scene))


def test_callbacks_read_and_stop(scene):
    sim, times = el.Simulator(scene), []

    def look(sim):
        times.append(sim.time)
        assert np.isfinite(sim.positions).all()
        if len(times) == 3:
            raise el.Stop

    sim.run(callback=look, every=2)
    assert sim.steps_done == 6 and times == [0.02, 0.04, 0.06]
    told = []
    sim.run(progress=lambda done, total: told.append((done, total)))
    assert told == [(k, 14) for k in range(1, 15)]


@pytest.mark.parametrize("method", ["step", "run", "reset", "close"])
def test_a_callback_may_not_step(scene, method):
    sim = el.Simulator(scene)
    with pytest.raises(RuntimeError, match="callback"):
        sim.run(callback=lambda sim: getattr(sim, method)())
    sim.run()
    fresh = el.Simulator(scene)
    fresh.run()
    assert np.array_equal(sim.positions, fresh.positions)


def test_two_threads_on_one_simulator():
    scene = jelly(steps=400, count=200)
    sim, errors, started = el.Simulator(scene, threads=1), [], threading.Event()

    def look():
        started.wait()
        while sim_is_running.is_set():
            try:
                sim.step()
            except RuntimeError as error:
                errors.append(str(error))
                return

    sim_is_running = threading.Event()
    sim_is_running.set()
    other = threading.Thread(target=look)
    other.start()
    sim.run(callback=lambda sim: (started.set(), time.sleep(0.001)), every=1, steps=5)
    sim_is_running.clear()
    other.join()
    assert len(errors) == 1 and "in use" in errors[0]
    fresh = el.Simulator(scene, threads=1)
    fresh.run(5)
    assert np.array_equal(sim.positions, fresh.positions)


def test_simulators_side_by_side(scene):
    from concurrent.futures import ThreadPoolExecutor

    def end(charge):
        made = jelly()
        made.set("body.0.charge", charge)
        sim = el.Simulator(made, threads=1)
        sim.run()
        return sim.positions

    charges = [k * 1e-7 for k in range(8)]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(end, charges))
    assert all(np.array_equal(a, end(q)) for a, q in zip(together, charges))


def test_interrupting_a_run_leaves_a_whole_step():
    scene = jelly(steps=100000, count=64)
    sim = el.Simulator(scene, threads=1)
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        sim.run()
    assert 0 < sim.steps_done < 100000
    done, fresh = sim.steps_done, el.Simulator(scene, threads=1)
    fresh.run(done + 3)
    sim.run(3)
    assert np.array_equal(sim.positions, fresh.positions)


def _in_child(connection, sim, scene, positions, charges):
    try:
        with pytest.raises(RuntimeError, match="fork"):
            sim.step()
        with pytest.raises(RuntimeError, match="fork"):
            _ = sim.positions
        fresh = el.Simulator(scene)
        fresh.run(3)
        connection.send((fresh.positions.copy(), el.field(positions, charges).field))
    except BaseException as error:  # The parent is to see it.
        connection.send(error)


def test_fork_after_use(scene, random):
    positions, charges = random.uniform(-1, 1, (300, 3)), random.uniform(-1e-6, 1e-6, 300)
    sim = el.Simulator(scene)
    sim.run(3)
    field = el.field(positions, charges).field
    here, there = multiprocessing.Pipe()
    child = multiprocessing.get_context("fork").Process(target=_in_child, args=(there, sim, scene, positions, charges))
    child.start()
    assert here.poll(60), "the child hangs"
    answer = here.recv()
    child.join()
    assert not isinstance(answer, BaseException), answer
    assert np.array_equal(answer[0], sim.positions) and np.array_equal(answer[1], field)
    sim.run(2)


def test_a_forked_child_leaves_a_record_to_its_parent(scene, tmp_path):
    sim = el.Simulator(scene)
    with sim.record(tmp_path / "run"):
        sim.run(2)
        child = os.fork()
        if child == 0:
            del sim
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
        sim.run(2)
    run = el.Run(tmp_path / "run")
    assert run.status == "done" and len(run.trajectory) == 5


def _spawned(scene, state):
    sim = el.Simulator(scene)
    sim.restore(state)
    sim.run(2)
    return sim.positions.copy()


def test_spawn_works(scene):
    sim = el.Simulator(scene)
    sim.run(2)
    state = sim.state()
    sim.run(2)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert np.array_equal(pool.apply(_spawned, (scene, state)), sim.positions)


def test_settings_of_the_caller_change_no_bit(scene, tmp_path, monkeypatch):
    sim = el.Simulator(scene)
    sim.run()
    monkeypatch.chdir(tmp_path)
    with np.errstate(all="raise"):
        other = el.Simulator(scene)
        other.run()
    assert np.array_equal(sim.positions, other.positions)


KEYED = """
[time]
step = 0.01
steps = 12
[integrator]
tolerance = 1e-12
[coulomb]
[[body]]
name = "b"
generate = { shape = "lattice", nx = 3, ny = 3, nz = 2, spacing = 0.2 }
mass = 0.02
charge = 1e-7
[[body.springs]]
from = "nearest"
stiffness = 20
[[body.group]]
name = "low"
box = [[-9, -9, -9], [9, 9, 0.05]]
[[body.group]]
name = "one"
indices = [0, 1]
[[body.group_charge]]
group = "low"
times = [0, 0.04, 0.08]
values = [1e-7, 3e-7, -2e-7]
interpolation = "step"
[[body.pin]]
group = "one"
[[body.load]]
group = "low"
force = [0, 0, 0.01]
[[external_charge]]
charge = -1e-6
position = [0, 0, 2]
"""


def keyed():
    return el.Scene.parse(KEYED)


def test_driving_key_frames_gives_their_bits():
    scheduled, driven = el.Simulator(keyed()), el.Simulator(keyed(), controls=["body.b.charge[low]"])
    for step in range(12):
        scheduled.step()
        driven.step([1e-7 if step < 4 else 3e-7 if step < 8 else -2e-7])
        assert np.array_equal(scheduled.positions, driven.positions)
    undriven = el.Simulator(keyed(), controls=["body.b.charge[low]"])
    undriven.run()
    assert np.array_equal(scheduled.positions, undriven.positions)


def test_accounts_of_a_driven_run_balance():
    def imbalance(factor):
        scene = keyed()
        scene.set("time.step", 0.01 / factor)
        scene.set("time.steps", 12 * factor)
        sim = el.Simulator(scene, controls=["body.b.charge[low]", "external_charge.0.position", "body.b.pin[one].offset"])
        first = sim.energies().total
        for step in range(12 * factor):
            t = step // factor
            sim.step(np.array([1e-7 * (1 + t % 3), 0.1 * (t % 2), 0.0, 2.0, 0.02 * ((step + 1) / (12 * factor)) ** 2, 0.0, 0.0]))
        work = sim.work
        assert work.keyframe_work != 0.0 and work.pin_work != 0.0
        return abs(sim.energies().total - first - work.field_work - work.keyframe_work - work.pin_work + work.dissipation)

    errors = [imbalance(factor) for factor in (4, 8, 16)]
    assert errors[1] < 0.7 * errors[0] and errors[2] < 0.7 * errors[1]


def test_each_control_moves_what_it_names():
    names = ["body.b.charge[one]", "external_charge.0.charge", "external_charge.0.position", "body.b.pin[one].positions",
             "body.b.load.0.force", "body.b.forces"]
    sim = el.Simulator(keyed(), controls=names)
    controls = sim.controls
    assert controls.names == tuple(names) and controls.units == ("C", "C", "m", "m", "N", "N")
    assert controls.shapes == ((), (), (3,), (2, 3), (3,), (18, 3)) and controls.size == 1 + 1 + 3 + 6 + 3 + 54
    schedule = {"body.b.charge[one]": 1e-7, "external_charge.0.charge": -1e-6, "external_charge.0.position": [0, 0, 2],
                "body.b.pin[one].positions": sim.positions[:2].copy(), "body.b.load.0.force": [0, 0, 0.01],
                "body.b.forces": np.zeros((18, 3))}
    action = controls.pack(schedule)
    assert np.array_equal(controls.pack(controls.unpack(action)), action)
    base = el.Simulator(keyed(), controls=names)
    base.step(action)
    pins = base.positions[:2].copy()
    for name in names:
        moved = dict(schedule)
        moved[name] = np.asarray(schedule[name]) * 1.01 + 1e-9
        sim = el.Simulator(keyed(), controls=names)
        sim.step(controls.pack(moved))
        assert not np.array_equal(sim.positions, base.positions), name
        if name.startswith("body.b.pin"):
            assert np.array_equal(sim.positions[:2], moved[name])
        else:
            assert np.array_equal(sim.positions[:2], pins)
        charges = base.charges.copy()
        if name == "body.b.charge[one]":
            charges[:2] = moved[name]
        assert np.array_equal(sim.charges, charges)


@pytest.mark.parametrize("names, words", [
    (["body.b.chrge"], "body.b.charge"), (["body.b.charge", "body.b.charges"], "drives numbers that"),
    (["body.b.charge[low]", "body.b.charge[one]"], "drives numbers that"), (["body.b.pin[one].offset"] * 2, "drives numbers that"),
    (["external_charge.3.charge", "body.x.charge"], "external_charge.0.charge")])
def test_wrong_controls(names, words):
    with pytest.raises(el.InputError, match=words.replace("[", r"\[")) as caught:
        el.Simulator(keyed(), controls=names)
    assert len(caught.value.findings) >= 1


def test_wrong_actions(scene):
    sim = el.Simulator(scene, controls=["body.jelly.charge"])
    for bad, error in (([1.0, 2.0], ValueError), ([np.nan], ValueError), (["a"], TypeError)):
        with pytest.raises(error, match="action"):
            sim.step(bad)
    with pytest.raises(ValueError, match="no controls"):
        el.Simulator(scene).step([1.0])
    with pytest.raises(ValueError, match="values: wanted"):
        sim.controls.pack({})
    assert sim.steps_done == 0


def test_parameters_are_set_between_steps(scene):
    sim = el.Simulator(scene)
    assert sim.parameters["body.jelly.stiffness"].value == 30.0 and "body.jelly.stiffness" in repr(sim.parameters)
    assert sim.parameters["body.jelly.stiffness"].scale == "log" and sim.parameters["body.jelly.charges"].shape == (32,)
    sim.run(3)
    x = sim.positions
    sim.set({"body.jelly.stiffness": 60.0, "gravity": [0.0, 0.0, -2.0]})
    assert np.array_equal(sim.positions, x) and sim.steps_done == 3 and (sim.spring_stiffness == 60.0).all()
    sim.run(3)
    stiff = jelly()
    stiff.set("body.0.springs.0.stiffness", 60.0)
    stiff.set("gravity.acceleration", [0.0, 0.0, -2.0])
    other = el.Simulator(stiff)
    half = el.Simulator(scene)
    half.run(3)
    other.restore(half.state())
    other.run(3)
    assert np.array_equal(other.positions, sim.positions)
    with pytest.raises(el.InputError, match="stiffnes"):
        sim.set({"body.jelly.stiffnes": 1.0})
    with pytest.raises(el.InputError, match="-3"):
        sim.set({"body.jelly.stiffness": -3.0})
    with pytest.raises(ValueError, match="body.jelly.charges"):
        sim.set({"body.jelly.charges": [1.0]})


def test_what_stays(scene):
    sim = el.Simulator(scene)
    assert sim.masses.shape == (32,) and sim.bodies["jelly"] == slice(0, 32, 1)
    left = sim.groups["jelly[left]"]
    assert left.dtype == np.int64 and left.flags.writeable and (sim.positions[left, 0] <= 0).all()
    assert sim.springs.dtype == np.int64 and sim.springs.max() < 32 and sim.faces.shape[1] == 3
    assert sim.scene == scene and sim.choices["integrator"] == "imex" and sim.time_step == 0.01
    assert "32 vertices" in repr(sim)
    sim.close()
    sim.close()
    with pytest.raises(RuntimeError, match="closed"):
        sim.step()
    assert "closed" in repr(sim)


def test_a_diverged_step_leaves_the_last_good_state(scene):
    sim = el.Simulator(scene, controls=["body.jelly.charge"])
    sim.run(3, action=[1e-7])
    before = sim.positions.copy()
    with pytest.raises(el.DivergenceError) as caught:
        sim.run(4, action=[1e8])
    error = caught.value
    assert isinstance(error, ArithmeticError) and error.step == sim.steps_done + 1 and error.cause and error.advice
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), copy.step, copy.vertex) == (str(error), error.step, error.vertex)
    assert np.array_equal(sim.positions, before)
    sim.run(2, action=[1e-7])
    assert np.isfinite(sim.positions).all()


def test_pins_react_where_a_step_led_to_the_state():
    scene = keyed()
    sim = el.Simulator(scene)
    assert not sim.pin_reactions.any()
    sim.run(2)
    state, reactions = sim.state(), sim.pin_reactions
    assert reactions.any()
    sim.restore(state)
    assert not sim.pin_reactions.any()
    sim.run(2)
    sim.reset()
    assert not sim.pin_reactions.any()
    driven = el.Simulator(scene, controls=["body.b.charges"])
    driven.run(2, action=np.zeros(18))
    before = driven.pin_reactions
    with pytest.raises(el.DivergenceError):
        driven.run(9, action=np.full(18, 1e12))
    assert before.any() and np.isfinite(driven.pin_reactions).all()


def test_observables_are_the_files(tmp_path, scene):
    run, sim = el.run(scene, tmp_path / "run"), el.Simulator(scene)
    for frame in range(4):
        now, row = sim.observables(), [column[frame] for column in run.observables.values()]
        flat = np.concatenate([np.atleast_1d(value) for value in now])
        assert flat.tolist() == row and len(row) == 12
        sim.step()
    assert np.allclose(now.centre_of_mass, np.average(run.trajectory.positions[3], axis=0, weights=sim.masses)) and now.smallest_charge_distance < 1.0
    chain = el.Scene(time={"step": 0.1, "steps": 1})
    chain.body(name="c", generate={"shape": "chain", "vertices": 3}, mass=1.0)
    assert el.Simulator(chain).observables().smallest_charge_distance == float("inf")


def test_every_array_that_a_method_keeps_is_taken_back():
    scene = el.Scene(time={"step": 0.05, "steps": 5}, integrator={"method": "newton"}, gravity={"acceleration": (0, 0, -9.81)})
    cloth = scene.body(name="cloth", generate={"shape": "grid", "rows": 40, "columns": 40}, mass=0.001)
    cloth.springs("edges", stiffness=1e3)
    cloth.springs("diagonals", stiffness=500.0)
    cloth.group(name="corners", indices=[0, 39])
    cloth.pin(group="corners")
    sim = el.Simulator(scene)
    sim.run(2)
    state = sim.state()
    assert {name: len(values) for name, values in state.memory.items()} == {"elastic_solver": 5, "multigrid_place": 4800}
    sim.run(1)
    wanted = sim.positions
    sim.restore(state)
    sim.run(1)
    assert np.array_equal(sim.positions, wanted)


def test_steps_that_miss_their_tolerance_are_warned_of(tmp_path):
    scene = jelly(steps=4)
    sim = el.Simulator(scene)
    with warnings.catch_warnings():
        warnings.simplefilter("error", el.ElectretWarning)
        sim.run()
    scene.set("integrator.max_iterations", 1)
    said = r"4 of 4 steps stopped at integrator\.max_iterations = 1"
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
    assert len(told) == 1 and str(told[0].message).startswith("1 of 1 steps stopped")


def test_the_number_of_threads_is_the_callers(scene):
    for threads in (1, 2, 7):
        assert el.Simulator(scene, threads=threads).threads == threads


def test_a_report_tells_residual_and_target_apart():
    """The target follows the tolerance; a solve that met it is below."""
    reports = []
    for tolerance in (1e-6, 1e-3):
        scene = jelly(steps=1)
        scene.set("integrator.tolerance", tolerance)
        reports.append(el.Simulator(scene).step())
    fine, coarse = reports
    assert coarse.residual_target == pytest.approx(1000 * fine.residual_target, rel=1e-9)
    assert fine.residual <= fine.residual_target and fine.residual != fine.residual_target


def test_springs_and_pins_are_where_they_are():
    scene = jelly(steps=3)
    sim = el.Simulator(scene)
    a, b = sim.rest_positions[sim.springs.T]
    assert np.allclose(sim.spring_rest_length, np.linalg.norm(a - b, axis=1), rtol=1e-12)
    pinned = el.Simulator(keyed())
    assert np.array_equal(pinned.pin_positions, pinned.positions[:2]) and pinned.pin_positions.any()


def test_progress_is_a_line_on_stderr(scene, capfd):
    el.Simulator(scene).run(progress=True)
    out, err = capfd.readouterr()
    assert out == "" and err.endswith("step 20 of 20\n") and err.startswith("\r")


@pytest.mark.parametrize("way", ["step", "run"])
def test_charges_too_close_for_the_step_are_warned_of_once(way):
    """Two equal charges fly apart in far less than a step."""
    scene = el.Scene(time={"step": 0.01, "steps": 3}, coulomb={})
    mesh = el.Mesh([[0, 0, 0], [1e-3, 0, 0], [1, 0, 0]], lines=[[0, 1], [1, 2]])
    scene.body(name="pair", mesh=mesh, mass=1e-3, charges=[1e-7, 1e-7, 0.0])
    sim = el.Simulator(scene)
    with pytest.warns(el.ElectretWarning, match="too large for the charges of vertices 0 and 1") as told:
        for _ in range(3):
            sim.step() if way == "step" else sim.run(1)
    assert [one.filename for one in told] == [__file__]
