#pragma once
/// \file
/// Prefix sums and a stable radix sort on a device.

#include <electret/field/gpu/device.hpp>

namespace electret::gpu {

/// The program of all passes that make trees and lists.
std::shared_ptr<const Program> tree_program(Device& device);

/// Prefix sums of integers.
class DeviceScan {
 public:
  explicit DeviceScan(Device& device);

  /// Replaces each of the first n values by the sum of those before it. totals[at] gets the sum of all.
  /// They are not negative. If the sum is larger than INT32_MAX, the total is INT32_MAX, and the other sums
  /// mean nothing.
  void run(Array<std::int32_t>& values, std::size_t n, Array<std::int32_t>& totals, std::int32_t at);

 private:
  Device& device_;
  std::unique_ptr<Kernel> one_, sums_, add_;
  Array<std::int32_t> block_sums_;
};

/// Sorts pairs of a key and a value.
class DeviceSort {
 public:
  explicit DeviceSort(Device& device);

  /// Sorts n pairs by the lower `bits` bits of their keys. Pairs of equal keys keep their order. The arrays
  /// may be exchanged with others of the same size.
  void run(Array<std::uint32_t>& keys, Array<std::int32_t>& values, std::size_t n, int bits);

 private:
  Device& device_;
  std::unique_ptr<Kernel> count_, rows_, place_;
  Array<std::uint32_t> other_keys_;
  Array<std::int32_t> other_values_, counts_, totals_;
};

}  // namespace electret::gpu
