#pragma once
/// \file
/// A tree of boxes over the parts of several bodies, whose boxes may change while its shape stays.

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include <electret/geometry/measure.hpp>

namespace electret {

inline bool overlap(const BoundingBox& a, const BoundingBox& b) {
  return a.low.x <= b.high.x && b.low.x <= a.high.x && a.low.y <= b.high.y && b.low.y <= a.high.y &&
         a.low.z <= b.high.z && b.low.z <= a.high.z;
}

/// The smallest box that holds both.
inline BoundingBox joined_boxes(BoundingBox a, const BoundingBox& b) {
  for (int axis = 0; axis < 3; ++axis) {
    a.low[axis] = std::min(a.low[axis], b.low[axis]);
    a.high[axis] = std::max(a.high[axis], b.high[axis]);
  }
  return a;
}

/// Items in nested groups. The bodies are halved first, then the items of each body, at the median of their
/// middles along the longest side. An item's *place* is where it stands in the order of the tree; a node has
/// the places from its begin to its end.
class BodyTree {
 public:
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  struct Node {
    std::size_t begin = 0, end = 0;
    std::size_t right = 0;    ///< Its second half; 0 in a leaf. The first is the next node.
    std::size_t body = none;  ///< If all its items have one.
  };

  BodyTree() = default;
  /// One middle and one body per item.
  BodyTree(VectorView middles, std::span<const std::size_t> bodies);

  /// The item at each place.
  [[nodiscard]] std::span<const std::size_t> items() const { return items_; }
  [[nodiscard]] std::span<const Node> nodes() const { return nodes_; }
  /// The nodes without halves, in the order of their places.
  [[nodiscard]] std::span<const std::size_t> leaves() const { return leaves_; }
  /// The node that has all items of a body and no others; `none` if the body has no items.
  [[nodiscard]] std::size_t root(std::size_t body) const {
    return body < roots_.size() ? roots_[body] : none;
  }

  /// Fills the boxes of all nodes from those of the items, by place.
  void refit(std::span<const BoundingBox> places, std::span<BoundingBox> nodes) const;

  /// Calls visit(leaf) for the leaves below `top` whose boxes overlap `box`. Nodes for which skip(node) holds
  /// are left out with all below them.
  template <class Skip, class Visit>
  void search(std::size_t top, std::span<const BoundingBox> boxes, const BoundingBox& box, Skip&& skip,
              Visit&& visit) const {
    std::array<std::size_t, deepest> stack{};
    stack[0] = top;
    std::size_t waiting = 1;
    while (waiting > 0) {
      const std::size_t number = stack[--waiting];
      const Node& node = nodes_[number];
      if (!overlap(boxes[number], box) || skip(node)) continue;
      if (node.right == 0) {
        visit(node);
        continue;
      }
      stack[waiting++] = node.right;
      stack[waiting++] = number + 1;
    }
  }

 private:
  static constexpr std::size_t leaf_size = 4;
  /// More than the depth of any tree of halves over 2³¹ items of 2³¹ bodies.
  static constexpr std::size_t deepest = 128;
  using Places = std::vector<std::size_t>;
  std::size_t build_bodies(VectorView middles, const std::vector<Places>& of_body,
                           std::span<std::size_t> bodies);
  std::size_t build_items(VectorView middles, std::size_t begin, std::size_t end, std::size_t body);

  std::vector<std::size_t> items_;
  std::vector<Node> nodes_;
  std::vector<std::size_t> leaves_;
  std::vector<std::size_t> roots_;
};

}  // namespace electret
