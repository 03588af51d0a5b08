"""Which pairs of vertices a `[[body.springs]]` table joins, in the run's order."""
import numpy as np


def spring_pairs(table, mesh, positions):
    """Pairs (s, 2) of one table: ascending by (smaller, larger) vertex, except `pairs`, which stay as written."""
    kind = table["from"]
    if kind == "pairs":
        return np.array(table["pairs"], dtype=int).reshape(-1, 2)
    if kind == "edges":
        pairs = edges(mesh)
    elif kind == "diagonals":
        pairs = [pair for quad in mesh.polygons if len(quad) == 4 for pair in (quad[0::2], quad[1::2])]
    elif kind == "bending":
        pairs = bending(mesh)
    elif kind == "nearest":
        pairs = nearest(positions, table.get("neighbours", 6))
    else:
        raise ValueError(f"unknown springs from {kind!r}")
    unique = {(min(pair), max(pair)) for pair in pairs if pair[0] != pair[1]}
    return np.array(sorted(unique), dtype=int).reshape(-1, 2)


def edges(mesh):
    """Each side of each polygon and each OBJ line segment."""
    sides = [pair for polygon in mesh.polygons for pair in zip(polygon, polygon[1:] + polygon[:1])]
    return sides + list(mesh.segments)


def bending(mesh):
    """The two vertices opposite an edge that exactly two triangles share."""
    opposite = {}
    for a, b, c in (polygon for polygon in mesh.polygons if len(polygon) == 3):
        for i, j, k in ((a, b, c), (b, c, a), (c, a, b)):
            opposite.setdefault((min(i, j), max(i, j)), []).append(k)
    return [tuple(pair) for pair in opposite.values() if len(pair) == 2]


def nearest(positions, neighbours):
    """Each vertex with its `neighbours` nearest others, ties to the lower index."""
    pairs = []
    for i in range(len(positions)):
        squared = np.sum((positions - positions[i]) ** 2, axis=1)
        squared[i] = np.inf
        order = np.argsort(squared, kind="stable")[: min(neighbours, len(positions) - 1)]
        pairs += [(i, int(j)) for j in order]
    return pairs
