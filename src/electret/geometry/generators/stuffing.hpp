#pragma once
/// \file
/// Isosurface stuffing (Labelle and Shewchuk 2007): tetrahedra of good shape inside a surface.

#include <electret/geometry/surface_tree.hpp>

namespace electret::stuffing {

/// The bounds on dihedral angles that the method keeps, degrees: for surfaces that are smooth at the size of
/// a cell, and for others.
inline constexpr double smallest_angle = 10.78, largest_angle = 164.74;

/// The number of vertices of the lattice over `box`. It is a double, because it may be too large for any
/// integer.
double lattice_vertices(const BoundingBox& box, double cell_size);

/// Tetrahedra of a body-centred cubic lattice, with cells of `cell_size`, m, centred on the surface's box.
/// Tetrahedra inside stay as they are. Those that the surface cuts are cut there; vertices too near a cut are
/// first moved onto it. A point is inside if its winding number is over ½. The mesh has only vertices and
/// tetrahedra, and may have none.
Mesh stuffed(const SurfaceTree& surface, double cell_size);

}  // namespace electret::stuffing
