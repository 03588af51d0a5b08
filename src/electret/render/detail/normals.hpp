#pragma once
/// \file
/// Normals of a surface at the corners of its faces.

#include <array>
#include <span>
#include <vector>

#include <electret/core/types.hpp>
#include <electret/render/detail/float3.hpp>

namespace electret::render {

/// One unit vector per corner of each face (F×3). It is the mean of normals, weighted by area, of the faces
/// around the vertex that meet this face at less than `crease` degrees. 0 for a face without area.
std::vector<std::array<Float3, 3>> corner_normals(std::span<const Float3> positions,
                                                  std::span<const Triangle> faces, double crease);

}  // namespace electret::render
