#include <electret/force/detail/coincident.hpp>
#include <electret/geometry/place_order.hpp>
#include <electret/geometry/springs.hpp>

namespace electret::detail {
namespace {

/// The smallest pair of `chosen` vertices (ascending) with different positions, but the squared distance 0.
std::optional<Edge> closest_to_nothing(VectorView positions, const std::vector<Index>& chosen) {
  VectorArray points;
  for (const Index i : chosen) points.push_back(positions[static_cast<std::size_t>(i)]);
  for (const auto& [k, l] : nearest(points, 1)) {
    const auto a = static_cast<std::size_t>(k), b = static_cast<std::size_t>(l);
    if (squared_norm(points[a] - points[b]) == 0.0) return Edge{chosen[a], chosen[b]};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Edge> coincident_charges(VectorView positions, ScalarView charges) {
  std::vector<Index> charged;
  for (std::size_t i = 0; i < positions.size(); ++i)
    if (charges[i] != 0.0 && is_finite(positions[i])) charged.push_back(static_cast<Index>(i));
  const std::vector<Index> ascending = charged;
  const auto at = [&](Index i) -> const Vec3& { return positions[static_cast<std::size_t>(i)]; };
  sort_by_place(charged, positions);  // The first two vertices at a place are the smallest pair there.
  std::optional<Edge> found;
  for (std::size_t k = 1; k < charged.size(); ++k) {
    const Edge pair{charged[k - 1], charged[k]};
    if (at(pair[0]) == at(pair[1]) && (!found || pair < *found)) found = pair;
  }
  return found ? found : closest_to_nothing(positions, ascending);
}

}  // namespace electret::detail
