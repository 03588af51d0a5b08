#pragma once
/// \file
/// Which element corners meet at each vertex. With this list, one thread can sum each output row in a fixed
/// order.

#include <span>
#include <vector>

#include <electret/core/types.hpp>

namespace electret {

/// The slots (element·vertices_per_element + corner) of each vertex, ascending: those of vertex v are
/// `slots[offsets[v]] … slots[offsets[v+1]-1]`.
struct Incidence {
  std::vector<Count> offsets;  ///< vertices + 1.
  std::vector<Index> slots;    ///< One per corner.

  /// `connectivity` holds the vertex of each slot. Throws InternalError for a vertex outside [0,
  /// vertex_count), and for more than 2³¹ - 1 slots.
  Incidence(Index vertex_count, std::span<const Index> connectivity);

  [[nodiscard]] std::span<const Index> operator[](Count vertex) const {
    const auto begin = static_cast<std::size_t>(offsets[static_cast<std::size_t>(vertex)]);
    const auto end = static_cast<std::size_t>(offsets[static_cast<std::size_t>(vertex) + 1]);
    return std::span(slots).subspan(begin, end - begin);
  }
};

}  // namespace electret
