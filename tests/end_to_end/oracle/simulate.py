"""Runs a scene and keeps the account of energy that summary.json reports."""
import dataclasses
from dataclasses import dataclass

import numpy as np

from .energies import COLUMNS, TABLE, electric_energy, energies
from .forces import drag_force, expression_field, spring_damping_force
from .grabs import grab_energy, grab_forces
from .obstacles import driving_power, friction_force, obstacle_energy
from .integrators import METHODS, Pins, initial_state


@dataclass
class Trajectory:
    times: np.ndarray  # (f,), s
    positions: np.ndarray  # (f, n, 3), m
    velocities: np.ndarray  # (f, n, 3), m/s
    charges: np.ndarray  # (f, n), C
    energies: dict  # column of energy.csv -> (f,), J
    account: dict  # field_work, keyframe_work, pin_work, dissipation (J), summed over every step

    @property
    def largest_relative_energy_change(self):
        """max |E_f - E_0 - work + dissipation| / max Σ |energies|, where gravity's energy counts from frame 0."""
        of = self.energies
        change = of["total"] - of["total"][0] - of["work"] + of["dissipation"]
        sizes = sum(np.abs(of[name]) for name in COLUMNS[:4]) + np.abs(of["gravity"] - of["gravity"][0])
        return np.max(np.abs(change)) / np.max(sizes) if np.max(sizes) > 0 else 0.0


def total_energy(scene, x, v, n):
    return energies(scene, x, v, scene.time(n))[COLUMNS.index("total")]


def simulate(scene, after_step=None):
    """Frame 0 and every `every`-th state after it. `after_step(n, x, v)` is called with every state.

    A change belongs to the step after it: x, v and t go on, and E(after) - E(before) at the same x and v is key-frame work.
    """
    first, pins = scene, Pins(scene)
    x, v = initial_state(scene, pins)
    frames, works = [(scene, 0.0, x, v)], [(0.0, 0.0)]
    account = dict.fromkeys(("field_work", "keyframe_work", "pin_work", "dissipation"), 0.0)
    for n in range(first.steps):
        for changed in (changed for step, changed in first.changes if step == n):
            origin = scene.origin if changed.step == scene.step else (n, scene.time(n))
            changed = dataclasses.replace(changed, origin=origin)
            account["keyframe_work"] += total_energy(changed, x, v, n) - total_energy(scene, x, v, n)
            scene, pins = changed, Pins(changed)
        new_x, new_v, force = METHODS[scene.method](scene, pins, x, v, n)
        if not (np.all(np.isfinite(new_x)) and np.all(np.isfinite(new_v))):
            raise FloatingPointError(f"step {n + 1} is not finite")
        _add(account, scene, pins, n, (x, v), (new_x, new_v), force)
        x, v = new_x, new_v
        if after_step:
            after_step(n + 1, x, v)
        if (n + 1) % first.every == 0:
            frames.append((scene, scene.time(n + 1), x, v))
            works.append((account["field_work"] + account["keyframe_work"] + account["pin_work"], account["dissipation"]))
    table = np.array([[*energies(of, x, v, t), *done] for (of, t, x, v), done in zip(frames, works)])
    return Trajectory(
        times=np.array([t for _, t, _, _ in frames]),
        positions=np.array([x for _, _, x, _ in frames]),
        velocities=np.array([v for _, _, _, v in frames]),
        charges=np.array([of.charges(t) for of, t, _, _ in frames]),
        energies=dict(zip(TABLE, table.T)),
        account=account,
    )


def _add(account, scene, pins, n, before, after, force):
    """One step's share of the account.

    field_work     Σ f_i(x_n, t_n)·(x_{n+1} - x_n) of expression fields, f = q e, and loads: they have no potential
    keyframe_work  U(x_{n+1}; inputs at t_{n+1}) - U(x_{n+1}; inputs at t_n), U = Coulomb + external + obstacles + grabs,
                   and h times the driving power of friction at t_n; changes of the scene come on top
    pin_work       Σ over pins ½ m (|v_{n+1}|² - |v_n|²) - f·(x_{n+1} - x_n), f the force the method used in this step
    dissipation    -f_damping(x_n, v_n)·(x_{n+1} - x_n), drag, spring damping, grabs' and friction, which counts
                   against moving obstacles
    """
    (x, v), (new_x, new_v), h = before, after, scene.step
    t, new_t, moved = scene.time(n), scene.time(n + 1), after[0] - before[0]
    without_potential = scene.charges(t)[:, None] * expression_field(scene, x, t) + scene.load(t)
    account["field_work"] += np.sum(without_potential * moved)
    account["keyframe_work"] += sum(electric_energy(scene, new_x, scene.charges(new_t), new_t))
    account["keyframe_work"] -= sum(electric_energy(scene, new_x, scene.charges(t), t))
    driven = h * driving_power(scene, x, v, t)
    account["keyframe_work"] += obstacle_energy(scene, new_x, new_t) - obstacle_energy(scene, new_x, t) + driven
    account["keyframe_work"] += grab_energy(scene, new_x, new_t) - grab_energy(scene, new_x, t)
    gained = 0.5 * scene.masses[:, None] * (new_v**2 - v**2)
    account["pin_work"] += np.sum((gained - force * moved)[pins.held])
    damping = drag_force(scene, v) + spring_damping_force(scene, x, v) + friction_force(scene, x, v, t)
    damping = damping + grab_forces(scene, x, v, t)[1]
    account["dissipation"] -= np.sum(damping * moved) - driven
