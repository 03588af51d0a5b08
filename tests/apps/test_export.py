#!/usr/bin/python3
"""`electret export`: what another program (VTK) reads of it, against the run and against the formulas."""

import unittest
import xml.etree.ElementTree

import h5py
import numpy as np
from export_readers import read_obj, read_pc2
from support import CommandTest
from vtk_readers import read_grid

MAP = np.array([[1.1, 0.15, -0.05], [0.02, 0.93, 0.1], [-0.08, 0.04, 1.04]])
E, NU = 2e4, 0.3
MU, LAMBDA = E / (2 * (1 + NU)), E * NU / ((1 + NU) * (1 - 2 * NU))

SCENE = """
[time]
step = 0.001
steps = 3

[output]
precision = "{precision}"

[[body]]
name = "block"
generate = {{ shape = "box", cells = [3, 2, 2], cell_size = 0.1, element = "{element}" }}
density = 1000.0
charge = 1e-9
{start}

  [[body.material]]
  model = "neo_hookean"
  youngs_modulus = 2e4
  poissons_ratio = 0.3

  [[body.material]]
  model = "linear"
  youngs_modulus = 2e4
  poissons_ratio = 0.3
  group = "some"

  [[body.element_group]]
  name = "some"
  box = [[-1, -1, -1], [0.01, 1, 1]]

[[body]]
name = "a/b & c"
generate = {{ shape = "grid", rows = 3, columns = 3 }}
mass = 0.1
velocity = [0.0, 0.5, 0.25]

  [[body.springs]]
  stiffness = 5.0
"""

HELD = """
  [[body.group]]
  name = "held"
  attribute = "left"

  [[body.pin]]
  group = "held"
"""

SURFACE_SCENE = """
[time]
step = 0.001
steps = 2

[[body]]
name = "duck"
generate = {{ shape = "{shape}", surface = "duck.obj", cell_size = 0.12 }}
density = 1000.0
{start}

  [[body.material]]
  model = "corotated"
  youngs_modulus = 2e4
  poissons_ratio = 0.3
"""


class Export(CommandTest):
    def arrays(self, run):
        with h5py.File(self.folder / run / "trajectory.h5") as file:
            return {name: file[name][()] for name in file if isinstance(file[name], h5py.Dataset)}

    def run_scene(self, text, run):
        (self.folder / "scene.toml").write_text(text)
        self.electret("run", "scene.toml", "-o", run, "--overwrite", check=0)
        return self.arrays(run)

    def started_by_map(self, text, run, vertices):
        """The run of the scene whose body starts moved by MAP."""
        rest = self.run_scene(text.replace("START", ""), run)["rest_positions"][:vertices]
        np.savetxt(self.folder / "start.csv", rest @ MAP.T, "%.17g", ",", header="x,y,z", comments="")
        return self.run_scene(text.replace("START", 'initial_positions = "start.csv"'), run)

    def check_block(self, element, precision):
        text = SCENE.format(element=element, precision=precision, start="START")
        run = self.started_by_map(text, "run", 4 * 3 * 3)
        self.electret("export", "run", "--to", "vtu", "-o", "out", check=0)
        names = {f"{body}{end}" for body in ("block", "a_b & c") for end in (".json", ".pvd", *(f"_{f:04}.vtu" for f in range(4)))}
        names.add(".electret-export.json")
        self.assertEqual({path.name for path in (self.folder / "out").iterdir()}, names)
        for frame in range(4):
            block = read_grid(self.folder / "out" / f"block_{frame:04}.vtu")
            cloth = read_grid(self.folder / "out" / f"a_b & c_{frame:04}.vtu")
            self.assertEqual(block.points.dtype, np.float32 if precision == "single" else np.float64)
            np.testing.assert_array_equal(np.vstack([block.points, cloth.points]), run["positions"][frame])
            rest = run["rest_positions"]
            np.testing.assert_array_equal(block.of_points["displacement"], run["positions"][frame][:36] - rest[:36])
            np.testing.assert_array_equal(block.of_points["velocity"], run["velocities"][frame][:36])
            np.testing.assert_array_equal(block.of_points["charge"], run["charges"][:36])
            np.testing.assert_array_equal(block.of_points["mass"], run["masses"][:36])
            kind, stored = ("hexahedron", "hexahedra") if element == "hex" else ("tetra", "tetrahedra")
            np.testing.assert_array_equal(block.cells[kind], run[stored])
            np.testing.assert_array_equal(cloth.cells["triangle"], run["faces"][run["faces"][:, 0] >= 36] - 36)
            self.assertNotIn("stress", cloth.of_cells)
        return run

    def check_stress(self, run, element):
        """At frame 0 every point is deformed by MAP: Cauchy stress and energy by the formulas."""
        grid = read_grid(self.folder / "out" / "block_0000.vtu")
        j, inverse = np.linalg.det(MAP), np.linalg.inv(MAP).T
        neo = (MU * (MAP - inverse) + LAMBDA * np.log(j) * inverse) @ MAP.T / j
        neo_energy = MU / 2 * ((MAP**2).sum() - 3) - MU * np.log(j) + LAMBDA / 2 * np.log(j)**2
        strain = (MAP + MAP.T) / 2 - np.eye(3)
        linear = 2 * MU * strain + LAMBDA * np.trace(strain) * np.eye(3)  # The law knows small strains alone.
        linear_energy = MU * (strain**2).sum() + LAMBDA / 2 * np.trace(strain)**2
        cells = run["hexahedra" if element == "hex" else "tetrahedra"]
        some = run["rest_positions"][cells].mean(1)[:, 0] <= 0.01
        self.assertTrue(some.any() and not some.all())
        for number, (stress, energy) in enumerate(zip(grid.of_cells["stress"], grid.of_cells["energy_density"])):
            expected = neo + linear * some[number]
            six = expected[[0, 1, 2, 0, 1, 0], [0, 1, 2, 1, 2, 2]]
            np.testing.assert_allclose(stress, six, atol=1e-9 * E)
            self.assertAlmostEqual(energy, neo_energy + linear_energy * some[number], delta=1e-9 * E)
            xx, yy, zz, xy, yz, zx = six
            mises = np.sqrt(((xx - yy)**2 + (yy - zz)**2 + (zz - xx)**2) / 2 + 3 * (xy**2 + yz**2 + zx**2))
            self.assertAlmostEqual(grid.of_cells["von_mises"][number], mises, delta=1e-9 * E)

    def test_vtu_of_hexahedra(self):
        self.check_stress(self.check_block("hex", "double"), "hex")

    def test_vtu_of_tetrahedra(self):
        self.check_stress(self.check_block("tet", "double"), "tet")

    def test_vtu_in_single_precision(self):
        self.check_block("hex", "single")

    def test_stress_is_that_of_the_material_at_the_frame(self):
        """A scene that changes its materials: each frame's stress and energy by the formulas, with the constants of then."""
        # From which frame on: E and nu of neo_hookean, and E of the linear material or 0. A frame has what was there before its change.
        stages = [(0, 2e4, 0.3, 2e4), (4, 6e4, 0.3, 2e4), (7, 6e4, 0.2, 2e4), (9, 6e4, 0.2, 0.0)]
        text = SCENE.format(element="tet", precision="double", start="").replace("steps = 3", "steps = 12") + """
[gravity]
acceleration = [0.0, 300.0, -900.0]
[[change]]
step = 3
set = ["body.0.material.0.youngs_modulus=6e4", "time.step=0.0005", "body.0.density=700"]
[[change]]
step = 6
set = ["body.0.material.0.poissons_ratio=0.1"]
[[change]]
step = 6
set = ["body.0.material.0.poissons_ratio=0.2", "gravity.acceleration=[0,0,900]"]
[[change]]
step = 8
unset = ["body.0.material.1"]
"""
        run = self.run_scene(text.replace('\n[[body]]\nname = "a/b', HELD + '\n[[body]]\nname = "a/b'), "run")
        self.electret("export", "run", "--to", "vtu", "-o", "out", check=0)
        cells, rest = run["tetrahedra"], run["rest_positions"]
        shape = np.swapaxes(rest[cells[:, 1:]] - rest[cells[:, :1]], 1, 2)
        some = rest[cells].mean(1)[:, 0] <= 0.01
        for frame in range(13):
            _, young, nu, linear_young = [stage for stage in stages if stage[0] <= frame][-1]
            x = run["positions"][frame]
            grid = read_grid(self.folder / "out" / f"block_{frame:04}.vtu")
            f = np.swapaxes(x[cells[:, 1:]] - x[cells[:, :1]], 1, 2) @ np.linalg.inv(shape)
            mu, lame = young / (2 * (1 + nu)), young * nu / ((1 + nu) * (1 - 2 * nu))
            mu_2, lame_2 = linear_young / 2.6, linear_young * 0.3 / (1.3 * 0.4)
            j, strain = np.linalg.det(f), (f + np.swapaxes(f, 1, 2)) / 2 - np.eye(3)
            energy = mu / 2 * ((f**2).sum((1, 2)) - 3) - mu * np.log(j) + lame / 2 * np.log(j)**2
            energy += some * (mu_2 * (strain**2).sum((1, 2)) + lame_2 / 2 * np.trace(strain, axis1=1, axis2=2)**2)
            np.testing.assert_allclose(grid.of_cells["energy_density"], energy, rtol=1e-8, atol=1e-8)
            inverse = np.swapaxes(np.linalg.inv(f), 1, 2)
            p = mu * (f - inverse) + (lame * np.log(j))[:, None, None] * inverse
            stress = p @ np.swapaxes(f, 1, 2) / j[:, None, None]
            stress += some[:, None, None] * (2 * mu_2 * strain + lame_2 * np.trace(strain, axis1=1, axis2=2)[:, None, None] * np.eye(3))
            stress = stress[:, [0, 1, 2, 0, 1, 0], [0, 1, 2, 1, 2, 2]]
            np.testing.assert_allclose(grid.of_cells["stress"], stress, rtol=1e-8, atol=1e-6)
        self.assertGreater(energy.max(), 1.0)

    def test_stress_of_elements_that_a_change_picks_anew_is_refused(self):
        text = SCENE.format(element="hex", precision="double", start="") + """
[[change]]
step = 1
set = ["body.0.element_group.0.box=[[-1, -1, -1], [0.1, 1, 1]]"]
"""
        self.run_scene(text, "run")
        self.assertIn('the change at 0.001 s gives the element group "some" of "block" other elements, which the run does not hold',
                      self.electret("export", "run", "--to", "vtu", check=2).stderr)
        self.electret("export", "run", "--to", "vtp", check=0)

    def test_pvd_tells_the_times(self):
        text = SCENE.format(element="hex", precision="double", start="")
        run = self.run_scene(text, "run")
        self.electret("export", "run", "--to", "vtu", check=0)
        sets = xml.etree.ElementTree.parse(self.folder / "run-vtu" / "a_b & c.pvd").getroot().iter("DataSet")
        sets = [(float(entry.get("timestep")), entry.get("file")) for entry in sets]
        self.assertEqual(sets, [(time, f"a_b & c_{frame:04}.vtu") for frame, time in enumerate(run["time"])])

    def test_what_is_exported_can_be_read_back(self):
        text = SCENE.format(element="hex", precision="double", start="")
        run = self.run_scene(text, "run")
        self.electret("export", "run", "--to", "vtu", "-o", "out", check=0)
        again = self.run_scene('[time]\nstep = 0.1\nsteps = 1\n[[body]]\nname = "b"\nmesh = "out/block_0003.vtu"\n', "again")
        np.testing.assert_array_equal(again["rest_positions"], run["positions"][3][:36])
        np.testing.assert_array_equal(again["hexahedra"], run["hexahedra"])
        np.testing.assert_array_equal(again["masses"], run["masses"][:36])
        np.testing.assert_array_equal(again["charges"], run["charges"][:36])

    def make_duck(self):
        self.run_scene('[time]\nstep = 1\nsteps = 1\n[[body]]\nmass = 1\ngenerate = { shape = "duck", vertices = 200 }\n', "made")
        self.electret("export", "made", "--to", "obj", "-o", "made-obj", check=0)
        (self.folder / "made-obj" / "body1_0000.obj").rename(self.folder / "duck.obj")
        return read_obj(self.folder / "duck.obj")

    def test_a_filled_body_carries_its_surface(self):
        surface, faces = self.make_duck()
        self.assertEqual(len(surface), 200)
        for shape in ("fill", "voxels"):
            text = SURFACE_SCENE.format(shape=shape, start="START")
            first = self.run_scene(text.replace("START", ""), shape)
            run = self.started_by_map(text, shape, len(first["rest_positions"]))
            np.testing.assert_array_equal(run["surface_offsets"], [0, 200])
            np.testing.assert_allclose(run["surface_weights"].sum(1), 1, atol=1e-12)
            self.electret("export", shape, "--to", "obj", check=0)
            moved, moved_faces = read_obj(self.folder / f"{shape}-obj" / "duck_0000.obj")
            np.testing.assert_array_equal(moved_faces, faces)
            np.testing.assert_allclose(moved, surface @ MAP.T, atol=1e-12)
            later, _ = read_obj(self.folder / f"{shape}-obj" / "duck_0002.obj")
            self.assertGreater(np.abs(later - moved).max(), 1e-6)

    def test_caches_of_a_filled_body_are_of_its_surface(self):
        self.make_duck()
        self.run_scene(SURFACE_SCENE.format(shape="fill", start=""), "fill")
        for kind in ("obj", "pc2"):
            self.electret("export", "fill", "--to", kind, "-o", kind, check=0)
        points = read_pc2(self.folder / "pc2" / "duck.pc2")
        for frame in range(3):
            surface, _ = read_obj(self.folder / "obj" / f"duck_000{frame}.obj")
            np.testing.assert_array_equal(points[frame], surface.astype("f4"))

    def test_check_tells_how_well_a_filled_body_fits(self):
        self.make_duck()
        (self.folder / "scene.toml").write_text(SURFACE_SCENE.format(shape="fill", start=""))
        told = self.electret("check", "scene.toml", check=0).stdout
        self.assertRegex(told, r"surface of duck +volume -[0-9.]+ %; the body's boundary is at most \S+ m from the surface, and the surface ")
        text = (self.folder / "duck.obj").read_text().splitlines()
        (self.folder / "duck.obj").write_text("\n".join(text[:-1]))
        told = self.electret("check", "scene.toml", check=0).stdout
        self.assertRegex(told, r"surface of duck +open, closed where the winding number is 1/2")

    def test_names_of_bodies_may_be_longer_than_those_of_files(self):
        body = '[[body]]\nname = "{}"\ngenerate = {{ shape = "chain", vertices = 3 }}\nmass = 1.0\n'
        names = ["é" * 300 + "1", "é" * 300 + "2"]
        self.scene("[time]\nstep = 0.1\nsteps = 1\n" + "".join(body.format(name) for name in names), "long.toml")
        self.electret("run", "long.toml", "-o", "long", check=0)
        for form, ending in [("pc2", ".pc2"), ("ply", "_0001.ply")]:
            self.electret("export", "long", "--to", form, "-o", f"as_{form}", check=0)
            files = sorted(path.name for path in (self.folder / f"as_{form}").iterdir())
            for name in ["é" * 100, "é" * 100 + "_2"]:
                self.assertIn(name + ending, files)

    def test_what_is_there_is_not_replaced(self):
        self.run_scene(SCENE.format(element="hex", precision="double", start=""), "run")
        (self.folder / "out").mkdir()
        (self.folder / "out" / "thesis.txt").write_text("mine")
        for option in ((), ("--overwrite",), ("--resume",)):
            told = self.electret("export", "run", "--to", "obj", "-o", "out", *option, check=2).stderr
            self.assertIn('out" is not empty and holds no export of this run; allowed: a new or empty folder, or one with an '
                          "earlier export of this run", told)
        self.assertEqual([path.name for path in (self.folder / "out").iterdir()], ["thesis.txt"])
        self.electret("export", "run", "--to", "pc3", "-o", "new", check=2)
        self.electret("export", "none", "--to", "obj", "-o", "new", check=2)
        self.run_scene('[time]\nstep = 1\nsteps = 1\n[[body]]\nmass = 1\n'
                       'generate = { shape = "chain", length = 1.0, vertices = 3 }\n', "chain")
        told = self.electret("export", "chain", "--to", "obj", "-o", "new", check=2).stderr
        self.assertIn("no body with a surface", told)
        self.assertFalse((self.folder / "new").exists())
        self.electret("export", ".", "--to", "pc2", check=0, where=self.folder / "chain")
        self.assertTrue((self.folder / "chain-pc2" / "body1.pc2").exists())


if __name__ == "__main__":
    unittest.main()
