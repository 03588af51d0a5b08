/// Softened cells that are close, by Taylor series on a device: series against powers written out and the
/// CPU's kernels in float64, and whole fields against sums in float64.

#include <algorithm>
#include <cmath>

#include <field/gpu/fmm_scene.hpp>
#include <field/solver_conformance.hpp>
#include <gtest/gtest.h>

#include <electret/field/fmm/kernels.hpp>
#include <electret/field/gpu/fmm/device_interactions.hpp>
#include <electret/field/gpu/fmm/fmm.hpp>
#include <electret/field/gpu/fmm/taylor_passes.hpp>

namespace electret::test {
namespace {

constexpr int harmonic_orders = 3;

/// Charges in a cube of 1 m and a cluster, with pairs for Taylor series of several orders and for harmonic
/// expansions.
struct SoftScene {
  std::unique_ptr<gpu::Device> device = test_device();
  std::unique_ptr<gpu::Interactions> interactions;
  double softening = 0.0;  ///< In the frame.

  explicit SoftScene(int order, std::size_t batch_bytes = std::size_t{1} << 28) {
    Cloud cloud = make_cloud("cube", 700, true);
    for (std::size_t i = 0; i < cloud.positions.size(); i += 4)
      cloud.positions[i] = Vec3{0.2, 0.1, -0.3} + 0.05 * cloud.positions[i];
    constexpr double softening_in_metres = 0.1;
    gpu::TreeSettings settings{{1e-2, harmonic_orders, 6, false}, softening_in_metres, 1.2, batch_bytes};
    settings.taylor_orders = order;
    interactions = gpu::make_device_interactions(*device, settings);
    interactions->place(cloud.positions);
    softening = interactions->frame().scale * softening_in_metres;
    auto& points = interactions->sources().points;
    auto rows = points.high.downloaded();
    for (std::size_t i = 0; i < rows.size(); ++i)
      rows[i].w = static_cast<float>(std::sin(1.0 + static_cast<double>(i)));
    points.high.upload(rows);
  }
  [[nodiscard]] DeviceTree& tree() const { return interactions->sources(); }
  [[nodiscard]] const gpu::DeviceLists& lists() const { return interactions->lists(); }
};

class TaylorPassesOfOrder : public testing::TestWithParam<int> {
 protected:
  void SetUp() override { ELECTRET_NEEDS_DEVICE(); }
};

/// x^i y^j z^k/(i! j! k!) by degree, then by z-power, then by y-power.
std::vector<double> powers_of(const Vec3& x, int order) {
  const auto over_factorial = [](double value, int n) {
    double result = 1.0;
    for (int m = 1; m <= n; ++m) result *= value / m;
    return result;
  };
  std::vector<double> all;
  for (int n = 0; n <= order; ++n)
    for (int k = 0; k <= n; ++k)
      for (int j = 0; j + k <= n; ++j)
        all.push_back(over_factorial(x.x, n - j - k) * over_factorial(x.y, j) * over_factorial(x.z, k));
  return all;
}

TEST_P(TaylorPassesOfOrder, FindMoments) {
  const int order = GetParam();
  const SoftScene scene(order);
  gpu::TaylorPasses passes(*scene.device, harmonic_orders, order);
  passes.make_room(scene.tree(), scene.tree(), scene.lists());
  passes.find_moments(scene.tree());
  const auto moments = passes.moments().downloaded();
  const HostCells cells(scene.tree().cells);
  const HostPoints points(scene.tree().points);
  for (std::size_t c = 0; c < cells.points.size(); ++c) {
    std::vector<double> expected(static_cast<std::size_t>(fmm::powers(order)));
    double size = 0.0;
    for (auto i = static_cast<std::size_t>(cells.points[c].x);
         i < static_cast<std::size_t>(cells.points[c].y); ++i) {
      const auto basis = powers_of(1.0 / cells.scale[c] * (cells.centre[c] - points.at[i]), order);
      for (std::size_t k = 0; k < basis.size(); ++k) expected[k] += points.charge[i] * basis[k];
      size += std::abs(points.charge[i]);
    }
    for (std::size_t k = 0; k < expected.size(); ++k)
      ASSERT_NEAR(moments[c * static_cast<std::size_t>(passes.room()) + k], expected[k], 2e-6 * size)
          << c << ' ' << k;
  }
}

/// The CPU's kernels in float64, pair by pair and cell by cell.
std::vector<double> expected_locals(const SoftScene& scene, const std::vector<float>& moments, int order,
                                    int room) {
  const auto& kernels = fmm::portable_kernels().float64.taylor;
  const HostCells cells(scene.tree().cells);
  std::vector<double> from(moments.begin(), moments.end()), to(from.size() + fmm::max_lanes);
  from.resize(from.size() + fmm::max_lanes);
  const auto pairs = scene.lists().far.downloaded();
  const auto at = [&](std::vector<double>& numbers, Index c) {
    return numbers.data() + static_cast<std::size_t>(c) * static_cast<std::size_t>(room);
  };
  int orders_met = 0;
  for (int p = 1; p <= order; ++p) {
    const auto list = static_cast<std::size_t>(harmonic_orders + p);
    const auto begin = static_cast<std::size_t>(scene.lists().far_begin[list]),
               end = static_cast<std::size_t>(scene.lists().far_begin[list + 1]);
    orders_met += end > begin;
    for (std::size_t i = begin; i < end; ++i) {
      const auto a = static_cast<std::size_t>(pairs[i].x), b = static_cast<std::size_t>(pairs[i].y);
      fmm::FarBatch<double> batch{};
      batch.count = 1, batch.order = p, batch.softening_squared = scene.softening * scene.softening;
      batch.moments[0] = at(from, pairs[i].y), batch.locals[0] = at(to, pairs[i].x);
      for (int l = 0; l < fmm::max_lanes; ++l)
        for (int axis = 0; axis < 3; ++axis)
          batch.offset[axis][l] = cells.centre[a][axis] - cells.centre[b][axis];
      batch.target_scale[0] = cells.scale[a], batch.source_scale[0] = cells.scale[b];
      kernels.m2l(batch);
    }
  }
  EXPECT_GE(orders_met, 2);
  for (std::size_t c = 1; c < cells.family.size(); ++c) {
    const auto parent = static_cast<std::size_t>(cells.family[c].z);
    fmm::ShiftBatch<double> batch{};
    batch.count = 1, batch.order = order;
    batch.from[0] = at(to, cells.family[c].z), batch.to[0] = at(to, static_cast<Index>(c));
    for (int axis = 0; axis < 3; ++axis)
      batch.offset[axis][0] = (cells.centre[c][axis] - cells.centre[parent][axis]) / cells.scale[parent];
    batch.ratio[0] = cells.scale[c] / cells.scale[parent];
    kernels.l2l(batch);
  }
  return to;
}

/// By number of a local, the largest of its degree in any cell.
std::vector<double> largest_by_number(const std::vector<double>& locals, std::size_t room, int order) {
  std::vector<double> largest;
  for (int n = 0; n <= order; ++n) {
    const auto begin = static_cast<std::size_t>(n > 0 ? fmm::powers(n - 1) : 0),
               end = static_cast<std::size_t>(fmm::powers(n));
    double most = 0.0;
    for (std::size_t cell = 0; cell + room <= locals.size(); cell += room)
      for (std::size_t k = begin; k < end; ++k) most = std::max(most, std::abs(locals[cell + k]));
    largest.resize(end, most);
  }
  return largest;
}

TEST_P(TaylorPassesOfOrder, FindLocalsAndTheirField) {
  const int order = GetParam();
  const SoftScene scene(order);
  gpu::TaylorPasses passes(*scene.device, harmonic_orders, order);
  passes.make_room(scene.tree(), scene.tree(), scene.lists());
  passes.find_moments(scene.tree());
  passes.find_locals(scene.tree(), scene.tree(), scene.lists(), scene.softening);
  const auto locals = passes.locals().downloaded();
  const auto expected = expected_locals(scene, passes.moments().downloaded(), order, passes.room());
  const HostCells cells(scene.tree().cells);
  const HostPoints points(scene.tree().points);
  const auto room = static_cast<std::size_t>(passes.room());
  const auto numbers = static_cast<std::size_t>(fmm::powers(order));
  double most = 0.0;
  for (std::size_t c = 0; c < cells.points.size(); ++c) most = std::max(most, std::abs(expected[c * room]));
  // A local of degree n sums derivatives of degree n and more, which grow like n! and cancel. So float32
  // sums, whose order compilers choose, leave up to 0.7e-6 of the largest local of that degree. Wrong terms
  // leave far more.
  const std::vector<double> largest_local = largest_by_number(expected, room, order);
  for (std::size_t c = 0; c < cells.points.size(); ++c)
    for (std::size_t k = 0; k < numbers; ++k)
      ASSERT_NEAR(locals[c * room + k], expected[c * room + k], 2e-6 * largest_local[k]) << c << ' ' << k;
  gpu::Array<Float4> near(*scene.device);
  near.assign(std::vector<Float4>(points.at.size(), {0.0F, 0.0F, 0.0F, 1.0F}));
  passes.add_fields(scene.tree(), near);
  const auto found = near.downloaded();
  double largest = 0.0, worst = 0.0, worst_potential = 0.0;
  for (const std::int32_t leaf : cells.leaves) {
    const auto c = static_cast<std::size_t>(leaf);
    if (cells.scale[c] < 1e-9) continue;  // one point: differences would be rounding alone
    for (auto i = static_cast<std::size_t>(cells.points[c].x);
         i < static_cast<std::size_t>(cells.points[c].y); ++i) {
      const auto potential = [&](const Vec3& x) {
        const auto basis = powers_of(1.0 / cells.scale[c] * (x - cells.centre[c]), order);
        double sum = 0.0;
        for (std::size_t k = 0; k < numbers; ++k) sum += expected[c * room + k] * basis[k];
        return sum;
      };
      const double h = 1e-4 * cells.scale[c];
      Vec3 field;
      for (int axis = 0; axis < 3; ++axis) {
        Vec3 d;
        d[axis] = h;
        field[axis] = (potential(points.at[i] - d) - potential(points.at[i] + d)) / (2.0 * h);
      }
      worst = std::max(worst, norm(Vec3{found[i].x, found[i].y, found[i].z} - field));
      largest = std::max(largest, norm(field));
      worst_potential = std::max(worst_potential, std::abs(found[i].w - 1.0 - potential(points.at[i])));
    }
  }
  EXPECT_LE(worst, 1e-5 * largest);
  EXPECT_LE(worst_potential, 3e-6 * (most + 1.0));
}

INSTANTIATE_TEST_SUITE_P(Orders, TaylorPassesOfOrder, testing::Values(5, 8, 12));

/// Lists in batches are summed to the same bits.
TEST(TaylorPasses, BatchesChangeNoBitOfTheLocals) {
  ELECTRET_NEEDS_DEVICE();
  constexpr int order = 6;
  const auto locals = [&](std::size_t batch_bytes, bool several) {
    const SoftScene scene(order, batch_bytes);
    EXPECT_EQ(scene.lists().batches.size() > 1, several);
    gpu::TaylorPasses passes(*scene.device, harmonic_orders, order);
    passes.make_room(scene.tree(), scene.tree(), scene.lists());
    passes.find_moments(scene.tree());
    passes.find_locals(scene.tree(), scene.tree(), scene.lists(), scene.softening);
    const std::vector<float> all = passes.locals().downloaded();
    std::vector<float> used;
    for (auto at = all.begin(); at != all.end(); at += passes.room())
      used.insert(used.end(), at, at + fmm::powers(order));
    return used;
  };
  const std::vector<float> expected = locals(std::size_t{1} << 28, false);
  EXPECT_EQ(locals(std::size_t{1} << 17, true), expected);
  EXPECT_EQ(locals(1, true), expected);
}

struct Sums {
  VectorArray field, product;
  std::vector<double> potential, gradient;
};

Sums sums_of(FieldSolver& solver, const Cloud& cloud, const VectorArray& z) {
  const std::size_t n = cloud.positions.size();
  Sums sums{VectorArray(n), VectorArray(n), std::vector<double>(n), std::vector<double>(n)};
  solver.prepare(cloud.positions);
  solver.field_and_products(cloud.charges, z, sums.field, sums.potential, sums.product, sums.gradient);
  return sums;
}

/// Compares with sums in float64. Returns whether Taylor series gave a part of the products.
bool expect_softened_sums(const Cloud& cloud, const fmm::Plan& plan, double softening, double accuracy) {
  Threads threads(1);
  FieldOptions options;
  options.softening = softening;
  const VectorArray z = random_vectors(static_cast<int>(cloud.positions.size()), 6);
  const Sums expected = sums_of(*make_reference_field_solver(options), cloud, z);
  options.accuracy = accuracy;
  auto device = gpu::open_device(test_device_name(), true);
  gpu::Device& timed = *device;
  const auto solver = gpu::make_device_fmm_field_solver(options, threads, std::move(device), plan);
  const Sums found = sums_of(*solver, cloud, z);
  EXPECT_LE(relative_error(found.field, expected.field), accuracy) << softening;
  EXPECT_LE(relative_error(found.potential, expected.potential), accuracy) << softening;
  EXPECT_LE(relative_error(found.product, expected.product), accuracy) << softening;
  EXPECT_LE(relative_error(found.gradient, expected.gradient), accuracy) << softening;
  VectorArray field(cloud.positions.size());
  solver->field(cloud.charges, field, {});
  EXPECT_LE(relative_error(field, expected.field), accuracy) << softening;
  const auto timings = timed.timings();
  return std::any_of(timings.begin(), timings.end(),
                     [](const gpu::Timing& timing) { return timing.what == "taylor_products_of_leaves"; });
}

/// From softenings within a leaf's neighbours to those beyond the body.
TEST(SoftenedFields, MeetEveryAccuracy) {
  ELECTRET_NEEDS_DEVICE();
  for (const char* shape : {"cube", "torus"})
    for (const double accuracy : {1e-1, 1e-3, 1e-5})
      for (const double softening : {1e-6, 0.03, 0.3, 3.0}) {
        fmm::Plan plan = fmm::plan_for(accuracy);
        plan.leaf_size = 12;
        const bool by_series = expect_softened_sums(make_cloud(shape, 1500, true), plan, softening, accuracy);
        if (softening == 1e-6) {
          EXPECT_FALSE(by_series) << shape << ' ' << accuracy;
        }
        if (softening == 3.0) {
          EXPECT_TRUE(by_series) << shape << ' ' << accuracy;
        }
      }
}

/// Few points, for the simulator.
TEST(EveryKernel, OfTaylorSeries) {
  ELECTRET_NEEDS_DEVICE();
  EXPECT_TRUE(expect_softened_sums(make_cloud("cube", 130, true), {3e-3, 1, 8, false}, 5.0, 1e-1));
}

}  // namespace
}  // namespace electret::test
