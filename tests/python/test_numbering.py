"""The numbers of vertices and elements of generated solids, as docs/finite-elements.md has them."""

import numpy as np
import pytest

import electret as el
from conftest import SOURCE

CORNERS = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]])


def solid(**generate):
    """Rest positions in cells from the lowest corner, and elements."""
    scene = el.Scene(time={"step": 0.01, "steps": 1})
    body = scene.body(generate=generate, density=1.0)
    body.material(model="corotated", youngs_modulus=1.0, poissons_ratio=0.3)
    sim = el.Simulator(scene, threads=1)
    x = np.array(sim.positions)
    elements = np.array(sim.tetrahedra if generate.get("element") == "tet" else sim.hexahedra)
    return np.rint((x - x.min(axis=0)) / generate["cell_size"]).astype(int), elements


def along_x_first(points):
    return np.array_equal(np.lexsort(points.T), np.arange(len(points)))


@pytest.mark.parametrize("element", ["hex", "tet"])
def test_a_box_counts_along_x_first(element):
    places, elements = solid(shape="box", cells=[4, 3, 2], cell_size=0.1, element=element)
    assert along_x_first(places)
    cells = places[elements].reshape(24, -1, 3).min(axis=1)
    assert along_x_first(cells) and len(np.unique(cells, axis=0)) == 24
    if element == "hex":
        assert np.array_equal(places[elements] - cells[:, None], np.tile(CORNERS, (24, 1, 1)))


@pytest.mark.parametrize("grid", ["centred", "corner"])
def test_voxels_count_along_x_first_and_their_vertices_as_they_come(grid):
    places, elements = solid(shape="voxels", surface=str(SOURCE / "examples/duck.obj"), cell_size=0.12, grid=grid)
    assert along_x_first(places[elements].min(axis=1))
    assert np.array_equal(places[elements] - places[elements[:, :1]], np.tile(CORNERS, (len(elements), 1, 1)))
    assert list(dict.fromkeys(elements.ravel())) == list(range(len(places)))
