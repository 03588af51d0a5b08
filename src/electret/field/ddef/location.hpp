#pragma once
/// \file
/// Finds the tetrahedron that holds a point.

#include <electret/field/ddef/tessellation.hpp>

namespace electret::ddef {

/// Finds tetrahedra by walking: from a tetrahedron near the point, always across the face that the point lies
/// furthest behind. In a Delaunay tessellation such a walk ends. If rounding makes it run in circles (a point
/// on a face, flat tetrahedra), all tetrahedra are searched. The start of the walk comes from a table of the
/// cube's cells, so that the answer depends on the point alone.
class Locator {
 public:
  explicit Locator(const Tessellation& tessellation);

  /// The tetrahedron that holds the point of the unit cube. For a point that is outside or not finite, some
  /// tetrahedron that is about as near as any.
  [[nodiscard]] Index find(const Vec3& unit) const;

  /// The tetrahedron in which the point's smallest barycentric coordinate is largest. Tries all tetrahedra.
  [[nodiscard]] Index search(const Vec3& unit) const;

 private:
  [[nodiscard]] Index walk(Index start, const Vec3& unit) const;

  const Tessellation& tessellation_;
  int cells_ = 1;             ///< Along an axis.
  std::vector<Index> start_;  ///< The tetrahedron that holds each cell's centre.
};

}  // namespace electret::ddef
