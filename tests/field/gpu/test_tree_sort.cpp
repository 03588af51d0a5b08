/// Prefix sums and sorting on a device.

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>

#include <field/gpu/device_for_tests.hpp>
#include <gtest/gtest.h>

#include <electret/field/gpu/fmm/device_sort.hpp>

namespace electret::test {
namespace {

using gpu::Array;

constexpr std::size_t sizes[] = {0, 1, 2, 127, 1023, 1024, 1025, 4097, 8193, 100'000};

void expect_prefix_sums(gpu::Device& device, std::size_t n) {
  gpu::DeviceScan scan(device);
  Array<std::int32_t> totals(device, 2), on_device(device);
  std::mt19937 random(1);
  std::vector<std::int32_t> values(n + 1), sums(n + 1);
  for (auto& value : values) value = std::uniform_int_distribution<std::int32_t>(0, 9)(random);
  std::exclusive_scan(values.begin(), values.end(), sums.begin(), 0);
  on_device.assign(values);
  scan.run(on_device, n, totals, 1);
  std::vector<std::int32_t> found = on_device.downloaded();
  EXPECT_EQ(totals.downloaded()[1], sums.back()) << n;
  EXPECT_EQ(found.back(), values.back()) << n;  // is not one of the first n
  found.back() = sums.back();
  EXPECT_EQ(found, sums) << n;
}

TEST(DeviceScan, AddsUpWhatComesBefore) {
  ELECTRET_NEEDS_DEVICE();
  const auto device = test_device();
  for (const std::size_t n : sizes) expect_prefix_sums(*device, n);
}

/// The total of more than an integer holds is the largest integer, whatever the sum would have wrapped to.
TEST(DeviceScan, SaysThatATotalIsTooLarge) {
  ELECTRET_NEEDS_DEVICE();
  constexpr std::int32_t largest = std::numeric_limits<std::int32_t>::max();
  const auto device = test_device();
  gpu::DeviceScan scan(*device);
  Array<std::int32_t> totals(*device, 1), on_device(*device);
  for (const std::size_t n : {4UL, 4097UL, 65'536UL}) {
    const auto value = static_cast<std::int32_t>((std::int64_t{1} << 32) / static_cast<std::int64_t>(n) - 1);
    for (const std::int32_t each : {value / 2, value, value + 2}) {  // the last wraps to a small number
      on_device.assign(std::vector<std::int32_t>(n, each));
      scan.run(on_device, n, totals, 0);
      const std::int64_t sum = static_cast<std::int64_t>(n) * each;
      EXPECT_EQ(totals.downloaded()[0], std::min<std::int64_t>(sum, largest)) << n << " of " << each;
    }
  }
}

/// Those of many values take other kernels than those of few.
TEST(EveryKernel, OfPrefixSums) {
  ELECTRET_NEEDS_DEVICE();
  expect_prefix_sums(*test_device(), 8300);
}

/// Keys below `most`.
std::vector<std::uint32_t> random_keys(std::size_t n, std::uint32_t most) {
  std::mt19937 random(2);
  std::vector<std::uint32_t> keys(n);
  for (auto& key : keys) key = std::uniform_int_distribution<std::uint32_t>(0, most - 1)(random);
  return keys;
}

void expect_stable_order(gpu::Device& device, gpu::DeviceSort& sort, const std::vector<std::uint32_t>& keys,
                         int bits) {
  std::vector<std::int32_t> numbers(keys.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  Array<std::uint32_t> device_keys(device);
  Array<std::int32_t> device_numbers(device);
  device_keys.assign(keys);
  device_numbers.assign(numbers);
  sort.run(device_keys, device_numbers, keys.size(), bits);
  const auto key = [&](std::int32_t i) { return keys[static_cast<std::size_t>(i)]; };
  std::stable_sort(numbers.begin(), numbers.end(),
                   [&](std::int32_t a, std::int32_t b) { return key(a) < key(b); });
  EXPECT_EQ(device_numbers.downloaded(), numbers) << keys.size();
  std::vector<std::uint32_t> sorted = keys;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(device_keys.downloaded(), sorted) << keys.size();
}

TEST(DeviceSort, KeepsTheOrderOfEqualKeys) {
  ELECTRET_NEEDS_DEVICE();
  const auto device = test_device();
  gpu::DeviceSort sort(*device);
  for (const std::size_t n : sizes) {
    expect_stable_order(*device, sort, random_keys(n, 1U << 30), 30);
    expect_stable_order(*device, sort, random_keys(n, 3), 30);
    expect_stable_order(*device, sort, std::vector<std::uint32_t>(n, 7), 30);
    // An odd number of passes ends in the other array.
    expect_stable_order(*device, sort, random_keys(n, 31), 5);
  }
}

}  // namespace
}  // namespace electret::test
