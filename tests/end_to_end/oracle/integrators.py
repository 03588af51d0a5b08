"""One time step of each method, exactly as docs/physics.md, "Time integrators", prints them.

A step maps (x, v) at t_n = n·h to (x', v') at t_{n+1}. It also returns the force that accelerated the vertices during
the step, from which the pins' reactions follow.
"""
import numpy as np
from scipy import sparse
from scipy.linalg import LinAlgError, cho_factor, cho_solve
from scipy.sparse.linalg import splu

from .energies import elastic_energy
from .forces import drag_force, elastic_force, elastic_hessian, explicit_force, total_force


class Pins:
    """Held vertices: x_P(t) = x_0 + offset(t), v_P = (p(t_{n+1}) - p(t_n))/h in every method."""

    def __init__(self, scene):
        self.scene = scene
        self.held = np.zeros(len(scene.masses), dtype=bool)
        for members, _ in scene.pins:
            self.held[members] = True

    def places(self, t):
        """(n, 3): the initial places, moved where a pin moves; only the held rows mean anything."""
        places = self.scene.positions.copy()
        for members, offset in self.scene.pins:
            places[members] = self.scene.positions[members] + (offset(t) if offset is not None else 0.0)
        return places

    def hold(self, x, v, n):
        """Copies of x and v at the end of the step from t_n, with the held vertices where they must be."""
        h = self.scene.step
        now, then = self.places(self.scene.time(n)), self.places(self.scene.time(n + 1))
        x, v = x.copy(), v.copy()
        x[self.held] = then[self.held]
        v[self.held] = ((then - now) / h)[self.held]
        return x, v


def initial_state(scene, pins):
    """Frame 0: an unmoved pin is at rest, a moved one has (p(h) - p(0))/h, at p(0)."""
    x, v = scene.positions.copy(), scene.velocities.copy()
    v[pins.held] = ((pins.places(scene.step) - pins.places(0.0)) / scene.step)[pins.held]
    x[pins.held] = pins.places(0.0)[pins.held]
    return x, v


def explicit_euler(scene, pins, x, v, n):
    """x' = x + h v,  v' = v + h M⁻¹ f(x, v, t)."""
    h, mass = scene.step, scene.masses[:, None]
    force = total_force(scene, x, v, scene.time(n))
    return *pins.hold(x + h * v, v + h * force / mass, n), force


def symplectic_euler(scene, pins, x, v, n):
    """v' = v + h M⁻¹ f(x, v, t),  x' = x + h v'."""
    h, mass = scene.step, scene.masses[:, None]
    force = total_force(scene, x, v, scene.time(n))
    faster = v + h * force / mass
    return *pins.hold(x + h * faster, faster, n), force


def verlet(scene, pins, x, v, n):
    """v½ = v + h/2 M⁻¹ f(x, v, t),  x' = x + h v½,  v' = v½ + h/2 M⁻¹ f(x', v½, t+h)."""
    h, mass = scene.step, scene.masses[:, None]
    first = total_force(scene, x, v, scene.time(n))
    half = v + 0.5 * h * first / mass
    moved, half = pins.hold(x + h * half, half, n)
    second = total_force(scene, moved, half, scene.time(n + 1))
    return *pins.hold(moved, half + 0.5 * h * second / mass, n), 0.5 * (first + second)


def imex(scene, pins, x, v, n):
    """x' = argmin ½ (x-y)ᵀM(x-y) + h² E(x),  y = x + h v + h² M⁻¹ f_explicit(x, v, t),  v' = (x' - x)/h."""
    h, mass = scene.step, scene.masses[:, None]
    explicit = explicit_force(scene, x, v, scene.time(n))
    y, _ = pins.hold(x + h * v + h * h * explicit / mass, v, n)
    moved = minimise(scene, y, ~pins.held)
    moved, speed = pins.hold(moved, (moved - x) / h, n)
    return moved, speed, explicit + elastic_force(scene, moved)


def kick_midpoint(scene, pins, x, v, n):
    """Half a kick, the implicit midpoint rule on the springs, half a kick."""
    h, mass = scene.step, scene.masses[:, None]

    def flow(x, w, force):
        """z = argmin ½ (z-y)ᵀM(z-y) + h²/4 E(z),  y = x + h/2 v₊;  x' = 2z - x,  v₊₊ = 4(z - x)/h - v₊."""
        kicked = w + 0.5 * h * force / mass
        y = x + 0.5 * h * kicked
        y[pins.held] = 0.5 * (pins.places(scene.time(n)) + pins.places(scene.time(n + 1)))[pins.held]
        z = minimise(scene, y, ~pins.held, 0.25 * h * h)
        return 2 * z - x, 4 * (z - x) / h - kicked, elastic_force(scene, z)

    return with_drag(scene, pins, x, v, n, flow, given=0.0)


def kick_trbdf2(scene, pins, x, v, n):
    """The trapezium rule to t + γh and BDF2 to t + h, the force of the start in both; half a kick by its change."""
    h = scene.step
    gamma, alpha, beta = 2 - np.sqrt(2), (np.sqrt(2) + 1) / 2, (np.sqrt(2) - 1) / 2
    factor, mass = (0.5 * gamma * h) ** 2, scene.masses[:, None]

    def flow(x, w, force):
        first, source = elastic_force(scene, x), force / mass
        y = x + gamma * h * w + factor * first / mass + 2 * factor * source
        y[pins.held] = pins.places(scene.time(n + gamma))[pins.held]
        stage = minimise(scene, y, ~pins.held, factor)
        speed = 2 * (stage - x) / (gamma * h) - w
        y = alpha * stage - beta * x + 0.5 * gamma * h * (alpha * speed - beta * w) + factor * source
        y[pins.held] = pins.places(scene.time(n + 1))[pins.held]
        moved = minimise(scene, y, ~pins.held, factor)
        springs = 0.5 * gamma * (alpha * first + alpha * elastic_force(scene, stage) + elastic_force(scene, moved))
        return moved, 2 * (moved - alpha * stage + beta * x) / (gamma * h), springs

    return with_drag(scene, pins, x, v, n, flow, given=1.0)


def linear_implicit(scene, pins, x, v, n):
    """(M + h²H_c(x)) v' = M v + h F(x, v, t),  x' = x + h v';  H_c clamped, F every force."""
    h, mass = scene.step, scene.masses[:, None]
    force = total_force(scene, x, v, scene.time(n))
    hessian = elastic_hessian(scene, x, clamped=True)
    matrix = (sparse.diags(np.repeat(scene.masses, 3)) + h * h * hessian).tocsc()
    _, speed = pins.hold(x, v, n)
    free = np.flatnonzero(np.repeat(~pins.held, 3))
    held = np.flatnonzero(np.repeat(pins.held, 3))
    if len(free) > 0:
        rhs = (mass * v + h * force).ravel()[free] - matrix[free][:, held] @ speed.ravel()[held]
        speed.ravel()[free] = splu(matrix[free][:, free]).solve(rhs)
    linearised = force - h * (hessian @ speed.ravel()).reshape(-1, 3)
    return *pins.hold(x + h * speed, speed, n), linearised


def with_drag(scene, pins, x, v, n, flow, given):
    """(x', v₊₊) = flow(x, D v, f),  v' = D (v₊₊ + h/2 M⁻¹(f' - given f)),  f = f(x, D v, t),  f' = f(x', v₊₊, t+h).

    f is all but springs and drag; D = exp(-drag·h/2), 1 for pins. `flow` also returns the springs' mean force.
    """
    h, mass, before = scene.step, scene.masses[:, None], v
    slowing = np.where(pins.held, 1.0, np.exp(-0.5 * h * scene.drag))[:, None]

    def force(x, v, t):
        return explicit_force(scene, x, v, t) - drag_force(scene, v)

    v = slowing * v
    first = force(x, v, scene.time(n))
    x, v, springs = flow(x, v, first)
    x, v = pins.hold(x, v, n)
    second = force(x, v, scene.time(n + 1))
    x, v = pins.hold(x, slowing * (v + 0.5 * h * (second - given * first) / mass), n)
    return x, v, 0.5 * (first + second + drag_force(scene, before) + drag_force(scene, v)) + springs


def minimise(scene, y, free, factor=None):
    """argmin of g(x) = ½ (x-y)ᵀM(x-y) + a E(x) over the free vertices, downhill from y, the others staying at y.

    `factor` is a, h² where none is given. Newton's method with the exact Hessian M + a∇²E (the clamped one where that is not positive definite) and
    backtracking on g, until ∇g is lost in its own rounding and no step makes it smaller.
    """
    factor, mass = scene.step**2 if factor is None else factor, scene.masses[:, None]
    degrees = np.flatnonzero(np.repeat(free, 3))
    if len(degrees) == 0:
        return y

    def objective(x):
        return 0.5 * np.sum(mass * (x - y) ** 2) + factor * elastic_energy(scene, x)

    def gradient(x):
        return (mass * (x - y) - factor * elastic_force(scene, x)).ravel()[degrees]

    def moved(x, direction, length):
        result = x.copy()
        result.ravel()[degrees] += length * direction
        return result

    x, slope = y.copy(), gradient(y)
    rounding = 1e-11 * (np.linalg.norm(mass * y) + factor * np.linalg.norm(scene.stiffness * scene.rest_length))
    for _ in range(200):
        direction = _newton_direction(scene, x, slope, degrees, factor)
        length, value, decrease = 1.0, objective(x), float(slope @ direction)
        trial = moved(x, direction, length)
        # Where ∇g is nearly lost in rounding, so is every difference of g: the gradient alone is judged there.
        while np.linalg.norm(slope) > rounding and objective(trial) > (1 + 1e-12) * value + 1e-4 * length * decrease:
            length *= 0.5
            trial = moved(x, direction, length)
            if length < 1e-12:
                raise RuntimeError("no step along Newton's direction makes g smaller")
        new_slope = gradient(trial)
        if np.linalg.norm(slope) <= rounding and np.linalg.norm(new_slope) >= np.linalg.norm(slope):
            return x
        x, slope = trial, new_slope
        if not np.any(slope):
            return x
    raise RuntimeError(f"Newton's method did not settle: |∇g| = {np.linalg.norm(slope)}")


def _newton_direction(scene, x, slope, degrees, factor):
    """-H⁻¹∇g with H exact where it is positive definite, else with the transverse factors clamped at 0.

    The matrices are dense, because scenes are small: those of scipy.sparse take longer to make than these to factorise.
    """
    mass = np.repeat(scene.masses, 3)[degrees]
    for clamped in (False, True):
        hessian = factor * elastic_hessian(scene, x, clamped).toarray()[np.ix_(degrees, degrees)] + np.diag(mass)
        try:
            return -cho_solve(cho_factor(hessian), slope)
        except LinAlgError:  # Cholesky's factorisation exists where the matrix is positive definite, and nowhere else.
            continue
    raise AssertionError("the clamped Hessian was refused")


METHODS = {
    "imex": imex, "newton": imex, "kick_midpoint": kick_midpoint, "kick_trbdf2": kick_trbdf2,
    "linear_implicit": linear_implicit, "verlet": verlet,
    "symplectic_euler": symplectic_euler, "explicit_euler": explicit_euler,
}  # fmt: skip
