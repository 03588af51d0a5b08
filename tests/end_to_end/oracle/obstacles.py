"""Obstacles of docs/physics.md: planes and spheres with a penalty, which key-frames may move and turn."""
import numpy as np

from .keyframes import KeyFrames


def rotation(degrees):
    """Rz Ry Rx about the fixed world axes, from the three angles in degrees."""
    (cx, cy, cz), (sx, sy, sz) = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    x = np.array([[1, 0, 0], [0, cx, -sx], [0, sx, cx]])
    y = np.array([[cy, 0, sy], [0, 1, 0], [-sy, 0, cy]])
    z = np.array([[cz, -sz, 0], [sz, cz, 0], [0, 0, 1]])
    return z @ y @ x


class Obstacle:
    """One table of a scene, with the time step that its key-frames are read with."""

    def __init__(self, table, step):
        self.table = table
        self.origin = np.array(table["point"] if table["shape"] == "plane" else table["centre"], dtype=float)
        self.offsets, self.rotations = (
            KeyFrames(table["times"], table[key], table.get("interpolation", "linear"), step) if key in table
            else KeyFrames.constant(np.zeros(3)) for key in ("offsets", "rotations"))  # fmt: skip

    def contact(self, x, t):
        """Depth (n,), 0 outside, and outward normal (n, 3) of every vertex."""
        away = x - (self.origin + self.offsets(t))
        if self.table["shape"] == "plane":
            normal = np.array(self.table["normal"], dtype=float) / np.linalg.norm(self.table["normal"])
            normal = rotation(self.rotations(t)) @ normal
            return np.maximum(0.0, -away @ normal), np.broadcast_to(normal, x.shape)
        distance = np.linalg.norm(away, axis=1)
        return np.maximum(0.0, self.table["radius"] - distance), away / distance[:, None]

    def velocity(self, x, t):
        """Of the rigid motion at every vertex, (n, 3): the matrix's rate comes from a difference."""
        angles, rates, small = self.rotations(t), self.rotations.rate(t), 1e-5
        turn = (rotation(angles + small * rates) - rotation(angles - small * rates)) / (2 * small) @ rotation(angles).T
        return self.offsets.rate(t) + (x - (self.origin + self.offsets(t))) @ turn.T

    def push(self, depth):
        """f_n = k D^(p-1), (n,), N."""
        return self.table["stiffness"] * depth ** (self.table.get("exponent", 3.0) - 1)

    def energy(self, x, t):
        """Σ k/p D^p."""
        exponent = self.table.get("exponent", 3.0)
        return self.table["stiffness"] / exponent * np.sum(self.contact(x, t)[0] ** exponent)

    def normal_force(self, x, t):
        """f_n n."""
        depth, normal = self.contact(x, t)
        return self.push(depth)[:, None] * normal

    def friction_force(self, x, v, t):
        """-min(k_f, μ f_n/|u|) u, u = (I - nnᵀ)(v - v_s)."""
        depth, normal = self.contact(x, t)
        relative = v - self.velocity(x, t)
        sliding = relative - np.sum(normal * relative, axis=1)[:, None] * normal
        speed = np.linalg.norm(sliding, axis=1)
        most = self.table.get("friction", 0.0) * self.push(depth)
        held = np.divide(most, speed, out=np.full_like(speed, np.inf), where=speed > 0)
        damping = np.where(depth > 0, np.minimum(self.table.get("friction_stiffness", 0.0), held), 0.0)
        return -damping[:, None] * sliding


def obstacle_energy(scene, x, t):
    """Of all obstacles, J."""
    return sum(obstacle.energy(x, t) for obstacle in scene.obstacles)


def obstacle_force(scene, x, t):
    """The push of all obstacles."""
    return sum((obstacle.normal_force(x, t) for obstacle in scene.obstacles), np.zeros_like(x))


def friction_force(scene, x, v, t):
    """The friction of all obstacles."""
    return sum((obstacle.friction_force(x, v, t) for obstacle in scene.obstacles), np.zeros_like(x))


def driving_power(scene, x, v, t):
    """Σ f_i·v_s of the friction, W: the power of what moves the obstacles."""
    return sum(np.sum(o.friction_force(x, v, t) * o.velocity(x, t)) for o in scene.obstacles)
