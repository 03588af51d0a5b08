#pragma once
/// \file
/// The faces of solids that water does not reach.

#include <vector>

#include <electret/geometry/wet_faces.hpp>

namespace electret {

/// The faces of a solid's boundary without those that lie within a closed part of it, such as the walls of
/// hollows. `vertices` are n×3, m.
std::vector<WetFace> without_dry(const std::vector<WetFace>& boundary, VectorView vertices);

}  // namespace electret
