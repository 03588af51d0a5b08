#include <utility>

#include <electret/field/gpu/fmm/device_sort.hpp>

namespace electret::gpu {
namespace {

/// As in scan.cl and sort.cl.
constexpr int block = 1024, digit_bits = 5, digits = 1 << digit_bits;
/// Up to this many values, one group is faster than three launches.
constexpr std::size_t few = std::size_t{8} * block;

}  // namespace

std::shared_ptr<const Program> tree_program(Device& device) {
  return device.program({{"scan.cl", "sort.cl", "place.cl", "cells.cl", "balls.cl", "crowds.cl", "walk.cl"}});
}

DeviceScan::DeviceScan(Device& device) : device_(device), block_sums_(device) {
  const auto program = tree_program(device);
  one_ = program->kernel("scan_one");
  sums_ = program->kernel("scan_sums");
  add_ = program->kernel("scan_add");
}

void DeviceScan::run(Array<std::int32_t>& values, std::size_t n, Array<std::int32_t>& totals,
                     std::int32_t at) {
  const auto count = static_cast<std::int32_t>(n);
  if (n <= few) return device_.launch(*one_, 1, values, count, totals, at);
  const Count blocks = groups_for(static_cast<Count>(n), block);
  block_sums_.resize(static_cast<std::size_t>(blocks));
  device_.launch(*sums_, blocks, values, count, block_sums_);
  device_.launch(*one_, 1, block_sums_, static_cast<std::int32_t>(blocks), totals, at);
  device_.launch(*add_, blocks, values, count, block_sums_);
}

DeviceSort::DeviceSort(Device& device)
    : device_(device), other_keys_(device), other_values_(device), counts_(device), totals_(device, digits) {
  const auto program = tree_program(device);
  count_ = program->kernel("sort_count");
  rows_ = program->kernel("sort_rows");
  place_ = program->kernel("sort_place");
}

void DeviceSort::run(Array<std::uint32_t>& keys, Array<std::int32_t>& values, std::size_t n, int bits) {
  if (n == 0) return;
  const Count blocks = groups_for(static_cast<Count>(n), block);
  const auto count = static_cast<std::int32_t>(n), rows = static_cast<std::int32_t>(blocks);
  other_keys_.resize(n);
  other_values_.resize(n);
  counts_.resize(static_cast<std::size_t>(blocks * digits));
  for (std::int32_t shift = 0; shift < bits; shift += digit_bits) {
    device_.launch(*count_, blocks, keys, counts_, count, shift, rows);
    device_.launch(*rows_, digits, counts_, totals_, rows);
    device_.launch(*place_, blocks, keys, values, counts_, totals_, other_keys_, other_values_, count, shift,
                   rows);
    std::swap(keys, other_keys_);
    std::swap(values, other_values_);
  }
}

}  // namespace electret::gpu
