#pragma once
/// \file
/// Which body a vertex belongs to.

#include <algorithm>
#include <span>

#include <electret/core/types.hpp>

namespace electret {

/// The number of the body of `vertex`. Body b has the vertices `body_offsets[b]` … `body_offsets[b+1]` - 1.
inline std::size_t body_of(std::span<const Count> body_offsets, Index vertex) {
  const auto above = std::upper_bound(body_offsets.begin(), body_offsets.end(), static_cast<Count>(vertex));
  return static_cast<std::size_t>(above - body_offsets.begin()) - 1;
}

}  // namespace electret
