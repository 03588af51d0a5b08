#pragma once
/// \file
/// Which way a surface looks at the corners of its faces.

#include <array>
#include <span>
#include <vector>

#include <electret/core/types.hpp>
#include <electret/render/detail/float3.hpp>

namespace electret::render {

/// A unit vector for each corner of each face (F×3): the mean of the normals, by area, of the faces around
/// the vertex that meet this one at less than `crease` degrees. Of a face without area: 0.
std::vector<std::array<Float3, 3>> corner_normals(std::span<const Float3> positions,
                                                  std::span<const Triangle> faces, double crease);

}  // namespace electret::render
