"""Meshes as arrays, and their files."""

from __future__ import annotations

import os
import struct
from typing import Any, Iterable, Mapping, Sequence, cast

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from ._arrays import Floats, Integers, indices, scalars, vectors
from ._arrays import path as path_text


_AXES = ("x", "y", "z")
_NUMBERS = {"charge": "charges", "mass": "masses", "vx": "velocities", "vy": "velocities", "vz": "velocities"}  # Of vertices.


class Mesh:
    """A mesh: vertices and the faces, lines or elements that join them.

    Parameters
    ----------
    vertices : (V, 3) array, m
    faces : (F, k) array of vertex indices, or a sequence of polygons of 3 or more; default none
    lines : (L, 2) array of vertex indices; default none
    groups : {name: vertex indices}; a scene refers to them by `group(attribute=name)`
    attributes : {name: (V,) array}, such as "charge" (C), "mass" (kg), "vx", "vy", "vz" (m/s)
    tetrahedra, hexahedra : (T, 4) and (H, 8) arrays of vertex indices in Gmsh's order; default none

    All arrays are copied. Raises ValueError and TypeError for other shapes and for indices out of range. A scene refuses a
    group with the name of numbers ("charge", "mass", "vx", "vy", "vz") or of a coordinate, and an attribute with that of a
    coordinate ("x", "y", "z"). Of a mesh of elements it takes their boundary for the faces, as from a file, and refuses
    lines.

    Examples
    --------
    >>> mesh = Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], faces=[[0, 1, 2]])
    >>> mesh.triangles.shape
    (1, 3)
    """

    def __init__(self, vertices: ArrayLike, faces: Any = None, lines: ArrayLike | None = None,
                 groups: Mapping[str, ArrayLike] | None = None, attributes: Mapping[str, ArrayLike] | None = None, *,
                 tetrahedra: ArrayLike | None = None, hexahedra: ArrayLike | None = None) -> None:
        self._vertices = vectors(vertices, "vertices").copy()
        count = len(self._vertices)
        self._polygons = _polygons([] if faces is None else faces, count)
        self._lines = _rows(lines, "lines", 2, count)
        self._tetrahedra = _rows(tetrahedra, "tetrahedra", 4, count)
        self._hexahedra = _rows(hexahedra, "hexahedra", 8, count)
        for name, members in (("groups", groups), ("attributes", attributes)):
            if members is not None and not isinstance(members, Mapping):
                raise TypeError(f"{name} must be a dict by name, not {type(members).__name__}")
        self._groups = {name: np.unique(indices(members, f"groups[{name!r}]", count)) for name, members in (groups or {}).items()}
        self._attributes = {name: scalars(values, f"attributes[{name!r}]", count).copy()
                            for name, values in (attributes or {}).items()}

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Mesh:
        """The mesh in the file at `path`, in any format that scenes can read (OBJ, PLY, VTK, …); lengths in m.

        Raises InputError with every finding, located in the file.

        Examples
        --------
        >>> Mesh.read("examples/duck.obj").vertices.shape[1]
        3
        """
        data = _core.read_mesh(path_text(path, "path"))
        solid = len(data["tetrahedra"]) + len(data["hexahedra"]) > 0
        return cls(data["vertices"], None if solid else data["faces"], data["lines"], data["groups"], data["attributes"],
                   tetrahedra=data["tetrahedra"], hexahedra=data["hexahedra"])

    @property
    def vertices(self) -> Floats:
        """(V, 3) array, m; a copy."""
        return self._vertices.copy()

    @property
    def polygons(self) -> tuple[tuple[int, ...], ...]:
        """Vertex indices of each polygon."""
        return self._polygons

    @property
    def triangles(self) -> Integers:
        """(F, 3) vertex indices, a new array. Each polygon is cut into a fan of triangles from its first vertex."""
        rows = [(p[0], p[k], p[k + 1]) for p in self._polygons for k in range(1, len(p) - 1)]
        return np.array(rows, dtype=np.int64).reshape(-1, 3)

    @property
    def lines(self) -> Integers:
        """(L, 2) array of vertex indices; a copy."""
        return self._lines.copy()

    @property
    def tetrahedra(self) -> Integers:
        """(T, 4) array of vertex indices; a copy."""
        return self._tetrahedra.copy()

    @property
    def hexahedra(self) -> Integers:
        """(H, 8) array of vertex indices; a copy."""
        return self._hexahedra.copy()

    @property
    def groups(self) -> dict[str, Integers]:
        """Vertex indices by name; copies."""
        return {name: members.copy() for name, members in self._groups.items()}

    @property
    def attributes(self) -> dict[str, Floats]:
        """(V,) arrays by name; copies."""
        return {name: values.copy() for name, values in self._attributes.items()}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mesh) and self._contents() == other._contents()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        solids = len(self._tetrahedra) + len(self._hexahedra)
        return f"<electret.Mesh: {len(self._vertices)} vertices, {len(self._polygons)} faces" + (f", {solids} elements>" if solids else ">")

    def _contents(self) -> tuple[Any, ...]:
        """What two equal meshes have in common, bit for bit."""
        arrays = (self._vertices, self._lines, self._tetrahedra, self._hexahedra)
        groups = {name: members.tobytes() for name, members in self._groups.items()}
        attributes = {name: values.tobytes() for name, values in self._attributes.items()}
        return (self._polygons, *(array.tobytes() for array in arrays), groups, attributes)

    def _file(self) -> tuple[str, bytes]:
        """The extension and the bytes of a file from which this mesh can be read bit for bit."""
        if len(self._tetrahedra) + len(self._hexahedra) > 0:
            return ".mesh", self._medit().encode()
        if len(self._lines) > 0:
            return ".obj", self._obj().encode()
        return ".ply", self._ply()

    def _medit(self) -> str:
        if self._groups or self._attributes:
            raise ValueError("a mesh of elements with groups or attributes cannot be put into a scene; name its file")
        if len(self._lines) > 0:
            raise ValueError("a mesh of elements with lines cannot be put into a scene; make the lines springs, or a body of their own")
        parts = ["MeshVersionFormatted 2", "Dimension 3", "Vertices", str(len(self._vertices))]
        parts += [f"{_text(x)} {_text(y)} {_text(z)} 0" for x, y, z in self._vertices]
        for name, rows in (("Tetrahedra", self._tetrahedra), ("Hexahedra", self._hexahedra)):
            if len(rows):
                parts += [name, str(len(rows))] + [" ".join(str(i + 1) for i in row) + " 0" for row in rows]
        return "\n".join(parts + ["End", ""])

    def _obj(self) -> str:
        if self._groups or self._attributes:
            raise ValueError("a mesh with lines cannot have groups or attributes as well in a scene")
        parts = [f"v {_text(x)} {_text(y)} {_text(z)}" for x, y, z in self._vertices]
        parts += ["f " + " ".join(str(i + 1) for i in polygon) for polygon in self._polygons]
        parts += [f"l {i + 1} {j + 1}" for i, j in self._lines]
        return "\n".join(parts) + "\n"

    def _ply(self) -> bytes:
        for kind, names, others in (("a group", list(self._groups), (*_AXES, *_NUMBERS)), ("an attribute", list(self._attributes), _AXES)):
            for name in names:
                if name in others:
                    raise ValueError(f"{kind} called {name!r} cannot be put into a scene, where this is the name of "
                                     f"{_NUMBERS.get(name, 'coordinates')}; give it another name, or name the mesh's file")
        columns = {"x": self._vertices[:, 0], "y": self._vertices[:, 1], "z": self._vertices[:, 2], **self._attributes}
        for name, members in self._groups.items():
            if name in columns:
                raise ValueError(f"the name {name!r} is that of a group and of an attribute")
            columns[name] = np.zeros(len(self._vertices))
            columns[name][members] = 1.0
        header = ["ply", "format binary_little_endian 1.0", f"element vertex {len(self._vertices)}"]
        for name in columns:
            if not name or any(c.isspace() or not c.isprintable() for c in name):
                raise ValueError(f"the name {name!r} has blanks: it cannot be written to a mesh file")
            header.append(f"property double {name}")
        header += [f"element face {len(self._polygons)}", "property list int int vertex_indices", "end_header", ""]
        body = np.column_stack(list(columns.values())).astype("<f8").tobytes()
        faces = b"".join(struct.pack(f"<i{len(p)}i", len(p), *p) for p in self._polygons)
        return "\n".join(header).encode() + body + faces


def _polygons(faces: Any, count: int) -> tuple[tuple[int, ...], ...]:
    """Vertex indices of each; `faces` are rows of an array, or a sequence of sequences of 3 or more."""
    if not isinstance(faces, Iterable) or getattr(faces, "ndim", 2) == 0:
        raise TypeError(f"faces must be polygons of 3 or more vertex indices, not {type(faces).__name__}")
    if isinstance(faces, np.ma.MaskedArray):
        raise TypeError("faces must not be a masked array")
    found: list[tuple[int, ...]] = []
    for k, polygon in enumerate(faces):
        members = indices(polygon, f"faces[{k}]", count)
        if members.ndim != 1:
            raise ValueError(f"faces must be polygons of 3 or more vertex indices, such as shape (F, 3); faces[{k}] is of shape {members.shape}")
        if len(members) < 3:
            raise ValueError("faces: a polygon has at least 3 vertices")
        found.append(tuple(cast("list[int]", members.tolist())))
    return tuple(found)


def _rows(value: ArrayLike | None, name: str, width: int, count: int) -> Integers:
    rows = indices(np.zeros((0, width), dtype=np.int64) if value is None else value, name, count)
    if rows.size == 0:
        return np.zeros((0, width), dtype=np.int64)
    if rows.ndim != 2 or rows.shape[1] != width:
        raise ValueError(f"{name} must have shape (n, {width}), not {rows.shape}")
    return rows.copy()


def _text(value: float) -> str:
    return repr(float(value))


__all__: Sequence[str] = ["Mesh"]
