#pragma once
/// \file
/// Elements in batches of eight, one per lane of SIMD kernels, and in patches that can be processed at the
/// same time.
///
/// A patch holds neighbouring elements and is a whole number of batches. Patches of one colour share no
/// vertex. A loop over the patches, one colour after the other, may therefore add to the vertices' rows:
/// every row is written by one thread at a time, in an order that does not depend on the number of threads.

#include <algorithm>
#include <span>
#include <vector>

#include <electret/core/parallel.hpp>
#include <electret/core/types.hpp>
#include <electret/elastic/element_block.hpp>

namespace electret {

class ElementBatches {
 public:
  static constexpr Count width = 8;  ///< Elements in a batch.

  /// Patches are filled along the Morton order of the means of the elements' vertices in `positions` (n×3).
  /// If the vertices are on a lattice (find_lattice), they are filled along the Morton order of groups of
  /// eight cells in a line.
  ElementBatches(const ElementBlock& elements, VectorView positions);

  [[nodiscard]] Count size() const { return (static_cast<Count>(order_.size()) + width - 1) / width; }
  /// The elements of batch `k`: eight, or fewer in the last batch.
  [[nodiscard]] std::span<const Index> elements(Count k) const {
    const auto first = static_cast<std::size_t>(k * width);
    return std::span(order_).subspan(first, std::min(order_.size() - first, std::size_t{width}));
  }
  /// Where element `e` is: number · width + lane.
  [[nodiscard]] Count place(Count e) const { return places_[static_cast<std::size_t>(e)]; }
  [[nodiscard]] Count patches() const { return (size() + batches_per_patch_ - 1) / batches_per_patch_; }

  /// Calls body(patch, first batch, last batch + 1) for every patch, those of one colour concurrently.
  template <class Body>
  void for_patches(Threads& threads, Body&& body) const {
    for (std::size_t colour = 0; colour + 1 < colours_.size(); ++colour) {
      const Count first = colours_[colour];
      threads.for_chunks(colours_[colour + 1] - first, 1, [&](Count begin, Count end) {
        for (Count k = begin; k < end; ++k) {
          const Count patch = by_colour_[static_cast<std::size_t>(first + k)];
          body(patch, patch * batches_per_patch_, std::min(size(), (patch + 1) * batches_per_patch_));
        }
      });
    }
  }

 private:
  void find_colours(const ElementBlock& elements);

  Count batches_per_patch_;
  std::vector<Index> order_, places_;
  std::vector<Index> by_colour_;  ///< Patches, sorted by colour.
  std::vector<Count> colours_;    ///< Where each colour begins in `by_colour_`, and the end.
};

}  // namespace electret
