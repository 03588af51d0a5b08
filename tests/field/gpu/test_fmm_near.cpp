/// Near pairs of the multipole method on a device, against sums in float64.

#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include <field/gpu/fmm_scene.hpp>
#include <gtest/gtest.h>

#include <electret/field/gpu/fmm/near_pass.hpp>

namespace electret::test {

void expect_near_sums(const Scene& scene, double closest_plain, double tolerance, double softening) {
  const HostCells cells(scene.tree().cells);
  const HostPoints points(scene.tree().points);
  const auto& lists = scene.interactions->lists();
  const auto begin = lists.near_begin.downloaded(), near = lists.near.downloaded();
  const std::size_t n = points.at.size();
  gpu::Array<Float4> sums(*scene.device, n), counters(*scene.device, 3);
  counters.fill(0);
  gpu::NearPass pass(*scene.device);
  pass.sum(scene.tree(), scene.tree(), lists, {true, softening, closest_plain}, sums, counters, 2);
  const auto found = sums.downloaded();
  const auto reported = std::bit_cast<gpu::NearCounters>(counters.downloaded()[2]);
  Count coincident = 0;
  VectorArray field(n), expected(n);
  std::vector<double> potential(n), expected_potential(n);
  for (std::size_t l = 0; l < cells.leaves.size(); ++l) {
    const Int2 own = cells.points[static_cast<std::size_t>(cells.leaves[l])];
    for (auto i = static_cast<std::size_t>(own.x); i < static_cast<std::size_t>(own.y); ++i) {
      field[i] = {found[i].x, found[i].y, found[i].z}, potential[i] = found[i].w;
      for (auto k = static_cast<std::size_t>(begin[l]); k < static_cast<std::size_t>(begin[l + 1]); ++k) {
        const Int2 range = cells.points[static_cast<std::size_t>(near[k])];
        for (auto j = static_cast<std::size_t>(range.x); j < static_cast<std::size_t>(range.y); ++j) {
          const Vec3 r = points.at[i] - points.at[j];
          const double rho2 = squared_norm(r) + softening * softening;
          if (i == j) continue;
          if (rho2 == 0.0) {
            ++coincident;
            continue;
          }
          expected[i] += points.charge[j] / (rho2 * std::sqrt(rho2)) * r;
          expected_potential[i] += points.charge[j] / std::sqrt(rho2);
        }
      }
    }
  }
  EXPECT_LE(relative_error(field, expected), tolerance);
  EXPECT_LE(relative_error(potential, expected_potential), tolerance);
  EXPECT_EQ(Count{reported.coincident_high} << 32 | reported.coincident_low, coincident);
  EXPECT_EQ(reported.close, 0U);
}

namespace {

TEST(NearPairs, HaveTheAccuracyOfTheirArithmetic) {
  ELECTRET_NEEDS_DEVICE();
  for (const Index leaf_size : {1, 3, 40, 200}) {
    const Scene scene(4, 1e-3, 1100, leaf_size);
    for (const double softening : {0.0, 0.01}) {
      expect_near_sums(scene, 1e-3, 2e-4, softening);
      expect_near_sums(scene, std::numeric_limits<double>::infinity(), 8e-7, softening);
    }
  }
}

TEST(NearPairs, HaveTheSameBitsInManyLaunches) {
  ELECTRET_NEEDS_DEVICE();
  const Scene scene(4, 1e-3, 1100, 10);
  const auto sums_of = [&](double pairs_at_once) {
    gpu::Array<Float4> sums(*scene.device, 1100), counters(*scene.device, 1);
    counters.fill(0);
    gpu::NearPass pass(*scene.device);
    gpu::NearSettings settings{true, 0.0, 1e-3};
    settings.pairs_at_once = pairs_at_once;
    pass.sum(scene.tree(), scene.tree(), scene.interactions->lists(), settings, sums, counters, 0);
    std::vector<std::array<float, 4>> found;
    for (const Float4& sum : sums.downloaded()) found.push_back({sum.x, sum.y, sum.z, sum.w});
    return found;
  };
  const auto once = sums_of(1e9);
  for (const double pairs : {1.0, 1e4, 5e4}) EXPECT_EQ(sums_of(pairs), once) << pairs;
}

TEST(NearPairs, AtOnePlaceAreCounted) {
  ELECTRET_NEEDS_DEVICE();
  Scene scene(4, 1e-3, 300);
  VectorArray points(300, Vec3{0.3, -0.0, 1e6});
  points[7] = {0.3, 0.0, 1e6};
  points[299] = {0.0, 0.25, 1e6};
  scene.interactions->place(points);
  auto& placed = scene.tree().points;
  auto rows = placed.high.downloaded();
  for (auto& row : rows) row.w = 1.0F;
  placed.high.upload(rows);
  expect_near_sums(scene, 1e-3, 1e-6, 0.0);
}

/// A count beyond 2^32 would start again at 0, and hide that pairs are missing: it stays at 2^30. On a GPU
/// some hundred thousand lanes may add to it before they take their part back.
TEST(NearPairs, ThatAreTooCloseAreNotCountedForEver) {
  ELECTRET_NEEDS_DEVICE();
  Scene scene(4, 1e-3, 300);
  VectorArray points(300, Vec3{0.25, 0.25, 0.25});
  for (std::size_t i = 0; i < 20; ++i) points[i] += 1e-16 * Vec3{static_cast<double>(i), 0.0, 0.0};
  points[299] = {0.0, 0.25, 1.0};
  scene.interactions->place(points);
  auto& placed = scene.tree().points;
  auto rows = placed.high.downloaded();
  for (auto& row : rows) row.w = 1.0F;
  placed.high.upload(rows);
  gpu::Array<Float4> sums(*scene.device, 300), counters(*scene.device, 1);
  gpu::NearPass pass(*scene.device);
  const auto count_from = [&](std::uint32_t before) {
    gpu::NearCounters start;
    start.close = before;
    const Float4 word = std::bit_cast<Float4>(start);
    counters.upload({&word, 1});
    pass.sum(scene.tree(), scene.tree(), scene.interactions->lists(), {true, 0.0, 1e-3}, sums, counters, 0);
    return std::bit_cast<gpu::NearCounters>(counters.downloaded()[0]).close;
  };
  EXPECT_GT(count_from(0), 100U);
  constexpr std::uint32_t most = 1U << 30;
  EXPECT_EQ(count_from(most - 50U), most);
  EXPECT_EQ(count_from(most), most);
}

}  // namespace
}  // namespace electret::test
