/// Far pairs in batches of target cells.

#include <algorithm>
#include <cmath>

#include <field/gpu/device_for_tests.hpp>
#include <gtest/gtest.h>
#include <support/point_clouds.hpp>

#include <electret/field/gpu/fmm/device_interactions.hpp>
#include <electret/field/gpu/fmm/far_passes.hpp>

namespace electret::test {
namespace {

using gpu::DeviceLists, gpu::FarBatch, gpu::Int2;

constexpr int order = 8;

std::unique_ptr<gpu::Interactions> placed(gpu::Device& device, std::size_t batch_bytes) {
  auto interactions =
      gpu::make_device_interactions(device, {{1e-5, order, 16, false}, 0.0, 0.0, batch_bytes});
  interactions->place(make_cloud("cube", 3000, false).positions);
  gpu::DevicePoints& points = interactions->sources().points;
  auto rows = points.high.downloaded();
  for (std::size_t i = 0; i < rows.size(); ++i)
    rows[i].w = static_cast<float>(std::sin(static_cast<double>(i)));
  points.high.upload(rows);
  return interactions;
}

using Pairs = std::vector<std::pair<std::int32_t, std::int32_t>>;

/// The pairs of each list, of all batches.
std::array<Pairs, gpu::most_lists> pairs_of(const DeviceLists& lists) {
  std::array<Pairs, gpu::most_lists> all;
  for (std::size_t k = 0; k < lists.batches.size(); ++k) {
    if (lists.batches.size() > 1) lists.write_batch(k);
    const FarBatch& batch = lists.batches[k];
    const std::vector<Int2> far = lists.far.downloaded();
    for (std::size_t p = 0; p < all.size(); ++p) {
      const FarBatch::Window& window = batch.windows[p];
      for (std::int32_t i = window.begin + window.skip; i < window.end; ++i) {
        const Int2 pair = far[static_cast<std::size_t>(i)];
        EXPECT_GE(pair.x, batch.first_cell);
        EXPECT_LT(pair.x, batch.end_cell);
        all[p].emplace_back(pair.x, pair.y);
      }
    }
  }
  // Within a target and order, any order of sources would do.
  for (Pairs& pairs : all)
    EXPECT_TRUE(std::is_sorted(pairs.begin(), pairs.end(),
                               [](const auto& a, const auto& b) { return a.first < b.first; }) ||
                lists.batches.size() > 1);
  return all;
}

TEST(FarBatches, HaveAllPairsInBoundedMemory) {
  ELECTRET_NEEDS_DEVICE();
  const auto device = test_device();
  const auto whole = placed(*device, std::size_t{1} << 28);
  ASSERT_EQ(whole->lists().batches.size(), 1U);
  const auto expected = pairs_of(whole->lists());
  const auto near = whole->lists().near.downloaded();
  for (const std::size_t bytes : {std::size_t{1} << 16, std::size_t{1}}) {
    const auto parts = placed(*device, bytes);
    const DeviceLists& lists = parts->lists();
    EXPECT_GT(lists.batches.size(), 5U);
    if (bytes > 1) {
      EXPECT_LE(lists.far.size() * sizeof(Int2), bytes);
    } else {
      EXPECT_EQ(lists.batches.size(), parts->sources().cells.count);
    }
    EXPECT_EQ(pairs_of(lists), expected);
    EXPECT_EQ(lists.near.downloaded(), near);
    EXPECT_EQ(lists.far_begin, whole->lists().far_begin);
  }
}

TEST(FarBatches, ChangeNoBitOfTheLocals) {
  ELECTRET_NEEDS_DEVICE();
  const auto device = test_device();
  // Without the room between two cells' numbers, which no kernel writes.
  const auto locals = [&](std::size_t bytes, int generated) {
    const auto made = placed(*device, bytes);
    Threads threads(1);
    gpu::FarPasses passes(*device, order, generated, threads);
    passes.make_room(made->sources(), made->targets(), made->lists());
    passes.find_moments(made->sources());
    passes.find_locals(made->sources(), made->targets(), made->lists());
    const std::vector<float> all = passes.locals().downloaded();
    std::vector<float> used;
    for (auto at = all.begin(); at != all.end(); at += passes.room())
      used.insert(used.end(), at, at + fmm::coefficients(order));
    return used;
  };
  for (const int generated : {0, order}) {
    const std::vector<float> expected = locals(std::size_t{1} << 28, generated);
    EXPECT_GT(std::count_if(expected.begin(), expected.end(), [](float x) { return x != 0.0F; }), 1000);
    EXPECT_EQ(locals(std::size_t{1} << 16, generated), expected);
    EXPECT_EQ(locals(1, generated), expected);
  }
}

}  // namespace
}  // namespace electret::test
