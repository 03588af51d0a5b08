#!/usr/bin/python3
"""`electret export`: every format, read by an independent reader, holds the run; ParaView's files are read by VTK, too."""

import json
import re
import subprocess

import h5py
import numpy as np
import vtkmodules.vtkIOXML as vtk_io
from vtkmodules.vtkIOGeometry import vtkGLTFReader
from vtkmodules.util.numpy_support import vtk_to_numpy

from export_readers import Glb, frames_of, read_gltf_frames, read_mdd, read_obj, read_pc2, read_ply, read_vtk
from support import CommandTest, unittest

SCENE = """
[time]
step = 0.013
steps = 12

[coulomb]

[output]
every = 2
precision = "{precision}"
velocities = {velocities}

[[body]]
name = "ball & chain"
generate = {{ shape = "sphere", vertices = 60 }}
mass = 0.1
velocity = [0.3, -0.4, 0.123456789]
charge = 1e-6

  [[body.group]]
  name = "a/b \\"c\\""
  box = [[-2, -2, -2], [2, 2, 0]]

  [[body.group]]
  name = "top"
  box = [[-2, -2, 0.6], [2, 2, 2]]

  [[body.group_charge]]
  group = "top"
  times = [0.0, 0.1]
  values = [1e-6, -3e-6]

  [[body.springs]]
  stiffness = 50.0

[[body]]
name = "thread"
generate = {{ shape = "chain", length = 1.0, vertices = 5 }}
translate = [3.0, 0.1, 0.0]
mass = 0.2

  [[body.springs]]
  from = "edges"
  stiffness = 7.0

[[body]]
name = "dust"
mesh = "dust.obj"
mass = 0.3
charge = -1e-7
"""
def points_of_vtk(data):
    """Of the one mesh in nested blocks."""
    while data.IsA("vtkMultiBlockDataSet"):
        assert data.GetNumberOfBlocks() == 1
        data = data.GetBlock(0)
    return vtk_to_numpy(data.GetPoints().GetData()).copy()


BODIES = ("ball & chain", "thread", "dust")
STARTS = (0, 60, 65, 68)


class Formats(CommandTest):
    def make_run(self, precision="double", velocities="true"):
        (self.folder / "dust.obj").write_text("v 5 0 0\nv 5 1.1 0\nv 5 0 1.7\n")
        self.scene(SCENE.format(precision=precision, velocities=velocities))
        self.electret("run", "scene.toml", "-o", "run", check=0)
        with h5py.File(self.folder / "run" / "trajectory.h5") as file:
            self.run = {name: file[name][()] for name in file if isinstance(file[name], h5py.Dataset)}
        self.assertEqual(self.run["positions"].shape, (7, 68, 3))

    def export(self, form, *options):
        self.electret("export", "run", "--to", form, "-o", form, *options, check=0)
        return self.folder / form

    def bodies(self):
        """Each body: its name, its vertices in the run, its float32 points of all frames."""
        for name, begin, end in zip(BODIES, STARTS, STARTS[1:]):
            yield name, slice(begin, end), self.run["positions"][:, begin:end].astype("f4")

    def own_rows(self, name, vertices):
        rows = self.run[name]
        own = (rows[:, 0] >= vertices.start) & (rows[:, 0] < vertices.stop)
        return rows[own] - vertices.start, own

    def test_caches(self):
        self.make_run()
        self.export("pc2")
        self.export("mdd")
        for name, _, points in self.bodies():
            np.testing.assert_array_equal(read_pc2(self.folder / "pc2" / f"{name}.pc2"), points)
            times, read = read_mdd(self.folder / "mdd" / f"{name}.mdd")
            np.testing.assert_array_equal(read, points)
            np.testing.assert_array_equal(times, self.run["time"].astype("f4"))

    def test_obj(self):
        self.make_run()
        out = self.export("obj")
        name, vertices, points = next(self.bodies())
        read = [read_obj(path) for path in frames_of(out, name, ".obj")]
        np.testing.assert_array_equal(np.array([x for x, _ in read]), self.run["positions"][:, vertices])
        for _, faces in read:
            np.testing.assert_array_equal(faces, self.run["faces"])
        self.assertEqual(frames_of(out, "thread", ".obj"), [])
        self.assertEqual(np.abs(np.array([x for x, _ in read]).astype("f4") - points).max(), 0)

    def check_ply(self, precision, velocities):
        self.make_run(precision, velocities)
        out = self.export("ply")
        for name, vertices, points in self.bodies():
            files = frames_of(out, name, ".ply")
            self.assertEqual(len(files), 7)
            for frame, path in enumerate(files):
                read = read_ply(path)
                x = np.stack([read["vertex"][axis] for axis in "xyz"], 1)
                np.testing.assert_array_equal(x.astype("f4"), points[frame])
                np.testing.assert_array_equal(x, self.run["positions"][frame, vertices])
                np.testing.assert_array_equal(read["vertex"]["charge"], self.run["charges"][frame, vertices])
                np.testing.assert_array_equal(read["vertex"]["mass"], self.run["masses"][vertices])
                self.assertEqual("vx" in read["vertex"].dtype.names, velocities == "true")
                if velocities == "true":
                    np.testing.assert_array_equal(np.stack([read["vertex"][v] for v in ("vx", "vy", "vz")], 1),
                                                  self.run["velocities"][frame, vertices])
            if name == BODIES[0]:
                np.testing.assert_array_equal(read["face"]["vertex_indices"], self.run["faces"])
            self.assertEqual("edge" in read, name == "thread")
            if name == "thread":
                edges = np.stack([read["edge"]["vertex1"], read["edge"]["vertex2"]], 1)
                np.testing.assert_array_equal(edges, self.own_rows("springs", vertices)[0])

    def test_ply(self):
        self.check_ply("double", "true")

    def test_ply_in_single_precision_without_velocities(self):
        self.check_ply("single", "false")

    def test_ply_begins_another_run(self):
        self.make_run()
        self.export("ply")
        self.scene(f'[time]\nstep = 0.1\nsteps = 1\n[[body]]\nname = "b"\nmesh = "ply/{BODIES[0]}_0012.ply"\n', "again.toml")
        (self.folder / "ply" / f"{BODIES[0]}_0006.ply").rename(self.folder / "ply" / f"{BODIES[0]}_0012.ply")
        self.electret("run", "again.toml", "-o", "again", check=0)
        with h5py.File(self.folder / "again" / "trajectory.h5") as file:
            for name in ("positions", "velocities"):
                np.testing.assert_array_equal(file[name][0], self.run[name][6, :60])
            np.testing.assert_array_equal(file["charges"][()], self.run["charges"][6, :60])
            np.testing.assert_array_equal(file["masses"][()], self.run["masses"][:60])

    def test_csv(self):
        self.make_run()
        out = self.export("csv")
        for name, vertices, points in self.bodies():
            table = np.genfromtxt(out / f"{name}.csv", delimiter=",", names=True)
            self.assertEqual(table.dtype.names, ("frame", "time", "vertex", "x", "y", "z", "vx", "vy", "vz", "charge"))
            read = np.stack([table[axis] for axis in "xyz"], 1).reshape(7, -1, 3)
            np.testing.assert_array_equal(read, self.run["positions"][:, vertices])
            np.testing.assert_array_equal(read.astype("f4"), points)
            velocity = np.stack([table[axis] for axis in ("vx", "vy", "vz")], 1).reshape(7, -1, 3)
            np.testing.assert_array_equal(velocity, self.run["velocities"][:, vertices])
            np.testing.assert_array_equal(table["charge"].reshape(7, -1), self.run["charges"][:, vertices])
            count = vertices.stop - vertices.start
            np.testing.assert_array_equal(table["frame"], np.repeat(np.arange(7), count))
            np.testing.assert_array_equal(table["time"], np.repeat(self.run["time"], count))
            np.testing.assert_array_equal(table["vertex"], np.tile(np.arange(count), 7))

    def check_frames(self, read, run):
        """Points of all frames, as a player adds differences to the first frame: each of the two numbers and their sum
        is rounded to float32, which makes half a unit of the last place each."""
        np.testing.assert_array_equal(read[0], run[0].astype("f4"))
        largest = np.maximum(np.maximum(np.abs(run), np.abs(run[0])), np.abs(run - run[0]))
        self.assertLessEqual((np.abs(read - run) / np.spacing(largest.astype("f4"))).max(), 1.5)

    def test_glb(self):
        self.make_run()
        out = self.export("glb")
        for name, vertices, points in self.bodies():
            glb = Glb(out / f"{name}.glb")
            self.assertEqual((glb.json["nodes"][0]["name"], glb.mesh["name"]), (name, name))
            self.assertEqual(len(glb.primitive["targets"]), 6)
            times, played = glb.played()
            self.check_frames(played, self.run["positions"][:, vertices])
            np.testing.assert_array_equal(times, self.run["time"].astype("f4"))
            np.testing.assert_array_equal(glb.at_rest(), points[0])
            np.testing.assert_array_equal(glb.attribute("_CHARGE").ravel(), self.run["charges"][0, vertices].astype("f4"))
            colours, charges = glb.attribute("COLOR_0"), self.run["charges"][0, vertices]
            np.testing.assert_array_equal(colours[:, 0] > colours[:, 2], charges > 0)
            np.testing.assert_array_equal(colours[:, 2] > colours[:, 0], charges < 0)
            mode, rows = {BODIES[0]: (4, "faces"), "thread": (1, "springs"), "dust": (0, None)}[name]
            self.assertEqual(glb.primitive["mode"], mode)
            if rows:
                read = glb.accessor(glb.primitive["indices"]).reshape(-1, 3 if rows == "faces" else 2)
                np.testing.assert_array_equal(read, self.own_rows(rows, vertices)[0])
            x, y, z, w = glb.json["nodes"][0]["rotation"]
            self.assertEqual((x, y, z, w), (-np.sqrt(0.5), 0, 0, np.sqrt(0.5)))  # z up becomes y up

    def test_glb_as_vtk_plays_it(self):
        self.make_run()
        out = self.export("glb")
        for name, vertices, _ in self.bodies():
            reader = vtkGLTFReader()
            reader.SetFileName(str(out / f"{name}.glb"))
            reader.SetFrameRate(1)
            reader.UpdateInformation()
            self.assertEqual(reader.GetNumberOfAnimations(), 1)
            reader.EnableAnimation(0)
            read = []
            for time in self.run["time"]:
                reader.UpdateTimeStep(float(np.float32(time)))
                read.append(points_of_vtk(reader.GetOutput()))
            x, up, back = np.moveaxis(np.array(read), 2, 0)  # The node turns z up to y up.
            np.testing.assert_allclose(np.stack([x, -back, up], 2), self.run["positions"][:, vertices], rtol=0, atol=1e-6)

    def test_glb_as_assimp_reads_it(self):
        """What assimp writes again of what it has read, with the vertices in an order of its own."""
        self.make_run()
        out = self.export("glb")
        for name, vertices, _ in self.bodies():
            again = self.folder / f"again{vertices.start}.gltf"
            subprocess.run(["assimp", "export", out / f"{name}.glb", again, "-fgltf2"], capture_output=True, check=True)
            read_name, read = read_gltf_frames(again)
            self.assertEqual(read_name, name)
            own = self.run["positions"][:, vertices]
            order = np.linalg.norm(own[0][:, None] - read[0], axis=2).argmin(1)
            np.testing.assert_array_equal(np.sort(order), np.arange(own.shape[1]))
            np.testing.assert_allclose(read[:, order], own, rtol=0, atol=1e-6)

    def test_glb_of_one_frame(self):
        self.make_run()
        glb = Glb(self.export("glb", "--every", 100) / f"{BODIES[0]}.glb")
        self.assertNotIn("animations", glb.json)
        self.assertNotIn("targets", glb.primitive)
        np.testing.assert_array_equal(glb.at_rest(), self.run["positions"][0, :60].astype("f4"))

    def test_frames_at_one_time_of_float32_are_refused(self):
        """Players of glTF require times that increase; 20 s and 20.0000001 s are one number in float32."""
        scene = ('[time]\nstep = 1.0\nsteps = 24\n[[body]]\nname = "a"\ngenerate = { shape = "sphere", vertices = 12 }\nmass = 1.0\n'
                 '[[change]]\nstep = 20\nset = ["time.step=1e-7"]\n')
        (self.folder / "short.toml").write_text(scene)
        self.electret("run", "short.toml", "-o", "short", check=0)
        told = self.electret("export", "short", "--to", "glb", "-o", "out", check=2).stderr
        self.assertIn("frames 20 and 21 are at one time in float32", told)
        self.assertIn("--every", told)
        self.assertFalse((self.folder / "out").exists())
        self.electret("export", "short", "--to", "glb", "-o", "out", "--every", 5, check=0)
        times, _ = Glb(self.folder / "out/a.glb").played()
        np.testing.assert_array_equal(times, [0, 5, 10, 15, 20])

    def test_numbers_beyond_float32_are_refused(self):
        self.make_run()
        with h5py.File(self.folder / "run" / "trajectory.h5", "r+") as file:
            file["positions"][4, 61, 2] = -1e39
        for form in ("glb", "pc2", "mdd"):
            told = self.electret("export", "run", "--to", form, "-o", form, check=2).stderr
            self.assertIn(f'frame 4 of "thread" has a coordinate of -1e+39 m, and {form} holds numbers up to 3.4e+38; export it to a '
                          "format of the run's precision: vtu, vtp, obj, ply, csv", told)
            self.assertFalse((self.folder / form).exists() or (self.folder / f"{form}.part").exists())
        self.export("csv")

    def test_vtp(self):
        self.make_run()
        out = self.export("vtp")
        for name, vertices, points in self.bodies():
            for frame, path in enumerate(frames_of(out, name, ".vtp")):
                read = read_vtk(path)
                np.testing.assert_array_equal(read["Points", "Points"].astype("f4"), points[frame])
                self.check_vtp_as_vtk_reads_it(path, frame, vertices)
            self.assertEqual(frame, 6)
            for section, rows in (("Lines", "springs"), ("Polys", "faces")):
                own = self.own_rows(rows, vertices)[0]
                np.testing.assert_array_equal(read[section, "connectivity"], own.ravel())
                np.testing.assert_array_equal(read[section, "offsets"], own.shape[1] * np.arange(1, len(own) + 1))
            self.assertEqual(read["counts"]["NumberOfVerts"], 3 if name == "dust" else 0)
            text = (out / f"{name}.pvd").read_text()
            times = [float(t) for t in re.findall(r'timestep="([^"]*)"', text)]
            np.testing.assert_array_equal(times, self.run["time"])
            self.assertIn("ball &amp; chain_0003.vtp" if "&" in name else f"{name}_0003.vtp", text)

    def read_by_vtk(self, reader, path):
        reader.SetFileName(str(path))
        reader.Update()
        self.assertEqual(reader.GetErrorCode(), 0)
        return reader.GetOutput()

    def check_points(self, data, frame, vertices):
        np.testing.assert_array_equal(vtk_to_numpy(data.GetPoints().GetData()), self.run["positions"][frame, vertices])
        arrays = data.GetPointData()
        for name, expected in (("velocity", self.run["velocities"][frame, vertices]),
                               ("charge", self.run["charges"][frame, vertices]), ("mass", self.run["masses"][vertices]),
                               ("displacement", self.run["positions"][frame, vertices] - self.run["rest_positions"][vertices])):
            np.testing.assert_array_equal(vtk_to_numpy(arrays.GetArray(name)), expected)

    def check_vtp_as_vtk_reads_it(self, path, frame, vertices):
        data = self.read_by_vtk(vtk_io.vtkXMLPolyDataReader(), path)
        self.check_points(data, frame, vertices)
        for cells, rows in ((data.GetLines(), "springs"), (data.GetPolys(), "faces")):
            own = self.own_rows(rows, vertices)[0]
            np.testing.assert_array_equal(vtk_to_numpy(cells.GetConnectivityArray()), own.ravel())
            np.testing.assert_array_equal(vtk_to_numpy(cells.GetOffsetsArray()), own.shape[1] * np.arange(len(own) + 1))

    def test_vtu(self):
        self.make_run("single")
        out = self.export("vtu")
        for name, vertices, points in self.bodies():
            for frame, path in enumerate(frames_of(out, name, ".vtu")):
                np.testing.assert_array_equal(read_vtk(path)["Points", "Points"], points[frame])
                data = self.read_by_vtk(vtk_io.vtkXMLUnstructuredGridReader(), path)
                np.testing.assert_array_equal(vtk_to_numpy(data.GetPoints().GetData()), points[frame])
                np.testing.assert_array_equal(vtk_to_numpy(data.GetPointData().GetArray("velocity")),
                                              self.run["velocities"][frame, vertices])
                self.assertEqual(data.GetNumberOfCells(), {60: len(self.run["faces"]), 5: 4, 3: 3}[data.GetNumberOfPoints()])
            self.assertEqual(frame, 6)

    def test_sidecar(self):
        self.make_run()
        out = self.export("pc2", "--every", 2)
        version = self.electret("--version").stdout.split()[1]
        for name, vertices, points in self.bodies():
            side = json.loads((out / f"{name}.json").read_text())
            self.assertEqual((side["kind"], side["format_version"], side["version"], side["format"], side["body"]),
                             ("electret export", 1, version, "pc2", name))
            self.assertEqual(side["units"]["charge"], "C")
            self.assertEqual(side["frames"], [0, 2, 4, 6])
            np.testing.assert_array_equal(side["times"], self.run["time"][::2])
            np.testing.assert_array_equal(side["masses"], self.run["masses"][vertices])
            series = [values * 4 if len(values) == 1 else values for values in side["charge_series"]]
            charges = np.array([series[s] for s in side["charge_series_of_vertices"]]).T
            np.testing.assert_array_equal(charges, self.run["charges"][::2, vertices])
            self.assertEqual(len(series), 2 if name == BODIES[0] else 1)
            springs, own = self.own_rows("springs", vertices)
            np.testing.assert_array_equal(np.array(side["springs"]).reshape(-1, 2), springs)
            np.testing.assert_array_equal(side["spring_stiffness"], self.run["spring_stiffness"][own])
            np.testing.assert_array_equal(side["spring_rest_length"], self.run["spring_rest_length"][own])
            np.testing.assert_array_equal(np.array(side["faces"]).reshape(-1, 3), self.own_rows("faces", vertices)[0])
            self.assertEqual((side["vertices"], side["points"]), (points.shape[1], points.shape[1]))
            np.testing.assert_array_equal(read_pc2(out / f"{name}.pc2"), points[::2])
        with h5py.File(self.folder / "run" / "trajectory.h5") as file:
            expected = {group: list(rows) for group, rows in file["groups"][BODIES[0]].items()}
        self.assertEqual(json.loads((out / f"{BODIES[0]}.json").read_text())["groups"], expected)
        self.assertEqual(len(expected), 2)

    def test_a_flat_element_has_no_stress(self):
        (self.folder / "start.csv").write_text("x,y,z\n" + "".join(
            f"{x},{y},0\n" for _ in range(2) for y in (0, 1) for x in (0, 1)))
        for model in ("neo_hookean", "linear"):
            self.scene(f"""
[time]
step = 1e-6
steps = 1

[[body]]
name = "block"
generate = {{ shape = "box", cells = [1, 1, 1], cell_size = 1.0, element = "hex" }}
density = 1.0
initial_positions = "start.csv"

  [[body.material]]
  model = "{model}"
  youngs_modulus = 1.0
  poissons_ratio = 0.3
""")
            made = self.electret("run", "scene.toml", "-o", f"run_{model}")
            if not (self.folder / f"run_{model}" / "trajectory.h5").exists():
                self.assertEqual(model, "neo_hookean", made.stderr)  # of infinite energy when flat
                continue
            self.electret("export", f"run_{model}", "--to", "vtu", "-o", f"vtu_{model}", check=0)
            read = read_vtk(self.folder / f"vtu_{model}" / "block_0000.vtu")
            np.testing.assert_array_equal(read["CellData", "stress"], np.zeros((1, 6)))
            for name in ("von_mises", "energy_density", "stress_is_defined"):
                np.testing.assert_array_equal(read["CellData", name], [0])


if __name__ == "__main__":
    unittest.main()
