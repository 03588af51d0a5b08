#pragma once
/// \file
/// The Delaunay tetrahedra of points, computed by Qhull.

#include <array>
#include <vector>

#include <electret/core/types.hpp>

namespace electret::ddef {

using TetrahedronVertices = std::array<Index, 4>;

/// The Delaunay tetrahedra of points (n×3). The convex hull of the points must be a box whose corners are
/// among them. The tetrahedra fill the hull, and none is flat. Throws InternalError if Qhull does not achieve
/// that.
std::vector<TetrahedronVertices> delaunay_tetrahedra(VectorView points);

/// Six times the volume, signed.
inline double six_volumes(VectorView points, const TetrahedronVertices& t) {
  const Vec3& a = points[static_cast<std::size_t>(t[0])];
  return dot(points[static_cast<std::size_t>(t[1])] - a,
             cross(points[static_cast<std::size_t>(t[2])] - a, points[static_cast<std::size_t>(t[3])] - a));
}

/// The tetrahedron across each face (opposite vertex 0 … 3); -1 on the hull. Throws InternalError for a face
/// that more than two tetrahedra share.
std::vector<std::array<Index, 4>> face_neighbours(const std::vector<TetrahedronVertices>& tetrahedra);

}  // namespace electret::ddef
