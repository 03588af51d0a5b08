#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include <electret/field/fmm/tree/morton.hpp>
#include <electret/field/gpu/fmm/device_crowds.hpp>

namespace electret::gpu {
namespace {

constexpr std::uint32_t at_one_place = 0xFFFFFFFF;  ///< As in cells.cl.

}  // namespace

DeviceCrowds::DeviceCrowds(Device& device)
    : device_(device),
      scan_(device),
      sort_(device),
      first_members_(device),
      first_numbers_(device),
      totals_(device, 2),
      crowds_(device),
      boxes_(device),
      key_frames_(device),
      sorted_keys_(device),
      key_of_(device),
      values_(device),
      crowd_of_(device),
      point_of_(device) {
  const auto program = tree_program(device);
  sizes_ = program->kernel("crowd_sizes");
  list_ = program->kernel("crowd_list");
  boxes_of_parts_ = program->kernel("crowd_boxes");
  frames_ = program->kernel("crowd_frames");
  keys_ = program->kernel("crowd_keys");
  numbers_ = program->kernel("crowd_numbers");
  put_ = program->kernel("crowd_put");
}

void DeviceCrowds::find(const DevicePoints& points, const DeviceCells& cells, Index leaf_size,
                        std::int32_t generations, const Array<std::uint32_t>& keys) {
  const auto n = static_cast<std::int32_t>(points.count),
             leaves = static_cast<std::int32_t>(cells.leaf_count);
  const Count groups = groups_for(leaves, sizes_->lanes());
  first_members_.resize(cells.leaf_count);
  first_numbers_.resize(cells.leaf_count);
  device_.launch(*sizes_, groups, keys, n, generations, leaf_size, cells.points, cells.leaves, leaves,
                 first_members_, first_numbers_);
  scan_.run(first_members_, cells.leaf_count, totals_, 0);
  scan_.run(first_numbers_, cells.leaf_count, totals_, 1);
  std::array<std::int32_t, 2> totals{};
  totals_.download(totals);
  member_count_ = totals[0], crowd_count_ = totals[1];
  crowds_.resize(static_cast<std::size_t>(crowd_count_) + 1);
  device_.launch(*list_, groups, keys, n, generations, leaf_size, cells.points, cells.leaves, leaves,
                 first_members_, first_numbers_, crowds_, crowd_count_, member_count_);
}

void DeviceCrowds::give_keys(DevicePoints& points, const DeviceCells& cells, Index leaf_size,
                             std::int32_t generations, Array<std::uint32_t>& keys) {
  find(points, cells, leaf_size, generations, keys);
  const auto members = static_cast<std::size_t>(member_count_);
  for (auto* array : {&sorted_keys_, &key_of_}) array->resize(members);
  for (auto* array : {&values_, &crowd_of_, &point_of_}) array->resize(members);
  // One crowd may have all points, or there may be thousands of small ones.
  const Count parts = std::clamp<Count>(8192 / crowd_count_, 16, 512), groups_of_boxes = crowd_count_ * parts;
  boxes_.resize(static_cast<std::size_t>(6 * groups_of_boxes));
  key_frames_.resize(5 * static_cast<std::size_t>(crowd_count_));
  device_.launch(*boxes_of_parts_, groups_of_boxes, crowds_, static_cast<std::int32_t>(parts), points.fixed,
                 points.order, boxes_);
  device_.launch(*frames_, crowd_count_, static_cast<std::int32_t>(parts), boxes_, key_frames_);
  const Count groups = groups_for(member_count_, keys_->lanes());
  device_.launch(*keys_, groups, crowds_, crowd_count_, member_count_, key_frames_, points.fixed,
                 points.order, sorted_keys_, values_, crowd_of_, point_of_, key_of_);
  sort_.run(sorted_keys_, values_, members, fmm::key_bits);
  if (crowd_count_ > 1) {
    device_.launch(*numbers_, groups, values_, crowd_of_, member_count_, sorted_keys_);
    sort_.run(sorted_keys_, values_, members, std::bit_width(static_cast<std::uint32_t>(crowd_count_ - 1)));
  }
  const std::size_t n = points.count, present = static_cast<std::size_t>(generations) * n;
  if (keys.memory().bytes() < (present + n) * sizeof(std::uint32_t)) {
    Array<std::uint32_t> more(device_, present + n);
    device_.copy(keys.memory(), 0, more.memory(), 0, present * sizeof(std::uint32_t));
    std::swap(keys, more);
  }
  keys.resize(present + n);
  // Points of no crowd: cells at one place are looked up in all generations.
  device_.fill(keys.memory(), present * sizeof(std::uint32_t), n * sizeof(std::uint32_t), at_one_place);
  device_.launch(*put_, groups, crowds_, values_, crowd_of_, point_of_, key_of_, member_count_,
                 static_cast<std::int32_t>(n), generations, points.order, keys);
}

}  // namespace electret::gpu
