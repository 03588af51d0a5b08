#!/usr/bin/python3
"""Compares runs of bodies that touch each other and themselves with an independent program of the same law: numpy, all
pairs, no trees, the minimum of a step by Newton's method with a Hessian by differences. Usage:
compare_body_contact.py ELECTRET
"""
import collections
import itertools
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

ELECTRET = sys.argv.pop() if len(sys.argv) > 1 else "electret"
TOLERANCE = 1e-8
STEP, THICKNESS, STIFFNESS, MASS = 0.01, 0.01, 50.0, 0.02
FLAT, FLAT_REACH = np.radians(10), 0.25 * THICKNESS  # Of an edge that two triangles bend by less than FLAT.


class Body:
    """Vertices, triangles, and springs of one stiffness along all edges."""

    def __init__(self, vertices, triangles, pinned=False, velocity=(0, 0, 0), velocities=None):
        self.vertices = np.array(vertices, dtype=float)
        self.pinned = pinned
        # The smallest index comes first.
        self.triangles = [t[t.index(min(t)):] + t[:t.index(min(t))] for t in triangles]
        self.velocities = np.array(velocities if velocities is not None else [velocity] * len(vertices), dtype=float)
        self.edges = sorted({tuple(sorted(pair)) for t in triangles for pair in itertools.combinations(t, 2)})


def at_feature(points, first, second):
    """r and weights of the closest points of the two planes, lines or points through these vertices; None if they are
    parallel."""
    weights = np.zeros(4)
    weights[first[0]], weights[second[0]] = 1.0, -1.0
    slopes = []
    for part, sign in ((first, 1.0), (second, -1.0)):
        for other in part[1:]:
            slope = np.zeros(4)
            slope[other], slope[part[0]] = sign, -sign
            slopes.append(slope)
    if slopes:
        q = np.array(slopes) @ points
        beta, _, rank, _ = np.linalg.lstsq(q.T, -(weights @ points), rcond=1e-10)
        if rank < len(slopes):
            return None
        weights = weights + beta @ np.array(slopes)
    return weights @ points, weights


def closest(points, parts):
    """r, weights, and the vertices of the closest face, edge or corner of each part, by trying all."""
    best = None
    for first, second in itertools.product(subsets(parts[0]), subsets(parts[1])):
        found = at_feature(points, first, second)
        if found is None or (found[1][parts[0]] < 0).any() or (found[1][parts[1]] > 0).any():
            continue
        if best is None or found[0] @ found[0] < best[0] @ best[0] * (1 - 1e-12):
            best = *found, (tuple(first), tuple(second))
    return best


def frame_edge(points, n, where, count):
    """The edge along which the two directions of a slip lie: that of the closest feature, else the one most across n."""
    first, second = where
    if count == 1 and len(second) == 3:
        return 1, 2
    if count == 2 and len(first) == 2:
        return first
    if len(second) == 2:
        return second
    edges = ((1, 2), (2, 3), (3, 1)) if count == 1 else ((0, 1), (2, 3))

    def across(edge):
        along = points[edge[1]] - points[edge[0]]
        return 1 - (along @ n) ** 2 / (along @ along)

    return max(edges, key=across)


def frame(points, n, edge):
    along = points[edge[1]] - points[edge[0]]
    along = along - (along @ n) * n
    along /= np.linalg.norm(along)
    return np.array([along, np.cross(n, along)])


def subsets(part):
    return [list(s) for size in range(1, len(part) + 1) for s in itertools.combinations(part, size)]


class World:
    def __init__(self, bodies, gravity, friction, itself):
        self.friction, self.gravity = friction, np.array(gravity)
        self.x = np.vstack([b.vertices for b in bodies])
        self.v = np.vstack([b.velocities for b in bodies])
        starts = np.cumsum([0] + [len(b.vertices) for b in bodies])
        self.free = np.concatenate([np.full(len(b.vertices), not b.pinned) for b in bodies])
        self.body = np.concatenate([np.full(len(b.vertices), k) for k, b in enumerate(bodies)])
        self.springs = np.array([(i + s, j + s) for b, s in zip(bodies, starts) for i, j in b.edges])
        self.lengths = np.linalg.norm(self.x[self.springs[:, 0]] - self.x[self.springs[:, 1]], axis=1)
        triangles = [tuple(i + s for i in t) for b, s in zip(bodies, starts) for t in b.triangles]
        edges = [tuple(e) for e in self.springs]
        self.flat = {e for e in edges if self.is_flat(e, triangles)}
        pairs = [((v,), t) for v in range(len(self.x)) for t in triangles] + list(itertools.combinations(edges, 2))
        self.pairs = [p for p in pairs if self.may_touch(p, itself)]
        self.rest = self.x.copy()
        self.scales = np.full(len(self.x), MASS / STEP**2)
        for (i, j), length in zip(self.springs, self.lengths):
            self.scales[[i, j]] += STIFFNESS / 3  # At rest a spring's second derivative is k along it.
        self.slips = {}

    def is_flat(self, edge, triangles):
        beside = [set(t) - set(edge) for t in triangles if set(edge) <= set(t)]
        if len(beside) != 2:
            return False
        a, b = self.x[list(edge)]
        u = (b - a) / np.linalg.norm(b - a)
        sides = [self.x[other.pop()] - a for other in beside]
        sides = [s - (s @ u) * u for s in sides]
        return sides[0] @ sides[1] < -np.cos(FLAT) * np.linalg.norm(sides[0]) * np.linalg.norm(sides[1])

    def reach(self, pair):
        return FLAT_REACH if self.flat & {pair[0], pair[1]} else THICKNESS

    def may_touch(self, pair, itself):
        vertices = pair[0] + pair[1]
        same = self.body[pair[0][0]] == self.body[pair[1][0]]
        return len(set(vertices)) == 4 and self.free[list(vertices)].any() and (same if itself else not same)

    def stiffness(self, pair):
        a, b = [self.scales[[v for v in part if self.free[v]]].mean() if any(self.free[list(part)]) else None
                for part in pair]
        return 2 * THICKNESS / self.reach(pair) * (b if a is None else a if b is None else a * b / (a + b))

    def touch(self, pair, x):
        """d, n, weights and m of a pair that is nearer than its reach; else None."""
        vertices = list(pair[0] + pair[1])
        p = x[vertices]
        n0 = len(pair[0])
        if (p[:n0].min(0) - p[n0:].max(0) > THICKNESS).any() or (p[n0:].min(0) - p[:n0].max(0) > THICKNESS).any():
            return None
        r, w, where = closest(p, [list(range(n0)), list(range(n0, 4))])
        d = np.sqrt(r @ r)
        if d >= self.reach(pair):
            return None
        m, slope = self.fading(pair, x)
        return d, r / d, w, m, slope, where

    def fading(self, pair, x):
        """m and its derivatives by the four vertices."""
        if len(pair[0]) == 1:
            return 1.0, np.zeros((4, 3))
        (a, b), (c, e) = pair
        u0, v0 = self.rest[b] - self.rest[a], self.rest[e] - self.rest[c]
        u, v = x[b] - x[a], x[e] - x[c]
        area = np.cross(u, v)
        ratio = area @ area / (1e-3 * (u0 @ u0) * (v0 @ v0))
        if ratio >= 1:
            return 1.0, np.zeros((4, 3))
        if ratio < 1e-8:
            return 0.0, np.zeros((4, 3))
        by = (2 - 2 * ratio) / (1e-3 * (u0 @ u0) * (v0 @ v0))
        by_u, by_v = 2 * by * np.cross(v, area), 2 * by * np.cross(area, u)
        return ratio * (2 - ratio), np.array([-by_u, by_u, -by_v, by_v])

    def repulsion(self, pair, d):
        """b and p = -b'."""
        reach = self.reach(pair)
        if 2 * d >= reach:
            return 0.5 * (reach - d) ** 2, reach - d
        return reach**2 / 8 - reach**2 / 4 * np.log(2 * d / reach), reach**2 / (4 * d)

    def terms(self, x):
        """What the energy consists of: a pair, how it touches, the stiffness, and whether it rubs."""
        found = [(pair, self.touch(pair, x)) for pair in self.pairs]
        found = [(pair, touch) for pair, touch in found if touch is not None]
        edges = [(pair, touch) for pair, touch in found if len(pair[0]) == 2]
        joints = collections.Counter((v, pair[1 - side]) for pair, _ in edges if self.reach(pair) == THICKNESS
                                     for side in (0, 1) for v in pair[side])
        for pair, touch in edges:
            yield from self.terms_of_edges(pair, touch, joints, x)
        for v in sorted({pair[0][0] for pair, _ in found if len(pair[0]) == 1}):
            yield from self.terms_of_vertex(sorted(one for one in found if one[0][0] == (v,)), x)

    def terms_of_edges(self, pair, touch, joints, x):
        """By inclusion and exclusion: of n near edges at a joint each takes off 1 - 1/n of itself there; where two joints
        are near to each other, that has been taken off twice."""
        shares, own = {touch[5]: 1.0}, {touch[5]: touch}
        if self.reach(pair) == THICKNESS:
            vertices = pair[0] + pair[1]
            off = [1 - 1 / joints[vertices[i], pair[1] if i < 2 else pair[0]] for i in range(4)]
            wholes = [([i], [2, 3]) if i < 2 else ([0, 1], [i]) for i in range(4)]
            parts = [(wholes[i], -off[i]) for i in range(4)]
            parts += [(([i], [j]), off[i] * off[j]) for i in (0, 1) for j in (2, 3)]
            for part, share in parts:
                r, w, where = closest(x[list(vertices)], list(part))
                d = np.sqrt(r @ r)
                if share == 0 or d >= THICKNESS:
                    continue
                own.setdefault(where, (d, r / d, w, touch[3], touch[4], None))
                shares[where] = shares.get(where, 0.0) + share
        for where, share in shares.items():
            yield pair, own[where], share * self.stiffness(pair), where == touch[5]

    def terms_of_vertex(self, near, x):
        """By inclusion and exclusion: of the edges of n near triangles n - 1 are taken off, each with their mean
        stiffness, and corners have what makes the sum there the mean of their triangles."""
        stiffness, count, own = {}, {}, {}

        def add(feature, k, n):
            stiffness[feature] = stiffness.get(feature, 0.0) + k
            count[feature] = count.get(feature, 0) + n

        for pair, touch in near:
            feature = frozenset(pair[1][i - 1] for i in touch[5][1])
            add(feature, self.stiffness(pair), 1)
            own.setdefault(feature, (pair, touch))
        shared = {}
        for part in {frozenset(s) for pair, _ in near for size in (1, 2) for s in itertools.combinations(pair[1], size)}:
            around = [pair for pair, _ in near if part <= set(pair[1])]
            shared[part] = around, sum(map(self.stiffness, around))
        for part, (around, k) in shared.items():
            pair, n = around[0], len(around)
            places = [1 + pair[1].index(v) for v in part]
            r, w, where = closest(x[list(pair[0] + pair[1])], [[0], places])
            if n == 1 or np.sqrt(r @ r) >= THICKNESS:
                continue
            feature = frozenset(pair[1][i - 1] for i in where[1])
            own.setdefault(feature, (pair, (np.sqrt(r @ r), r / np.sqrt(r @ r), w, 1.0, np.zeros((4, 3)), None)))
            add(feature, -(n - 1) / n * k, 1 - n)
            if len(part) == 1:
                for edge, (sides, k_edge) in shared.items():
                    if len(edge) == 2 and part < edge:
                        add(feature, (len(sides) - 1) / len(sides) * k_edge, len(sides) - 1)
        for feature, (pair, touch) in own.items():
            yield pair, touch, stiffness[feature], touch[5] is not None and count[feature] > 0

    def begin(self):
        """The pairs with friction, at the start of the step."""
        self.held = []
        terms = list(self.terms(self.x))
        found = [(pair, touch, k) for pair, touch, k, rubs in terms if rubs and touch[3] != 0]
        spreads = self.spreads(terms)
        self.touching = {pair for pair, _, _ in found}
        for pair, (d, n, w, m, _, where), pushing in found:
            k = self.stiffness(pair)
            points = self.x[list(pair[0] + pair[1])]
            edge = frame_edge(points, n, where, len(pair[0]))
            q = frame(points, n, edge)
            self.held.append((pair, w, q, k, self.friction * pushing * m * self.repulsion(pair, d)[1] * spreads.get(self.couple(pair), 1.0),
                              self.slip(pair, q, where, edge),
                              where, edge))

    def couple(self, pair):
        return (pair[0][0], self.body[pair[1][0]]) if len(pair[0]) == 1 else pair

    def spreads(self, terms):
        """By vertex and body, or by pair of edges: what all terms push, as a part of what those push that rub."""
        sums = {}
        for pair, (d, _, _, m, _, _), k, rubs in terms:
            if m == 1:
                all_, rubbing = sums.get(self.couple(pair), (0.0, 0.0))
                push = k * self.repulsion(pair, d)[1]
                sums[self.couple(pair)] = all_ + push, rubbing + (push if rubs and push > 0 else 0.0)
        return {key: max(all_, 0.0) / rubbing for key, (all_, rubbing) in sums.items() if rubbing > 0}

    def slip(self, pair, q, where, edge):
        """That of the last step, turned from the frame of its closest feature as it is now into `q`; of a vertex on a new
        triangle its share of that which it had on another of the body, which it has left."""
        of, share = pair, 1.0
        if pair not in self.slips:
            def beside(pairs):
                return [p for p in pairs if len(pair[0]) == 1 and p[0] == pair[0]
                        and self.body[p[1][0]] == self.body[pair[1][0]]]
            left = [p for p in beside(self.slips) if p not in self.touching]
            if not left:
                return np.zeros(2)
            of = min(left)
            new = [p for p in beside(self.touching) if p not in self.slips]
            share = np.sqrt(self.stiffness(of) / self.stiffness(pair)) / len(new)
        slip, old_where, old_edge = self.slips[of]
        if of == pair and (old_where, old_edge) == (where, edge):
            return slip
        points = self.x[list(of[0] + of[1])]
        r, _ = at_feature(points, *old_where)
        return share * q @ frame(points, r / np.linalg.norm(r), old_edge).T @ slip

    def energy(self, x, start, y):
        """The objective and its gradient in J and N."""
        value = 0.5 * MASS / STEP**2 * ((x - y)[self.free] ** 2).sum()
        gradient = MASS / STEP**2 * (x - y)
        i, j = self.springs.T
        along = x[i] - x[j]
        length = np.linalg.norm(along, axis=1)
        value += 0.5 * STIFFNESS * ((length - self.lengths) ** 2).sum()
        pull = (STIFFNESS * (length - self.lengths) / length)[:, None] * along
        np.add.at(gradient, i, pull)
        np.add.at(gradient, j, -pull)
        for pair, (d, n, w, m, slope, _), k, _ in self.terms(x):
            b, p = self.repulsion(pair, d)
            value += k * m * b
            gradient[list(pair[0] + pair[1])] += k * (-m * p * np.outer(w, n) + b * slope)
        for pair, w, q, k, limit, a, *feature in self.held:
            vertices = list(pair[0] + pair[1])
            s = a + q @ (w @ (x - start)[vertices])
            size = np.linalg.norm(s)
            force = k * s if k * size <= limit else limit * s / size
            value += 0.5 * k * size**2 if k * size <= limit else limit * size - limit**2 / (2 * k)
            gradient[vertices] += np.outer(w, q.T @ force)
        gradient[~self.free] = 0
        return value, gradient

    def smallest(self, x):
        found = [self.touch(pair, x) for pair in self.pairs]
        return min((one[0] for one in found if one is not None), default=THICKNESS)

    def step(self):
        start = self.x.copy()
        self.begin()
        y = start + STEP * self.v + STEP**2 * self.gravity
        y[~self.free] = start[~self.free]
        x = start.copy()
        rows = np.flatnonzero(np.repeat(self.free, 3))
        value, gradient = self.energy(x, start, y)
        scale = np.linalg.norm(gradient)
        for _ in range(200):
            if np.linalg.norm(gradient) <= 1e-12 * max(scale, MASS * 9.81):
                break
            hessian = np.empty((len(rows), len(rows)))
            for column, row in enumerate(rows):
                moved = [x.copy(), x.copy()]
                for place, sign in zip(moved, (1, -1)):
                    place.reshape(-1)[row] += sign * 1e-7
                ahead, behind = [self.energy(place, start, y)[1].ravel()[rows] for place in moved]
                hessian[:, column] = (ahead - behind) / 2e-7
            values, vectors = np.linalg.eigh(0.5 * (hessian + hessian.T))
            way = np.zeros(x.size)
            way[rows] = -vectors @ ((vectors.T @ gradient.ravel()[rows]) / np.maximum(values, 1e-6 * values.max()))
            way = way.reshape(x.shape)
            # No vertex goes farther than parts are apart.
            length = min(1.0, 0.4 * self.smallest(x) / np.linalg.norm(way, axis=1).max())
            while length > 1e-12:
                other, slope = self.energy(x + length * way, start, y)
                is_flat = other <= value + 1e-13 * abs(value) + 1e-18
                if other < value or (is_flat and np.linalg.norm(slope) < np.linalg.norm(gradient)):
                    break
                length *= 0.5
            else:
                break
            x, value, gradient = x + length * way, other, slope
        self.slips = {}
        for pair, w, q, k, limit, a, *feature in self.held:
            s = a + q @ (w @ (x - start)[list(pair[0] + pair[1])])
            size = np.linalg.norm(s)
            self.slips[pair] = (s if k * size <= limit else limit / k * s / size, *feature)
        self.v = (x - start) / STEP
        self.x = x


def write(folder, bodies, gravity, friction, itself):
    lines = [f"[time]\nstep = {STEP}\nsteps = 20\n[integrator]\ntolerance = 1e-13\n",
             f"[gravity]\nacceleration = {list(map(float, gravity))}\n",
             f"[contact]\nagainst = [{json.dumps('self' if itself else 'bodies')}]\nthickness = {THICKNESS}\n"
             f"friction = {friction}\n"]
    for k, body in enumerate(bodies):
        mesh = "".join("v " + " ".join(repr(float(c)) for c in v) + "\n" for v in body.vertices)
        mesh += "".join("f " + " ".join(str(i + 1) for i in t) + "\n" for t in body.triangles)
        (folder / f"b{k}.obj").write_text(mesh)
        lines.append(f'[[body]]\nname = "b{k}"\nmesh = "b{k}.obj"\nmass = {MASS}\n'
                     f"velocities = {body.velocities.tolist()}\n"
                     f'  [[body.springs]]\n  from = "edges"\n  stiffness = {STIFFNESS}\n')
        if body.pinned:
            lines.append(f'  [[body.group]]\n  name = "all"\n  indices = {list(range(len(body.vertices)))}\n'
                         '  [[body.pin]]\n  group = "all"\n')
    (folder / "scene.toml").write_text("".join(lines))


class BodyContact(unittest.TestCase):
    def compare(self, bodies, gravity, friction, itself=False):
        world = World(bodies, gravity, friction, itself)
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            write(folder, bodies, gravity, friction, itself)
            run = subprocess.run([ELECTRET, "run", str(folder / "scene.toml"), "--output", str(folder / "out")],
                                 capture_output=True, text=True, check=False)
            self.assertEqual(run.returncode, 0, run.stderr)
            with h5py.File(folder / "out" / "trajectory.h5") as file:
                frames = file["positions"][:]
        touched = 0
        for k in range(1, 21):
            world.step()
            touched += any(world.touch(pair, world.x) is not None for pair in world.pairs)
            self.assertLess(np.abs(frames[k] - world.x).max(), TOLERANCE, f"step {k}")
        self.assertGreater(touched, 2)

    TETRAHEDRON = np.array([[0, 0, 0.1], [0.09, 0.01, -0.02], [-0.05, 0.08, 0.0], [-0.04, -0.07, 0.01]])
    FACES = [(0, 1, 2), (0, 2, 3), (0, 3, 1), (1, 3, 2)]

    def test_tetrahedron_on_a_plate(self):
        corners = [[-0.5, -0.4, 0], [0.6, -0.4, 0], [0.55, 0.45, 0], [-0.5, 0.4, 0]]
        falling = Body(self.TETRAHEDRON + [0.01, 0.02, 0.04], self.FACES, velocity=(0.3, 0.1, -0.5))
        self.compare([Body(corners, [(0, 1, 2), (0, 2, 3)], pinned=True), falling], (2.0, 0.0, -9.0), 0.4)

    def test_two_tetrahedra_collide(self):
        faces = [f[::-1] for f in self.FACES]
        upper = Body(self.TETRAHEDRON * [1, 1, -1] + [0, 0, 0.05], faces, velocity=(0, 0, -0.5))
        lower = Body(self.TETRAHEDRON * [-1, -1, 1] + [0.02, 0.01, -0.14], faces, velocity=(0.1, 0, 0.5))
        self.compare([upper, lower], (0, 0, 0), 0.3)

    def test_strip_closes_on_itself(self):
        corners = [[-0.03, 0, 0.10], [-0.02, 0.1, 0.11], [-0.06, 0.0, 0.0], [-0.07, 0.11, 0.0],
                   [0.07, 0.0, 0.005], [0.06, 0.1, 0.0], [-0.012, 0.02, 0.1], [-0.005, 0.12, 0.09]]
        triangles = [(0, 2, 3), (0, 3, 1), (2, 4, 5), (2, 5, 3), (4, 6, 7), (4, 7, 5)]
        velocities = [[0.4, 0, 0]] * 2 + [[0, 0, 0]] * 4 + [[-0.4, 0, 0]] * 2
        self.compare([Body(corners, triangles, velocities=velocities)], (0, 0, 0), 0.5, itself=True)


if __name__ == "__main__":
    unittest.main()
