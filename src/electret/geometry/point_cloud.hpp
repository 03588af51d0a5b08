#pragma once
/// \file
/// Points in the form that nanoflann's k-d trees read.

#include <cstddef>
#include <utility>
#include <vector>

#include <nanoflann.hpp>

#include <electret/core/types.hpp>

namespace electret {

/// nanoflann's data set over `Points`: a VectorView, or a reference to an array that grows together with a
/// dynamic tree.
template <class Points>
struct PointCloud {
  Points points;

  [[nodiscard]] std::size_t kdtree_get_point_count() const { return points.size(); }
  [[nodiscard]] double kdtree_get_pt(std::size_t i, std::size_t axis) const {
    return points[i][static_cast<int>(axis)];
  }
  /// Gives no box: the tree finds it itself.
  template <class Box>
  bool kdtree_get_bbox(Box&) const {
    return false;
  }
};

// nanoflann 1.5 renamed the options of a search and what it finds.
#if NANOFLANN_VERSION >= 0x150
using SearchOptions = nanoflann::SearchParameters;
using NearPoint = nanoflann::ResultItem<std::size_t, double>;
#else
using SearchOptions = nanoflann::SearchParams;
using NearPoint = std::pair<std::size_t, double>;
#endif

/// Sets `found` to the points whose squared distance from `point` is less than `reach`, in no order, each
/// with its squared distance.
template <class Tree>
void find_within(const Tree& tree, const Vec3& point, double reach, std::vector<NearPoint>& found) {
  SearchOptions options;
  options.sorted = false;
  tree.radiusSearch(&point.x, reach, found, options);
}

}  // namespace electret
