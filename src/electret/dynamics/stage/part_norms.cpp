#include <algorithm>

#include <electret/dynamics/stage/free_parts.hpp>
#include <electret/dynamics/stage/part_norms.hpp>

namespace electret {

PartNorms::PartNorms(const System& system) {
  const auto n = static_cast<std::size_t>(system.vertex_count());
  DisjointSets joined = joined_by_elements(system);
  const auto root_of = [&](std::size_t i) {
    return static_cast<std::size_t>(joined.of(static_cast<Index>(i)));
  };
  std::vector<char> is_fixed(n, 0), may_move(n, 0);
  for (const Index pin : system.fixed) is_fixed[static_cast<std::size_t>(pin)] = 1;
  for (std::size_t i = 0; i < n; ++i)
    if (is_fixed[i] == 0) may_move[root_of(i)] = 1;
  std::vector<Index> number(n, -1);  // Of a root.
  part_.assign(n, -1);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t root = root_of(i);
    if (may_move[root] == 0) continue;
    if (number[root] < 0) number[root] = static_cast<Index>(count_++);
    part_[i] = number[root];
  }
}

void PartNorms::find_squares(ScalarView weights, VectorView x, ScalarSpan squares) const {
  std::fill(squares.begin(), squares.end(), 0.0);
  for (std::size_t i = 0; i < x.size(); ++i)
    if (part_[i] >= 0)
      squares[static_cast<std::size_t>(part_[i])] += weights[i] * weights[i] * squared_norm(x[i]);
}

void PartNorms::find_squares(VectorView x, ScalarSpan squares) const {
  std::fill(squares.begin(), squares.end(), 0.0);
  for (std::size_t i = 0; i < x.size(); ++i)
    if (part_[i] >= 0) squares[static_cast<std::size_t>(part_[i])] += squared_norm(x[i]);
}

}  // namespace electret
