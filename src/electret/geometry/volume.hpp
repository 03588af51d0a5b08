#pragma once
/// \file
/// Volume elements: their faces, edges, sizes and shapes.

#include <vector>

#include <electret/geometry/mesh.hpp>

namespace electret {

/// The faces that exactly one element has, facing outwards where that element has a positive volume; in the
/// elements' order. O(elements log elements).
Polygons boundary_of_elements(const Mesh& mesh);

/// Every edge of every element once, the smaller index first, sorted.
std::vector<Edge> volume_edges(const Mesh& mesh);

/// Where a trilinear hexahedron's volume is integrated: 2×2×2 Gauss points ξ ∈ (-1, 1)³ of weight 1. Point
/// 4i + 2j + k is that of the signs of (ξ_x, ξ_y, ξ_z), - before +.
std::array<Vec3, 8> gauss_points();
/// N_a(ξ), the eight shape functions of a hexahedron at ξ, in Gmsh's vertex order.
std::array<double, 8> hexahedron_shapes(const Vec3& xi);
/// ∂N_a/∂ξ of a hexahedron's eight shape functions at ξ, in Gmsh's vertex order.
std::array<Vec3, 8> hexahedron_slopes(const Vec3& xi);

/// The volume of element `e`, m³, in `vertices` (n×3, m): negative where it is inverted; of a hexahedron by
/// Gauss quadrature, which is exact.
double element_volume(const Mesh& mesh, VectorView vertices, std::size_t e);

/// n volumes, m³: each element's split evenly over its vertices.
std::vector<double> lumped_volumes(const Mesh& mesh);

/// The smallest determinant at the element's quadrature points over the cube of its longest edge: ≤ 0 where
/// it is inverted or flat there. Of a tetrahedron 6 × volume / edge³.
double element_flatness(const Mesh& mesh, VectorView vertices, std::size_t e);

/// 1 for a regular tetrahedron and a cube, 0 for a flat element, negative for an inverted one: of a
/// tetrahedron 12 (3V)^⅔ / Σ edge², of a hexahedron the smallest determinant of unit edges at its corners.
double element_quality(const Mesh& mesh, VectorView vertices, std::size_t e);

}  // namespace electret
