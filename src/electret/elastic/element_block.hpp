#pragma once
/// \file
/// Elements with one number of vertices, and the data that all energies of the same elements share.

#include <span>
#include <vector>

#include <electret/core/types.hpp>
#include <electret/linear/incidence.hpp>

namespace electret {

class BlockPattern;

/// Connectivity, incidence, block slots and a corner buffer. Several energies of the same elements, such as
/// two materials and a muscle, share one block by std::shared_ptr. They must work on one team of threads, one
/// after the other.
class ElementBlock {
 public:
  /// `connectivity` is elements × vertices_per_element, row-major. Throws InternalError for an incomplete
  /// element, an index outside [0, vertex_count), or more than 2³¹ - 1 corners.
  ElementBlock(int vertices_per_element, Index vertex_count, std::vector<Index> connectivity);

  [[nodiscard]] int vertices_per_element() const { return vertices_per_element_; }
  [[nodiscard]] Index vertex_count() const { return vertex_count_; }
  /// The number of elements.
  [[nodiscard]] Count size() const {
    return static_cast<Count>(connectivity_.size()) / vertices_per_element_;
  }
  [[nodiscard]] std::span<const Index> connectivity() const { return connectivity_; }
  /// The corners at each vertex, ascending.
  [[nodiscard]] const Incidence& incidence() const { return incidence_; }

  /// One vector per corner, for use during one operation of one energy. The first call allocates.
  [[nodiscard]] std::span<Vec3> corner_buffer();

  /// Finds the indices of each element's blocks in `pattern`. Throws InternalError if the pattern has another
  /// number of rows, lacks a block, or has more than 2³¹ - 1 blocks.
  void attach(const BlockPattern& pattern);
  /// The number of blocks of the attached pattern; -1 before `attach`.
  [[nodiscard]] Count attached_blocks() const { return attached_blocks_; }
  /// After `attach`: vertices_per_element² block indices per element. Entry a·vertices_per_element + b is the
  /// block in the row of corner a and the column of corner b. Empty before.
  [[nodiscard]] std::span<const Index> block_slots() const { return block_slots_; }

 private:
  int vertices_per_element_;
  Index vertex_count_;
  std::vector<Index> connectivity_;
  Incidence incidence_;
  std::vector<Vec3> corner_buffer_;
  Count attached_blocks_ = -1;
  std::vector<Index> block_slots_;
};

}  // namespace electret
