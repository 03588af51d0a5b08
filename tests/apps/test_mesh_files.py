#!/usr/bin/python3
"""Solid meshes that another program (meshio) wrote, in every format, and what `electret run` makes of them; each
mesh is written with numbers whose bits must come through."""

import os
import unittest
import warnings

import h5py
import meshio
import numpy as np
from support import CommandTest, without_sanitizers

SCENE = """
[time]
step = 0.001
steps = 1

[[body]]
name = "solid"
mesh = "{mesh}"
density = 1000.0

  [[body.material]]
  model = "corotated"
  youngs_modulus = 1e5
  poissons_ratio = 0.3

  [[body.element_group]]
  name = "marked"
  attribute = "{group}"
"""


def grid(shape, seed):
    """A box of hexahedra, every point moved a little: points and cells."""
    random = np.random.default_rng(seed)
    nx, ny, nz = shape
    index = np.arange((nx + 1) * (ny + 1) * (nz + 1)).reshape(nx + 1, ny + 1, nz + 1)
    points = np.stack(np.meshgrid(*[np.arange(n + 1.0) for n in shape], indexing="ij"), -1).reshape(-1, 3)
    corners = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
    cells = np.stack([index[i:nx + i, j:ny + j, k:nz + k].ravel() for i, j, k in corners], 1)
    return 0.1 * points + random.uniform(-0.02, 0.02, points.shape), cells


def tetrahedra(hexahedra):
    ways = [(0, 1, 2, 6), (0, 2, 3, 6), (0, 3, 7, 6), (0, 7, 4, 6), (0, 4, 5, 6), (0, 5, 1, 6)]
    return np.concatenate([hexahedra[:, way] for way in ways])


class MeshFiles(CommandTest):
    def setUp(self):
        super().setUp()
        points, hexahedra = grid((3, 2, 2), 5)
        self.points, self.hexahedra = points, hexahedra[4:]
        self.tetrahedra = tetrahedra(hexahedra[:4])
        self.triangles = np.array([[0, 1, 4]])
        self.marks = [1 + np.arange(len(self.tetrahedra)) % 2, np.full(len(self.hexahedra), 2), np.array([7])]

    def mesh(self, name):
        cells = [("tetra", self.tetrahedra), ("hexahedron", self.hexahedra), ("triangle", self.triangles)]
        data = {name: [mark.astype(np.int32) for mark in self.marks]}
        return meshio.Mesh(self.points, cells, cell_data=data)

    def check(self, file, group, hexahedra=True):
        (self.folder / "scene.toml").write_text(SCENE.format(mesh=file, group=group))
        self.electret("run", "scene.toml", "-o", file + "-run", check=0)
        with h5py.File(self.folder / (file + "-run") / "trajectory.h5") as run:
            np.testing.assert_array_equal(run["rest_positions"][()], self.points)
            np.testing.assert_array_equal(np.sort(run["tetrahedra"][()], 0), np.sort(self.tetrahedra, 0))
            np.testing.assert_array_equal(run["tetrahedra"][()], self.tetrahedra)
            if hexahedra:
                np.testing.assert_array_equal(run["hexahedra"][()], self.hexahedra)
            marked = run["element_groups/solid/marked"][()]
        expected = np.flatnonzero(np.concatenate(self.marks[:2 if hexahedra else 1]) == 2)
        np.testing.assert_array_equal(marked, expected)

    def write(self, file, mesh, *arguments, **options):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            meshio.write(self.folder / file, mesh, *arguments, **options)

    def test_vtk(self):
        for version in ("vtk42", "vtk"):
            for binary in (True, False):
                file = f"{version}-{binary}.vtk"
                self.write(file, self.mesh("material"), version, binary=binary)
                self.check(file, "material=2")

    def test_vtu(self):
        for compression in (None, "zlib"):
            for header in ("UInt32", "UInt64"):
                file = f"{compression}-{header}.vtu"
                self.write(file, self.mesh("material"), compression=compression, header_type=header)
                self.check(file, "material=2")

    def test_vtu_as_text_has_the_digits_that_are_written(self):
        self.points = np.round(self.points, 9)
        self.write("text.vtu", self.mesh("material"), binary=False)
        self.check("text.vtu", "material=2")

    def test_medit(self):
        self.write("solid.mesh", self.mesh("medit:ref"))
        self.check("solid.mesh", "2")

    def test_tetgen(self):
        mesh = meshio.Mesh(self.points, [("tetra", self.tetrahedra)], cell_data={"tetgen:ref": [self.marks[0]]})
        used = np.unique(self.tetrahedra)
        renumbered = np.zeros(len(self.points), int)
        renumbered[used] = np.arange(len(used))
        self.points, self.tetrahedra = self.points[used], renumbered[self.tetrahedra]
        mesh = meshio.Mesh(self.points, [("tetra", self.tetrahedra)], cell_data={"tetgen:ref": [self.marks[0]]})
        self.write("solid.node", mesh)
        self.check("solid.node", "2", hexahedra=False)
        self.check("solid.ele", "2", hexahedra=False)

    def test_a_wedge_written_as_a_hexahedron_has_no_spring_of_no_length(self):
        (self.folder / "wedge.vtk").write_text(
            "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 6 double\n"
            "0 0 0 1 0 0 0 1 0 0 0 1 1 0 1 0 1 1\nCELLS 1 9\n8 0 1 2 2 3 4 5 5\nCELL_TYPES 1\n12\n")
        for kind in ("volume", "edges"):
            self.scene('[time]\nstep = 0.001\nsteps = 2\n[[body]]\nname = "b"\nmesh = "wedge.vtk"\nmass = 1.0\n'
                       f'[[body.springs]]\nfrom = "{kind}"\nstiffness = 1.0\n')
            self.electret("run", "scene.toml", "-o", kind, check=0)
            with h5py.File(self.folder / kind / "trajectory.h5") as run:
                np.testing.assert_array_equal(run["springs"][()], [[0, 1], [0, 2], [0, 3], [1, 2], [1, 4], [2, 5], [3, 4], [3, 5], [4, 5]])

    @without_sanitizers
    def test_a_small_file_of_repeated_groups_takes_little_memory(self):
        groups, elements = 16000, 8000
        nodes = elements + 2
        (self.folder / "groups.msh").write_text(
            "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 1 0\n1 0 0 0 1 1 0 " + str(groups) + " 7" * groups + " 0\n$EndEntities\n"
            f"$Nodes\n1 {nodes} 1 {nodes}\n2 1 0 {nodes}\n" + "".join(f"{k + 1}\n" for k in range(nodes))
            + "".join(f"{k} {k % 2} 0\n" for k in range(nodes)) + f"$EndNodes\n$Elements\n1 {elements} 1 {elements}\n2 1 2 {elements}\n"
            + "".join(f"{k + 1} {k + 1} {k + 2} {k + 3}\n" for k in range(elements)) + "$EndElements\n")
        self.scene('[time]\nstep = 0.001\nsteps = 2\n[[body]]\nname = "b"\nmesh = "groups.msh"\nmass = 1.0\n'
                   '[[body.springs]]\nfrom = "edges"\nstiffness = 1.0\n')
        with self.start("check", "scene.toml") as check:
            _, status, usage = os.wait4(check.pid, 0)
            check.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(check.returncode, 0)
        self.assertLess(usage.ru_maxrss, 200_000, "kB; it is 3 GB if the group is kept 16000 times")

    def test_a_missing_companion_is_told(self):
        (self.folder / "alone.ele").write_text("0 4 0\n")
        (self.folder / "scene.toml").write_text(SCENE.format(mesh="alone.ele", group="2"))
        result = self.electret("check", "scene.toml", check=2)
        self.assertIn("alone.node", result.stderr)

    def test_a_mesh_that_is_missing_is_all_that_is_told(self):
        for key in ('mesh = "none.msh"', 'generate = { shape = "fill", surface = "none.obj" }'):
            self.scene(f'[time]\nstep = 1\nsteps = 1\n[[body]]\n{key}\ndensity = 1.0\n')
            told = self.electret("check", "scene.toml", check=2).stderr
            self.assertEqual(len(told.splitlines()), 1, told)
            self.assertIn("none.", told)


if __name__ == "__main__":
    unittest.main()
