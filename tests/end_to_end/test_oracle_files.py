#!/usr/bin/python3
"""What the oracle reads and writes: meshes, scenes, runs; and that a wrong run is told from a right one."""
import dataclasses
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

from compare_with_oracle import generated_scenes
from oracle import load_scene, simulate
from oracle.meshes import read_mesh
from oracle.run_files import write_run
from oracle.scene import rotation
from oracle.springs import spring_pairs
from scene_files import icosphere, quad_grid, triangulated, write_obj, write_ply

HERE = Path(__file__).parent


class Files(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def test_ply_layouts_agree(self):
        vertices, triangles = icosphere(0)
        for layout in ("ascii", "binary_little_endian", "binary_big_endian"):
            write_ply(self.folder / "a.ply", vertices, triangles, {"mark": np.arange(12.0) % 3}, layout)
            mesh = read_mesh(self.folder / "a.ply")
            np.testing.assert_array_equal(mesh.vertices, vertices)
            self.assertEqual([tuple(polygon) for polygon in mesh.polygons], triangles)
            self.assertEqual(mesh.attribute("mark"), [1, 2, 4, 5, 7, 8, 10, 11])

    def test_obj_indices_groups_and_segments(self):
        text = "v 0 0 0\nv 1 0 0\nv 1 1 0\ng one two\nf 1/1 2//2 -1/3/3\nv 0 1 0\ng three\nf 1 -2 \\\n -1\nl 4 1 2 # end\n"
        (self.folder / "a.obj").write_text(text)
        mesh = read_mesh(self.folder / "a.obj")
        self.assertEqual((mesh.polygons, mesh.segments), ([[0, 1, 2], [0, 2, 3]], [(3, 0), (0, 1)]))
        self.assertEqual((mesh.attribute("two"), mesh.attribute("three")), ([0, 1, 2], [0, 1, 2, 3]))

    def test_spring_rules(self):
        vertices, quads = quad_grid(2, 3, 1.0)
        write_obj(self.folder / "q.obj", vertices, quads)
        mesh = read_mesh(self.folder / "q.obj")
        pairs = {kind: spring_pairs({"from": kind}, mesh, vertices).tolist() for kind in ("edges", "diagonals")}
        self.assertEqual(pairs["edges"], [[0, 1], [0, 3], [1, 2], [1, 4], [2, 5], [3, 4], [4, 5]])
        self.assertEqual(pairs["diagonals"], [[0, 4], [1, 3], [1, 5], [2, 4]])
        mesh.polygons = [list(triangle) for triangle in triangulated(quads)]
        self.assertEqual(spring_pairs({"from": "bending"}, mesh, vertices).tolist(), [[0, 5], [1, 3], [2, 4]])
        # Neighbours at equal distance: the lower index; from 4 that is 1, from 5 it is 2, from 3 it is 0.
        table = {"from": "nearest", "neighbours": 1}
        self.assertEqual(spring_pairs(table, mesh, vertices).tolist(), [[0, 1], [0, 3], [1, 2], [1, 4], [2, 5]])
        table = {"from": "pairs", "pairs": [[4, 0], [1, 2]]}
        self.assertEqual(spring_pairs(table, mesh, vertices).tolist(), [[4, 0], [1, 2]])

    def test_generated_bodies_come_from_the_run(self):
        paths = dict(generated_scenes(self.folder, "e"))
        source, generated = load_scene(paths["placed_bodies/verlet"]), paths["placed_bodies/verlet"].with_name("made.toml")
        made, third = '[[body]]\nname = "a"\ngenerate = { shape = "torus" }\nmass = 2.0\n', "[[body.group]]\n"
        third += 'name = "g"\nindices = [0]\n[[body.pin]]\ngroup = "g"\n'
        generated.write_text("[time]\nstep = 0.1\nsteps = 1\n" + 2 * made + made + third)
        write_run(source, simulate(dataclasses.replace(source, steps=1)), self.folder / "run")
        with h5py.File(self.folder / "run" / "trajectory.h5") as run:
            scene = load_scene(generated, run)
        for name in ("springs", "rest_positions", "stiffness", "rest_length"):
            np.testing.assert_array_equal(getattr(scene, name), getattr(source, name))
        self.assertEqual(scene.pins[0][0].tolist(), [24])
        with self.assertRaises(ValueError):
            load_scene(generated)

    def test_rotation_order(self):
        # 90° about x, then about z: y -> z -> z, x -> x -> y.
        np.testing.assert_allclose(rotation([90, 0, 90]) @ np.eye(3), [[0, 0, 1], [1, 0, 0], [0, 1, 0]], atol=1e-15)
        # 90° about x, then about y: y -> z -> x.
        np.testing.assert_allclose(rotation([90, 90, 0]) @ [0, 1, 0], [1, 0, 0], atol=1e-15)

    def test_scene_overlays(self):
        paths = dict(generated_scenes(self.folder))
        scene = load_scene(paths["keyed_charges/verlet"])
        charges, cubic = scene.charges(0.1), scene.group_charges[2][1](0.1)
        # 3 and 6 are in the box of the last group, 4 and 5 in the second, 0 in the first alone, 9 in none.
        self.assertEqual(charges[[3, 6, 4, 5, 0, 9]].tolist(), [cubic, cubic, -4e-6, -4e-6, 2.5e-6, 2e-6])
        big = load_scene(paths["ply_properties/verlet"])
        self.assertEqual(set(np.round(big.body_charges[12:24], 12)), {2e-6})
        self.assertEqual((big.velocities[24:] == [0, 0, 0.1]).all(), True)
        self.assertEqual(load_scene(paths["chain_every_third/verlet"]).steps, 50)


class Comparison(unittest.TestCase):
    """compare_with_oracle.py passes the oracle itself and fails a run with a wrong digit in any one file."""

    def run_comparison(self, fault):
        with tempfile.TemporaryDirectory() as folder:
            command = Path(folder) / "electret"
            script = f"""#!{sys.executable}
import json, pathlib, runpy, sys, h5py
sys.path.insert(0, {str(HERE)!r})
runpy.run_module("oracle", run_name="__main__")
folder = pathlib.Path(sys.argv[4])
{fault}
"""
            command.write_text(script)
            command.chmod(0o755)
            arguments = [sys.executable, HERE / "compare_with_oracle.py", command, "--only", "expression_fields/verlet"]
            done = subprocess.run(arguments, capture_output=True, text=True, check=False)
            return done.returncode, done.stdout.splitlines()[-1]

    def test_right_and_wrong_runs(self):
        self.assertEqual(self.run_comparison(""), (0, "1 passed, 0 failed"))
        faults = {
            "positions": "f = h5py.File(folder / 'trajectory.h5', 'r+'); f['positions'][-1, 2, 1] += 1e-6",
            "velocities": "f = h5py.File(folder / 'trajectory.h5', 'r+'); f['velocities'][0, 0, 0] += 1e-6",
            "springs": "f = h5py.File(folder / 'trajectory.h5', 'r+'); f['springs'][...] = f['springs'][::-1]",
            "rest": "f = h5py.File(folder / 'trajectory.h5', 'r+'); f['spring_rest_length'][3] *= 1 + 1e-9",
            "energy": "p = folder / 'energy.csv'; t = p.read_text().split(); r = t[9].split(',');"
                      "r[2] = str(float(r[2]) + 1e-6); t[9] = ','.join(r); p.write_text('\\n'.join(t))",
            "work": "p = folder / 'summary.json'; t = json.loads(p.read_text()); t['field_work'] *= 1.001;"
                    "p.write_text(json.dumps(t))",
            "status": "sys.exit(1)",
        }  # fmt: skip
        for name, fault in faults.items():
            with self.subTest(name):
                self.assertEqual(self.run_comparison(fault), (1, "0 passed, 1 failed"))


if __name__ == "__main__":
    unittest.main()
