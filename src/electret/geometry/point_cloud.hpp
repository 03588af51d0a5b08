#pragma once
/// \file
/// Points in the form that nanoflann's k-d trees read.

#include <cstddef>

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

}  // namespace electret
