"""`[[grab]]`: a spring and a damper from a moved point to the weighted mean of some vertices."""
import numpy as np

from .keyframes import KeyFrames


class Grab:
    """One table; `first` is the number of its body's first vertex."""

    def __init__(self, table, first, step):
        self.vertices = first + np.array(table["vertices"], dtype=int)
        count = len(self.vertices)
        self.weights = np.array(table.get("weights", np.full(count, 1.0 / count)), dtype=float)
        self.stiffness, self.damping = float(table["stiffness"]), float(table.get("damping", 0.0))
        self.target = KeyFrames(table["times"], table["targets"], table.get("interpolation", "linear"), step)
        self.begin, self.end, self.slack = table["times"][0], table.get("until", np.inf), 1e-9 * step

    def acts(self, t):
        """Whether it pulls at time t."""
        return self.begin <= t + self.slack < self.end

    def mean(self, a):
        """The weighted mean of an (n, 3) array over its vertices, (3,)."""
        return self.weights @ a[self.vertices]

    def forces(self, x, v, t):
        """What its spring and its damper pull each vertex with, N: two (n, 3) arrays."""
        spring, damper = np.zeros_like(x), np.zeros_like(x)
        if self.acts(t):
            spring[self.vertices] = self.weights[:, None] * self.stiffness * (self.target(t) - self.mean(x))
            damper[self.vertices] = -self.weights[:, None] * self.damping * self.mean(v)
        return spring, damper

    def energy(self, x, t):
        """Of its spring, J."""
        return 0.5 * self.stiffness * np.sum((self.target(t) - self.mean(x)) ** 2) if self.acts(t) else 0.0


def grab_forces(scene, x, v, t):
    """Of all springs and of all dampers, N: two (n, 3) arrays."""
    each = [grab.forces(x, v, t) for grab in scene.grabs]
    return [sum((forces[k] for forces in each), np.zeros_like(x)) for k in (0, 1)]


def grab_energy(scene, x, t):
    """Of all springs, J."""
    return sum(grab.energy(x, t) for grab in scene.grabs)
