#include <algorithm>
#include <cmath>

#include <electret/geometry/place_order.hpp>
#include <electret/geometry/seams.hpp>
#include <electret/geometry/surface_parts.hpp>

namespace electret {
namespace {

/// For each polygon, the first of the vertices at each of its corners' places.
class Places {
 public:
  Places(const Polygons& polygons, VectorView vertices) : own_(polygons.indices) {
    std::sort(own_.begin(), own_.end());
    own_.erase(std::unique(own_.begin(), own_.end()), own_.end());
    std::vector<Index> order = own_;
    sort_by_place(order, vertices);
    first_.resize(own_.size());
    for (std::size_t k = 0; k < order.size(); ++k) {
      const auto place = [&](std::size_t n) { return vertices[static_cast<std::size_t>(order[n])]; };
      const bool is_repeated = k > 0 && place(k - 1) == place(k);
      first_[number(order[k])] = is_repeated ? first_[number(order[k - 1])] : order[k];
    }
  }

  /// The corners without those that repeat the place before.
  [[nodiscard]] std::vector<Index> joined(std::span<const Index> polygon) const {
    std::vector<Index> corners;
    for (const Index v : polygon)
      if (const Index place = first_[number(v)]; corners.empty() || corners.back() != place)
        corners.push_back(place);
    while (corners.size() > 1 && corners.front() == corners.back()) corners.pop_back();
    return corners;
  }

 private:
  [[nodiscard]] std::size_t number(Index v) const {
    return static_cast<std::size_t>(std::lower_bound(own_.begin(), own_.end(), v) - own_.begin());
  }

  std::vector<Index> own_;    ///< The vertices of the polygons, sorted.
  std::vector<Index> first_;  ///< The first vertex at the place of each.
};

/// Twice the area of the polygon's fan.
double area_of(std::span<const Index> polygon, VectorView vertices) {
  const auto at = [&](std::size_t k) { return vertices[static_cast<std::size_t>(polygon[k])]; };
  double area = 0.0;
  for (std::size_t k = 2; k < polygon.size(); ++k) area += norm(cross(at(k - 1) - at(0), at(k) - at(0)));
  return area;
}

}  // namespace

bool closes_by_place(const Polygons& polygons, VectorView vertices) {
  const SurfaceParts apart = parts_of_surface(polygons);
  const Places places(polygons, vertices);
  Polygons joined;
  std::vector<char> was_open;
  for (std::size_t p = 0; p < polygons.size(); ++p) {
    const std::vector<Index> corners = places.joined(polygons[p]);
    if (corners.size() < 3) continue;
    joined.add(corners);
    was_open.push_back(apart.is_open[apart.part(p)]);
  }
  const SurfaceParts parts = parts_of_surface(joined);
  const std::vector<double> volumes = volumes_of(parts, joined, vertices);
  std::vector<double> areas(joined.size(), 0.0);
  for (std::size_t p = 0; p < joined.size(); ++p) areas[parts.part(p)] += area_of(joined[p], vertices);
  // The two sides of a doubled sheet are closed, too, but hold nothing.
  constexpr double least = 1e-6;
  for (std::size_t p = 0; p < joined.size(); ++p) {
    const std::size_t part = parts.part(p);
    if (was_open[p] != 0 && parts.is_open[part] == 0 &&
        std::abs(volumes[part]) > least * areas[part] * std::sqrt(areas[part]))
      return true;
  }
  return false;
}

}  // namespace electret
