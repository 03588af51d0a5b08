#pragma once
/// \file
/// The parts of surfaces whose boxes overlap.

#include <algorithm>
#include <array>
#include <type_traits>
#include <vector>

#include <electret/contact/body_pairs.hpp>
#include <electret/contact/part_tree.hpp>

namespace electret {

using SurfacePoints = PartTree<1>;
using SurfaceEdges = PartTree<2>;
using SurfaceTriangles = PartTree<3>;

/// The frames of boxes of pairs of two bodies, and of pairs of a body with itself.
inline constexpr std::size_t between_frame = 0, within_frame = 1;

template <std::size_t n, std::size_t m>
constexpr bool share_vertex(const std::array<Index, n>& a, const std::array<Index, m>& b) {
  for (const Index i : a)
    for (const Index j : b)
      if (i == j) return true;
  return false;
}

/// The parts of `targets` that one leaf of `queries` meets in a frame.
template <class Queries, class Targets>
class LeafSearch {
 public:
  static constexpr bool is_symmetric = std::is_same_v<Queries, Targets>;

  LeafSearch(const Queries& queries, const Targets& targets, const BodyPairs& bodies)
      : queries_(queries), targets_(targets), bodies_(bodies) {}

  /// Calls found(query's place, target's place).
  template <class Found>
  void run(std::size_t leaf_number, Found&& found) const {
    const BodyTree::Node& leaf = queries_.tree().nodes()[leaf_number];
    if (bodies_.may_touch(leaf.body, leaf.body))
      if (const std::size_t root = targets_.tree().root(leaf.body); root != BodyTree::none)
        in_frame(
            within_frame, leaf_number, root, [](const BodyTree::Node&) { return false; }, found);
    if (!queries_.boxes(between_frame).empty())
      in_frame(
          between_frame, leaf_number, 0,
          [&](const BodyTree::Node& node) {
            return node.body != BodyTree::none &&
                   (node.body == leaf.body || !bodies_.may_touch(leaf.body, node.body));
          },
          found);
  }

 private:
  template <class Skip, class Found>
  void in_frame(std::size_t frame, std::size_t leaf_number, std::size_t top, const Skip& skip,
                Found& found) const {
    const BodyTree::Node& leaf = queries_.tree().nodes()[leaf_number];
    const auto boxes = queries_.boxes(frame), others = targets_.boxes(frame);
    const auto is_earlier = [&](const BodyTree::Node& node) {
      return (is_symmetric && node.end <= leaf.begin) || skip(node);
    };
    targets_.tree().search(
        top, targets_.node_boxes(frame), queries_.node_boxes(frame)[leaf_number], is_earlier,
        [&](const BodyTree::Node& node) {
          for (std::size_t p = leaf.begin; p < leaf.end; ++p)
            for (std::size_t q = is_symmetric ? std::max(node.begin, p + 1) : node.begin; q < node.end; ++q)
              if (overlap(boxes[p], others[q]) && (queries_.has_free(p) || targets_.has_free(q)) &&
                  !share_vertex(queries_.part(p), targets_.part(q)))
                found(p, q);
        });
  }

  const Queries& queries_;
  const Targets& targets_;
  const BodyPairs& bodies_;
};

}  // namespace electret
