#include <electret/force/detail/coincident.hpp>
#include <electret/geometry/place_order.hpp>

namespace electret::detail {

std::optional<Edge> coincident_charges(VectorView positions, ScalarView charges) {
  std::vector<Index> charged;
  for (std::size_t i = 0; i < positions.size(); ++i)
    if (charges[i] != 0.0 && is_finite(positions[i])) charged.push_back(static_cast<Index>(i));
  const auto at = [&](Index i) -> const Vec3& { return positions[static_cast<std::size_t>(i)]; };
  sort_by_place(charged, positions);  // The first two vertices at a place are the smallest pair there.
  std::optional<Edge> found;
  for (std::size_t k = 1; k < charged.size(); ++k) {
    const Edge pair{charged[k - 1], charged[k]};
    if (at(pair[0]) == at(pair[1]) && (!found || pair < *found)) found = pair;
  }
  return found;
}

}  // namespace electret::detail
