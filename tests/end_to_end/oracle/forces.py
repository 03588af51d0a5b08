"""Every force of docs/physics.md, "Forces". Arrays over vertices are (n, 3); forces in N."""
import math

import numpy as np
from scipy import sparse
from scipy.special import erf

from .grabs import grab_forces
from .obstacles import friction_force, obstacle_force


def spring_directions(scene, x):
    """β = x_i - x_j (s, 3), |β| (s,), β̂ (s, 3), with β̂ = (1, 0, 0) for a spring of zero current length."""
    beta = x[scene.springs[:, 0]] - x[scene.springs[:, 1]]
    length = np.sqrt(np.sum(beta * beta, axis=1))
    unit = np.zeros_like(beta)
    unit[:, 0] = 1
    some = length > 0
    unit[some] = beta[some] / length[some, None]
    return beta, length, unit


def scatter_pairs(scene, pair_force):
    """Adds a force on i, and its opposite on j, of every spring."""
    force = np.zeros((len(scene.masses), 3))
    np.add.at(force, scene.springs[:, 0], pair_force)
    np.add.at(force, scene.springs[:, 1], -pair_force)
    return force


def elastic_force(scene, x):
    """-∇E:  on i  -k (β - p),  p = l β̂."""
    beta, _, unit = spring_directions(scene, x)
    return scatter_pairs(scene, -scene.stiffness[:, None] * (beta - scene.rest_length[:, None] * unit))


def elastic_hessian(scene, x, clamped=False):
    """∇²E, sparse (3n, 3n), from the blocks k (I - (l/|β|)(I - β̂β̂ᵀ)); k I where |β| = 0.

    clamped: the transverse factor 1 - l/|β| is not let below 0, which makes the matrix positive semi-definite.
    """
    _, length, unit = spring_directions(scene, x)
    ratio = np.divide(scene.rest_length, length, out=np.zeros_like(length), where=length > 0)
    if clamped:
        ratio = np.minimum(ratio, 1)
    axial = unit[:, :, None] * unit[:, None, :]
    block = scene.stiffness[:, None, None] * (np.eye(3) - ratio[:, None, None] * (np.eye(3) - axial))
    rows, columns, entries = [], [], []
    for a in (0, 1):
        for b in (0, 1):
            rows.append(3 * scene.springs[:, a, None, None] + np.arange(3)[None, :, None] + np.zeros((1, 1, 3), int))
            columns.append(3 * scene.springs[:, b, None, None] + np.arange(3)[None, None, :] + np.zeros((1, 3, 1), int))
            entries.append(block if a == b else -block)
    flat = [np.concatenate([part.ravel() for part in parts]) for parts in (entries, rows, columns)]
    return sparse.csc_matrix((flat[0], (flat[1], flat[2])), shape=(3 * len(x), 3 * len(x)))


def spring_damping_force(scene, x, v):
    """-c ((v_i - v_j)·β̂) β̂ on i, opposite on j; none where |β| = 0."""
    _, length, unit = spring_directions(scene, x)
    relative = v[scene.springs[:, 0]] - v[scene.springs[:, 1]]
    rate = np.sum(relative * unit, axis=1) * (length > 0)
    return scatter_pairs(scene, -scene.spring_damping * rate[:, None] * unit)


def drag_force(scene, v):
    """-drag · m v."""
    return -scene.drag * scene.masses[:, None] * v


def coulomb_field(scene, x, charges):
    """e_i = k_c Σ_{j≠i} q_j r/ρ³ and φ_i = k_c Σ_{j≠i} q_j/ρ, r = x_i - x_j, ρ² = |r|² + ε²."""
    r = x[:, None, :] - x[None, :, :]
    rho = np.sqrt(np.sum(r * r, axis=2) + scene.softening**2)
    np.fill_diagonal(rho, 0)
    inverse = np.divide(1.0, rho, out=np.zeros_like(rho), where=rho > 0)
    field = scene.constant * np.einsum("j,ijk,ij->ik", charges, r, inverse**3)
    return field, scene.constant * inverse @ charges


def gaussian_g(u):
    """g(u) of e = k_c Q (x - x_e)/σ³ g(u): series for u < 1, else erf(u/√2)/u³ - √(2/π) exp(-u²/2)/u²."""
    u = np.asarray(u, dtype=float)
    small, far = np.minimum(u, 1.0), np.maximum(u, 1.0)
    series = sum((-1) ** k * small ** (2 * k) / (2.0**k * math.factorial(k) * (2 * k + 3)) for k in range(16))
    closed = erf(far / math.sqrt(2)) / far**3 - math.sqrt(2 / math.pi) * np.exp(-far * far / 2) / far**2
    return np.where(u < 1, math.sqrt(2 / math.pi) * series, closed)


def gaussian_phi(u):
    """φ σ/(k_c Q): √(2/π) (1 - u²/6 + u⁴/40 - u⁶/336 ...) for u < 1, else erf(u/√2)/u."""
    u = np.asarray(u, dtype=float)
    small, far = np.minimum(u, 1.0), np.maximum(u, 1.0)
    series = sum((-1) ** k * small ** (2 * k) / (2.0**k * math.factorial(k) * (2 * k + 1)) for k in range(16))
    return np.where(u < 1, math.sqrt(2 / math.pi) * series, erf(far / math.sqrt(2)) / far)


def external_field(scene, x, t):
    """Field (n, 3), N/C, and potential (n,), V, of every external charge at time t; never softened."""
    field, potential = np.zeros_like(x), np.zeros(len(x))
    for external in scene.external_charges:
        places, charge = external.places(t)
        for place in places:
            r = x - place
            distance = np.sqrt(np.sum(r * r, axis=1))
            strength = scene.constant * charge
            if external.width > 0:
                u = distance / external.width
                field += strength / external.width**3 * gaussian_g(u)[:, None] * r
                potential += strength / external.width * gaussian_phi(u)
            else:
                field += strength * r / distance[:, None] ** 3
                potential += strength / distance
    return field, potential


def expression_field(scene, x, t):
    """Sum of the fields given as expressions, (n, 3), N/C."""
    return sum((field(x, t) for field in scene.electric_fields), np.zeros_like(x))


def explicit_force(scene, x, v, t):
    """Everything but the springs' elastic force, at (x, v, t)."""
    charges = scene.charges(t)
    field = external_field(scene, x, t)[0] + expression_field(scene, x, t)
    if scene.coulomb:
        field = field + coulomb_field(scene, x, charges)[0]
    gravity = scene.masses[:, None] * scene.gravity
    given = gravity + scene.load(t) + obstacle_force(scene, x, t) + friction_force(scene, x, v, t)
    given = given + sum(grab_forces(scene, x, v, t))
    return charges[:, None] * field + given + drag_force(scene, v) + spring_damping_force(scene, x, v)


def total_force(scene, x, v, t):
    """f(x, v, t) of docs/physics.md, "Forces"."""
    return elastic_force(scene, x) + explicit_force(scene, x, v, t)
