#!/usr/bin/python3
"""Checks of the oracle that need nothing but mathematics: derivatives, closed-form motions, orders, conservation."""
import dataclasses
import math
import unittest
from decimal import Decimal, getcontext
from fractions import Fraction

import numpy as np

from oracle import simulate
from oracle.energies import elastic_energy, electric_energy
from oracle.expressions import ElectricField
from oracle.forces import (
    coulomb_field, drag_force, elastic_force, elastic_hessian, explicit_force, external_field, gaussian_g,
    gaussian_phi, spring_damping_force, total_force,
)  # fmt: skip
from oracle.integrators import METHODS, Pins, minimise
from oracle.keyframes import KeyFrames
from oracle.scene import ExternalCharge, Scene


def particles(positions, masses, charges=None, springs=(), stiffness=(), rest_length=(), **settings):
    """A scene made without files."""
    positions = np.array(positions, dtype=float)
    n = len(positions)
    defaults = {
        "name": "", "step": 0.01, "steps": 100, "every": 1, "method": "verlet", "rest_positions": positions,
        "velocities": np.zeros((n, 3)), "group_charges": [], "pins": [], "body_offsets": np.array([0, n]),
    }  # fmt: skip
    return Scene(
        positions=positions, masses=np.broadcast_to(np.array(masses, dtype=float), n).copy(),
        body_charges=np.array(charges if charges is not None else np.zeros(n), dtype=float),
        springs=np.array(springs, dtype=int).reshape(-1, 2), stiffness=np.array(stiffness, dtype=float),
        rest_length=np.array(rest_length, dtype=float), **{**defaults, **settings},
    )  # fmt: skip


def random_system(seed, **settings):
    """Ten charged vertices, stretched and compressed springs, external charges of each kind."""
    rng = np.random.default_rng(seed)
    pairs = np.array([(i, j) for i in range(10) for j in range(i + 1, 10) if rng.random() < 0.5])
    externals = [
        ExternalCharge(KeyFrames.constant(2e-5), KeyFrames.constant([1.5, 0.0, 0.0]), np.zeros((1, 3)), 0.0),
        ExternalCharge(
            KeyFrames([0, 1], [1e-5, -3e-5]), KeyFrames.constant([0.0, 0.0, 0.1]), rng.normal(size=(3, 3)), 0.8
        ),
    ]
    return particles(
        rng.uniform(-1, 1, (10, 3)), rng.uniform(0.5, 2, 10), rng.uniform(-5e-6, 5e-6, 10), pairs,
        rng.uniform(5, 20, len(pairs)), rng.uniform(0.3, 2.0, len(pairs)), velocities=rng.normal(size=(10, 3)),
        external_charges=externals, coulomb=True, **settings,
    )  # fmt: skip


def gradient(function, x, width=1e-5):
    """Fourth-order central differences of a scalar function."""
    result = np.zeros_like(x)
    for index in np.ndindex(*x.shape):
        values = []
        for offset in (-2, -1, 1, 2):
            moved = x.copy()
            moved[index] += offset * width
            values.append(function(moved))
        result[index] = (values[0] - 8 * values[1] + 8 * values[2] - values[3]) / (12 * width)
    return result


def relative(a, b):
    return np.max(np.abs(a - b)) / np.max(np.abs(b))


class Forces(unittest.TestCase):
    def test_elastic_force_is_minus_the_gradient(self):
        scene = random_system(1)
        numeric = -gradient(lambda x: elastic_energy(scene, x), scene.positions, 1e-3)
        self.assertLess(relative(elastic_force(scene, scene.positions), numeric), 1e-9)

    def test_electric_forces_are_minus_the_gradient(self):
        for softening in (0.0, 0.3):
            scene = random_system(2, softening=softening)
            x, charges = scene.positions, scene.charges(0.4)
            numeric = -gradient(lambda p: sum(electric_energy(scene, p, charges, 0.4)), x, 2e-4)
            field = coulomb_field(scene, x, charges)[0] + external_field(scene, x, 0.4)[0]
            self.assertLess(relative(charges[:, None] * field, numeric), 1e-8)

    def test_hessian_is_the_derivative_of_the_gradient(self):
        scene = random_system(3)
        hessian = elastic_hessian(scene, scene.positions).toarray()
        direction = np.random.default_rng(4).normal(size=(10, 3))
        up, down = (elastic_force(scene, scene.positions + s * 1e-6 * direction) for s in (1, -1))
        self.assertLess(relative(hessian @ direction.ravel(), (down - up).ravel() / 2e-6), 1e-8)
        self.assertLess(np.linalg.eigvalsh(hessian)[0], -1)
        self.assertGreater(np.linalg.eigvalsh(elastic_hessian(scene, scene.positions, True).toarray())[0], -1e-12)

    def test_two_charges_by_hand(self):
        scene = particles([[0, 0, 0], [0, 0, 2]], 1.0, [3e-6, -4e-6], coulomb=True)
        force = explicit_force(scene, scene.positions, scene.velocities, 0.0)
        attraction = 8.9875517923e9 * 12e-12 / 4
        np.testing.assert_allclose(force, [[0, 0, attraction], [0, 0, -attraction]], rtol=1e-15)
        self.assertAlmostEqual(sum(electric_energy(scene, scene.positions, scene.body_charges, 0)), -2 * attraction, 15)

    def test_drag_and_spring_damping_by_hand(self):
        scene = particles([[0, 0, 0], [3, 4, 0]], [2.0, 1.0], springs=[[0, 1]], stiffness=[0.0], rest_length=[1.0],
                          drag=0.5, spring_damping=2.0)  # fmt: skip
        v = np.array([[1.0, 0, 0], [0, -1.0, 7.0]])
        np.testing.assert_allclose(drag_force(scene, v), [[-1, 0, 0], [0, 0.5, -3.5]])
        # β̂ = -(3, 4, 0)/5, (v_0 - v_1)·β̂ = -(3 + 4)/5 = -1.4, force on 0 = -2 (-1.4) β̂.
        np.testing.assert_allclose(spring_damping_force(scene, scene.positions, v)[0], [-1.68, -2.24, 0], atol=1e-15)

    def test_zero_length_spring_pushes_along_x(self):
        scene = particles([[1, 1, 1], [1, 1, 1]], 1.0, springs=[[1, 0]], stiffness=[6.0], rest_length=[0.5],
                          spring_damping=3.0, velocities=np.array([[0.0, 1, 0], [1, 0, 0]]))  # fmt: skip
        force = total_force(scene, scene.positions, scene.velocities, 0.0)
        np.testing.assert_array_equal(force, [[-3, 0, 0], [3, 0, 0]])

    def test_expressions(self):
        field = ElectricField(["-x^2 + 2^3^2", "a*y/-z - min(t, 1)^-1", "atan2(y, x)*max(z, 0.5e0)"], {"a": 2.0})
        value = field(np.array([[3.0, 5.0, 4.0]]), 0.5)
        np.testing.assert_allclose(value, [[-9 + 512, -2.5 - 2, math.atan2(5, 3) * 4]], rtol=1e-15)
        with self.assertRaises((ValueError, KeyError)):
            ElectricField(["x.y", "0", "0"])(np.zeros((1, 3)), 0.0)


class GaussianBall(unittest.TestCase):
    """Series and closed form against exact rational sums of the everywhere convergent series."""

    @staticmethod
    def exact(u, offset):
        """√(2/π) Σ (-1)^k u^2k / (2^k k! (2k + offset)) with 60 digits: g for offset 3, φσ/(k_c Q) for offset 1."""
        getcontext().prec = 60
        square, term, total = Fraction(u) ** 2, Fraction(1), Fraction(0)
        for k in range(400):
            total += term / (2 * k + offset)
            term *= -square / (2 * (k + 1))
            term = term.limit_denominator(10**120)
        pi = Decimal("3.14159265358979323846264338327950288419716939937510582097494")
        return float((2 / pi).sqrt() * Decimal(total.numerator) / Decimal(total.denominator))

    def test_field_and_potential(self):
        for u in (0.0, 1e-8, 0.3, 0.999999, 1.0, 1.000001, 1.7, 3.0, 5.0):
            with self.subTest(u=u):
                self.assertLess(abs(gaussian_g(u) / self.exact(u, 3) - 1), 4e-15)
                self.assertLess(abs(gaussian_phi(u) / self.exact(u, 1) - 1), 4e-15)

    def test_far_away_it_is_a_point(self):
        scene = particles([[0.3, 20.0, -5.0]], 1.0, [1.0])

        def seen(width):
            charge = ExternalCharge(KeyFrames.constant(1e-6), KeyFrames.constant([0.0, 0, 0]), np.zeros((1, 3)), width)
            return external_field(dataclasses.replace(scene, external_charges=[charge]), scene.positions, 0.0)

        point, ball = seen(0.0), seen(0.5)
        np.testing.assert_allclose(point[0], ball[0], rtol=1e-14)
        np.testing.assert_allclose(point[1], ball[1], rtol=1e-14)


class Motions(unittest.TestCase):
    def test_two_charges_fly_apart(self):
        """From rest at distance d, to r: t = √(μ d³/(2 k q²)) [√(s(s-1)) + ln(√s + √(s-1))], s = r/d, k q² the strength."""
        errors = []
        for steps in (200, 400):
            scene = particles([[0, 0, 0], [0.5, 0, 0]], [1.0, 3.0], [5e-6, 4e-6], coulomb=True, step=1.0 / steps,
                              steps=steps)  # fmt: skip
            x = simulate(scene).positions[-1]
            s, strength = (x[1, 0] - x[0, 0]) / 0.5, scene.constant * 20e-12
            way = math.sqrt(s * (s - 1)) + math.log(math.sqrt(s) + math.sqrt(s - 1))
            t = math.sqrt(0.75 * 0.5**3 / (2 * strength)) * way
            errors.append(abs(t - 1.0))
        self.assertLess(errors[1], 1e-6)
        self.assertAlmostEqual(errors[0] / errors[1], 4, delta=0.1)

    def test_two_charges_fall_together(self):
        """t = √(μ d³/(2 k |q q'|)) [√(s(1-s)) + acos √s], s = r/d."""
        scene = particles([[0, 0, 0], [1.0, 0, 0]], [1.0, 2.0], [8e-6, -8e-6], coulomb=True, step=5e-4, steps=1600)
        x = simulate(scene).positions[-1]
        s = x[1, 0] - x[0, 0]
        t = math.sqrt(2 / 3 / (2 * scene.constant * 64e-12)) * (math.sqrt(s * (1 - s)) + math.acos(math.sqrt(s)))
        self.assertLess(s, 0.8)
        self.assertLess(abs(t - 0.8), 1e-6)

    def test_oscillator_follows_each_methods_recursion(self):
        """u' = R u of a spring on its axis, u = (elongation, its rate), w = ω²h², ω² = k (1/m_1 + 1/m_2)."""
        h, omega2, steps = 0.05, 30.0 * (1 / 2.0 + 1 / 0.5), 40
        w = omega2 * h * h
        recursion = {
            "verlet": [[1 - w / 2, h], [-omega2 * h * (1 - w / 4), 1 - w / 2]],
            "symplectic_euler": [[1 - w, h], [-omega2 * h, 1]],
            "explicit_euler": [[1, h], [-omega2 * h, 1]],
            "imex": [[1 / (1 + w), h / (1 + w)], [-omega2 * h / (1 + w), 1 / (1 + w)]],
            "linear_implicit": [[1 / (1 + w), h / (1 + w)], [-omega2 * h / (1 + w), 1 / (1 + w)]],
            "kick_midpoint": np.array([[1 - w / 4, h], [-omega2 * h, 1 - w / 4]]) / (1 + w / 4),
        }
        for method, matrix in recursion.items():
            with self.subTest(method):
                scene = particles([[0, 0, 0], [0, 1.02, 0]], [2.0, 0.5], springs=[[0, 1]], stiffness=[30.0],
                                  rest_length=[1.0], step=h, steps=steps, method=method)  # fmt: skip
                run = simulate(scene)
                expected = np.linalg.matrix_power(np.array(matrix), steps) @ [0.02, 0.0]
                self.assertLess(abs(run.positions[-1, 1, 1] - run.positions[-1, 0, 1] - 1 - expected[0]), 1e-12)
                self.assertLess(abs(run.velocities[-1, 1, 1] - run.velocities[-1, 0, 1] - expected[1]), 1e-11)

    def test_drag_recursions(self):
        """A free vertex with drag c: velocity ratio of one step, z = c h."""
        z = 0.3 * 0.1
        # verlet: v½ = v (1 - z/2), v' = v½ (1 - z/2); imex takes drag at the old velocity.
        ratios = {"verlet": (1 - z / 2) ** 2, "symplectic_euler": 1 - z, "explicit_euler": 1 - z, "imex": 1 - z,
                  "linear_implicit": 1 - z, "kick_midpoint": math.exp(-z), "kick_trbdf2": math.exp(-z)}
        for method, ratio in ratios.items():
            scene = particles([[0, 0, 0]], 2.0, velocities=np.array([[1.0, -2.0, 3.0]]), drag=0.3, step=0.1, steps=7,
                              method=method)  # fmt: skip
            np.testing.assert_allclose(simulate(scene).velocities[-1, 0], ratio**7 * np.array([1, -2, 3]), rtol=1e-13)

    def test_orders(self):
        """Errors against a fine verlet run: quartered by half the step for verlet, halved for the others."""
        def final(method, steps):
            return simulate(random_system(6, method=method, step=0.2 / steps, steps=steps)).positions[-1]

        reference = final("verlet", 3200)
        for method in METHODS:
            ratio = 4 if method in ("verlet", "kick_midpoint", "kick_trbdf2") else 2
            with self.subTest(method):
                coarse, fine = (np.max(np.abs(final(method, steps) - reference)) for steps in (100, 200))
                self.assertAlmostEqual(coarse / fine, ratio, delta=0.15 * ratio)

    def test_momentum_is_conserved_and_balanced(self):
        for method in METHODS:
            scene = random_system(7, step=0.01, steps=40, method=method, spring_damping=0.3)
            scene = dataclasses.replace(scene, external_charges=[])
            run = simulate(scene)
            momentum = np.einsum("i,fij->fj", scene.masses, run.velocities)
            self.assertLess(np.max(np.abs(momentum - momentum[0])), 1e-11)

    def test_verlet_account_closes_with_the_step(self):
        """E_T - E_0 = key-frame work + pin work - dissipation + field work, to first order in the step."""
        gaps = []
        for steps in (400, 800):
            pin = (np.array([0]), KeyFrames([0, 0.5], [[0, 0, 0], [0.4, 0, 0.1]], "cubic"))
            scene = random_system(8, step=0.5 / steps, steps=steps, drag=0.2, spring_damping=0.1, pins=[pin],
                                  electric_fields=[ElectricField(["-1e5*y", "1e5*x", "1e4*t"])])  # fmt: skip
            run = simulate(scene)
            a = run.account
            change = run.energies["total"][-1] - run.energies["total"][0]
            gaps.append(change - a["field_work"] - a["keyframe_work"] - a["pin_work"] + a["dissipation"])
        self.assertAlmostEqual(gaps[0] / gaps[1], 2, delta=0.15)

    def test_imex_ends_at_a_stationary_point(self):
        scene = random_system(9, step=0.05, method="imex")
        y = scene.positions + 0.05 * scene.velocities
        free = np.arange(10) != 4
        x = minimise(scene, y, free)
        residual = scene.masses[:, None] * (x - y) - scene.step**2 * elastic_force(scene, x)
        self.assertLess(np.max(np.abs(residual[free])), 1e-14)
        np.testing.assert_array_equal(x[4], y[4])

    def test_pins(self):
        offset = KeyFrames([0, 1], [[0, 0, 0], [1.0, 0, 0]])
        for method in METHODS:
            pins = [(np.array([2]), None), (np.array([5, 7]), offset)]
            scene = random_system(10, step=0.25, steps=6, method=method, pins=pins)
            scene = dataclasses.replace(scene, stiffness=scene.stiffness * 0.01)
            run = simulate(scene)
            np.testing.assert_array_equal(run.positions[:, 2], np.tile(scene.positions[2], (7, 1)))
            np.testing.assert_array_equal(run.velocities[:, 2], np.zeros((7, 3)))
            moved = run.positions[:, 5] - scene.positions[5]
            np.testing.assert_allclose(moved[:, 0], [0, 0.25, 0.5, 0.75, 1, 1, 1], atol=1e-15)
            np.testing.assert_allclose(run.velocities[:, 5, 0], [1, 1, 1, 1, 1, 0, 0], atol=1e-15)
            self.assertTrue(Pins(scene).held[[2, 5, 7]].all())


class KeyFrameValues(unittest.TestCase):
    def test_constant_outside(self):
        for interpolation in ("step", "linear", "cubic"):
            keys = KeyFrames([1, 2, 4], [5.0, -1.0, 3.0], interpolation, 0.1)
            self.assertEqual([keys(0.0), keys(1.0), keys(4.0), keys(9.0)], [5, 5, 3, 3])
            self.assertAlmostEqual(keys(2.0), -1, 15)

    def test_step_takes_the_key_that_rounding_just_missed(self):
        keys = KeyFrames([0.0, 0.3], [1.0, 2.0], "step", 0.1)
        self.assertEqual([keys(0.3 - 1e-11), keys(0.3 - 1e-9), keys(3 * 0.1)], [2, 1, 2])

    def test_cubic_reproduces_parabolas_inside(self):
        times = np.array([0.0, 0.3, 1.1, 1.4, 2.5])
        keys = KeyFrames(times, 2 - 3 * times + 4 * times**2, "cubic")
        for t in np.linspace(0.3, 1.4, 12):
            self.assertAlmostEqual(keys(t), 2 - 3 * t + 4 * t * t, 13)

    def test_cubic_of_two_keys_is_a_line(self):
        keys = KeyFrames([0, 2], [[1.0, 0], [3.0, 8.0]], "cubic")
        np.testing.assert_allclose(keys(0.5), [1.5, 2.0], rtol=1e-15)

    def test_cubic_on_even_keys_by_hand(self):
        # Catmull-Rom at the middle of the middle piece: (-p0 + 9 p1 + 9 p2 - p3) / 16.
        keys = KeyFrames([0, 1, 2, 3], [1.0, 4.0, -2.0, 7.0], "cubic")
        self.assertAlmostEqual(keys(1.5), (-1 + 9 * 4 - 9 * 2 - 7) / 16, 15)
        # One-sided end tangent p1 - p0 and inner tangent (p2 - p0)/2 on the first piece.
        self.assertAlmostEqual(keys(0.5), 2.5 + (3.0 - (-1.5)) / 8, 15)


if __name__ == "__main__":
    unittest.main()
