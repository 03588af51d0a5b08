#include <algorithm>

#include <electret/contact/body_tree.hpp>
#include <electret/core/errors.hpp>

namespace electret {
namespace {

/// The axis along which points from first to last spread most.
template <class Iterator, class Point>
int longest_axis(Iterator first, Iterator last, const Point& point) {
  Vec3 low = point(*first), high = low;
  for (; first != last; ++first) {
    const Vec3 p = point(*first);
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], p[axis]);
      high[axis] = std::max(high[axis], p[axis]);
    }
  }
  const Vec3 size = high - low;
  return size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
}

/// Sorts the smaller half by `point` along the longest axis to the front, each half in ascending order.
template <class Iterator, class Point>
void halve(Iterator first, Iterator middle, Iterator last, const Point& point) {
  const int axis = longest_axis(first, last, point);
  std::nth_element(first, middle, last, [&](std::size_t a, std::size_t b) {
    const double x = point(a)[axis], y = point(b)[axis];
    return x != y ? x < y : a < b;
  });
  // The halves' own order is not that of nth_element, which the standard leaves open.
  std::sort(first, middle);
  std::sort(middle, last);
}

}  // namespace

BodyTree::BodyTree(VectorView middles, std::span<const std::size_t> bodies) {
  require(middles.size() == bodies.size(), "a tree of bodies without a body for each item");
  if (bodies.empty()) return;
  std::vector<Places> of_body(*std::max_element(bodies.begin(), bodies.end()) + 1);
  for (std::size_t k = 0; k < bodies.size(); ++k) of_body[bodies[k]].push_back(k);
  roots_.assign(of_body.size(), none);
  Places present;
  for (std::size_t b = 0; b < of_body.size(); ++b)
    if (!of_body[b].empty()) present.push_back(b);
  items_.reserve(bodies.size());
  build_bodies(middles, of_body, present);
  for (std::size_t k = 0; k < nodes_.size(); ++k)
    if (nodes_[k].right == 0) leaves_.push_back(k);
}

std::size_t BodyTree::build_bodies(VectorView middles, const std::vector<Places>& of_body,
                                   std::span<std::size_t> bodies) {
  if (bodies.size() == 1) {
    const std::size_t body = bodies.front(), begin = items_.size();
    items_.insert(items_.end(), of_body[body].begin(), of_body[body].end());
    return roots_[body] = build_items(middles, begin, items_.size(), body);
  }
  const auto half = static_cast<std::ptrdiff_t>(bodies.size() / 2);
  halve(bodies.begin(), bodies.begin() + half, bodies.end(),
        [&](std::size_t body) { return middles[of_body[body].front()]; });
  const std::size_t own = nodes_.size(), begin = items_.size();
  nodes_.emplace_back();
  build_bodies(middles, of_body, bodies.first(bodies.size() / 2));
  const std::size_t right = build_bodies(middles, of_body, bodies.subspan(bodies.size() / 2));
  nodes_[own] = {begin, items_.size(), right, none};
  return own;
}

std::size_t BodyTree::build_items(VectorView middles, std::size_t begin, std::size_t end, std::size_t body) {
  const std::size_t own = nodes_.size();
  nodes_.push_back({begin, end, 0, body});
  if (end - begin <= leaf_size) return own;
  const std::size_t half = begin + (end - begin) / 2;
  const auto at = [&](std::size_t k) { return items_.begin() + static_cast<std::ptrdiff_t>(k); };
  halve(at(begin), at(half), at(end), [&](std::size_t item) { return middles[item]; });
  build_items(middles, begin, half, body);
  const std::size_t right = build_items(middles, half, end, body);
  nodes_[own].right = right;
  return own;
}

void BodyTree::refit(std::span<const BoundingBox> places, std::span<BoundingBox> nodes) const {
  // Halves follow their whole.
  for (std::size_t k = nodes_.size(); k-- > 0;) {
    const Node& node = nodes_[k];
    if (node.right != 0) {
      nodes[k] = joined_boxes(nodes[k + 1], nodes[node.right]);
      continue;
    }
    nodes[k] = places[node.begin];
    for (std::size_t p = node.begin + 1; p < node.end; ++p) nodes[k] = joined_boxes(nodes[k], places[p]);
  }
}

}  // namespace electret
