/// The passes of the multipole method on a device, one by one: expansions against bases written out and the
/// CPU's kernels in float64.

#include <cmath>

#include <field/gpu/fmm_scene.hpp>
#include <field/written_out_series.hpp>
#include <gtest/gtest.h>

#include <electret/field/gpu/fmm/far_passes.hpp>

namespace electret::test {
namespace {

using fmm::coefficients, fmm::Harmonic;

class FarPassesOfOrder : public testing::TestWithParam<int> {
 protected:
  void SetUp() override { ELECTRET_NEEDS_DEVICE(); }
};

TEST_P(FarPassesOfOrder, FindMoments) {
  const int order = GetParam();
  const Scene scene(order, 1e-3, 700);
  gpu::FarPasses passes(*scene.device, order, 0, scene.threads);
  passes.make_room(scene.tree(), scene.tree(), scene.interactions->lists());
  passes.find_moments(scene.tree());
  const auto moments = passes.moments().downloaded();
  const HostCells cells(scene.tree().cells);
  const HostPoints points(scene.tree().points);
  ASSERT_GT(cells.leaves.size(), 60U);
  for (std::size_t c = 0; c < cells.points.size(); ++c) {
    std::vector<double> expected(static_cast<std::size_t>(coefficients(order))), sizes = expected;
    for (auto i = static_cast<std::size_t>(cells.points[c].x);
         i < static_cast<std::size_t>(cells.points[c].y); ++i) {
      const auto basis = Harmonic::at(1.0 / cells.scale[c] * (cells.centre[c] - points.at[i]), order);
      for (std::size_t k = 0; k < basis.size(); ++k) {
        expected[k] += points.charge[i] * basis[k];
        sizes[0] += std::abs(points.charge[i]);
      }
    }
    for (std::size_t k = 0; k < expected.size(); ++k)
      ASSERT_NEAR(moments[c * static_cast<std::size_t>(passes.room()) + k], expected[k],
                  1e-6 * (1.0 + 0.1 * order) * sizes[0] / static_cast<double>(expected.size()))
          << c << ' ' << k;
  }
}

/// The CPU's kernels in float64, pair by pair and cell by cell.
std::vector<double> expected_locals(const Scene& scene, const std::vector<float>& moments, int order,
                                    int room) {
  const auto& kernels = fmm::portable_kernels().float64.harmonic;
  const HostCells cells(scene.tree().cells);
  const auto stride = static_cast<std::size_t>(room);
  std::vector<double> from(moments.begin(), moments.end()), to(from.size() + fmm::max_lanes);
  from.resize(from.size() + fmm::max_lanes);
  const auto& lists = scene.interactions->lists();
  const auto pairs = lists.far.downloaded();
  const auto at = [&](std::vector<double>& numbers, Index c) {
    return numbers.data() + static_cast<std::size_t>(c) * stride;
  };
  for (int p = 1; p <= order; ++p) {
    const auto k = static_cast<std::size_t>(p);
    for (auto i = static_cast<std::size_t>(lists.far_begin[k]);
         i < static_cast<std::size_t>(lists.far_begin[k + 1]); ++i) {
      const auto a = static_cast<std::size_t>(pairs[i].x), b = static_cast<std::size_t>(pairs[i].y);
      fmm::FarBatch<double> batch{};
      batch.count = 1, batch.order = p;
      batch.moments[0] = at(from, pairs[i].y), batch.locals[0] = at(to, pairs[i].x);
      for (int l = 0; l < fmm::max_lanes; ++l)
        for (int axis = 0; axis < 3; ++axis)
          batch.offset[axis][l] = cells.centre[a][axis] - cells.centre[b][axis];
      batch.target_scale[0] = cells.scale[a], batch.source_scale[0] = cells.scale[b];
      kernels.m2l(batch);
    }
  }
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

/// Locals by the general kernel and by texts of every order, and the field that the leaves make of them.
TEST_P(FarPassesOfOrder, FindLocalsAndTheirField) {
  const int order = GetParam();
  const Scene scene(order, order > 4 ? std::pow(0.25, order) : 1e-2, 900);
  const auto& lists = scene.interactions->lists();
  int orders_met = 0;
  for (int p = 1; p <= order; ++p)
    orders_met +=
        lists.far_begin[static_cast<std::size_t>(p) + 1] > lists.far_begin[static_cast<std::size_t>(p)];
  EXPECT_GE(orders_met, std::min(order, 3));
  for (const int generated : {0, std::min(order, 8)}) {
    gpu::FarPasses passes(*scene.device, order, generated, scene.threads);
    passes.make_room(scene.tree(), scene.tree(), lists);
    passes.find_moments(scene.tree());
    passes.find_locals(scene.tree(), scene.tree(), lists);
    const auto locals = passes.locals().downloaded();
    const auto expected = expected_locals(scene, passes.moments().downloaded(), order, passes.room());
    const HostCells cells(scene.tree().cells);
    const HostPoints points(scene.tree().points);
    double most = 0.0;
    for (std::size_t c = 0; c < cells.points.size(); ++c)
      most = std::max(most, std::abs(expected[c * static_cast<std::size_t>(passes.room())]));
    for (std::size_t c = 0; c < cells.points.size(); ++c)
      for (std::size_t k = 0; k < static_cast<std::size_t>(coefficients(order)); ++k) {
        const std::size_t number = c * static_cast<std::size_t>(passes.room()) + k;
        ASSERT_NEAR(locals[number], expected[number], 2e-6 * most) << c << ' ' << k << ' ' << generated;
      }
    gpu::Array<Float4> near(*scene.device, points.at.size()), sums(*scene.device, points.at.size());
    near.fill(0);
    passes.evaluate(scene.tree(), near, sums);
    const auto found = sums.downloaded();
    double largest = 0.0, worst = 0.0, worst_potential = 0.0;
    for (const std::int32_t leaf : cells.leaves) {
      const auto c = static_cast<std::size_t>(leaf);
      if (cells.scale[c] < 1e-9) continue;  // differences in the pile of points would be rounding alone
      for (auto i = static_cast<std::size_t>(cells.points[c].x);
           i < static_cast<std::size_t>(cells.points[c].y); ++i) {
        const double* numbers = expected.data() + c * static_cast<std::size_t>(passes.room());
        const Vec3 place = 1.0 / cells.scale[c] * (points.at[i] - cells.centre[c]);
        const auto potential = [&](const Vec3& d) {
          return fmm::value_at<Harmonic>(numbers, place + d, order);
        };
        constexpr double h = 1e-4;
        Vec3 field;
        for (int axis = 0; axis < 3; ++axis) {
          Vec3 d;
          d[axis] = h;
          field[axis] = (potential(-d) - potential(d)) / (2.0 * h * cells.scale[c]);
        }
        const Float4& sum = found[static_cast<std::size_t>(points.order[i])];
        worst = std::max(worst, norm(Vec3{sum.x, sum.y, sum.z} - field));
        largest = std::max(largest, norm(field));
        worst_potential = std::max(worst_potential, std::abs(sum.w - potential({})));
      }
    }
    EXPECT_LE(worst, 3e-6 * largest);
    EXPECT_LE(worst_potential, 2e-6 * most);
  }
}

/// Random vectors, in tree order.
std::vector<Float4> random_rows(std::size_t n) {
  const VectorArray vectors = random_vectors(static_cast<int>(n), 8);
  std::vector<Float4> rows;
  for (const Vec3& v : vectors)
    rows.push_back({static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z), 0.0F});
  return rows;
}
Vec3 vector_of(const Float4& row) {
  return {row.x, row.y, row.z};
}

/// Moments of dipoles are what moments gain as the points move along their vectors.
TEST_P(FarPassesOfOrder, FindMomentsOfDipoles) {
  const int order = GetParam();
  const Scene scene(order, 1e-3, 700);
  gpu::FarPasses passes(*scene.device, order, 0, scene.threads);
  passes.make_room(scene.tree(), scene.tree(), scene.interactions->lists());
  const HostCells cells(scene.tree().cells);
  const HostPoints points(scene.tree().points);
  gpu::Array<Float4> vectors(*scene.device);
  const auto rows = random_rows(points.at.size());
  vectors.assign(rows);
  passes.find_dipole_moments(scene.tree(), vectors);
  const auto moments = passes.dipole_moments().downloaded();
  for (std::size_t c = 0; c < cells.points.size(); ++c) {
    std::vector<double> expected(static_cast<std::size_t>(coefficients(order)));
    double size = 0.0;
    for (auto i = static_cast<std::size_t>(cells.points[c].x);
         i < static_cast<std::size_t>(cells.points[c].y); ++i) {
      constexpr double h = 1e-4;
      const Vec3 place = 1.0 / cells.scale[c] * (cells.centre[c] - points.at[i]),
                 step = h * vector_of(rows[i]);
      const auto after = Harmonic::at(place - step, order), before = Harmonic::at(place + step, order);
      const double factor = points.charge[i] / (2.0 * h * cells.scale[c]);
      for (std::size_t k = 0; k < after.size(); ++k) expected[k] += factor * (after[k] - before[k]);
      size += std::abs(points.charge[i]) / cells.scale[c];
    }
    for (std::size_t k = 0; k < expected.size(); ++k)
      ASSERT_NEAR(moments[c * static_cast<std::size_t>(passes.room()) + k], expected[k], 2e-6 * order * size)
          << c << ' ' << k;
  }
}

/// Products at the leaves' points, from whatever locals the cells have.
TEST_P(FarPassesOfOrder, EvaluateProducts) {
  const int order = GetParam();
  const Scene scene(order, order > 4 ? std::pow(0.25, order) : 1e-2, 900);
  const auto& lists = scene.interactions->lists();
  gpu::FarPasses passes(*scene.device, order, 0, scene.threads);
  passes.make_room(scene.tree(), scene.tree(), lists);
  const HostCells cells(scene.tree().cells);
  const HostPoints points(scene.tree().points);
  const std::size_t n = points.at.size();
  gpu::Array<Float4> vectors(*scene.device), near(*scene.device, n), sums(*scene.device, n),
      products(*scene.device, n);
  const auto rows = random_rows(n);
  vectors.assign(rows);
  near.fill(0);
  passes.find_moments(scene.tree());
  passes.find_dipole_moments(scene.tree(), vectors);
  passes.find_locals(scene.tree(), scene.tree(), lists);
  passes.find_dipole_locals(scene.tree(), lists);
  passes.evaluate_products(scene.tree(), vectors, near, near, sums, products);
  const auto found = products.downloaded(), found_field = sums.downloaded();
  const auto locals = passes.locals().downloaded(), dipole_locals = passes.dipole_locals().downloaded();
  for (const std::int32_t leaf : cells.leaves) {
    const auto c = static_cast<std::size_t>(leaf);
    if (cells.scale[c] < 1e-9) continue;
    const auto value = [&](const std::vector<float>& numbers, const Vec3& place) {
      return fmm::value_at<Harmonic>(numbers.data() + c * static_cast<std::size_t>(passes.room()), place,
                                     order);
    };
    // In units of the cell's scale; second derivatives one order of h larger.
    double size = 0.0;
    for (std::size_t k = 0; k < static_cast<std::size_t>(coefficients(order)); ++k) {
      const std::size_t number = c * static_cast<std::size_t>(passes.room()) + k;
      size += std::abs(locals[number]) / cells.scale[c] + std::abs(dipole_locals[number]);
    }
    for (auto i = static_cast<std::size_t>(cells.points[c].x);
         i < static_cast<std::size_t>(cells.points[c].y); ++i) {
      const Vec3 place = 1.0 / cells.scale[c] * (points.at[i] - cells.centre[c]), z = vector_of(rows[i]);
      constexpr double h = 1e-3;
      const auto gradient = [&](const std::vector<float>& numbers, const Vec3& at) {
        Vec3 all;
        for (int axis = 0; axis < 3; ++axis) {
          Vec3 d;
          d[axis] = h;
          all[axis] = (value(numbers, at + d) - value(numbers, at - d)) / (2.0 * h * cells.scale[c]);
        }
        return all;
      };
      const Vec3 along = 1.0 / (2.0 * h * cells.scale[c]) *
                         (gradient(locals, place + h * z) - gradient(locals, place - h * z));
      const Vec3 product = -along - gradient(dipole_locals, place);
      const double charge_product = -dot(z, gradient(locals, place)) - value(dipole_locals, place);
      const Float4& sum = found[static_cast<std::size_t>(points.order[i])];
      const double allowed = 2e-5 * order * size;
      ASSERT_LE(norm(vector_of(sum) - product), allowed / cells.scale[c]) << c << ' ' << i;
      ASSERT_LE(std::abs(sum.w - charge_product), allowed) << c << ' ' << i;
      ASSERT_LE(
          norm(vector_of(found_field[static_cast<std::size_t>(points.order[i])]) + gradient(locals, place)),
          allowed)
          << c << ' ' << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Orders, FarPassesOfOrder, testing::Values(1, 3, 8, 11),
                         [](const auto& order) { return std::to_string(order.param); });

/// The one long text that the tests compile; those between are made by the same generator.
TEST(FarPasses, TextOfALongOrder) {
  ELECTRET_NEEDS_DEVICE();
  constexpr int order = 10;
  const Scene scene(order, std::pow(0.2, order), 900);
  const auto& lists = scene.interactions->lists();
  std::vector<float> locals[2];
  for (const int generated : {0, order}) {
    gpu::FarPasses passes(*scene.device, order, generated, scene.threads);
    passes.make_room(scene.tree(), scene.tree(), lists);
    passes.find_moments(scene.tree());
    passes.find_locals(scene.tree(), scene.tree(), lists);
    locals[generated == 0 ? 0 : 1] = passes.locals().downloaded();
  }
  float most = 0.0F;
  for (const float value : locals[0]) most = std::max(most, std::isfinite(value) ? std::abs(value) : 0.0F);
  const int room = (coefficients(order) + 15) / 16 * 16;
  for (std::size_t k = 0; k < locals[0].size(); ++k)
    if (static_cast<int>(k) % room < coefficients(order)) {
      ASSERT_NEAR(locals[0][k], locals[1][k], 1e-6 * most) << k;
    }
}

/// Few points, for the simulator: every kernel of the sums runs, with leaves of all three arithmetics.
TEST(EveryKernel, OfTheMultipoleMethodsSums) {
  ELECTRET_NEEDS_DEVICE();
  constexpr int order = 3;
  const Scene scene(order, 1e-1, 150, 10);
  const auto& lists = scene.interactions->lists();
  ASSERT_GT(lists.far_begin[order + 1], 64);
  std::vector<float> locals[2];
  for (const int generated : {0, order}) {
    gpu::FarPasses passes(*scene.device, order, generated, scene.threads);
    passes.make_room(scene.tree(), scene.tree(), lists);
    passes.find_moments(scene.tree());
    passes.find_locals(scene.tree(), scene.tree(), lists);
    gpu::Array<Float4> near(*scene.device, 150), sums(*scene.device, 150);
    near.fill(0);
    passes.evaluate(scene.tree(), near, sums);
    locals[generated == 0 ? 0 : 1] = passes.locals().downloaded();
  }
  for (std::size_t k = 0; k < locals[0].size(); ++k)
    if (k % 16 < static_cast<std::size_t>(coefficients(order))) {
      ASSERT_NEAR(locals[0][k], locals[1][k], 1e-5 * (1.0 + std::abs(locals[0][k]))) << k;
    }
  expect_near_sums(scene, 1e-3, 1e-4, 0.0);
}

}  // namespace
}  // namespace electret::test
