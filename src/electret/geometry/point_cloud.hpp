#pragma once
/// \file
/// Points as a k-d tree of nanoflann reads them.

#include <cstddef>

#include <electret/core/types.hpp>

namespace electret {

/// nanoflann's data set over `Points`: a VectorView, or a reference to an array that grows along with a
/// dynamic tree.
template <class Points>
struct PointCloud {
  Points points;

  [[nodiscard]] std::size_t kdtree_get_point_count() const { return points.size(); }
  [[nodiscard]] double kdtree_get_pt(std::size_t i, std::size_t axis) const {
    return points[i][static_cast<int>(axis)];
  }
  /// None: the tree finds its box itself.
  template <class Box>
  bool kdtree_get_bbox(Box&) const {
    return false;
  }
};

}  // namespace electret
