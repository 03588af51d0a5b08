#include <limits>

#include <electret/core/errors.hpp>
#include <electret/linear/incidence.hpp>

namespace electret {

Incidence::Incidence(Index vertex_count, std::span<const Index> connectivity)
    : offsets(static_cast<std::size_t>(vertex_count) + 1, 0), slots(connectivity.size()) {
  require(connectivity.size() <= static_cast<std::size_t>(std::numeric_limits<Index>::max()),
          "more corners of elements than 32 bits can number");
  for (const Index v : connectivity) {
    require(v >= 0 && v < vertex_count, "an element names a vertex that does not exist");
    ++offsets[static_cast<std::size_t>(v) + 1];
  }
  for (std::size_t v = 1; v < offsets.size(); ++v) offsets[v] += offsets[v - 1];
  std::vector<Count> next(offsets.begin(), offsets.end() - 1);
  for (std::size_t slot = 0; slot < connectivity.size(); ++slot) {
    const auto v = static_cast<std::size_t>(connectivity[slot]);
    slots[static_cast<std::size_t>(next[v]++)] = static_cast<Index>(slot);
  }
}

}  // namespace electret
