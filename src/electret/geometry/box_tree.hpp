#pragma once
/// \file
/// A tree of boxes, for searches of what is nearest to a point.

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <vector>

#include <electret/geometry/measure.hpp>

namespace electret {

/// The squared distance from a point to a box, 0 inside; m².
inline double squared_distance(const BoundingBox& box, const Vec3& p) {
  double sum = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    const double off = std::max({box.low[axis] - p[axis], 0.0, p[axis] - box.high[axis]});
    sum += off * off;
  }
  return sum;
}

/// Items sorted into nested boxes: each box is halved at the median of its items' middles along its longest
/// side. The tree depends only on the items' boxes.
class BoxTree {
 public:
  BoxTree() = default;
  /// One box per item; there is at least one.
  explicit BoxTree(const std::vector<BoundingBox>& boxes);

  /// The box that holds all items.
  [[nodiscard]] const BoundingBox& box() const { return nodes_.front().box; }

  /// Calls visit(item) for every item that may be nearer to `p` (m) than what visit has found so far; visit
  /// returns the squared distance (m²) of the nearest item that it has seen. The order depends only on `p`.
  template <class Visit>
  void search(const Vec3& p, Visit&& visit) const {
    double nearest = std::numeric_limits<double>::infinity();
    std::array<std::size_t, deepest> stack{};
    std::size_t waiting = 1;
    while (waiting > 0) {
      const Node& node = nodes_[stack[--waiting]];
      if (squared_distance(node.box, p) > nearest) continue;
      if (node.left == 0) {
        for (std::size_t k = node.begin; k < node.end; ++k) nearest = visit(order_[k]);
        continue;
      }
      const bool is_left_nearer =
          squared_distance(nodes_[node.left].box, p) <= squared_distance(nodes_[node.right].box, p);
      stack[waiting++] = is_left_nearer ? node.right : node.left;
      stack[waiting++] = is_left_nearer ? node.left : node.right;
    }
  }

 private:
  static constexpr std::size_t leaf_size = 4;
  /// More than the depth of any tree of halves over 2³¹ items.
  static constexpr std::size_t deepest = 64;
  struct Node {
    BoundingBox box;
    std::size_t begin = 0, end = 0;   ///< Its items, as places in `order_`.
    std::size_t left = 0, right = 0;  ///< Its two halves; 0 in a leaf.
  };
  std::size_t build(const std::vector<BoundingBox>& boxes, std::size_t begin, std::size_t end);

  std::vector<std::size_t> order_;
  std::vector<Node> nodes_;
};

}  // namespace electret
