#pragma once
/// \file
/// Keys for crowds of points on a device.

#include <electret/field/gpu/fmm/device_sort.hpp>
#include <electret/field/gpu/fmm/layout.hpp>

namespace electret::gpu {

/// Gives points that share a key, and are too many for a leaf, keys in their own box (fmm::CellCutter).
class DeviceCrowds {
 public:
  explicit DeviceCrowds(Device& device);

  /// The points' keys by generation: `generations` times the number of points. One more is appended, and the
  /// points of each crowd are put in its order. A crowd is a leaf of more than `leaf_size` points that are
  /// not all at one place. All other points' keys of the new generation are those of one place.
  void give_keys(DevicePoints& points, const DeviceCells& cells, Index leaf_size, std::int32_t generations,
                 Array<std::uint32_t>& keys);

 private:
  void find(const DevicePoints& points, const DeviceCells& cells, Index leaf_size, std::int32_t generations,
            const Array<std::uint32_t>& keys);

  Device& device_;
  DeviceScan scan_;
  DeviceSort sort_;
  std::unique_ptr<Kernel> sizes_, list_, boxes_of_parts_, frames_, keys_, numbers_, put_;
  std::int32_t crowd_count_ = 0, member_count_ = 0;
  Array<std::int32_t> first_members_, first_numbers_, totals_;
  Array<Int2> crowds_;
  Array<std::int64_t> boxes_, key_frames_;
  Array<std::uint32_t> sorted_keys_, key_of_;
  Array<std::int32_t> values_, crowd_of_, point_of_;
};

}  // namespace electret::gpu
