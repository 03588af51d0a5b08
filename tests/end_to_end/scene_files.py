"""Writes what a scene is made of: TOML, OBJ, PLY and CSV files; and small meshes to put in them."""
import struct

import numpy as np


def toml_text(table):
    """TOML of a scene: tables of plain values, arrays of tables for `body` and its parts, inline tables below them."""
    lines = []
    for key, value in table.items():
        for entry in value if isinstance(value, list) else [value]:
            lines.append(f"\n[[{key}]]" if isinstance(value, list) else f"\n[{key}]")
            parts = {name: part for name, part in entry.items() if _is_table_list(part)}
            lines += [f"{name} = {_toml_value(part)}" for name, part in entry.items() if name not in parts]
            for name, tables in parts.items():
                for part in tables:
                    lines.append(f"\n[[{key}.{name}]]")
                    lines += [f"{inner} = {_toml_value(item)}" for inner, item in part.items()]
    return "\n".join(lines) + "\n"


def _is_table_list(value):
    return isinstance(value, list) and value and isinstance(value[0], dict)


def _toml_value(value):
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return '"' + value + '"'
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_toml_value(item)}" for key, item in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_toml_value(item) for item in value) + "]"
    return repr(float(value)) if isinstance(value, (float, np.floating)) else str(int(value))


def write_obj(path, vertices, polygons=(), segments=(), groups=None, from_the_end=False):
    """`groups`: name -> polygons written after a `g name` line. `from_the_end`: negative indices."""
    count = len(vertices)

    def index(i):
        return str(i - count) if from_the_end else str(i + 1)

    lines = ["# written by scene_files.py"] + ["v " + " ".join(repr(float(c)) for c in vertex) for vertex in vertices]
    lines += ["f " + " ".join(index(i) for i in polygon) for polygon in polygons]
    lines += ["l " + " ".join(index(i) for i in chain) for chain in segments]
    for name, members in (groups or {}).items():
        lines += [f"g {name}"] + ["f " + " ".join(index(i) for i in polygon) for polygon in members]
    path.write_text("\n".join(lines) + "\n")


def write_ply(path, vertices, polygons=(), properties=None, layout="ascii"):
    """Doubles for coordinates and `properties`, uchar-counted int lists for faces."""
    columns = np.column_stack([vertices] + list((properties or {}).values()))
    names = ["x", "y", "z", *(properties or {})]
    head = ["ply", f"format {layout} 1.0", "comment written by scene_files.py", f"element vertex {len(vertices)}"]
    head += [f"property double {name}" for name in names]
    head += [f"element face {len(polygons)}", "property list uchar int vertex_indices", "end_header"]
    data = ("\n".join(head) + "\n").encode()
    if layout == "ascii":
        rows = [" ".join(repr(float(c)) for c in row) for row in columns]
        rows += [" ".join(str(i) for i in [len(polygon), *polygon]) for polygon in polygons]
        path.write_bytes(data + ("\n".join(rows) + "\n").encode())
        return
    order = "<" if layout == "binary_little_endian" else ">"
    data += b"".join(struct.pack(f"{order}{len(names)}d", *row) for row in columns)
    data += b"".join(struct.pack(f"{order}B{len(polygon)}i", len(polygon), *polygon) for polygon in polygons)
    path.write_bytes(data)


def write_csv(path, header, rows):
    rows = np.asarray(rows, dtype=float).reshape(len(rows), -1)
    lines = [header] + [",".join(repr(float(c)) for c in row) for row in rows]
    path.write_text("\n".join(lines) + "\n")


def icosphere(subdivisions):
    """A unit sphere of 12 (0) or 42 (1) vertices: vertices (n, 3) and triangles."""
    golden = (1 + 5**0.5) / 2
    corners = [(s * 1.0, t * golden, 0.0) for s in (-1, 1) for t in (-1, 1)]
    vertices = np.array([np.roll(corner, turn) for turn in range(3) for corner in corners])
    squared = np.sum((vertices[:, None] - vertices[None]) ** 2, axis=2)
    near = squared < 4.1
    triangles = [
        (i, j, k) for i in range(12) for j in range(i + 1, 12) for k in range(j + 1, 12)
        if near[i, j] and near[j, k] and near[i, k]
    ]  # fmt: skip
    triangles = [t if np.linalg.det(vertices[list(t)]) > 0 else (t[0], t[2], t[1]) for t in triangles]
    for _ in range(subdivisions):
        middle, points, finer = {}, list(vertices), []
        for a, b, c in triangles:
            for i, j in ((a, b), (b, c), (c, a)):
                if (min(i, j), max(i, j)) not in middle:
                    middle[min(i, j), max(i, j)] = len(points)
                    points.append((vertices[i] + vertices[j]) / 2)
            ab, bc, ca = (middle[min(i, j), max(i, j)] for i, j in ((a, b), (b, c), (c, a)))
            finer += [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
        vertices, triangles = np.array(points), finer
    return vertices / np.linalg.norm(vertices, axis=1, keepdims=True), triangles


def quad_grid(rows, columns, spacing):
    """A flat sheet in x and y: vertices row by row, and its quads."""
    y, x = np.meshgrid(np.arange(rows), np.arange(columns), indexing="ij")
    vertices = spacing * np.column_stack([x.ravel(), y.ravel(), np.zeros(rows * columns)])
    quads = [
        (r * columns + c, r * columns + c + 1, (r + 1) * columns + c + 1, (r + 1) * columns + c)
        for r in range(rows - 1) for c in range(columns - 1)
    ]  # fmt: skip
    return vertices, quads


def triangulated(quads):
    return [triangle for a, b, c, d in quads for triangle in ((a, b, c), (a, c, d))]
