"""Readers of what `electret export` writes, made from the formats' descriptions alone. Each gives the points of all
frames of a body as (frames, points, 3), and what else the format holds."""

import json
import re
import struct

import numpy as np


def frames_of(folder, body, ending):
    """The files of a body's frames, in order."""
    found = [path for path in folder.iterdir() if re.fullmatch(re.escape(body) + r"_\d{4,}" + re.escape(ending), path.name)]
    return sorted(found, key=lambda path: path.name)


def read_pc2(path):
    data = path.read_bytes()
    mark, version, points, start, rate, frames = struct.unpack_from("<12siiffi", data)
    assert (mark, version, start, rate) == (b"POINTCACHE2\0", 1, 0.0, 1.0)
    return np.frombuffer(data, "<f4", offset=32).reshape(frames, points, 3)


def read_mdd(path):
    """Times and frames of points."""
    data = path.read_bytes()
    frames, points = struct.unpack_from(">ii", data)
    times = np.frombuffer(data, ">f4", count=frames, offset=8)
    return times, np.frombuffer(data, ">f4", offset=8 + 4 * frames).reshape(frames, points, 3)


def read_obj(path):
    """Vertices and faces."""
    rows = [line.split() for line in path.read_text().splitlines()]
    return (np.array([row[1:] for row in rows if row[0] == "v"], float),
            np.array([row[1:] for row in rows if row[0] == "f"], int) - 1)


PLY_TYPES = {"uchar": "u1", "int": "<i4", "float": "<f4", "double": "<f8"}


def read_ply(path):
    """Vertices' properties, faces (triangles) and edges."""
    data = path.read_bytes()
    head, _, _ = data.partition(b"end_header\n")
    place = len(head) + len(b"end_header\n")
    lines = head.decode().splitlines()
    assert lines[:2] == ["ply", "format binary_little_endian 1.0"]
    elements = []
    for line in lines[2:]:
        word, *rest = line.split()
        if word == "element":
            elements.append((rest[0], int(rest[1]), []))
        elif rest[0] == "list":
            elements[-1][2].extend([("count", PLY_TYPES[rest[1]]), (rest[3], PLY_TYPES[rest[2]], 3)])
        else:
            elements[-1][2].append((rest[1], PLY_TYPES[rest[0]]))
    read = {}
    for name, count, properties in elements:
        read[name] = np.frombuffer(data, np.dtype(properties), count, place)
        place += read[name].nbytes
    assert place == len(data)
    if "face" in read:
        assert (read["face"]["count"] == 3).all()
    return read


GLB_TYPES = {5121: "u1", 5125: "<u4", 5126: "<f4"}
GLB_COLUMNS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}


class Glb:
    """A file of one animated mesh: the first frame, and what the others differ from it."""

    def __init__(self, path):
        data = path.read_bytes()
        mark, version, length, text_length, text_mark = struct.unpack_from("<4sIII4s", data)
        assert (mark, version, length, text_mark) == (b"glTF", 2, len(data), b"JSON") and text_length % 4 == 0
        self.json = json.loads(data[20:20 + text_length])
        size, kind = struct.unpack_from("<I4s", data, 20 + text_length)
        self.binary = data[28 + text_length:]
        assert kind == b"BIN\0" and size == len(self.binary) == self.json["buffers"][0]["byteLength"]
        self.mesh = self.json["meshes"][0]
        self.primitive = self.mesh["primitives"][0]

    def accessor(self, number):
        entry = self.json["accessors"][number]
        columns, kind = GLB_COLUMNS[entry["type"]], np.dtype(GLB_TYPES[entry["componentType"]])
        view = self.json["bufferViews"][entry["bufferView"]]
        begin = view["byteOffset"] + entry.get("byteOffset", 0)
        values = np.frombuffer(self.binary, kind, entry["count"] * columns, begin).reshape(-1, columns)
        assert begin + values.nbytes <= view["byteOffset"] + view["byteLength"]
        if "min" in entry:
            np.testing.assert_array_equal(np.array(entry["min"], kind), values.min(0))
            np.testing.assert_array_equal(np.array(entry["max"], kind), values.max(0))
        return values

    def attribute(self, name):
        return self.accessor(self.primitive["attributes"][name])

    def at_rest(self):
        """What a player shows that plays nothing."""
        return self.posed(self.mesh.get("weights", []))

    def posed(self, weights):
        points = self.attribute("POSITION").copy()
        for weight, target in zip(weights, self.primitive.get("targets", [])):
            if weight != 0:
                points += np.float32(weight) * self.accessor(target["POSITION"])
        return points

    def played(self):
        """Times and points of the animation."""
        sampler = self.json["animations"][0]["samplers"][0]
        times = self.accessor(sampler["input"]).ravel()
        weights = self.accessor(sampler["output"]).reshape(len(times), -1)
        return times, np.array([self.posed(row) for row in weights])


def read_gltf_frames(path):
    """Name of the mesh, and the points of all frames, of a .gltf with its .bin: those of the mesh, and with each target."""
    text = json.loads(path.read_text())
    binary = (path.parent / text["buffers"][0]["uri"]).read_bytes()

    def points(number):
        entry = text["accessors"][number]
        view = text["bufferViews"][entry["bufferView"]]
        begin = view.get("byteOffset", 0) + entry.get("byteOffset", 0)
        return np.frombuffer(binary, "<f4", 3 * entry["count"], begin).reshape(-1, 3)

    mesh, = text["meshes"]
    primitive, = mesh["primitives"]
    first = points(primitive["attributes"]["POSITION"])
    return mesh["name"], np.array([first, *(first + points(target["POSITION"]) for target in primitive["targets"])])


VTK_TYPES = {"Float64": "f8", "Float32": "f4", "Int32": "i4", "Int64": "i8", "UInt8": "u1"}


def read_vtk(path):
    """The arrays of a file of VTK's with raw appended data, by section and name."""
    data = path.read_bytes()
    head, _, rest = data.partition(b'<AppendedData encoding="raw">\n_')
    assert b'byte_order="LittleEndian" header_type="UInt64"' in head
    arrays, section = {}, None
    for tag in re.findall(rb"<(/?\w+)([^>]*)>", head):
        name, attributes = tag[0].decode(), dict(re.findall(r'(\w+)="([^"]*)"', tag[1].decode()))
        if name in ("PointData", "CellData", "Points", "Cells", "Verts", "Lines", "Strips", "Polys"):
            section = name
        elif name == "DataArray":
            offset = int(attributes["offset"])
            size, = struct.unpack_from("<Q", rest, offset)
            values = np.frombuffer(rest, VTK_TYPES[attributes["type"]], size // np.dtype(VTK_TYPES[attributes["type"]]).itemsize,
                                   offset + 8)
            columns = int(attributes["NumberOfComponents"])
            arrays[section, attributes["Name"]] = values.reshape(-1, columns) if columns > 1 else values
        elif name == "Piece":
            arrays["counts"] = {key: int(value) for key, value in attributes.items()}
    return arrays
