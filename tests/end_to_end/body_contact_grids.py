#!/usr/bin/python3
"""Bodies that hit each other and themselves, over grids of frictions, moduli, steps, speeds and thicknesses: every step
meets the tolerance, and in no frame does an edge go through a triangle of what may touch. Signs of volumes decide that, exactly. Usage:

  body_contact_grids.py ELECTRET           a part of the grids; all 205 runs if ELECTRET_CONTACT_GRID is "whole"
  body_contact_grids.py --frames RUN ...   looks through all frames of other runs alone
"""
import itertools
import json
import os
import subprocess
import sys
import tempfile
import unittest
from fractions import Fraction
from pathlib import Path

import h5py
import numpy as np

ELECTRET = os.path.abspath(sys.argv.pop()) if len(sys.argv) == 2 and sys.argv[1] != "--frames" else "electret"
IS_WHOLE = os.environ.get("ELECTRET_CONTACT_GRID") == "whole"
THINNING = 23  # The suite takes every so many-th run; prime to the lengths of all axes.


def volumes(a, b, c, d):
    """Six times the signed volumes of tetrahedra, n×3 each."""
    return np.einsum("ij,ij->i", np.cross(b - a, c - a), d - a)


def exact_sign(a, b, c, d):
    a, b, c, d = ([Fraction(float(t)) for t in p] for p in (a, b, c, d))
    u, v, w = ([p[i] - a[i] for i in range(3)] for p in (b, c, d))
    volume = (u[1] * v[2] - u[2] * v[1]) * w[0] + (u[2] * v[0] - u[0] * v[2]) * w[1] + (u[0] * v[1] - u[1] * v[0]) * w[2]
    return (volume > 0) - (volume < 0)


def signs(a, b, c, d):
    """Those of the volumes; in rational numbers where rounding may have changed one."""
    found = volumes(a, b, c, d)
    lengths = [np.abs(p - a).sum(1) for p in (b, c, d)]
    # Each difference of coordinates is off by 1.1e-16 of itself at most.
    unsure = np.abs(found) <= 1e-14 * lengths[0] * lengths[1] * lengths[2]
    result = np.sign(found).astype(int)
    for k in np.flatnonzero(unsure):
        result[k] = exact_sign(a[k], b[k], c[k], d[k])
    return result


def edges_of(triangles):
    return np.unique(np.sort(np.vstack([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]]), axis=1), axis=0)


def box_pairs(edge_low, edge_high, low, high):
    """Pairs of edges and triangles whose boxes overlap, by blocks, because all at once may not fit into memory."""
    block = max(1, 20_000_000 // len(low))
    for first in range(0, len(edge_low), block):
        part = slice(first, first + block)
        overlap = np.ones((len(edge_low[part]), len(low)), dtype=bool)
        for axis in range(3):
            overlap &= (edge_low[part, axis, None] <= high[None, :, axis]) & (low[None, :, axis] <= edge_high[part, axis, None])
        edges, triangles = np.nonzero(overlap)
        yield edges + first, triangles


def crossings(x, triangles, edges, bodies=None):
    """How many edges go through triangles with which they share no vertex, or touch them. `bodies`, one per vertex: those
    of other bodies alone."""
    ends, corners = x[edges], x[triangles]
    count = 0
    for e, t in box_pairs(ends.min(1), ends.max(1), corners.min(1), corners.max(1)):
        apart = ~(edges[e][:, :, None] == triangles[t][:, None, :]).any((1, 2))
        if bodies is not None:
            apart &= bodies[edges[e, 0]] != bodies[triangles[t, 0]]
        e, t = e[apart], t[apart]
        p, q, (a, b, c) = x[edges[e, 0]], x[edges[e, 1]], (x[triangles[t, k]] for k in range(3))
        through = signs(a, b, c, p) * signs(a, b, c, q) < 0
        p, q, a, b, c = (each[through] for each in (p, q, a, b, c))
        around = np.array([signs(p, q, a, b), signs(p, q, b, c), signs(p, q, c, a)])
        count += int(((around >= 0).all(0) | (around <= 0).all(0)).sum())
    return count


def crossings_of_run(folder, between_bodies=False):
    """The sum over all frames of a run; `between_bodies`: bodies may go through themselves, as jellies that are hit hard do
    where nothing keeps them from it."""
    with h5py.File(Path(folder) / "trajectory.h5") as file:
        triangles = file["faces"][:]
        if len(triangles) == 0:
            return 0
        edges, count = edges_of(triangles), file["positions"].shape[1]
        bodies = np.searchsorted(file["body_offsets"][:], np.arange(count), side="right") if between_bodies else None
        return sum(crossings(x, triangles, edges, bodies) for x in file["positions"])


def scene(step, steps, gravity, contact):
    return (f"[time]\nstep = {step}\nsteps = {steps}\n[gravity]\nacceleration = [0.0, 0.0, {-gravity}]\n[contact]\n" +
            "".join(f"{key} = {json.dumps(value)}\n" for key, value in contact.items()))


def cube(name, modulus, place, velocity=(0, 0, 0), rotation=(0, 0, 0), more=""):
    return (f'[[body]]\nname = "{name}"\ngenerate = {{ shape = "box", cells = [3, 3, 3], cell_size = 0.03 }}\n'
            f"rotate = {list(rotation)}\ntranslate = {list(place)}\nvelocity = {list(velocity)}\ndensity = 1000.0\n{more}"
            f'  [[body.material]]\n  model = "stable_neo_hookean"\n  youngs_modulus = {modulus}\n  poissons_ratio = 0.4\n')


FRICTIONS, MODULI = (0.0, 0.3, 0.6, 1.0, 2.0), (1e4, 1e5, 1e6, 1e7)


def collisions():
    """Two cubes that hit each other obliquely."""
    for friction, modulus, step, speed in itertools.product(FRICTIONS, MODULI, (0.002, 0.005, 0.01), (1.0, 4.0)):
        contact = {"against": ["bodies"], "thickness": 0.001, "friction": friction}
        yield (f"collision, μ {friction}, E {modulus:g}, h {step}, {speed} m/s",
               scene(step, round(0.12 / step), 0.0, contact) + cube("a", modulus, (0, 0, 0)) +
               cube("b", modulus, (0.135, 0.03, 0.02), (-speed, 0, 0), (10, 20, 30)))


STRIP = """[[body]]
name = "strip"
generate = { shape = "grid", width = 0.4, height = 0.08, rows = 5, columns = 21 }
rotate = [0.0, 75.0, 0.0]
translate = [0.0, 0.0, 0.25]
total_mass = 0.02
""" + "".join(f'  [[body.springs]]\n  from = "{kind}"\n  stiffness = {stiffness}\n'
              for kind, stiffness in (("edges", 60.0), ("diagonals", 30.0), ("bending", 1.0)))


def folds():
    """A strip that falls onto a floor and folds onto itself."""
    for friction, step, thickness in itertools.product(FRICTIONS, (0.002, 0.005, 0.01), (0.0003, 0.001, 0.003)):
        contact = {"against": ["obstacles", "bodies", "self"], "thickness": thickness, "friction": friction}
        floor = f'[[obstacle]]\nname = "floor"\nshape = "plane"\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\nfriction = {friction}\n'
        yield (f"fold, μ {friction}, h {step}, D {thickness}", scene(step, round(0.5 / step), 9.81, contact) + STRIP + floor)


def drops():
    """Two turned blocks that drop onto a third one and each other."""
    base = '  [[body.group]]\n  name = "base"\n  box = [[-9, -9, -0.001], [9, 9, 0.001]]\n  [[body.pin]]\n  group = "base"\n'
    for friction, modulus, step in itertools.product(FRICTIONS, MODULI, (0.005, 0.01)):
        contact = {"against": ["bodies"], "thickness": 0.001, "friction": friction}
        yield (f"drop, μ {friction}, E {modulus:g}, h {step}", scene(step, round(0.5 / step), 9.81, contact) +
               "".join(cube(f"b{k}", modulus, (0, 0, 0.045 + 0.125 * k), rotation=(3 * k, 2 * k, 17 * k), more="" if k else base)
                       for k in range(3)))


def run(folder, text):
    (folder / "scene.toml").write_text(text)
    done = subprocess.run([ELECTRET, "run", "scene.toml", "-o", "run", "--overwrite", "--threads", "1"], cwd=folder,
                          capture_output=True, text=True)
    if done.returncode != 0:
        return {"failure": done.stderr[-300:]}
    summary = json.loads((folder / "run/summary.json").read_text())
    contact = summary["body_contact"]
    return {"unconverged": contact["unconverged_steps"] + summary["capped_steps"], "passing": contact["passing_steps"],
            "gap": contact["smallest_gap"], "touching": contact["touching_steps"], "steps": summary["steps"],
            "newton": summary["elastic_iterations"]["sum"], "most": summary["elastic_iterations"]["max"],
            "crossings": crossings_of_run(folder / "run", between_bodies='"self"' not in text)}


class Grids(unittest.TestCase):
    def check(self, cases, count):
        cases = list(cases)
        self.assertEqual(len(cases), count)
        results = []
        with tempfile.TemporaryDirectory() as folder:
            for name, text in cases if IS_WHOLE else cases[::THINNING]:
                result = run(Path(folder), text)
                with self.subTest(name):
                    self.assertNotIn("failure", result)
                    self.assertEqual([result[key] for key in ("unconverged", "passing", "crossings")], [0, 0, 0])
                    self.assertGreater(result["gap"], 0.0)
                results.append(result)
        # Some strips slide flat onto a slippery floor.
        self.assertGreater(sum(result.get("touching", 0) > 0 for result in results), 0.7 * len(results))
        whole = [result for result in results if "failure" not in result]
        print(f"{len(whole)} of {len(results)} runs: {sum(r['newton'] for r in whole) / sum(r['steps'] for r in whole):.1f} Newton "
              f"steps a step, {max(r['most'] for r in whole)} at most, smallest gap {min(r['gap'] for r in whole):.3g} m", flush=True)

    def test_collisions(self):
        self.check(collisions(), 120)

    def test_folds_and_drops(self):
        self.check(itertools.chain(folds(), drops()), 85)


class Crossings(unittest.TestCase):
    """The test by itself finds what goes through."""

    def test_an_edge_through_a_triangle_beside_it_and_in_it(self):
        corners = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]])
        triangles = np.array([[0, 1, 2], [3, 4, 5]])
        for shift, count in (((0.2, 0.2), 2), ((0.7, 0.7), 0), ((0.5, 0.5), 1)):
            other = np.array([[0.0, 0, -0.5], [0.0, 0, 0.5], [0.3, 0.3, 0.5]]) + [*shift, 0.0]
            self.assertEqual(crossings(np.vstack([corners, other]), triangles, edges_of(triangles)) > 0, count > 0, shift)

    def test_a_body_may_go_through_itself_where_only_others_are_asked_for(self):
        places = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, -0.5], [0.2, 0.2, 0.5], [0.5, 0.5, 0.5]])
        triangles = np.array([[0, 1, 2], [3, 4, 5]])
        for bodies, is_any in ((np.zeros(6), False), (np.array([0, 0, 0, 1, 1, 1]), True)):
            self.assertEqual(crossings(places, triangles, edges_of(triangles), bodies) > 0, is_any)

    def test_rounding_decides_nothing(self):
        """Volumes below the rounding of their computation have the sign of the rational one."""
        a, b, c = (np.array([each]) for each in ([0.1, 0.1, 0.1], [0.1 + 1e-9, 0.1, 0.1], [0.1, 0.1 + 1e-9, 0.1]))
        for height, sign in ((np.nextafter(0.1, 1), 1), (0.1, 0), (np.nextafter(0.1, 0), -1)):
            self.assertEqual(signs(a, b, c, np.array([[0.3, 0.2, height]])).tolist(), [sign])


if __name__ == "__main__":
    if sys.argv[1:2] == ["--frames"]:
        for given in sys.argv[2:]:
            print(given, crossings_of_run(given), flush=True)
    else:
        unittest.main()
