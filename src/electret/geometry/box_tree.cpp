#include <numeric>

#include <electret/core/errors.hpp>
#include <electret/geometry/box_tree.hpp>

namespace electret {
namespace {

BoundingBox joined_boxes(BoundingBox a, const BoundingBox& b) {
  for (int axis = 0; axis < 3; ++axis) {
    a.low[axis] = std::min(a.low[axis], b.low[axis]);
    a.high[axis] = std::max(a.high[axis], b.high[axis]);
  }
  return a;
}

}  // namespace

BoxTree::BoxTree(const std::vector<BoundingBox>& boxes) : order_(boxes.size()) {
  require(!boxes.empty(), "a tree of no boxes");
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  nodes_.reserve(2 * boxes.size() / leaf_size + 2);
  build(boxes, 0, boxes.size());
}

std::size_t BoxTree::build(const std::vector<BoundingBox>& boxes, std::size_t begin, std::size_t end) {
  const std::size_t own = nodes_.size();
  BoundingBox box = boxes[order_[begin]];
  for (std::size_t k = begin + 1; k < end; ++k) box = joined_boxes(box, boxes[order_[k]]);
  nodes_.push_back({box, begin, end, 0, 0});
  if (end - begin <= leaf_size) return own;
  const Vec3 size = box.high - box.low;
  const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
  const auto middle = [&](std::size_t item) { return boxes[item].low[axis] + boxes[item].high[axis]; };
  const std::size_t half = begin + (end - begin) / 2;
  const auto place = [&](std::size_t k) { return order_.begin() + static_cast<std::ptrdiff_t>(k); };
  std::nth_element(place(begin), place(half), place(end), [&](std::size_t a, std::size_t b) {
    const double x = middle(a), y = middle(b);
    return x != y ? x < y : a < b;
  });
  // The halves' own order is not that of nth_element, which the standard leaves open.
  std::sort(place(begin), place(half));
  std::sort(place(half), place(end));
  const std::size_t left = build(boxes, begin, half), right = build(boxes, half, end);
  nodes_[own].left = left, nodes_[own].right = right;
  return own;
}

}  // namespace electret
