#pragma once
/// \file
/// Isosurface stuffing (Labelle and Shewchuk 2007): tetrahedra of good shape inside a surface.

#include <electret/geometry/surface_tree.hpp>

namespace electret::stuffing {

/// The dihedral angles that the method keeps to, degrees, for surfaces smooth at the size of a cell and
/// others.
inline constexpr double smallest_angle = 10.78, largest_angle = 164.74;

/// How many vertices the lattice over `box` has; as a double, for it may be too many for any integer.
double lattice_vertices(const BoundingBox& box, double cell_size);

/// Tetrahedra of a body-centred cubic lattice of cells of `cell_size`, m, centred on the surface's box: those
/// inside as they are, those that the surface cuts cut there, after vertices too near a cut were moved onto
/// it. Inside is where the winding number is over ½. Vertices and tetrahedra alone, which may be none.
Mesh stuffed(const SurfaceTree& surface, double cell_size);

}  // namespace electret::stuffing
