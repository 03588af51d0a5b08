"""The five energies of a state and their sum, J."""
import numpy as np

from .forces import coulomb_field, external_field, spring_directions
from .grabs import grab_energy
from .obstacles import obstacle_energy

COLUMNS = ("kinetic", "elastic", "coulomb", "external", "gravity", "total")
TABLE = (*COLUMNS, "work", "dissipation")  # the columns of energy.csv after the time


def elastic_energy(scene, x):
    """Σ k/2 (|x_i - x_j| - l)²."""
    _, length, _ = spring_directions(scene, x)
    return 0.5 * np.sum(scene.stiffness * (length - scene.rest_length) ** 2)


def electric_energy(scene, x, charges, t):
    """½ Σ q φ of the charges among themselves, and Σ q φ_ext in the external charges as they are at time t."""
    coulomb = 0.5 * np.sum(charges * coulomb_field(scene, x, charges)[1]) if scene.coulomb else 0.0
    return coulomb, np.sum(charges * external_field(scene, x, t)[1])


def energies(scene, x, v, t):
    """The energies of the state (x, v, t), in the order of COLUMNS."""
    kinetic = 0.5 * np.sum(scene.masses[:, None] * v * v)
    coulomb, external = electric_energy(scene, x, scene.charges(t), t)
    external += obstacle_energy(scene, x, t) + grab_energy(scene, x, t)
    gravity = -np.sum(scene.masses[:, None] * scene.gravity * x)
    five = (kinetic, elastic_energy(scene, x), coulomb, external, gravity)
    return np.array([*five, sum(five)])
