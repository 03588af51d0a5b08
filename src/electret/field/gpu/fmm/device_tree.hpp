#pragma once
/// \file
/// Makes a tree on a device.

#include <electret/field/direct/arrays.hpp>
#include <electret/field/fmm/tree/box.hpp>
#include <electret/field/gpu/fmm/device_crowds.hpp>
#include <electret/field/gpu/fmm/layout.hpp>

namespace electret::gpu {

/// Makes the tree of one set of points: the cells are those of fmm::Tree. Points of which more than a leaf's
/// number share a key get keys in their own box, as often as needed, up to the unit of DevicePoints::fixed.
class TreeMaker {
 public:
  /// A leaf holds up to `leaf_size` points, of at most 512.
  TreeMaker(Device& device, Index leaf_size);

  /// Uploads the points (n×3, m), of which there is at least one, and returns their box.
  fmm::Box upload(VectorView positions, DevicePoints& points);
  /// Makes the tree of points that were uploaded. `box` is what `upload` returned.
  void make(const direct::Frame& frame, const fmm::Box& box, DeviceTree& tree);

  /// By cell: the number of a leaf in DeviceCells::leaves. Other cells have no defined one.
  [[nodiscard]] const Array<std::int32_t>& leaf_of() const { return leaf_of_; }

 private:
  /// What the host reads of the state of cutting.
  struct Cut {
    std::vector<std::int32_t> levels;
    std::int32_t crowds = 0, leaves = 0;
    bool overflow = false;
  };

  void place_keys(const direct::Frame& frame, const fmm::Box& box, DevicePoints& points);
  void make_cells(DeviceTree& tree);
  Cut cut(std::size_t count, DeviceCells& cells);
  void cut_level(std::int32_t n, std::int32_t level, Count most, DeviceCells& cells);
  void find_leaves(std::size_t count, DeviceCells& cells);
  void find_balls(const DevicePoints& points, DeviceCells& cells);

  Device& device_;
  Index leaf_size_;
  DeviceScan scan_;
  DeviceSort sort_;
  DeviceCrowds crowds_;
  std::unique_ptr<Kernel> box_parts_, box_whole_, place_keys_, place_points_;
  std::unique_ptr<Kernel> cut_top_, cut_find_, cut_number_, cut_write_, mark_leaves_, list_leaves_;
  std::unique_ptr<Kernel> balls_of_points_, balls_of_children_;
  std::size_t capacity_ = 0;
  std::int32_t generations_ = 1;
  std::vector<std::int32_t> likely_levels_;  ///< By generation: how many were cut the last time.
  Array<std::uint64_t> box_parts_of_groups_, box_;
  Array<std::uint32_t> keys_;  ///< By generation and point.
  Array<std::int32_t> state_, part_sums_, marks_, leaf_of_, totals_;
  Array<Int4> parts_;
  Array<std::int64_t> boxes_;
};

}  // namespace electret::gpu
