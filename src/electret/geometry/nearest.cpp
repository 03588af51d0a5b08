#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <utility>

#include <nanoflann.hpp>

#include <electret/core/stop_scope.hpp>
#include <electret/geometry/point_cloud.hpp>
#include <electret/geometry/point_search.inl>
#include <electret/geometry/springs.hpp>

namespace electret {
namespace {

using Cloud = PointCloud<VectorView>;
using Tree =
    nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<double, Cloud>, Cloud, 3, std::size_t>;

/// The points by their places. Points that coincide are one place, so that a search among them costs no more
/// than one among points that do not.
class Places {
 public:
  explicit Places(VectorView points) {
    std::vector<std::pair<Bits, std::size_t>> order;
    order.reserve(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) order.emplace_back(bits(points[i]), i);
    std::sort(order.begin(), order.end());
    place_of_.resize(points.size());
    members_.reserve(points.size());
    for (std::size_t k = 0; k < order.size(); ++k) {
      const std::size_t i = order[k].second;
      if (k == 0 || order[k].first != order[k - 1].first) {
        positions_.push_back(points[i]);
        first_.push_back(k);
      }
      place_of_[i] = positions_.size() - 1;
      members_.push_back(i);
    }
    first_.push_back(points.size());
  }

  [[nodiscard]] VectorView positions() const { return positions_; }
  [[nodiscard]] std::size_t of(std::size_t point) const { return place_of_[point]; }
  /// The points of a place, ascending.
  [[nodiscard]] std::span<const std::size_t> at(std::size_t place) const {
    return std::span(members_).subspan(first_[place], first_[place + 1] - first_[place]);
  }

 private:
  using Bits = std::array<std::uint64_t, 3>;
  /// An order that holds for any numbers; 0 and -0 are one place.
  static Bits bits(const Vec3& p) {
    return {std::bit_cast<std::uint64_t>(p.x + 0.0), std::bit_cast<std::uint64_t>(p.y + 0.0),
            std::bit_cast<std::uint64_t>(p.z + 0.0)};
  }

  VectorArray positions_;
  std::vector<std::size_t> place_of_, members_, first_;
};

/// Searches for the points nearest to a point.
class NearestSearch {
 public:
  NearestSearch(VectorView points, std::size_t wanted)
      : places_(points), cloud_{places_.positions()}, tree_(3, cloud_), wanted_(wanted) {
    found_.resize(std::min(wanted + 1, cloud_.points.size()));
    distances_.resize(found_.size());
  }

  /// The nearest other points of point i, with their squared distances; at equal ones the lower index first.
  const std::vector<std::pair<double, std::size_t>>& around(std::size_t i) {
    find_within(tree_, cloud_.points[places_.of(i)], reach(i), near_);
    ranked_.clear();
    for (const auto& [place, squared] : near_) {
      std::size_t taken = 0;  // Later points of the place lose the tie against these.
      for (const std::size_t j : places_.at(place)) {
        if (j == i) continue;
        ranked_.emplace_back(squared, j);
        if (++taken == wanted_) break;
      }
    }
    const std::size_t kept = std::min(wanted_, ranked_.size());
    std::partial_sort(ranked_.begin(), ranked_.begin() + static_cast<std::ptrdiff_t>(kept), ranked_.end());
    ranked_.resize(kept);
    return ranked_;
  }

 private:
  /// A squared distance within which at least `wanted_` other points lie. The tree breaks ties in any order,
  /// and rounding in its bounds may lose a tie. The farthest distance that it finds is no less than the true
  /// one, so all points within it (and a little more) include every candidate.
  double reach(std::size_t i) {
    const std::size_t count =
        tree_.knnSearch(&cloud_.points[places_.of(i)].x, found_.size(), found_.data(), distances_.data());
    std::size_t points = 0, last = 0;
    for (std::size_t k = 0; k < count && points <= wanted_; ++k) {
      points += places_.at(found_[k]).size();
      last = k;
    }
    return distances_[last] * (1.0 + 1e-12) + std::numeric_limits<double>::min();
  }

  Places places_;
  Cloud cloud_;
  Tree tree_;
  std::size_t wanted_;
  std::vector<std::size_t> found_;
  std::vector<double> distances_;
  std::vector<NearPoint> near_;
  std::vector<std::pair<double, std::size_t>> ranked_;
};

}  // namespace

std::vector<Edge> nearest(VectorView points, Count neighbours) {
  if (neighbours < 1) throw std::invalid_argument("nearest: neighbours must be at least 1");
  std::vector<Edge> pairs;
  if (points.size() < 2) return pairs;
  NearestSearch search(points, std::min(static_cast<std::size_t>(neighbours), points.size() - 1));
  for (std::size_t i = 0; i < points.size(); ++i) {
    throw_if_stopped();
    for (const auto& [squared, j] : search.around(i))
      pairs.push_back({static_cast<Index>(std::min(i, j)), static_cast<Index>(std::max(i, j))});
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

}  // namespace electret
