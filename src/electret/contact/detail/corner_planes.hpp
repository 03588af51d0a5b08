#pragma once
/// \file
/// The planes between which a vertex in a corner moves.

#include <array>
#include <bit>

#include <electret/contact/corner_law.hpp>
#include <electret/contact/detail/edge_of_walls.hpp>

namespace electret::detail {

/// Those of the held directions, then those of the walls that push, in their order.
struct CornerPlanes {
  std::array<EdgeSide, most_walls> sides;
  std::array<int, most_walls> walls{};  ///< The number of each plane's wall; -1 where the vertex is held.
  std::size_t count = 0;

  CornerPlanes(const CornerPoint& point, unsigned closed) {
    for (int k = 0; k < point.held_count; ++k)
      add(EdgeSide::held(point.held[static_cast<std::size_t>(k)]), -1);
    for (int k = 0; k < point.count && count < most_walls; ++k)
      if ((closed >> k & 1U) != 0) add(EdgeSide::of(point.walls[static_cast<std::size_t>(k)]), k);
  }

  [[nodiscard]] const Vec3& normal(std::size_t k) const { return sides[k].normal; }
  [[nodiscard]] Mat3 normals() const { return {{normal(0), normal(1), normal(2)}}; }

 private:
  void add(const EdgeSide& side, int wall) {
    sides[count] = side;
    walls[count++] = wall;
  }
};

}  // namespace electret::detail
