#pragma once
/// \file
/// Which tetrahedron a point lies in.

#include <electret/field/ddef/tessellation.hpp>

namespace electret::ddef {

/// Finds tetrahedra by walking: from one near the point across the face it lies furthest behind. In a
/// Delaunay tessellation such a walk ends; where rounding makes it run in circles (a point on a face, flat
/// tetrahedra), all tetrahedra are searched. The walk starts from a table of the cube's cells, so that the
/// answer depends on the point alone.
class Locator {
 public:
  explicit Locator(const Tessellation& tessellation);

  /// The tetrahedron that holds the point of the unit cube; for a point outside, or not finite, some
  /// tetrahedron that is nearly as near as any.
  [[nodiscard]] Index find(const Vec3& unit) const;

  /// The one in which the point's smallest barycentric coordinate is largest, by trying all.
  [[nodiscard]] Index search(const Vec3& unit) const;

 private:
  [[nodiscard]] Index walk(Index start, const Vec3& unit) const;

  const Tessellation& tessellation_;
  int cells_ = 1;             ///< Along an axis.
  std::vector<Index> start_;  ///< Of each cell, the tetrahedron that holds its centre.
};

}  // namespace electret::ddef
