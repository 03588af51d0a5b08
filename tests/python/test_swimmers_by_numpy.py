"""Bodies that swim, beside a small numpy program of the same equations: water face by face, springs, elements and muscles.

The program is written from docs/physics.md and the published formulas. Each step is implicit Euler's, by Newton's method with a
full matrix by differences. The mesh of a box is Electret's. Edges, boundary faces and outward sides are found here.
"""

import numpy as np
import pytest

import electret as el

STEP, STEPS = 0.02, 20
FLOW, DENSITY, DRAG, THRUST = np.array([0.31, -0.23, 0.17]), 800.0, (0.06, 0.04, 1.9, 2.0), (-0.7, -0.6, 0.2, 2.4)
CUBE = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]])
QUADS = [[0, 1, 2, 3], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]]
TRIANGLES = [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]]


def bezier(s, b):
    return (1 - s) ** 3 * b[0] + 3 * (1 - s) ** 2 * s * b[1] + 3 * (1 - s) * s**2 * b[2] + s**3 * b[3]


def area_and_normal(p):
    if len(p) == 3:
        across = np.cross(p[1] - p[0], p[2] - p[0]) / 2
        return np.linalg.norm(across), across / np.linalg.norm(across)
    across = np.cross(p[2] - p[0], p[3] - p[1]) / 2
    area = sum(np.linalg.norm(np.cross(p[b] - p[a], p[c] - p[b])) for a, b, c in [(0, 1, 2), (0, 2, 3), (0, 1, 3), (3, 1, 2)]) / 4
    return area, across / np.linalg.norm(across)


def water(x, v, faces, both_sides, most):
    """½ρA|u|² (C_d d - C_t n) on each face that the water flows against, in equal parts on its corners."""
    force = np.zeros_like(x)
    for face in faces:
        u = FLOW - v[face].mean(axis=0)
        speed, (area, n) = np.linalg.norm(u), area_and_normal(x[face])
        d = u / speed
        if both_sides and n @ d > 0:
            n = -n
        if n @ d < 0:
            attack = np.arccos(n @ d) - np.pi / 2
            push = bezier(2 * attack / np.pi, DRAG) * d - bezier(attack / np.pi + 0.5, THRUST) * n
            force[face] += 0.5 * DENSITY * area * speed**2 * push / len(face)
    return np.clip(force, -most, most)


class Springs:
    """∇E of k/2 (|x_i - x_j| - l)²."""

    def __init__(self, rest, pairs, stiffness):
        self.i, self.j = np.array(pairs).T
        self.stiffness, self.length = stiffness, np.linalg.norm(rest[self.i] - rest[self.j], axis=1)

    def slope(self, x, _):
        beta = x[self.i] - x[self.j]
        pull = self.stiffness * (1 - self.length / np.linalg.norm(beta, axis=1))[:, None] * beta
        gradient = np.zeros_like(x)
        np.add.at(gradient, self.i, pull)
        np.add.at(gradient, self.j, -pull)
        return gradient


class Elements:
    """∇E of the corotated density μ|F - R|² + λ/2 (tr S - 3)² and of muscles k/2 (|F m| - a)²."""

    def __init__(self, rest, elements, young, poisson, muscles):
        self.elements, self.muscles = elements, muscles
        self.mu, self.lam = young / (2 * (1 + poisson)), young * poisson / ((1 + poisson) * (1 - 2 * poisson))
        if elements.shape[1] == 4:
            slopes, scale = np.array([[[-1.0, -1, -1], [1, 0, 0], [0, 1, 0], [0, 0, 1]]]), 1 / 6
        else:
            points, scale = 0.5 + (CUBE - 0.5) / np.sqrt(3), 1 / 8
            near = np.where(CUBE == 1, points[:, None], 1 - points[:, None])
            slopes = np.stack([(2 * CUBE[:, a] - 1) * near[..., (a + 1) % 3] * near[..., (a + 2) % 3] for a in range(3)], axis=-1)
        jacobian = np.einsum("eai,qaj->eqij", rest[elements], slopes)
        self.weights = scale * np.linalg.det(jacobian)
        self.along = np.einsum("qaj,eqji->eqai", slopes, np.linalg.inv(jacobian))

    def slope(self, x, time):
        f = np.einsum("eai,eqaj->eqij", x[self.elements], self.along)
        u, s, vt = np.linalg.svd(f)
        turn = u @ vt
        assert np.all(np.linalg.det(turn) > 0), "the formula is that of elements that are not inside out"
        stress = 2 * self.mu * (f - turn) + self.lam * (s.sum(axis=-1) - 3)[..., None, None] * turn
        for members, fibre, stiffness, activation in self.muscles:
            now = f[members] @ fibre
            pull = stiffness * (1 - activation(time) / np.linalg.norm(now, axis=-1))
            stress[members] += pull[..., None, None] * now[..., None] * fibre
        gradient = np.zeros_like(x)
        np.add.at(gradient, self.elements, np.einsum("eq,eqij,eqaj->eai", self.weights, stress, self.along))
        return gradient


def step(x, v, masses, force, slope, end):
    """x' = argmin ½ (x' - y)ᵀM(x' - y) + h²E(x'), y = x + hv + h²f/m."""
    y = x + STEP * v + STEP**2 * force / masses[:, None]

    def residual(z):
        return (masses[:, None] * (z - y) + STEP**2 * slope(z, end)).ravel()

    z = y.copy()
    moves = 1e-6 * np.eye(z.size).reshape(z.size, *z.shape)
    for k in range(60):
        if k % 6 == 0:
            inverse = np.linalg.inv(np.array([residual(z + move) - residual(z - move) for move in moves]).T / 2e-6)
        change = inverse @ residual(z)
        z = z - change.reshape(z.shape)
        if np.max(np.abs(change)) < 1e-13:
            return z, (z - x) / STEP
    raise AssertionError("Newton's method does not converge")


def boundary(rest, elements):
    """The faces of one element alone, their normals outwards."""
    sides = [element[side] for element in elements for side in (QUADS if elements.shape[1] == 8 else TRIANGLES)]
    inner = {tuple(sorted(side)) for k, side in enumerate(sides) if any(set(side) == set(other) for other in sides[:k])}
    faces = []
    for element in elements:
        for side in QUADS if elements.shape[1] == 8 else TRIANGLES:
            face = element[side]
            if tuple(sorted(face)) not in inner:
                outward = rest[face].mean(axis=0) - rest[element].mean(axis=0)
                faces.append(face if area_and_normal(rest[face])[1] @ outward > 0 else face[::-1])
    return faces


def in_water(body, **more):
    scene = el.Scene(time={"step": STEP, "steps": STEPS}, integrator={"method": "imex", "tolerance": 1e-13})
    made = scene.body(name="swimmer", velocity=(0.4, 0.1, -0.2), **body)
    scene.hydrodynamics(density=DENSITY, velocity=FLOW, drag=DRAG, thrust=THRUST, **more)
    return scene, made


def worm(element):
    """A bar whose sides contract in turn, by formulas."""
    scene, body = in_water({"generate": {"shape": "box", "cells": [3, 2, 1], "cell_size": 0.1, "element": element}, "density": 1000.0},
                           max_force=0.25)
    body.material(model="corotated", youngs_modulus=2e5, poissons_ratio=0.3)
    for name, low, high, sign in (("left", 0, 1, ""), ("right", -1, 0, "-")):
        body.element_group(name=name, box=[[-1, low, -1], [1, high, 1]])
        body.muscle(group=name, fibre=[3.0, 0.0, 4.0], stiffness=1e5, expression=f"1 - A*max({sign}sin(w*t), 0)", constants={"A": 0.4, "w": 12.0})
    sim = el.Simulator(scene, threads=1)
    rest, elements = np.array(sim.positions), np.array(sim.hexahedra if element == "hex" else sim.tetrahedra)
    is_left = rest[elements].mean(axis=1)[:, 1] > 0
    muscles = [(is_left == left, np.array([0.6, 0, 0.8]), 1e5, lambda t, s=s: 1 - 0.4 * max(s * np.sin(12 * t), 0)) for left, s in ((True, 1), (False, -1))]
    solid = Elements(rest, elements, 2e5, 0.3, muscles)
    masses = np.zeros(len(rest))
    for element_, weights in zip(elements, solid.weights):
        masses[element_] += 1000 * weights.sum() / len(element_)
    return sim, masses, boundary(rest, elements), False, 0.25, solid.slope, lambda _x, _t: 0.0


def surface(faces, points, stiffness, folder, both_sides):
    """A surface of springs, of which every vertex is charged. A wave of a field runs through it."""
    path = folder / "sheet.obj"
    path.write_text("".join("v %r %r %r\n" % tuple(map(float, p)) for p in points) + "".join("f " + " ".join(str(v + 1) for v in f) + "\n" for f in faces))
    charges = np.linspace(-2e-6, 3e-6, len(points))
    scene, body = in_water({"mesh": str(path), "mass": 0.5, "charges": charges})
    body.springs("edges", stiffness=stiffness)
    scene.electric_field(expression=("0", "b*y", "E*sin(k*x + w*t)"), constants={"E": 2e6, "b": 1e6, "k": 7.0, "w": 9.0})
    pairs = sorted({tuple(sorted((f[k - 1], f[k]))) for f in faces for k in range(len(f))})
    springs = Springs(points, pairs, stiffness)

    def push(x, t):
        e = np.stack([0 * x[:, 0], 1e6 * x[:, 1], 2e6 * np.sin(7 * x[:, 0] + 9 * t)], axis=1)
        return charges[:, None] * e

    # A larger polygon of a surface is a fan of triangles.
    wet = [np.array([f[0], f[k - 1], f[k]]) for f in faces for k in range(2, len(f))]
    return el.Simulator(scene, threads=1), np.full(len(points), 0.5), wet, both_sides, np.inf, springs.slope, push


def grid(triangles):
    points = np.array([[0.1 * i, 0.1 * j, 0.02 * np.sin(3 * i + j)] for i in range(4) for j in range(3)])
    quads = [[3 * i + j, 3 * i + j + 3, 3 * i + j + 4, 3 * i + j + 1] for i in range(3) for j in range(2)]
    return [q[k:k + 2] + [q[3]] if k else [q[0], q[1], q[3]] for q in quads for k in (0, 1)] if triangles else quads, points


def bubble():
    points = 0.12 * np.array([[1, 0, 0], [-1, 0, 0], [0, 1.2, 0], [0, -1, 0], [0, 0, 1], [0, 0, -0.8]])
    turned = [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4]]
    return turned + [[b, a, 5] for a, b, _ in turned], points


SWIMMERS = {
    "hexahedra": lambda _: worm("hex"),
    "tetrahedra": lambda _: worm("tet"),
    "springs_of_quadrilaterals": lambda folder: surface(*grid(False), 500.0, folder, True),
    "springs_of_triangles": lambda folder: surface(*grid(True), 500.0, folder, True),
    "springs_of_a_closed_surface": lambda folder: surface(*bubble(), 900.0, folder, False),
}


@pytest.mark.parametrize("name", SWIMMERS)
def test_a_swimmer_moves_as_by_numpy(name, tmp_path):
    sim, masses, faces, both_sides, most, slope, push = SWIMMERS[name](tmp_path)
    np.testing.assert_allclose(sim.masses, masses, rtol=1e-12)
    x, v = np.array(sim.positions), np.array(sim.velocities)
    start, of_water = x.copy(), 0.0
    for k in range(STEPS):
        wet = water(x, v, faces, both_sides, most)
        of_water += np.linalg.norm(wet.sum(axis=0)) * STEP
        x, v = step(x, v, masses, wet + push(x, k * STEP), slope, (k + 1) * STEP)
        sim.step()
        np.testing.assert_allclose(sim.positions, x, rtol=0, atol=1e-8)
        np.testing.assert_allclose(sim.velocities, v, rtol=0, atol=1e-6)
    moved = x - start
    assert np.max(np.abs(moved - moved.mean(axis=0))) > 0.01, "it changes its shape"
    assert of_water > 0.05 * masses.sum(), "the water has moved it by 5 cm/s"
