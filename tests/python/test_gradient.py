"""Gradients in numpy: the command's bits, differences, controls, memory, problems for scipy.

Acceptance points 3 (gradients), 15, 16 (el.gradient and Rollout.vjp), 18 (numpy's part) and 21.
"""

import json
import warnings

import numpy as np
import pytest

import electret as el
from conftest import KEYED, METHODS, jelly
from electret._parameters import checked_values

WRT = ["body.jelly.stiffness", "body.jelly.charges", "body.jelly.positions", "body.jelly.velocities", "gravity", "damping.drag",
       "external_charge.0.charge", "external_charge.0.position", "body.jelly.mass"]


@pytest.mark.parametrize("loss", ["energy", "centre_of_mass:0.1,0,0.3"])
def test_the_commands_bits(loss, tmp_path, command):
    scene = jelly(steps=8)
    scene.save(tmp_path / "scene.toml")
    said = command("gradient", tmp_path / "scene.toml", "--loss", loss, "--wrt", ",".join(WRT))
    assert said.returncode == 0, said.stderr
    wanted = json.loads(said.stdout)
    for given in (scene, tmp_path / "scene.toml"):
        got = el.gradient(given, loss, WRT, memory="1GB")
        assert got.loss == wanted["loss"] and list(got) == WRT
        for name in WRT:
            assert np.array_equal(got[name], wanted["gradient"][name]), name
    few = el.gradient(scene, loss, WRT, memory=3 * (72 * 32 + 256), threads=1)
    assert all(np.array_equal(few[name], got[name]) for name in WRT) and few.report["forward_steps"] > 8


def test_check_as_the_commands(tmp_path, command):
    scene = jelly(steps=4)
    scene.save(tmp_path / "scene.toml")
    names = ["body.jelly.stiffness", "external_charge.0.position"]
    wanted = json.loads(command("gradient", tmp_path / "scene.toml", "--loss", "energy", "--wrt", ",".join(names), "--check").stdout)
    got = el.gradient(scene, "energy", names, check=True)
    for name in names:
        assert np.array_equal(got.check[name][0], wanted["finite_difference"][name])
        assert np.array_equal(got.check[name][1], wanted["relative_error"][name])
        assert np.max(got.check[name][1]) < 1e-6


def test_cotangents_give_what_losses_give(random):
    scene, target = jelly(steps=8), random.normal(size=(32, 3))
    roll = el.Rollout(el.Simulator(scene), wrt=WRT)
    value, by_loss = roll.value_and_grad(el.loss.final_position(target))
    again = el.gradient(scene, el.loss.final_position(target), WRT)
    traj = roll.forward()
    assert value == pytest.approx(((traj.positions[0] - target) ** 2).sum() / 32, rel=1e-14)
    by_hand = roll.vjp({"positions": (2.0 / 32) * (traj.positions - target)})
    for name in WRT:
        assert np.array_equal(by_loss[name], again[name])
        assert np.array_equal(by_hand[name], by_loss[name])


def test_losses_add_up(random):
    scene = jelly(steps=6)
    roll = el.Rollout(el.Simulator(scene), wrt=["body.jelly.charges"])
    parts = [el.loss.energy(), el.loss.centre_of_mass((0, 1, 0)), el.loss.trajectory(random.normal(size=(2, 32, 3)), [3, 6])]
    found = [roll.value_and_grad(part) for part in parts]
    value, gradient = roll.value_and_grad(parts[0] * 2.0 - parts[1] + 0.5 * parts[2])
    weights = (2.0, -1.0, 0.5)
    assert value == pytest.approx(sum(w * v for w, (v, _) in zip(weights, found)))
    assert np.allclose(gradient["body.jelly.charges"], sum(w * g["body.jelly.charges"] for w, (_, g) in zip(weights, found)), rtol=1e-10)


def moving(traj):
    """Σ over frames of a fixed function of positions and velocities, and its cotangents."""
    weights = np.cos(np.arange(traj.positions.size)).reshape(traj.positions.shape)
    value = (weights * traj.positions).sum() + 0.5 * (traj.positions ** 2).sum() + 0.01 * (weights * traj.velocities).sum()
    return value, {"positions": weights + traj.positions, "velocities": 0.01 * weights}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("hold", [1, 3])
def test_every_control_against_differences(method, hold):
    scene = el.Scene.parse(KEYED, overrides={"integrator.method": method, "time.step": 0.004})
    names = ["body.b.charges", "external_charge.0.charge", "external_charge.0.position", "body.b.pin[one].positions",
             "body.b.load.0.force", "body.b.forces"]
    sim = el.Simulator(scene, controls=names)
    first = sim.controls.pack({"body.b.charges": np.full(18, 2e-7), "external_charge.0.charge": -1e-6, "external_charge.0.position": [0, 0.1, 2],
                               "body.b.pin[one].positions": sim.positions[:2] + 0.01, "body.b.load.0.force": [0, 0.01, 0.02],
                               "body.b.forces": np.full((18, 3), 0.003)})
    intervals = -(-7 // hold)
    actions = first * (1.0 + 0.02 * np.arange(intervals)[:, None])
    roll = el.Rollout(sim, wrt=["body.b.stiffness", "body.b.positions"], steps=7, hold=hold, frames="all")
    assert max(row.relative_error for row in roll.check(moving, actions=actions)) < 1e-6
    _, gradient = roll.value_and_grad(moving, actions=actions)
    for control, part in sim.controls.unpack(gradient["actions"][0]).items():
        assert np.any(part), control


def test_one_offset_and_one_group():
    sim = el.Simulator(el.Scene.parse(KEYED), controls=["body.b.charge[low]", "body.b.pin[one].offset"])
    roll = el.Rollout(sim, steps=9, hold=2, frames=(4, -1))
    actions = np.array([[1e-7 * (j + 1), 0.01, 0.002 * j, 0.0] for j in range(5)])
    assert max(row.relative_error for row in roll.check(moving, actions=actions)) < 1e-6
    # The last interval's pin goes to the place itself.
    traj = roll.forward(actions=actions)
    assert np.array_equal(traj.positions[-1][:2], sim.rest_positions[:2] + actions[-1, 1:]) and traj.steps == (4, 9)


def test_what_is_found_is_a_fault_put_into_a_derivative():
    roll = el.Rollout(el.Simulator(jelly(steps=5)), wrt=["body.jelly.stiffness", "body.jelly.charges"])

    def wrong(traj):
        value, cotangents = moving(traj)
        return value, {"positions": cotangents["positions"] * 1.001, "velocities": cotangents["velocities"]}

    assert max(row.relative_error for row in roll.check(moving)) < 1e-6
    assert max(row.relative_error for row in roll.check(wrong)) > 1e-4


def test_a_second_vjp_and_values_changed_in_between(random):
    sim = el.Simulator(jelly(steps=10), controls=["body.jelly.charge"])
    roll = el.Rollout(sim, wrt=["body.jelly.stiffness"], hold=4, memory=3 * (72 * 32 + 256))
    values, actions = {"body.jelly.stiffness": 25.0}, np.array([[1e-7], [2e-7], [0.0]])
    seed = random.normal(size=(1, 32, 3))
    roll.forward(values, actions)
    first = roll.vjp({"positions": seed})
    before = seed.copy()
    values["body.jelly.stiffness"] = 1.0
    actions[:] = 5.0
    sim.set({"body.jelly.stiffness": 2.0})
    second = roll.vjp({"positions": seed})
    assert first["body.jelly.stiffness"] == second["body.jelly.stiffness"] and np.array_equal(first["actions"], second["actions"])
    assert np.array_equal(seed, before)
    fresh = el.Rollout(el.Simulator(jelly(steps=10), controls=["body.jelly.charge"]), wrt=["body.jelly.stiffness"], hold=4)
    fresh.forward({"body.jelly.stiffness": 25.0}, np.array([[1e-7], [2e-7], [0.0]]))
    third = fresh.vjp({"positions": seed})
    assert third["body.jelly.stiffness"] == first["body.jelly.stiffness"] and np.array_equal(third["actions"], first["actions"])


def test_a_given_start_is_differentiated(random):
    scene = jelly(steps=12)
    sim = el.Simulator(scene)
    sim.run(4)
    state = sim.state()
    sim.run(5)
    roll = el.Rollout(sim, steps=5)
    traj = roll.forward(start=state)
    assert np.array_equal(traj.positions[0], sim.positions) and traj.times[0] == pytest.approx(0.09)
    gradient = roll.vjp({"positions": np.ones((1, 32, 3))})
    direction, h = random.normal(size=(32, 3)), 1e-6

    def total(offset):
        moved = state._replace(positions=state.positions + offset * direction)
        return roll.forward(start=moved).positions.sum()

    wanted = (total(h) - total(-h)) / (2 * h)
    assert (gradient["start.positions"] * direction).sum() == pytest.approx(wanted, rel=1e-6)


def test_the_schedule_drives_where_no_actions_are_given():
    scene = el.Scene.parse(KEYED)
    driven = el.Rollout(el.Simulator(scene, controls=["body.b.charge[low]"]), frames="all").forward()
    sim = el.Simulator(scene)
    for frame in driven.positions:
        assert np.array_equal(frame, sim.positions)
        sim.step()


def test_values_at_the_end_of_their_range_are_checked_from_inside(random):
    """Where a difference to both sides would leave the range, which the run refuses."""
    scene = jelly(steps=6)
    scene.set("damping.drag", 0.0)
    scene.set("body.0.charge", 0.0)
    sim = el.Simulator(scene, controls=["body.jelly.forces"])
    low = sim.parameters["damping.drag"].bounds[0]
    assert low == 0.0
    roll = el.Rollout(sim, wrt=["damping.drag", "gravity", "body.jelly.charges"], hold=3)
    actions = random.normal(size=(2, 96)) * 1e-3
    rows = roll.check(moving, actions=actions)
    assert len(rows) == 4 and max(row.relative_error for row in rows) < 1e-6 and all(row.difference != 0.0 for row in rows)

    def wrong(traj):
        value, cotangents = moving(traj)
        return value, {"positions": cotangents["positions"] * 1.01}

    assert max(row.relative_error for row in roll.check(wrong, actions=actions)) > 1e-3
    near = el.Rollout(sim, wrt=["damping.drag"]).check("energy", {"damping.drag": 1e-3})
    assert max(row.relative_error for row in near) < 1e-6
    # One row alone, whose own direction leads out of the range: the drag slows the fall.
    alone = el.Rollout(sim, wrt=["damping.drag"]).check("energy")
    assert all(row.gradient == row.gradient != 0.0 for row in alone) and max(row.relative_error for row in alone) < 1e-6


@pytest.mark.parametrize("name, scale, low, high", [
    ("mass", "linear", 1e-9, None), ("mass", "log", None, None), ("mass", (0.0, 90.0), 1e-9, 1.0), ("mass", (10.0, 90.0), 0.0, 1.0),
    ("stiffness", "linear", 0.0, None), ("stiffness", (0.0, 90.0), 0.0, 1.0)], ids=str)
def test_a_problem_keeps_to_a_parameters_range(name, scale, low, high):
    """A mass is above 0, not 0 itself; a stiffness may be 0."""
    roll = el.Rollout(el.Simulator(jelly(steps=3)), wrt=[f"body.jelly.{name}"])
    p = el.Problem(roll, "energy", {f"body.jelly.{name}": scale})
    ((found_low, found_high),) = p.bounds
    assert found_low == (None if low is None else pytest.approx(low, abs=1e-12)) and found_high == (None if high is None else pytest.approx(high))
    for bound in (found_low, found_high):
        if bound is not None:
            # What is at a bound is taken, even where no motion comes of it.
            checked_values(roll.parameters, p.values([bound]))


def test_a_search_stays_in_the_range():
    """Towards less drag than none: without bounds the search leaves the range and ends in an error."""
    optimize = pytest.importorskip("scipy.optimize")
    roll = el.Rollout(el.Simulator(jelly(steps=10)), wrt=["damping.drag"])
    p = el.Problem(roll, 1e3 * el.loss.centre_of_mass((0, 0, -5.0)), {"damping.drag": "linear"})
    assert p.bounds == [(0.0, None)]
    found = optimize.minimize(p, p.start(), jac=True, bounds=p.bounds, method="L-BFGS-B")
    assert p.values(found.x)["damping.drag"] == 0.0 and "Problem by damping.drag" in repr(p)


@pytest.mark.parametrize("make, error, words", [
    (lambda roll: el.Problem(roll, "energy", {}), ValueError, "nothing is to be moved; name body.jelly.stiffness or actions"),
    (lambda roll: el.Problem(roll, "energy", {"body.jelly.stiffness": (-1.0, 5.0)}), ValueError, r"leaves the parameter's range; allowed: ≥ 0"),
    (lambda roll: el.Problem(roll, "energy", {"body.jelly.stiffness": (5.0, 5.0)}), ValueError, "low < high"),
    (lambda roll: el.Problem(el.Rollout(el.Simulator(jelly())), "energy", {"actions": "linear"}), ValueError, "no controls")])
def test_problems_that_are_none(make, error, words):
    sim = el.Simulator(jelly(steps=3), controls=["body.jelly.charge"])
    with pytest.raises(error, match=words):
        make(el.Rollout(sim, wrt=["body.jelly.stiffness"]))


def test_actions_that_are_not_moved_hold():
    sim = el.Simulator(jelly(steps=4), controls=["body.jelly.charge"])
    roll, actions = el.Rollout(sim, wrt=["gravity"]), np.full((4, 1), 3e-7)
    p = el.Problem(roll, "energy", {"gravity": "linear"}, actions=actions)
    assert p(p.start())[0] == roll.value("energy", actions=actions) != roll.value("energy")


def test_excluded_ends_are_refused():
    sim = el.Simulator(jelly(steps=3))
    assert sim.parameters["body.jelly.mass"].excludes[0] and not sim.parameters["damping.drag"].excludes[0]
    for call in (sim.set, lambda values: el.Rollout(sim).forward(values)):
        with pytest.raises(el.InputError, match="body.jelly.mass: error: is set to 0; allowed: > 0"):
            call({"body.jelly.mass": 0.0})
    sim.set({"damping.drag": 0.0})


def test_problems_recover_a_stiffness_and_charges(random):
    optimize = pytest.importorskip("scipy.optimize")
    truth = jelly(steps=30, count=16)
    truth.set("body.0.springs.0.stiffness", 50.0)
    charges = np.full(16, 2e-7)
    charges[:6] = [4e-7, -1e-7, 3e-7, 1e-7, 5e-7, -2e-7]
    truth.set("body.0.charges", charges)
    tables = truth.to_toml().replace("charge = 2e-07\n", "", 1)
    goal = el.Rollout(el.Simulator(el.Scene.parse(tables)), frames="all").forward()
    start = el.Scene.parse(tables)
    start.set("body.0.springs.0.stiffness", 20.0)
    start.set("body.0.charges", np.full(16, 1e-7))
    roll = el.Rollout(el.Simulator(start), wrt=["body.jelly.stiffness", "body.jelly.charges"], frames="all")
    p = el.Problem(roll, el.loss.trajectory(goal.positions[1:], range(1, 31)) * 1e6, {"body.jelly.stiffness": "log", "body.jelly.charges": (-1e-6, 1e-6)})
    found = optimize.minimize(p, p.start(), jac=True, bounds=p.bounds, method="L-BFGS-B", options={"maxiter": 400, "ftol": 0.0, "gtol": 1e-10, "maxfun": 600})
    values = p.values(found.x)
    assert values["body.jelly.stiffness"] == pytest.approx(50.0, rel=1e-4)
    assert np.allclose(values["body.jelly.charges"], charges, atol=2e-9)


@pytest.mark.parametrize("make, error, words", [
    (lambda sim: el.Rollout(sim, wrt=["body.jelly.stifness", "x"]), el.InputError, "body.jelly.stiffness"),
    (lambda sim: el.Rollout(sim, wrt="body.jelly.stiffness"), TypeError, "list"), (lambda sim: el.Rollout(sim, memory=100), ValueError, "three states"),
    (lambda sim: el.Rollout(sim, memory="2 lumps"), ValueError, "2GB"), (lambda sim: el.Rollout(sim, hold=0), ValueError, "hold"),
    (lambda sim: el.Rollout(sim, frames=[99]), ValueError, "frames"), (lambda sim: el.Rollout(sim).forward(actions=[[1.0]]), ValueError, "controls"),
    (lambda sim: el.Rollout(sim).forward({"body.jelly.stiffness": -1.0}), el.InputError, "-1"),
    (lambda sim: el.Rollout(sim).value("enrgy"), el.InputError, "enrgy"), (lambda sim: el.Rollout(sim).value(3.0), TypeError, "loss"),
    (lambda sim: el.Rollout(sim).value(lambda traj: 1.0), TypeError, "cotangents"),
    (lambda sim: el.Rollout(sim).value(lambda traj: 1 / 0), ZeroDivisionError, "division"),
    (lambda sim: el.Rollout(sim).value(el.loss.final_position([[0, 0, 0]])), ValueError, "target"),
    (lambda sim: el.Problem(el.Rollout(sim), "energy", {"gravity": "log"}), el.GradientError, "wrt"),
    (lambda sim: el.Problem(el.Rollout(sim, wrt=["gravity"]), "energy", {"gravity": "log"}), ValueError, "positive")])
def test_wrong_arguments(make, error, words):
    with pytest.raises(error, match=words):
        make(el.Simulator(jelly(steps=3)))


@pytest.mark.parametrize("cotangents, words", [
    ({"positions": np.full((1, 32, 3), np.nan)}, "cotangent of positions must be finite, not nan"), ({"velocities": np.zeros((32, 3))}, "cotangent of velocities must have shape"),
    ({"energy": np.inf}, "cotangent of energy"), ({"charges": 1.0}, "charges")])
def test_wrong_cotangents(cotangents, words):
    roll = el.Rollout(el.Simulator(jelly(steps=3)), wrt=["gravity"])
    roll.forward()
    with pytest.raises(ValueError, match=words):
        roll.vjp(cotangents)
    assert np.any(roll.vjp({"energy": 1.0})["gravity"])


def test_gradients_of_steps_that_miss_their_tolerance_are_warned_of():
    scene = jelly(steps=4)
    scene.set("integrator.max_iterations", 1)
    said = r"4 of 4 steps ended before integrator\.tolerance was met.* the gradient is only as exact as these steps"
    with pytest.warns(el.ElectretWarning, match=said) as told:
        el.gradient(scene, "energy", ["gravity"])
    assert [one.filename for one in told if "as these steps" in str(one.message)] == [__file__]
    roll = el.Rollout(el.Simulator(scene), wrt=["gravity"])
    with pytest.warns(el.ElectretWarning, match=said) as told:
        roll.value_and_grad("energy")
        roll.value_and_grad("energy")
    assert [one.filename for one in told] == [__file__]
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", el.ElectretWarning)
        el.gradient(jelly(steps=4), "energy", ["gravity"])
    assert not [one for one in told if "as these steps" in str(one.message)]


def test_the_cotangent_of_energy_is_that_of_the_loss():
    roll = el.Rollout(el.Simulator(jelly(steps=8)), wrt=["body.jelly.stiffness", "body.jelly.velocities"])
    _, wanted = roll.value_and_grad("energy")
    up, down = (roll.value("energy", {"body.jelly.stiffness": 30.0 + h}) for h in (1e-3, -1e-3))
    assert wanted["body.jelly.stiffness"] == pytest.approx((up - down) / 2e-3, rel=1e-5)
    roll.forward()
    for factor in (1.0, -2.5):
        got = roll.vjp({"energy": factor})
        for name in roll.wrt:
            assert np.allclose(got[name], factor * np.asarray(wanted[name]), rtol=1e-6, atol=0.0), name


def test_a_given_starts_velocities_are_differentiated(random):
    sim = el.Simulator(jelly(steps=12))
    sim.run(4)
    state, roll, direction, h = sim.state(), el.Rollout(sim, steps=5), random.normal(size=(32, 3)), 1e-6
    weights = random.normal(size=(1, 32, 3))

    def total(offset):
        return (weights * roll.forward(start=state._replace(velocities=state.velocities + offset * direction)).positions).sum()

    wanted = (total(h) - total(-h)) / (2 * h)
    roll.forward(start=state)
    assert (roll.vjp({"positions": weights})["start.velocities"] * direction).sum() == pytest.approx(wanted, rel=1e-6)


@pytest.mark.parametrize("scale", ["log", "linear", (5.0, 90.0)], ids=str)
def test_a_problems_gradient_against_its_differences(scale):
    roll = el.Rollout(el.Simulator(jelly(steps=8)), wrt=["body.jelly.stiffness"])
    p = el.Problem(roll, 1e3 * el.loss.centre_of_mass((0.1, 0.0, 0.3)) + el.loss.energy(), {"body.jelly.stiffness": scale})
    theta, h = p.start(), 1e-4
    _, slope = p(theta)
    wanted = (p(theta + h)[0] - p(theta - h)[0]) / (2 * h)
    assert slope[0] != 0.0 and slope[0] == pytest.approx(wanted, rel=1e-5)


def test_a_start_is_differentiated_only_where_one_was_given():
    sim = el.Simulator(jelly(steps=6))
    roll = el.Rollout(sim, wrt=["gravity"], steps=4)
    roll.forward()
    plain = roll.vjp({"energy": 1.0})
    roll.forward(start=sim.state())
    assert set(roll.vjp({"energy": 1.0})) == {"gravity", "start.positions", "start.velocities"}
    roll.forward()
    again = roll.vjp({"energy": 1.0})
    assert list(again) == ["gravity"] and np.array_equal(again["gravity"], plain["gravity"])


@pytest.mark.parametrize("memory", [2 * 2560, 5 * 1280, 3 * 2560 - 1])
def test_the_least_memory_is_three_states(memory):
    sim = el.Simulator(jelly(steps=3))
    with pytest.raises(ValueError, match="at least three states of 2560 bytes"):
        el.Rollout(sim, memory=memory)
    assert el.Rollout(sim, wrt=["gravity"], memory=3 * 2560).value_and_grad("energy")[1].report["forward_steps"] >= 3


def test_a_gradient_has_the_value_of_a_loss_that_is_a_function():
    roll = el.Rollout(el.Simulator(jelly(steps=4)), wrt=["gravity"])
    value, gradient = roll.value_and_grad(moving)
    assert gradient.loss == value == moving(roll.forward())[0]
    assert roll.vjp(moving(roll.forward())[1]).loss is None


def test_a_problem_keeps_every_loss():
    roll = el.Rollout(el.Simulator(jelly(steps=4)), wrt=["gravity"])
    p = el.Problem(roll, "energy", {"gravity": "linear"})
    assert p.history == []
    values = [p(p.start() * factor)[0] for factor in (1.0, 1.5, 0.5)]
    assert p.history == values and len(set(values)) == 3 and "3 calls" in repr(p)


def test_signs_and_ends_of_sums_of_losses():
    roll = el.Rollout(el.Simulator(jelly(steps=6)))
    energy, centre = el.loss.energy(), el.loss.centre_of_mass((0, 0, 1))
    e, c = roll.value(energy), roll.value(centre)
    assert e != 0.0
    for made, wanted in ((2 * (-energy), -2 * e), (-(-energy), e), (-2 * (energy - 2 * energy), 2 * e), (-(centre - 3 * energy) * 2, 6 * e - 2 * c)):
        assert roll.value(made) == pytest.approx(wanted, rel=1e-12), made
    late = el.loss.trajectory(np.zeros((1, 32, 3)), [9])
    for made in (energy + late, late + energy, -(energy - late), 2 * late):
        with pytest.raises(ValueError, match="it reads step 9, the run has 6"):
            roll.value(made)


def test_derivatives_that_do_not_exist_raise(tmp_path):
    # The exponent of a negative number.
    scene = jelly(steps=2)
    scene.save(tmp_path / "scene.toml")
    with open(tmp_path / "scene.toml", "a") as file:
        file.write('\n[[electric_field]]\nexpression = ["1e3*(x - 10)^n", "0", "0"]\nconstants = { n = 2.0 }\n')
    made = el.Scene.load(tmp_path / "scene.toml")
    name = "electric_field.0.n"
    with pytest.raises(el.GradientError, match=rf"there is no derivative with respect to {name}: a formula"):
        el.gradient(made, "energy", [name, "gravity"])
    roll = el.Rollout(el.Simulator(made), wrt=[name])
    roll.forward()
    with pytest.raises(el.GradientError, match="there is no derivative"):
        roll.vjp({"energy": 1.0})
    assert np.isfinite(el.gradient(made, "energy", ["gravity"])["gravity"]).all()


def test_differences_that_are_missing_hide_no_others(tmp_path, command):
    # A bead without a size rests on the floor: any step of the floor's place upwards has it start inside.
    (tmp_path / "bead.obj").write_text("v 0 0 0\n")
    (tmp_path / "scene.toml").write_text("""[time]
step = 0.02
steps = 10
[integrator]
tolerance = 1e-12
[gravity]
acceleration = [0.0, 0.0, -9.81]
[[body]]
name = "bead"
mesh = "bead.obj"
mass = 0.5
velocity = [0.1, 0.0, 0.0]
[[obstacle]]
name = "floor"
shape = "plane"
point = [0, 0, 0]
normal = [0, 0, 1]
""")
    name = "obstacle.floor.point"
    wanted = json.loads(command("gradient", tmp_path / "scene.toml", "--loss", "centre_of_mass:1,0,1", "--wrt", name, "--check").stdout)
    found, errors = el.gradient(tmp_path / "scene.toml", "centre_of_mass:1,0,1", name, check=True).check[name]
    assert np.isnan(found).tolist() == np.isnan(errors).tolist() == [False, False, True]
    assert np.array_equal(errors[:2], wanted["relative_error"][name][:2])


def test_cotangents_of_any_size(random):
    scene = jelly(steps=4)
    roll = el.Rollout(el.Simulator(scene), wrt=["body.jelly.stiffness", "body.jelly.positions"])
    shape = roll.forward().positions.shape
    cotangent = random.normal(size=shape)
    plain = roll.vjp({"positions": cotangent})
    for by in (2.0**-700, 2.0**-400, 2.0**600, 2.0**900):
        scaled = roll.vjp({"positions": by * cotangent})
        for name, value in plain.items():
            assert np.array_equal(scaled[name], by * np.asarray(value)), (name, by)


def test_a_loss_that_is_not_finite_raises():
    with pytest.raises(el.DivergenceError, match="the loss is not finite"):
        el.gradient(jelly(steps=2), "centre_of_mass:1e300,0,0", ["gravity"])


def test_the_groups_of_a_loss_are_used():
    scene = jelly(steps=2)
    for loss, unused in (("energy", ["left", "right"]), ("speed:1,0,0,0,jelly.left", ["right"]), (el.loss.energy(), [])):
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            el.gradient(scene, loss, ["gravity"])
        told = [str(each.message) for each in said if "is not used" in str(each.message)]
        assert len(told) == len(unused) and all(f'group "{name}"' in text for name, text in zip(unused, told)), told
