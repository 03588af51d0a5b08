#include <limits>
#include <utility>

#include <electret/core/errors.hpp>
#include <electret/elastic/element_block.hpp>
#include <electret/linear/block_matrix.hpp>

namespace electret {

ElementBlock::ElementBlock(int vertices_per_element, Index vertex_count, std::vector<Index> connectivity)
    : vertices_per_element_(vertices_per_element),
      vertex_count_(vertex_count),
      connectivity_(std::move(connectivity)),
      incidence_(vertex_count, connectivity_) {
  require(vertices_per_element > 0, "connectivity: elements without vertices");
  require(connectivity_.size() % static_cast<std::size_t>(vertices_per_element_) == 0,
          "connectivity: not a whole number of elements");
}

std::span<Vec3> ElementBlock::corner_buffer() {
  corner_buffer_.resize(connectivity_.size());
  return corner_buffer_;
}

void ElementBlock::attach(const BlockPattern& pattern) {
  require(pattern.rows() == vertex_count_, "block pattern: not one row per vertex");
  require(pattern.blocks() <= std::numeric_limits<Index>::max(), "block pattern: too many blocks");
  const auto corners = static_cast<std::size_t>(vertices_per_element_);
  block_slots_.resize(connectivity_.size() * corners);
  for (std::size_t first = 0; first < connectivity_.size(); first += corners)
    for (std::size_t a = 0; a < corners; ++a)
      for (std::size_t b = 0; b < corners; ++b) {
        const Count slot = pattern.slot(connectivity_[first + a], connectivity_[first + b]);
        require(slot >= 0, "block pattern: a pair of an element's vertices has no block");
        block_slots_[(first + a) * corners + b] = static_cast<Index>(slot);
      }
  attached_blocks_ = pattern.blocks();
}

}  // namespace electret
