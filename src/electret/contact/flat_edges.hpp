#pragma once
/// \file
/// The edges across which a surface goes on flat.

#include <span>
#include <vector>

#include <electret/core/types.hpp>

namespace electret {

/// Of two triangles at an edge, radians: 10 degrees. Boxes and other bodies with creases have more, smooth
/// bodies of some hundred triangles and more have less.
inline constexpr double flat_edge_angle = 0.17453292519943295;

/// For each of `edges`, which ascend and have their smaller index first: whether it has two triangles, which
/// are bent at it by less than `flat_edge_angle` at `rest_positions` (n×3, m). Triangles may have any sense.
std::vector<char> flat_edges(std::span<const Triangle> triangles, std::span<const Edge> edges,
                             VectorView rest_positions);

}  // namespace electret
