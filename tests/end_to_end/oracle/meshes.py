"""OBJ and PLY files: vertices in the file's order, polygons, line segments, groups, vertex properties."""
import struct
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

PLY_TYPES = {
    "char": "b", "int8": "b", "uchar": "B", "uint8": "B", "short": "h", "int16": "h", "ushort": "H", "uint16": "H",
    "int": "i", "int32": "i", "uint": "I", "uint32": "I", "float": "f", "float32": "f", "double": "d", "float64": "d",
}  # fmt: skip


@dataclass
class Mesh:
    vertices: np.ndarray  # (n, 3), the file's coordinates
    polygons: list = field(default_factory=list)  # each a list of 0-based vertex indices
    segments: list = field(default_factory=list)  # each a pair of 0-based vertex indices
    groups: dict = field(default_factory=dict)  # OBJ group name -> set of vertex indices
    properties: dict = field(default_factory=dict)  # PLY vertex property name -> (n,)

    def attribute(self, name):
        """Vertices of an OBJ group, or those where a PLY property is not 0, ascending."""
        if name in self.groups:
            return sorted(self.groups[name])
        return [int(i) for i in np.flatnonzero(self.properties[name])]


def read_mesh(path):
    path = Path(path)
    return _read_obj(path.read_text()) if path.suffix.lower() == ".obj" else _read_ply(path.read_bytes())


def _read_obj(text):
    vertices, polygons, segments, groups = [], [], [], {}
    current = []
    for line in text.replace("\\\n", " ").splitlines():
        word, *rest = line.split("#")[0].split() or [""]
        if word == "v":
            vertices.append([float(number) for number in rest[:3]])
        elif word == "g":
            current = rest or ["default"]
        elif word in ("f", "l", "p"):
            # Indices start at 1; a negative one counts back from the vertices read so far.
            numbers = [int(item.split("/")[0]) for item in rest]
            indices = [i - 1 if i > 0 else len(vertices) + i for i in numbers]
            for name in current:
                groups.setdefault(name, set()).update(indices)
            if word == "f":
                polygons.append(indices)
            elif word == "l":
                segments += list(zip(indices, indices[1:]))
    return Mesh(np.array(vertices, dtype=float), polygons, segments, groups)


def _read_ply(data):
    head, body = data.split(b"end_header", 1)
    body = body[body.index(b"\n") + 1 :]
    layout, elements = "", []
    for line in head.decode("ascii").splitlines():
        words = line.split()
        if words[:1] == ["format"]:
            layout = words[1]
        elif words[:1] == ["element"]:
            elements.append((words[1], int(words[2]), []))
        elif words[:1] == ["property"]:
            elements[-1][2].append(words[1:])
    take = _ascii_taker(body) if layout == "ascii" else _binary_taker(body, "<" if "little" in layout else ">")
    mesh = Mesh(np.zeros((0, 3)))
    for name, count, properties in elements:
        rows = [_read_row(properties, take) for _ in range(count)]
        if name == "vertex":
            mesh.properties = {key: np.array([row[key] for row in rows], dtype=float) for key in rows[0]}
            mesh.vertices = np.stack([mesh.properties[axis] for axis in "xyz"], axis=1)
        elif name == "face":
            mesh.polygons = [row.get("vertex_indices", row.get("vertex_index")) for row in rows]
    return mesh


def _read_row(properties, take):
    row = {}
    for kind, *rest in properties:
        if kind == "list":
            row[rest[2]] = [take(rest[1]) for _ in range(take(rest[0]))]
        else:
            row[rest[0]] = take(kind)
    return row


def _ascii_taker(body):
    words = iter(body.split())
    return lambda kind: (float if PLY_TYPES[kind] in "fd" else int)(next(words))


def _binary_taker(body, order):
    offset = 0

    def take(kind):
        nonlocal offset
        (value,) = struct.unpack_from(order + PLY_TYPES[kind], body, offset)
        offset += struct.calcsize(order + PLY_TYPES[kind])
        return value

    return take
