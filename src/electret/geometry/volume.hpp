#pragma once
/// \file
/// Faces, edges, sizes and shapes of volume elements.

#include <vector>

#include <electret/geometry/mesh.hpp>

namespace electret {

/// The faces that belong to exactly one element, in the order of the elements. They face outwards if that
/// element has a positive volume. A quad with a repeated corner is a triangle, and a face with fewer than
/// three different corners is none. O(elements log elements).
Polygons boundary_of_elements(const Mesh& mesh);

/// Every edge of every element once, sorted, with the smaller index first. An edge between two equal corners
/// of a collapsed element is none.
std::vector<Edge> volume_edges(const Mesh& mesh);

/// The points at which a trilinear hexahedron's volume is integrated: 2×2×2 Gauss points ξ ∈ (-1, 1)³ of
/// weight 1. Point 4i + 2j + k has the signs i, j, k of (ξ_x, ξ_y, ξ_z), where 0 is - and 1 is +.
std::array<Vec3, 8> gauss_points();
/// N_a(ξ), the eight shape functions of a hexahedron at ξ, in Gmsh's vertex order.
std::array<double, 8> hexahedron_shapes(const Vec3& xi);
/// ∂N_a/∂ξ of a hexahedron's eight shape functions at ξ, in Gmsh's vertex order.
std::array<Vec3, 8> hexahedron_slopes(const Vec3& xi);

/// The volume of element `e`, m³, if the mesh's vertices are at `vertices` (n×3, m). It is negative if the
/// element is inverted. A hexahedron's volume is integrated by Gauss quadrature, which is exact.
double element_volume(const Mesh& mesh, VectorView vertices, std::size_t e);

/// n volumes, m³: each element's volume is split evenly over its vertices.
std::vector<double> lumped_volumes(const Mesh& mesh);

/// The smallest determinant at the element's quadrature points, divided by the cube of its longest edge; ≤ 0
/// if the element is inverted or flat there. For a tetrahedron it is 6 × volume / edge³.
double element_flatness(const Mesh& mesh, VectorView vertices, std::size_t e);

/// The quality of an element: 1 for a regular tetrahedron and for a cube, 0 for a flat element, negative for
/// an inverted one. For a tetrahedron it is 12 (3V)^⅔ / Σ edge², for a hexahedron the smallest determinant of
/// the unit edges at a corner.
double element_quality(const Mesh& mesh, VectorView vertices, std::size_t e);

}  // namespace electret
