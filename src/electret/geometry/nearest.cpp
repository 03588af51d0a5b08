#include <algorithm>
#include <limits>
#include <stdexcept>

#include <nanoflann.hpp>

#include <electret/geometry/point_cloud.hpp>
#include <electret/geometry/point_search.inl>
#include <electret/geometry/springs.hpp>

namespace electret {
namespace {

using Cloud = PointCloud<VectorView>;
using Tree =
    nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<double, Cloud>, Cloud, 3, std::size_t>;

}  // namespace

std::vector<Edge> nearest(VectorView points, Count neighbours) {
  if (neighbours < 1) throw std::invalid_argument("nearest: neighbours must be at least 1");
  std::vector<Edge> pairs;
  if (points.size() < 2) return pairs;
  const std::size_t wanted = std::min(static_cast<std::size_t>(neighbours), points.size() - 1);
  const Cloud cloud{points};
  const Tree tree(3, cloud);

  std::vector<std::size_t> indices(wanted + 1);
  std::vector<double> distances(wanted + 1);
  std::vector<NearPoint> around;
  std::vector<std::pair<double, std::size_t>> ranked;
  for (std::size_t i = 0; i < points.size(); ++i) {
    tree.knnSearch(&points[i].x, wanted + 1, indices.data(), distances.data());
    // The tree breaks ties in any order, and rounding in its bounds may lose a tie. The farthest distance
    // that it finds is no less than the true one, so all points within it (and a little more) include every
    // candidate.
    const double reach = distances[wanted] * (1.0 + 1e-12) + std::numeric_limits<double>::min();
    find_within(tree, points[i], reach, around);
    ranked.clear();
    for (const auto& [j, squared] : around)
      if (j != i) ranked.emplace_back(squared, j);
    const std::size_t kept = std::min(wanted, ranked.size());
    std::partial_sort(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(kept), ranked.end());
    for (std::size_t k = 0; k < kept; ++k) {
      const auto j = ranked[k].second;
      pairs.push_back({static_cast<Index>(std::min(i, j)), static_cast<Index>(std::max(i, j))});
    }
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

}  // namespace electret
