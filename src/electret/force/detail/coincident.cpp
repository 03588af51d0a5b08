#include <algorithm>
#include <tuple>

#include <electret/force/detail/coincident.hpp>

namespace electret::detail {

std::optional<Edge> coincident_charges(VectorView positions, ScalarView charges) {
  std::vector<Index> charged;
  for (std::size_t i = 0; i < positions.size(); ++i)
    if (charges[i] != 0.0 && is_finite(positions[i])) charged.push_back(static_cast<Index>(i));
  const auto at = [&](Index i) -> const Vec3& { return positions[static_cast<std::size_t>(i)]; };
  const auto place = [&](Index i) { return std::make_tuple(at(i).x, at(i).y, at(i).z); };
  // Equal places in ascending order of vertices: the first two of each run are its smallest pair.
  std::stable_sort(charged.begin(), charged.end(), [&](Index a, Index b) { return place(a) < place(b); });
  std::optional<Edge> found;
  for (std::size_t k = 1; k < charged.size(); ++k) {
    const Edge pair{charged[k - 1], charged[k]};
    if (at(pair[0]) == at(pair[1]) && (!found || pair < *found)) found = pair;
  }
  return found;
}

}  // namespace electret::detail
