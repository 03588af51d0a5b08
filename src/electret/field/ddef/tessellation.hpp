#pragma once
/// \file
/// The tessellation of the unit cube into tetrahedra.

#include <array>

#include <electret/field/ddef/delaunay.hpp>
#include <electret/field/ddef/grid.hpp>

namespace electret::ddef {

/// The barycentric coordinates of a tetrahedron: ψ_k = g_k·(ξ - origin) for k = 1 … 3, ψ_0 = 1 - ψ_1 - ψ_2 -
/// ψ_3.
struct Barycentric {
  Vec3 origin;
  std::array<Vec3, 3> gradients;

  [[nodiscard]] std::array<double, 4> operator()(const Vec3& unit) const {
    const Vec3 d = unit - origin;
    const double a = dot(gradients[0], d), b = dot(gradients[1], d), c = dot(gradients[2], d);
    return {1.0 - (a + b + c), a, b, c};
  }
};

/// The Delaunay tessellation of m Halton points and the corners of a box of the given aspect, in the
/// coordinates of the unit cube. It is a function of m and the aspect alone. Mapping it affinely to a box
/// does not change barycentric coordinates.
struct Tessellation {
  Tessellation(Count grid_points, const Aspect& aspect);

  [[nodiscard]] Count size() const { return static_cast<Count>(vertices_of.size()); }

  Count grid_points;
  Aspect aspect;
  VectorArray grid;                              ///< (m+8)×3, in the unit cube.
  std::vector<TetrahedronVertices> vertices_of;  ///< In the Morton order of their centroids.
  std::vector<std::array<Index, 4>> neighbours;  ///< Across the face opposite each vertex; -1: none.
  std::vector<Barycentric> barycentric;
  /// 0 where half-Taylor interpolation stays linear. 1 for all well-shaped tetrahedra, and for those at the
  /// box's corners, which are long and flat but have no charges behind them.
  std::vector<std::uint8_t> well_shaped;
};

}  // namespace electret::ddef
