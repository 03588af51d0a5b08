#pragma once
/// \file
/// A tree over the vertices, edges or triangles of a surface, with boxes in several frames.

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include <electret/contact/body_tree.hpp>
#include <electret/contact/contact_surface.hpp>
#include <electret/core/parallel.hpp>

namespace electret {

/// `corners` vertices make a part. Parts are named by their number in the surface's list, or by their place
/// in the tree.
template <std::size_t corners>
class PartTree {
 public:
  using Part = std::array<Index, corners>;
  static constexpr std::size_t frames = 2;

  PartTree(std::span<const Part> parts, const ContactSurface& surface) {
    VectorArray middles;
    std::vector<std::size_t> bodies;
    for (const Part& part : parts) {
      Vec3 sum;
      for (const Index v : part) sum += surface.rest_positions()[static_cast<std::size_t>(v)];
      middles.push_back((1.0 / static_cast<double>(corners)) * sum);
      bodies.push_back(surface.body(part[0]));
    }
    tree_ = BodyTree(middles, bodies);
    const auto vertices = surface.vertices();
    for (const std::size_t number : tree_.items()) {
      parts_.push_back(parts[number]);
      Part& slots = slots_.emplace_back();
      bool is_free = false;
      for (std::size_t c = 0; c < corners; ++c) {
        const Index v = parts[number][c];
        const auto at = std::lower_bound(vertices.begin(), vertices.end(), v);
        slots[c] = static_cast<Index>(at - vertices.begin());
        is_free = is_free || surface.is_free(v);
      }
      has_free_.push_back(is_free ? 1 : 0);
    }
  }

  [[nodiscard]] const BodyTree& tree() const { return tree_; }
  [[nodiscard]] std::size_t number(std::size_t place) const { return tree_.items()[place]; }
  [[nodiscard]] const Part& part(std::size_t place) const { return parts_[place]; }
  /// Whether a corner of it may move.
  [[nodiscard]] bool has_free(std::size_t place) const { return has_free_[place] != 0; }

  [[nodiscard]] std::span<const BoundingBox> boxes(std::size_t frame) const { return boxes_[frame]; }
  [[nodiscard]] std::span<const BoundingBox> node_boxes(std::size_t frame) const {
    return node_boxes_[frame];
  }

  /// Puts the boxes of `frame` around those of the surface's vertices.
  void refit(std::size_t frame, std::span<const BoundingBox> vertex_boxes, Threads& threads) {
    boxes_[frame].resize(parts_.size());
    node_boxes_[frame].resize(tree_.nodes().size());
    threads.for_chunks(static_cast<Count>(parts_.size()), 1024, [&](Count begin, Count end) {
      for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k) {
        BoundingBox box = vertex_boxes[static_cast<std::size_t>(slots_[k][0])];
        for (std::size_t c = 1; c < corners; ++c)
          box = joined_boxes(box, vertex_boxes[static_cast<std::size_t>(slots_[k][c])]);
        boxes_[frame][k] = box;
      }
    });
    tree_.refit(boxes_[frame], node_boxes_[frame]);
  }

 private:
  BodyTree tree_;
  std::vector<Part> parts_;  ///< By place, as all others.
  std::vector<Part> slots_;  ///< The corners' numbers among the surface's vertices.
  std::vector<char> has_free_;
  std::array<std::vector<BoundingBox>, frames> boxes_, node_boxes_;
};

}  // namespace electret
