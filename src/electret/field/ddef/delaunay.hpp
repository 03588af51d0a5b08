#pragma once
/// \file
/// Delaunay tetrahedra of points, by Qhull.

#include <array>
#include <vector>

#include <electret/core/types.hpp>

namespace electret::ddef {

using TetrahedronVertices = std::array<Index, 4>;

/// The Delaunay tetrahedra of points (n×3) of which the convex hull is a box that holds its corners among
/// them: they fill the hull, none is flat. Throws InternalError where Qhull does not manage that.
std::vector<TetrahedronVertices> delaunay_tetrahedra(VectorView points);

/// Six times the volume, signed.
inline double six_volumes(VectorView points, const TetrahedronVertices& t) {
  const Vec3& a = points[static_cast<std::size_t>(t[0])];
  return dot(points[static_cast<std::size_t>(t[1])] - a,
             cross(points[static_cast<std::size_t>(t[2])] - a, points[static_cast<std::size_t>(t[3])] - a));
}

/// The tetrahedron across each face (opposite vertex 0 … 3), -1 on the hull. Throws InternalError for a face
/// of more than two tetrahedra.
std::vector<std::array<Index, 4>> face_neighbours(const std::vector<TetrahedronVertices>& tetrahedra);

}  // namespace electret::ddef
