"""Every kind of control: it moves what it names and nothing else, and its cotangent agrees with differences.

Acceptance point 15.
"""

import numpy as np
import pytest

import electret as el
from conftest import METHODS

# A cube of five tetrahedra.
CORNERS = np.array([[x, y, z] for z in (0, 1) for y in (0, 1) for x in (0, 1)]) * 0.2
TETRAHEDRA = [[0, 1, 2, 4], [3, 1, 7, 2], [5, 1, 4, 7], [6, 2, 7, 4], [1, 2, 4, 7]]


def two_bodies(method, *, coulomb=True):
    """Springs "b" of 12 vertices, pinned at two, loaded; a solid "s" with a muscle; an external charge."""
    scene = el.Scene(time={"step": 0.002, "steps": 7}, integrator={"method": method, "tolerance": 1e-12})
    if coulomb:
        scene.set("coulomb", {})
    b = scene.body(name="b", generate={"shape": "lattice", "nx": 3, "ny": 2, "nz": 2, "spacing": 0.2}, mass=0.02, charge=1e-7)
    b.springs("nearest", stiffness=20.0)
    b.group(name="one", indices=[0, 1])
    b.group(name="end", indices=[10, 11])
    b.pin(group="one")
    b.load(group="end", force=(0, 0, 0.01))
    if method == "linear_implicit":  # It is for springs alone.
        s = scene.body(name="s", mesh=el.Mesh(CORNERS + (0, 0, 1.5)), mass=0.03, charge=5e-8)
        s.springs("nearest", stiffness=20.0)
    else:
        s = scene.body(name="s", mesh=el.Mesh(CORNERS + (0, 0, 1.5), tetrahedra=TETRAHEDRA), density=30.0, charge=5e-8)
        s.material(model="neo_hookean" if method == "newton" else "corotated", youngs_modulus=2e3, poissons_ratio=0.3)
        s.muscle(fibre=(1, 0, 0), stiffness=2e3, activation=0.9)
    scene.external_charge(charge=-1e-6, position=(0.1, 0, 3))
    return scene


SETS = {"parts": ["body.b.charge[end]", "external_charge.0.charge", "body.b.pin[one].offset", "body.b.load.0.force", "body.s.muscle.0.activation"],
        "wholes": ["body.b.charges", "body.s.charge", "external_charge.0.position", "body.b.pin[one].positions", "body.b.forces",
                   "body.s.muscle.0.activations"]}


def names_of(which, method):
    return [name for name in SETS[which] if "muscle" not in name or method != "linear_implicit"]


def held(sim):
    """Values that the schedule has, or near it, of each control."""
    some = {"charge": 2e-7, "charge[end]": 2e-7, "0.charge": -1e-6, "offset": [0.0, 0.01, 0.0], "force": [0.0, 0.01, 0.02], "activation": 0.85,
            "charges": np.linspace(1e-7, 3e-7, 12), "position": [0.1, 0.1, 3.0], "positions": sim.positions[:2] + 0.01, "forces": np.full((12, 3), 0.003)}
    values = {}
    for name, shape in zip(sim.controls.names, sim.controls.shapes):
        kind = "0.charge" if name.startswith("external_charge.0.charge") else name.split(".")[-1]
        values[name] = np.full(shape, 0.85) if kind == "activations" else some[kind]
    return values


def moving(traj):
    weights = np.cos(np.arange(traj.positions.size)).reshape(traj.positions.shape)
    value = (weights * traj.positions).sum() + 0.01 * (weights * traj.velocities).sum()
    return value, {"positions": weights, "velocities": 0.01 * weights}


def difference(value_at, step):
    """Central, extrapolated once."""
    slopes = [(value_at(h) - value_at(-h)) / (2 * h) for h in (step, step / 2)]
    return (4 * slopes[1] - slopes[0]) / 3


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("which", SETS)
@pytest.mark.parametrize("hold", [1, 3])
def test_cotangents_against_differences(method, which, hold):
    sim = el.Simulator(two_bodies(method), controls=names_of(which, method))
    values = held(sim)
    base = sim.controls.pack(values)
    intervals = -(-7 // hold)
    actions = base * (1.0 + 0.02 * np.arange(intervals)[:, None])
    roll = el.Rollout(sim, steps=7, hold=hold, frames=(3, -1))
    _, gradient = roll.value_and_grad(moving, actions=actions)
    random, first = np.random.default_rng(5), 0
    for name, shape in zip(sim.controls.names, sim.controls.shapes):
        part = slice(first, first + int(np.prod(shape, dtype=int)))
        first = part.stop
        scale = np.abs(actions[:, part]).max() or 1.0
        direction = np.zeros_like(actions)
        direction[:, part] = random.uniform(0.5, 1.0, direction[:, part].shape) * np.sign(gradient["actions"][:, part]) * scale
        found = difference(lambda h: roll.value(moving, actions=actions + h * direction), 0.1 if "charge" in name.split(".")[-1] or "force" in name else 3e-3)
        slope = (gradient["actions"] * direction).sum()
        assert slope != 0.0 and abs(slope - found) <= 1e-6 * abs(slope), (name, slope, found)


@pytest.mark.parametrize("method", METHODS)
def test_it_moves_what_it_names_and_nothing_else(method):
    """Without Coulomb forces between the bodies: only the external charge reaches them both."""
    names = names_of("parts", method) + ["body.s.charge"]
    is_explicit = method in ("verlet", "symplectic_euler", "explicit_euler")
    scene = two_bodies(method, coulomb=False)

    def ends(**changed):
        sim = el.Simulator(scene, controls=names)
        values = held(sim)
        values.update({name: np.asarray(values[name]) * 1.01 + 1e-9 for name in names if name in changed.get("names", ())})
        for _ in range(2):
            sim.step(sim.controls.pack(values))
        return sim, sim.positions, sim.charges

    reference, positions, charges = ends()
    own = {"b": reference.bodies["b"], "s": reference.bodies["s"]}
    for name in names:
        sim, moved, now = ends(names=[name])
        if name.startswith("external"):
            assert not np.array_equal(moved[own["b"]], positions[own["b"]]) and not np.array_equal(moved[own["s"]], positions[own["s"]])
            assert np.array_equal(now, charges)
            continue
        here = name.split(".")[1]
        other = "s" if here == "b" else "b"
        assert not np.array_equal(moved[own[here]], positions[own[here]]), name
        # An implicit solve ends for all bodies together, each within its tolerance.
        apart = np.abs(moved[own[other]] - positions[own[other]]).max()
        assert apart == 0.0 if is_explicit else apart < 1e-5 * np.abs(moved[own[here]] - positions[own[here]]).max(), name
        differs = np.flatnonzero(now != charges).tolist()
        assert differs == ([10, 11] if "[end]" in name else list(range(12, 20)) if name == "body.s.charge" else []), name
        pins = np.array_equal(moved[:2], positions[:2])
        assert pins == ("pin" not in name), name


def test_what_is_unpacked_is_the_callers():
    sim = el.Simulator(two_bodies("imex"), controls=["external_charge.0.position", "body.b.charges", "body.b.load.0.force"])
    action = np.arange(float(sim.controls.size))
    before = action.copy()
    for value in sim.controls.unpack(action).values():
        assert not np.shares_memory(value, action)
        value[:] = -1.0
    assert np.array_equal(action, before) and np.array_equal(sim.controls.pack(sim.controls.unpack(action)), action)
