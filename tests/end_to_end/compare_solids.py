#!/usr/bin/python3
"""Compares runs of tetrahedra and hexahedra with an independent program of the same equations: numpy, singular values,
Newton's method with a Hessian by differences. Usage: compare_solids.py ELECTRET
"""
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

from known_words import known_words

COULOMB = 8.9875517923e9  # N m²/C²
ELECTRET = sys.argv.pop() if len(sys.argv) > 1 else "electret"
MODELS = ("projective", "corotated", "fixed_corotated", "neo_hookean", "stable_neo_hookean", "linear")
TOLERANCE = 1e-8
CORNERS = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]])
# A cell's six tetrahedra around its diagonal from corner 0 to corner 6.
SPLIT = [[0, 1, 2, 6], [0, 2, 3, 6], [0, 3, 7, 6], [0, 7, 4, 6], [0, 4, 5, 6], [0, 5, 1, 6]]


def block(cells, size, tetrahedra):
    """Vertices, z fastest, and elements of a box with its lowest corner at the origin."""
    shape = np.array(cells) + 1
    vertices = size * np.stack(np.meshgrid(*map(np.arange, shape), indexing="ij"), axis=-1).reshape(-1, 3)
    elements = []
    for cell in np.ndindex(*cells):
        corners = np.ravel_multi_index((np.array(cell) + CORNERS).T, shape)
        elements += [corners[way] for way in SPLIT] if tetrahedra else [corners]
    return vertices, np.array(elements)


def write_msh(path, vertices, elements):
    kind = 4 if elements.shape[1] == 4 else 5
    with open(path, "w") as file:
        file.write(f"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{len(vertices)}\n")
        for tag, (x, y, z) in enumerate(vertices):
            file.write(f"{tag + 1} {float(x)!r} {float(y)!r} {float(z)!r}\n")
        file.write(f"$EndNodes\n$Elements\n{len(elements)}\n")
        for tag, corners in enumerate(elements):
            file.write(f"{tag + 1} {kind} 0 " + " ".join(str(v + 1) for v in corners) + "\n")
        file.write("$EndElements\n")


class Solid:
    """E = Σ w Ψ(F) over the quadrature points of all elements."""

    def __init__(self, rest, elements, model, young, poisson):
        self.elements, self.model = elements, model
        self.mu, self.lam = young / (2 * (1 + poisson)), young * poisson / ((1 + poisson) * (1 - 2 * poisson))
        if elements.shape[1] == 4:
            slopes, scale = np.array([[[-1, -1, -1], [1, 0, 0], [0, 1, 0], [0, 0, 1]]], dtype=float), 1 / 6
        else:
            points = 0.5 + (CORNERS - 0.5) / np.sqrt(3)
            slopes, scale = np.zeros((8, 8, 3)), 1 / 8
            for q, point in enumerate(points):
                value = np.where(CORNERS == 1, point, 1 - point)
                sign = 2 * CORNERS - 1
                for axis in range(3):
                    others = [a for a in range(3) if a != axis]
                    slopes[q, :, axis] = sign[:, axis] * value[:, others[0]] * value[:, others[1]]
        jacobian = np.einsum("eai,qaj->eqij", rest[elements], slopes)
        self.weights = scale * np.linalg.det(jacobian)
        self.gradients = np.einsum("qaj,eqji->eqai", slopes, np.linalg.inv(jacobian))

    def masses(self, density, n):
        masses = np.zeros(n)
        shares = density * self.weights.sum(axis=1) / self.elements.shape[1]
        np.add.at(masses, self.elements, np.repeat(shares[:, None], self.elements.shape[1], axis=1))
        return masses

    def evaluate(self, x):
        """E and ∇E."""
        f = np.einsum("eai,eqaj->eqij", x[self.elements], self.gradients)
        density, stress = self.point(f)
        gradient = np.zeros_like(x)
        np.add.at(gradient, self.elements, np.einsum("eq,eqij,eqaj->eai", self.weights, stress, self.gradients))
        return np.sum(self.weights * density), gradient

    def point(self, f):
        mu, lam = self.mu, self.lam
        if self.model == "linear":
            strain = 0.5 * (f + np.swapaxes(f, -1, -2)) - np.eye(3)
            trace = np.trace(strain, axis1=-2, axis2=-1)
            return (mu * np.sum(strain**2, axis=(-2, -1)) + lam / 2 * trace**2,
                    2 * mu * strain + lam * trace[..., None, None] * np.eye(3))  # fmt: skip
        u, s, vt = np.linalg.svd(f)
        proper = np.linalg.det(u) * np.linalg.det(vt)
        s[..., 2] *= proper
        u[..., :, 2] *= proper[..., None]
        j, i = np.prod(s, axis=-1), np.sum(s**2, axis=-1)
        by_s = j[..., None] / s
        if self.model in ("projective", "corotated", "fixed_corotated"):
            energy, slope = mu * np.sum((s - 1) ** 2, axis=-1), 2 * mu * (s - 1)
        if self.model == "projective":
            away = s - nearest_of_product_one(s)
            energy, slope = energy + lam / 2 * np.sum(away**2, axis=-1), slope + lam * away
        elif self.model == "corotated":
            trace = np.sum(s, axis=-1) - 3
            energy, slope = energy + lam / 2 * trace**2, slope + lam * trace[..., None]
        elif self.model == "fixed_corotated":
            energy, slope = energy + lam / 2 * (j - 1) ** 2, slope + lam * (j - 1)[..., None] * by_s
        elif self.model == "neo_hookean":
            log = np.log(j)
            energy = mu / 2 * (i - 3) - mu * log + lam / 2 * log**2
            slope = mu * s + ((lam * log - mu) / j)[..., None] * by_s
        elif self.model == "stable_neo_hookean":
            m, k = 4 * mu / 3, lam + 5 * mu / 6
            alpha = 1 + m / k - m / (4 * k)
            energy = m / 2 * (i - 3) + k / 2 * ((j - alpha) ** 2 - (1 - alpha) ** 2) - m / 2 * np.log((i + 1) / 4)
            slope = m * (1 - 1 / (i + 1))[..., None] * s + k * (j - alpha)[..., None] * by_s
        return energy, u * slope[..., None, :] @ vt


class Muscle:
    """E = Σ w (k/2)(|F m| - a)² of some of a solid's elements."""

    def __init__(self, solid, members, fibre, stiffness):
        self.elements, self.weights = solid.elements[members], stiffness * solid.weights[members]
        self.along = solid.gradients[members] @ (np.array(fibre) / np.linalg.norm(fibre))

    def evaluate(self, x, activations):
        """E and ∇E."""
        u = np.einsum("eai,eqa->eqi", x[self.elements], self.along)
        length = np.linalg.norm(u, axis=-1)
        excess = length - np.asarray(activations)[..., None]
        gradient = np.zeros_like(x)
        pull = (self.weights * excess / length)[..., None] * u
        np.add.at(gradient, self.elements, np.einsum("eqi,eqa->eai", pull, self.along))
        return 0.5 * np.sum(self.weights * excess**2), gradient


def nearest_of_product_one(s):
    """The t nearest to s with product 1: Newton's method on s = t + τ/t, Σ ln t = 0, from t = s/(Π s)^⅓."""
    t, tau = s / np.cbrt(np.prod(s, axis=-1, keepdims=True)), np.zeros(s.shape[:-1] + (1,))
    for _ in range(60):
        d, r = 1 - tau / t**2, s - t - tau / t
        step = (np.sum(np.log(t) + r / (t * d), axis=-1) / np.sum(1 / (t * t * d), axis=-1))[..., None]
        t, tau = t + (r - step / t) / d, tau + step
    return t


def simulate(rest, start, solid, springs, stiffness, masses, charges, load, gravity, held, h, steps, muscles=()):
    """Positions of each frame: x' = argmin ½(x-y)ᵀM(x-y) + h²E, y = x + hv + h²M⁻¹f. Of each muscle the
    activations over time."""
    free = np.repeat(~held, 3)
    length = np.linalg.norm(rest[springs[:, 0]] - rest[springs[:, 1]], axis=1)

    def gradient(x, time):
        _, g = solid.evaluate(x)
        for muscle, activations in muscles:
            g = g + muscle.evaluate(x, activations(time))[1]
        beta = x[springs[:, 0]] - x[springs[:, 1]]
        now = np.linalg.norm(beta, axis=1)
        pull = stiffness * (1 - length / now)[:, None] * beta
        np.add.at(g, springs[:, 0], pull)
        np.add.at(g, springs[:, 1], -pull)
        return g

    def residual(x, y, time):
        return (masses[:, None] * (x - y) + h * h * gradient(x, time)).ravel()[free]

    def field(x):
        beta = x[:, None] - x[None]
        cubed = np.sum(beta**2, axis=-1) ** 1.5
        np.fill_diagonal(cubed, np.inf)
        return COULOMB * np.einsum("j,ijk->ik", charges, beta / cubed[..., None])

    x, v, frames = start.copy(), np.zeros_like(rest), [start]
    for step in range(steps):
        time = (step + 1) * h
        force = masses[:, None] * gravity + charges[:, None] * field(x) + load
        y = x + h * v + h * h * force / masses[:, None]
        y[held] = start[held]
        z = x.copy()
        for _ in range(40):
            r = residual(z, y, time)
            if np.linalg.norm(r) < 1e-13 * np.linalg.norm(masses[:, None] * y):
                break
            hessian = np.zeros((len(r), len(r)))
            for column, k in enumerate(np.flatnonzero(free)):
                shift = np.zeros(3 * len(x))
                shift[k] = 1e-6
                shift = shift.reshape(-1, 3)
                hessian[:, column] = (residual(z + shift, y, time) - residual(z - shift, y, time)) / 2e-6
            change = np.linalg.solve(hessian, r)
            z = z.copy()
            z.ravel()[free] -= change
            if np.linalg.norm(change) < 1e-14 * np.linalg.norm(z):
                break
        x, v = z, (z - x) / h
        frames.append(x)
    return np.array(frames)


def csv(path, rows):
    path.write_text("x,y,z\n" + "\n".join(",".join(repr(float(c)) for c in row) for row in rows) + "\n")


class Solids(unittest.TestCase):
    def run_electret(self, folder, scene):
        (folder / "scene.toml").write_text(scene)
        done = subprocess.run([ELECTRET, "run", folder / "scene.toml", "-o", folder / "out", "--overwrite"],
                              capture_output=True, text=True, check=False)  # fmt: skip
        self.assertEqual(done.returncode, 0, done.stderr)
        return folder / "out"

    def compare(self, model, tetrahedra):
        rng = np.random.default_rng(3)
        rest, elements = block((2, 1, 1), 0.5, tetrahedra)
        rest = rest + rng.uniform(-0.05, 0.05, rest.shape)
        start = rest * [1.1, 0.9, 1.05] + rng.uniform(-0.03, 0.03, rest.shape)
        n, held, load = len(rest), np.arange(len(rest)) < 4, np.zeros((len(rest), 3))
        load[8:] = [3.0, -2.0, 4.0]
        charges = rng.uniform(-2e-6, 2e-6, n)
        activations = rng.uniform(0.7, 1.3, len(elements) // 2)
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            write_msh(folder / "a.msh", rest, elements)
            csv(folder / "start.csv", start)
            out = self.run_electret(folder, f"""
[time]
step = 0.02
steps = 12
[integrator]
tolerance = 1e-11
[coulomb]
[gravity]
acceleration = [0.0, 0.0, -9.81]
[[body]]
mesh = "a.msh"
density = 100.0
initial_positions = "start.csv"
charges = {[float(q) for q in charges]}
  [[body.material]]
  model = "{model}"
  youngs_modulus = 3e3
  poissons_ratio = 0.35
  [[body.springs]]
  from = "volume"
  stiffness = 20.0
  [[body.group]]
  name = "held"
  indices = [0, 1, 2, 3]
  [[body.pin]]
  group = "held"
  [[body.group]]
  name = "end"
  indices = [8, 9, 10, 11]
  [[body.load]]
  group = "end"
  force = [3.0, -2.0, 4.0]
  [[body.element_group]]
  name = "first"
  indices = [{", ".join(str(e) for e in range(len(elements) // 2))}]
  [[body.muscle]]
  group = "first"
  fibre = [2.0, 1.0, 0.0]
  stiffness = 4e3
  activations = {[float(a) for a in activations]}
  [[body.muscle]]
  fibre = [0.0, 0.6, 0.8]
  stiffness = 2e3
  times = [0.0, 0.1, 0.3]
  values = [1.0, 0.6, 1.2]
""")
            with h5py.File(out / "trajectory.h5") as run:
                got, masses = run["positions"][:], run["masses"][:]
                springs = run["springs"][:]
                self.assertEqual(run["tetrahedra" if tetrahedra else "hexahedra"].shape, elements.shape)
            energies = np.loadtxt(out / "energy.csv", delimiter=",", skiprows=1)
        solid = Solid(rest, elements, model, 3e3, 0.35)
        np.testing.assert_allclose(masses, solid.masses(100.0, n), rtol=1e-13)
        first = Muscle(solid, slice(0, len(elements) // 2), [2, 1, 0], 4e3)
        all_of_it = Muscle(solid, slice(None), [0, 0.6, 0.8], 2e3)
        muscles = [(first, lambda _: activations), (all_of_it, lambda t: np.interp(t, [0, 0.1, 0.3], [1, 0.6, 1.2]))]
        want = simulate(rest, start, solid, springs, 20.0, masses, charges, load, np.array([0, 0, -9.81]), held,
                        0.02, 12, muscles)  # fmt: skip
        self.assertGreater(np.max(np.abs(want[-1] - want[0])), 0.02)
        self.assertLess(np.max(np.abs(got - want)), TOLERANCE)
        length = [np.linalg.norm(x[springs[:, 0]] - x[springs[:, 1]], axis=1) for x in (rest, want[-1])]
        elastic = solid.evaluate(want[-1])[0] + 10.0 * np.sum((length[1] - length[0]) ** 2)
        elastic += sum(muscle.evaluate(want[-1], at(12 * 0.02))[0] for muscle, at in muscles)
        self.assertLess(abs(energies[-1, 2] - elastic), TOLERANCE * elastic)

    def test_no_model_is_left_out(self):
        self.assertCountEqual(known_words(ELECTRET, "model"), MODELS)

    def test_every_model_on_tetrahedra(self):
        for model in MODELS:
            with self.subTest(model):
                self.compare(model, True)

    def test_every_model_on_hexahedra(self):
        for model in MODELS:
            with self.subTest(model):
                self.compare(model, False)

    def test_gradients_are_differences(self):
        """By materials, density and the initial state, 20 steps, with charges, gravity, springs and a pin."""
        scene = """
[time]
step = 0.01
steps = 20
[integrator]
tolerance = 1e-12
[coulomb]
[gravity]
acceleration = [0.0, 0.0, -9.81]
[[body]]
name = "a"
generate = {{ shape = "box", cells = [2, 1, 1], cell_size = 0.2, element = "{element}" }}
density = 500.0
charge = 1e-7
velocity = [0.3, -0.2, 0.5]
  [[body.material]]
  model = "{model}"
  youngs_modulus = 2e4
  poissons_ratio = 0.3
  [[body.springs]]
  from = "volume"
  stiffness = 30.0
  [[body.group]]
  name = "wall"
  attribute = "left"
  [[body.pin]]
  group = "wall"
"""
        names = [f"body.a.{what}" for what in
                 ("youngs_modulus", "poissons_ratio", "density", "velocity", "charge", "stiffness")]  # fmt: skip
        for model in MODELS:
            for element in ("hex", "tet"):
                with self.subTest(model, element=element), tempfile.TemporaryDirectory() as folder:
                    path = Path(folder) / "scene.toml"
                    path.write_text(scene.format(model=model, element=element))
                    done = subprocess.run([ELECTRET, "gradient", path, "--loss", "centre_of_mass:0.1,0,0.1", "--check",
                                           "--wrt", ",".join(names)], capture_output=True, text=True, check=False)  # fmt: skip
                    self.assertEqual(done.returncode, 0, done.stderr)
                    errors = json.loads(done.stdout)["relative_error"]
                    for name in names:
                        self.assertLess(np.max(errors[name]), 1e-6, name)



class PublishedCantilever(unittest.TestCase):
    """DiffPD's twisted Cantilever against the published code's values, to all printed digits. Its random numbers are
    numpy's of seed 42. Its plane z = -0.1 never touches: no vertex comes near it in these frames."""

    @classmethod
    def setUpClass(cls):
        cls.rest, cls.elements = block((32, 8, 8), 0.01, False)
        rest, random = cls.rest, np.random.RandomState(42)
        for _ in range(3):  # An offset that is not used, and two weights of the loss.
            random.normal(size=rest.size)
        cls.activations = random.uniform(size=32)
        cls.load = 1e-3 * random.normal(scale=0.1, size=rest.shape)
        angle = np.pi / 2 * rest[:, 0] / 0.32
        y, z = rest[:, 1] - 0.04, rest[:, 2] - 0.04
        cls.start = np.stack([rest[:, 0], 0.04 + np.cos(angle) * y - np.sin(angle) * z,
                              0.04 + np.sin(angle) * y + np.cos(angle) * z], axis=1)  # fmt: skip

    MATERIAL = """
  [[body.material]]
  model = "projective"
  youngs_modulus = 1e6
  poissons_ratio = 0.45
"""

    def run_beam(self, time, parts):
        """The trajectory and the energies of the beam made of `parts`."""
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            write_msh(folder / "a.msh", self.rest, self.elements)
            csv(folder / "start.csv", self.start)
            csv(folder / "load.csv", self.load)
            (folder / "scene.toml").write_text(time + """
[[body]]
mesh = "a.msh"
mass = 0.001
initial_positions = "start.csv"
""" + parts)  # fmt: skip
            done = subprocess.run([ELECTRET, "run", folder / "scene.toml", "-o", folder / "out"],
                                  capture_output=True, text=True, check=False)  # fmt: skip
            self.assertEqual(done.returncode, 0, done.stderr)
            energies = np.loadtxt(folder / "out/energy.csv", delimiter=",", skiprows=1)
            with h5py.File(folder / "out/trajectory.h5") as run:
                return run["positions"][:], run["velocities"][:], energies

    def muscle(self):
        """Along the edge y = z = 0, the last index of a cell fastest."""
        return f"""
  [[body.element_group]]
  name = "edge"
  indices = {[64 * i for i in range(32)]}
  [[body.muscle]]
  group = "edge"
  fibre = [1.0, 0.0, 0.0]
  stiffness = 1e5
  activations = {[float(a) for a in self.activations]}
"""

    def test_energy_of_the_material_at_the_start(self):
        _, _, energies = self.run_beam('[time]\nstep = 1e-5\nsteps = 1\n[integrator]\nmethod = "verlet"', self.MATERIAL)
        self.assertEqual(f"{energies[0, 2]:.9f}", "9.093290601")

    def test_energy_and_force_of_the_muscle_at_the_start(self):
        h = 1e-6
        _, velocities, energies = self.run_beam(
            f'[time]\nstep = {h}\nsteps = 1\n[integrator]\nmethod = "explicit_euler"', self.muscle())  # fmt: skip
        self.assertEqual(f"{energies[0, 2]:.9f}", "0.609184819")
        self.assertEqual(f"{0.001 / h * np.linalg.norm(velocities[1]):.7f}", "11.4628187")

    def test_first_frames(self):
        positions, velocities, _ = self.run_beam("""
[time]
step = 0.01
steps = 3
[integrator]
tolerance = 1e-11
[gravity]
acceleration = [0.0, 0.0, -9.81]
""", self.MATERIAL + self.muscle() + """
  [[body.group]]
  name = "wall"
  box = [[0, -1, -1], [0, 1, 1]]
  [[body.pin]]
  group = "wall"
  [[body.load]]
  forces = "load.csv"
""")  # fmt: skip
        self.assertGreater(np.min(positions[..., 2]), -0.05)
        for frame, mean in enumerate([(0.15992763, 0.03997649, 0.03932855), (0.15984671, 0.03993340, 0.03811381),
                                      (0.15976963, 0.03986673, 0.03644858)], 1):  # fmt: skip
            np.testing.assert_array_equal(np.round(positions[frame].mean(axis=0), 8), mean)
        np.testing.assert_array_equal(np.round(positions[3, -1], 8), (0.32082356, 0.08043514, 0.07104322))
        # The published run stopped at a gradient of 1e-7 N: its speeds are right to about one unit of the last digit.
        for velocity, speed in zip(velocities[1:], (56.095421, 66.295139, 55.256166)):
            self.assertLess(abs(np.linalg.norm(velocity) - speed), 1e-6)


if __name__ == "__main__":
    unittest.main()
