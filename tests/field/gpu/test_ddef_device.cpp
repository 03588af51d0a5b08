/// The solver ddef on a device: its parts against float64 sums on the CPU, and the whole against the CPU's
/// solver of the same grid.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include <field/gpu/device_for_tests.hpp>
#include <gtest/gtest.h>
#include <support/point_clouds.hpp>

#include <electret/core/errors.hpp>
#include <electret/core/instruction_set.hpp>
#include <electret/field/ddef/far_field.hpp>
#include <electret/field/field.hpp>
#include <electret/field/gpu/ddef/solver.hpp>
#include <electret/field/gpu/ddef/sums.hpp>

namespace electret::test {
namespace {

using direct::Arithmetic;

/// Relative L2 errors of sums against float64 sums of the same pairs.
constexpr double compensated_error = 9e-7;  // a GPU rounds roots to 2 ulp
constexpr double plain_error = 2.6e-5;
constexpr double plain_error_of_clusters = 8e-4;
/// Of derivative products, whose differences are always compensated.
constexpr double product_error = 3e-6;

struct Result {
  VectorArray field;
  std::vector<double> potential;
  Count coincident = 0;
  friend bool operator==(const Result&, const Result&) = default;
};

Result evaluated(FieldSolver& solver, ScalarView charges, std::size_t targets) {
  Result result{VectorArray(targets), std::vector<double>(targets)};
  solver.field(charges, result.field, result.potential);
  result.coincident = solver.coincident_pairs();
  return result;
}

/// The settings of one comparison.
struct Settings {
  Count grid_points = 20;
  bool compensated = false, half_taylor = false;
  double softening = 0.0;

  [[nodiscard]] FieldOptions options() const {
    FieldOptions options;
    options.ddef_grid_points = grid_points;
    options.ddef_half_taylor = half_taylor;
    options.softening = softening;
    options.accuracy = compensated ? 1e-6 : 1e-3;
    return options;
  }
};

Result on_device(const Settings& settings, VectorView positions, ScalarView charges,
                 VectorView targets = {}) {
  Threads threads(2);
  const auto solver = gpu::make_device_ddef_field_solver(settings.options(), threads, test_device());
  if (targets.empty())
    solver->prepare(positions);
  else
    solver->prepare(positions, targets);
  return evaluated(*solver, charges, targets.empty() ? positions.size() : targets.size());
}

Result on_cpu(const Settings& settings, VectorView positions, ScalarView charges, VectorView targets = {}) {
  Threads threads(2);
  const auto solver =
      make_ddef_field_solver(settings.options(), threads, instruction_set(), Arithmetic::float64);
  if (targets.empty())
    solver->prepare(positions);
  else
    solver->prepare(positions, targets);
  return evaluated(*solver, charges, targets.empty() ? positions.size() : targets.size());
}

void expect_near(const Result& device, const Result& cpu, double allowed, const std::string& what) {
  EXPECT_LE(relative_error(device.field, cpu.field), allowed) << what;
  EXPECT_LE(relative_error(device.potential, cpu.potential), allowed) << what;
  EXPECT_EQ(device.coincident, cpu.coincident) << what;
}

double allowed_error(const Settings& settings, const std::string& kind) {
  if (settings.compensated) return compensated_error;
  return kind == "cube" || kind == "torus" || kind == "blob" ? plain_error : plain_error_of_clusters;
}

std::string described(const Settings& s, const std::string& kind, std::size_t n) {
  return kind + ", n = " + std::to_string(n) + ", m = " + std::to_string(s.grid_points) +
         (s.compensated ? ", compensated" : ", plain") + (s.half_taylor ? ", half-Taylor" : "");
}

TEST(DeviceDdef, SumsTheFarFieldOfTheGrid) {
  ELECTRET_NEEDS_DEVICE();
  Threads threads(2);
  const auto device = test_device();
  for (const auto& kind : {"cube", "torus", "clusters"})
    for (const Count m : {1, 20, 300})
      for (const bool compensated : {false, true})
        for (const bool gradients : {false, true}) {
          const Cloud cloud = make_cloud(kind, 2500, true, 3);
          ddef::Discretisation d(0.0, false);
          d.prepare(cloud.positions, {}, true, m, false, threads);
          ddef::SortedCharges charges;
          charges.assign(d.sources(), cloud.charges, true);
          const ddef::SumTask task{
              d,         charges, direct::kernels(instruction_set()), ddef::kernels(instruction_set()),
              gradients, false};
          ddef::FarField<double> reference;
          const auto& expected = reference.evaluate(task, threads);
          gpu::DdefSums sums(*device, {compensated, gradients});
          sums.place(d, threads);
          sums.set_charges(charges);
          sums.sum_far();
          const auto far = sums.far_sums();
          ASSERT_EQ(far.size(), expected.size());
          double error[3] = {}, size[3] = {};
          for (std::size_t v = 0; v < far.size(); ++v) {
            error[0] += squared_norm(far[v].vector - expected[v].vector);
            size[0] += squared_norm(expected[v].vector);
            error[1] += std::pow(far[v].scalar - expected[v].scalar, 2);
            size[1] += std::pow(expected[v].scalar, 2);
            for (int k = 0; k < ddef::symmetric_size; ++k) {
              error[2] += std::pow(far[v].gradient[k] - expected[v].gradient[k], 2);
              size[2] += std::pow(expected[v].gradient[k], 2);
            }
          }
          const Settings settings{m, compensated, gradients};
          for (int k = 0; k < (gradients ? 3 : 2); ++k)
            EXPECT_LE(std::sqrt(error[k]), allowed_error(settings, kind) * std::sqrt(size[k]))
                << described(settings, kind, 2500) << ", sum " << k;
        }
}

TEST(DeviceDdef, IsTheFieldOfTheSameGrid) {
  ELECTRET_NEEDS_DEVICE();
  const auto compare = [](const std::string& kind, int n, const Settings& settings) {
    const Cloud cloud = make_cloud(kind, n, true, static_cast<unsigned>(settings.grid_points));
    expect_near(on_device(settings, cloud.positions, cloud.charges),
                on_cpu(settings, cloud.positions, cloud.charges), allowed_error(settings, kind),
                described(settings, kind, cloud.positions.size()));
  };
  for (const std::string kind : {"cube", "torus", "blob", "clusters"})
    for (const auto& [n, m] : {std::pair{700, 1}, {1500, 300}, {2500, 40}}) {
      compare(kind, n, {m, false, false});
      compare(kind, n, {m, true, true});
    }
  for (const bool compensated : {false, true}) compare("cube", 1500, {300, compensated, !compensated});
  compare("cube", 5000, {1000, false, false});
}

/// Against the field itself, the device is off as the CPU is: by what the grid leaves out.
TEST(DeviceDdef, HasTheErrorOfTheMethod) {
  ELECTRET_NEEDS_DEVICE();
  for (const std::string kind : {"cube", "torus", "blob", "clusters"})
    for (const bool half_taylor : {false, true}) {
      const Settings settings{40, false, half_taylor};
      const Cloud cloud = make_cloud(kind, 4000, false, 5);
      const auto error_of = [&](const Result& r) {
        return verify_field(cloud.positions, cloud.charges, r.field, {}, 500, r.potential);
      };
      const FieldError device = error_of(on_device(settings, cloud.positions, cloud.charges));
      const FieldError cpu = error_of(on_cpu(settings, cloud.positions, cloud.charges));
      EXPECT_NEAR(device.median, cpu.median, 1e-3 * cpu.median + 1e-6) << described(settings, kind, 4000);
      EXPECT_NEAR(device.relative, cpu.relative, 1e-3 * cpu.relative + 1e-6)
          << described(settings, kind, 4000);
      EXPECT_NEAR(*device.potential, *cpu.potential, 1e-3 * *cpu.potential + 1e-6)
          << described(settings, kind, 4000);
      EXPECT_GT(cpu.median, 5e-5);  // a grid that leaves something out
    }
}

TEST(DeviceDdef, SumsAnyNumberOfCharges) {
  ELECTRET_NEEDS_DEVICE();
  for (const bool compensated : {false, true})
    for (const int n : {0, 1, 2, 3, 5, 127, 128, 129, 300, 1000}) {
      FieldOptions options;
      options.accuracy = compensated ? 1e-6 : 1e-3;
      Threads threads(2);
      const Cloud cloud = make_cloud("cube", n, true, 2);
      const auto size = cloud.positions.size();
      const auto cpu = make_ddef_field_solver(options, threads, instruction_set(), Arithmetic::float64);
      const auto device = gpu::make_device_ddef_field_solver(options, threads, test_device());
      cpu->prepare(cloud.positions);
      device->prepare(cloud.positions);
      expect_near(evaluated(*device, cloud.charges, size), evaluated(*cpu, cloud.charges, size),
                  compensated ? compensated_error : plain_error, "n = " + std::to_string(n));
      if (n == 1) {
        EXPECT_EQ(evaluated(*device, cloud.charges, 1), (Result{{Vec3{}}, {0.0}, 0}));
      }
    }
}

TEST(DeviceDdef, SumsAtOtherTargets) {
  ELECTRET_NEEDS_DEVICE();
  for (const bool compensated : {false, true})
    for (const bool half_taylor : {false, true})
      for (const int n : {1, 100, 1500})
        for (const int t : {1, 90, 700}) {
          const Settings settings{30, compensated, half_taylor};
          const Cloud cloud = make_cloud("torus", n, true);
          VectorArray targets = random_vectors(t, 7);
          for (auto& y : targets) y *= 1.7;  // some outside the charges' box
          if (t > 1) targets[1] = cloud.positions[0];
          expect_near(on_device(settings, cloud.positions, cloud.charges, targets),
                      on_cpu(settings, cloud.positions, cloud.charges, targets),
                      compensated ? compensated_error : plain_error,
                      described(settings, "torus", cloud.positions.size()) + ", t = " + std::to_string(t));
        }
}

TEST(DeviceDdef, HasNoFieldWithoutCharges) {
  ELECTRET_NEEDS_DEVICE();
  const VectorArray targets = random_vectors(5, 7);
  const Result expected{VectorArray(5), std::vector<double>(5), 0};
  EXPECT_EQ(on_device({}, {}, {}, targets), expected);
  EXPECT_EQ(on_device({}, random_vectors(5, 1), std::vector<double>(5)), expected);
}

TEST(DeviceDdef, KeepsItsAccuracyAtAnyScaleAndPlace) {
  ELECTRET_NEEDS_DEVICE();
  for (const bool half_taylor : {false, true}) {
    const Settings settings{30, true, half_taylor};
    for (const auto& [length, origin] :
         {std::pair{1e-9, 0.0}, {1e9, 0.0}, {1.0, 1e6}, {1e-9, 1e-3}, {1e-3, -1e6}})
      for (const double unit : {1e-19, 1e6}) {
        Cloud cloud = make_cloud("blob", 1200, true);
        for (auto& x : cloud.positions) x = length * x + Vec3{origin, origin, origin};
        for (auto& q : cloud.charges) q *= unit;
        expect_near(on_device(settings, cloud.positions, cloud.charges),
                    on_cpu(settings, cloud.positions, cloud.charges), compensated_error,
                    described(settings, "blob", 1200) + ", times " + std::to_string(length));
      }
  }
}

TEST(DeviceDdef, SumsPairsThatAreCloseOrAtOnePlace) {
  ELECTRET_NEEDS_DEVICE();
  for (const bool compensated : {false, true})
    for (const double distance : {1e-3, 1e-5, 1e-7, 1e-9, 1e-12, 1e-15, 0.0}) {
      const Settings settings{30, compensated};
      Cloud cloud = make_cloud("cube", 900, true, 4);
      for (std::size_t k = 0; k < 40; ++k)
        cloud.positions[k + 100] = cloud.positions[k] + distance * Vec3{0.6, -0.64, 0.48};
      for (std::size_t k = 0; k < 5; ++k) cloud.charges[k] = 0.0;
      for (std::size_t k = 0; k < 3; ++k)
        cloud.positions[k + 200] = cloud.positions[k + 300] = cloud.positions[10];
      const Result cpu = on_cpu(settings, cloud.positions, cloud.charges);
      expect_near(on_device(settings, cloud.positions, cloud.charges), cpu,
                  compensated ? compensated_error : plain_error, "distance " + std::to_string(distance));
      if (distance == 0.0) {
        EXPECT_GT(cpu.coincident, 70);
      }
    }
}

TEST(DeviceDdef, SumsChargesAtVerticesOfTheGrid) {
  ELECTRET_NEEDS_DEVICE();
  for (const bool half_taylor : {false, true}) {
    const Settings settings{30, true, half_taylor};
    Cloud cloud = make_cloud("cube", 600, true, 4);
    cloud.positions[0] = {-1, -1, -1}, cloud.positions[1] = {1, 1, 1};
    Threads threads(1);
    ddef::Discretisation d(0.0, false);
    d.prepare(cloud.positions, {}, true, settings.grid_points, false, threads);
    for (std::size_t v = 0; v < 30; ++v)
      cloud.positions[v + 2] = (1.0 / d.scale()) * d.grid().at(static_cast<Count>(v));
    expect_near(on_device(settings, cloud.positions, cloud.charges),
                on_cpu(settings, cloud.positions, cloud.charges), compensated_error,
                described(settings, "cube", 600));
  }
}

TEST(DeviceDdef, Softens) {
  ELECTRET_NEEDS_DEVICE();
  for (const bool half_taylor : {false, true})
    for (const double softening : {1e-12, 1e-6, 1e-2, 0.3, 20.0}) {
      const Settings settings{40, true, half_taylor, softening};
      Cloud cloud = make_cloud("torus", 1500, true);
      cloud.positions[7] = cloud.positions[8];
      cloud.positions[17] = cloud.positions[18] + Vec3{1e-9, 0, 0};
      expect_near(on_device(settings, cloud.positions, cloud.charges),
                  on_cpu(settings, cloud.positions, cloud.charges), compensated_error,
                  "softening " + std::to_string(softening));
    }
}

TEST(DeviceDdef, SumsAllOfManyPointsAtOnePlace) {
  ELECTRET_NEEDS_DEVICE();
  const VectorArray positions(700, Vec3{1, 2, 3});
  const std::vector<double> charges(700, 1e-9);
  const Result expected{VectorArray(700), std::vector<double>(700), 700 * 699};
  EXPECT_EQ(on_device({}, positions, charges), expected);
}

TEST(DeviceDdef, IgnoresTheFarField) {
  ELECTRET_NEEDS_DEVICE();
  Threads threads(2);
  const Settings settings{100, true};
  const Cloud cloud = make_cloud("cube", 2000, true);
  const auto cpu =
      make_ddef_field_solver(settings.options(), threads, instruction_set(), Arithmetic::float64);
  const auto device = gpu::make_device_ddef_field_solver(settings.options(), threads, test_device());
  for (DdefFieldSolver* solver : {cpu.get(), device.get()}) {
    solver->prepare(cloud.positions);
    solver->ignore_far_field(true);
  }
  const Result near = evaluated(*cpu, cloud.charges, 2000);
  expect_near(evaluated(*device, cloud.charges, 2000), near, compensated_error, "near");
  for (DdefFieldSolver* solver : {cpu.get(), device.get()}) solver->ignore_far_field(false);
  const Result all = evaluated(*cpu, cloud.charges, 2000);
  expect_near(evaluated(*device, cloud.charges, 2000), all, compensated_error, "all");
  EXPECT_GT(relative_error(near.field, all.field), 1e-2);
}

/// Meshes come and go with the box's shape: a kept solver has a new one's bits.
TEST(DeviceDdef, HasTheBitsOfANewSolver) {
  ELECTRET_NEEDS_DEVICE();
  Threads threads(2);
  const Settings settings{150, false, true};
  const auto kept = gpu::make_device_ddef_field_solver(settings.options(), threads, test_device());
  for (int round = 0; round < 2; ++round)
    for (int shape = 0; shape < 6; ++shape) {
      Cloud cloud = make_cloud("torus", 1100 + 300 * (shape % 2), true);
      for (auto& x : cloud.positions) x.z *= std::pow(2.0, shape);
      kept->prepare(cloud.positions);
      const Result first = evaluated(*kept, cloud.charges, cloud.positions.size());
      EXPECT_EQ(evaluated(*kept, cloud.charges, cloud.positions.size()), first);
      EXPECT_EQ(on_device(settings, cloud.positions, cloud.charges), first);
    }
}

TEST(DeviceDdef, HasTheSameBitsInManyLaunches) {
  ELECTRET_NEEDS_DEVICE();
  Threads threads(2);
  const auto device = test_device();
  const Cloud cloud = make_cloud("torus", 2000, true);
  ddef::Discretisation d(0.0, false);
  d.prepare(cloud.positions, {}, true, 60, false, threads);
  ddef::SortedCharges charges;
  charges.assign(d.sources(), cloud.charges, true);
  ddef::Arrays<double> z;
  z.resize(2000);
  const VectorArray vectors = random_vectors(2000, 4);
  for (Count k = 0; k < 2000; ++k) z.set(k, vectors[static_cast<std::size_t>(k)]);
  const auto bits = [&](Count pairs_a_launch) {
    gpu::DdefSums sums(*device, {});
    if (pairs_a_launch > 0) sums.set_pairs_a_launch(pairs_a_launch);
    sums.place(d, threads);
    sums.set_charges(charges);
    sums.sum_far();
    std::vector<gpu::Float4> all(4000);
    EXPECT_TRUE(sums.evaluate(false, std::span(all).first(2000)));
    EXPECT_TRUE(sums.products(d.mesh(), z, std::span(all).last(2000)));
    std::vector<float> numbers;
    for (const auto& r : all) numbers.insert(numbers.end(), {r.x, r.y, r.z, r.w});
    return numbers;
  };
  const auto expected = bits(0);
  for (const Count pairs : {1, 100'000, 1'000'000}) EXPECT_EQ(bits(pairs), expected);
}

/// Pairs that are not close have the same sums by the arithmetic of close ones.
TEST(DeviceDdef, SumsAllAsClosePairs) {
  ELECTRET_NEEDS_DEVICE();
  Threads threads(2);
  const auto device = test_device();
  const Cloud cloud = make_cloud("cube", 600, true, 2);
  ddef::Discretisation d(0.0, false);
  d.prepare(cloud.positions, {}, true, 60, false, threads);
  ddef::SortedCharges charges;
  charges.assign(d.sources(), cloud.charges, true);
  ddef::Arrays<double> z;
  z.resize(600);
  const VectorArray vectors = random_vectors(600, 4);
  for (Count k = 0; k < 600; ++k) z.set(k, vectors[static_cast<std::size_t>(k)]);
  struct Sums {
    VectorArray far, field, product;
    std::vector<double> gradient, potential, charge_product;
  };
  for (const bool gradients : {false, true}) {
    const auto sums_of = [&](bool all_close) {
      gpu::DdefSums sums(*device, {true, gradients});
      if (all_close) sums.treat_all_as_close();
      sums.place(d, threads);
      sums.set_charges(charges);
      sums.sum_far();
      Sums r;
      for (const auto& v : sums.far_sums()) {
        r.far.push_back(v.vector);
        r.gradient.insert(r.gradient.end(), v.gradient, v.gradient + ddef::symmetric_size);
      }
      std::vector<gpu::Float4> out(600);
      const auto take = [&](VectorArray& rows, std::vector<double>& numbers) {
        for (const auto& o : out) {
          rows.push_back({static_cast<double>(o.x), static_cast<double>(o.y), static_cast<double>(o.z)});
          numbers.push_back(static_cast<double>(o.w));
        }
      };
      EXPECT_TRUE(sums.evaluate(false, out));
      take(r.field, r.potential);
      EXPECT_TRUE(sums.products(d.mesh(), z, out));
      take(r.product, r.charge_product);
      return r;
    };
    const Sums usual = sums_of(false), close = sums_of(true);
    EXPECT_NE(close.field, usual.field);
    EXPECT_LE(relative_error(close.far, usual.far), compensated_error);
    EXPECT_LE(relative_error(close.gradient, usual.gradient), compensated_error);
    EXPECT_LE(relative_error(close.field, usual.field), compensated_error);
    EXPECT_LE(relative_error(close.potential, usual.potential), compensated_error);
    EXPECT_LE(relative_error(close.product, usual.product), product_error);
    EXPECT_LE(relative_error(close.charge_product, usual.charge_product), product_error);
  }
}

/// If all charges are near, the far field is exactly 0.
TEST(DeviceDdef, HasNoFarFieldIfAllIsNear) {
  ELECTRET_NEEDS_DEVICE();
  Threads threads(2);
  const Settings settings{1, true};
  const Cloud cloud = make_cloud("cube", 300, true);
  const auto solver = gpu::make_device_ddef_field_solver(settings.options(), threads, test_device());
  solver->prepare(cloud.positions);
  const Result all = evaluated(*solver, cloud.charges, 300);
  solver->ignore_far_field(true);
  EXPECT_EQ(evaluated(*solver, cloud.charges, 300), all);
}

TEST(DeviceDdef, RefusesOddOptions) {
  ELECTRET_NEEDS_DEVICE();
  Threads threads(1);
  FieldOptions options;
  options.ddef_grid_points = 0;
  EXPECT_THROW(gpu::make_device_ddef_field_solver(options, threads, test_device()), InputError);
}

struct ProductResult {
  VectorArray product;
  std::vector<double> gradient;
  friend bool operator==(const ProductResult&, const ProductResult&) = default;
};

ProductResult products_of(FieldSolver& solver, const Cloud& cloud, VectorView z) {
  ProductResult r{VectorArray(z.size()), std::vector<double>(z.size())};
  solver.products(cloud.charges, z, r.product, r.gradient);
  return r;
}

void expect_products(const Settings& settings, const Cloud& cloud, VectorView z, double allowed,
                     const std::string& what) {
  Threads threads(2);
  const auto cpu =
      make_ddef_field_solver(settings.options(), threads, instruction_set(), Arithmetic::float64);
  const auto device = gpu::make_device_ddef_field_solver(settings.options(), threads, test_device());
  cpu->prepare(cloud.positions);
  device->prepare(cloud.positions);
  const ProductResult r = products_of(*device, cloud, z), expected = products_of(*cpu, cloud, z);
  EXPECT_LE(relative_error(r.product, expected.product), allowed) << what;
  EXPECT_LE(relative_error(r.gradient, expected.gradient), allowed) << what;
}

TEST(DeviceDdef, HasTheProductsOfTheSameGrid) {
  ELECTRET_NEEDS_DEVICE();
  for (const std::string kind : {"cube", "torus", "clusters"})
    for (const auto& [n, m] : {std::pair{500, 1}, {700, 40}, {1500, 300}})
      for (const bool half_taylor : {false, true})
        for (const bool smooth : {false, true}) {
          const Settings settings{m, true, half_taylor};
          const Cloud cloud = make_cloud(kind, n, true, static_cast<unsigned>(m));
          VectorArray z = random_vectors(static_cast<int>(cloud.positions.size()), 8);
          if (smooth)
            for (std::size_t i = 0; i < z.size(); ++i) z[i] = Vec3{1, 2, 3} + 1e-3 * cloud.positions[i];
          expect_products(settings, cloud, z, product_error,
                          described(settings, kind, cloud.positions.size()) + (smooth ? ", smooth" : ""));
        }
}

TEST(DeviceDdef, HasTheProductsOfAnyNumberOfCharges) {
  ELECTRET_NEEDS_DEVICE();
  for (const int n : {1, 2, 3, 127, 129, 300})
    for (const bool half_taylor : {false, true}) {
      const Settings settings{12, true, half_taylor};
      const Cloud cloud = make_cloud("cube", n, true, 6);
      expect_products(settings, cloud, random_vectors(static_cast<int>(cloud.positions.size()), 8),
                      product_error, described(settings, "cube", cloud.positions.size()));
    }
}

TEST(DeviceDdef, HasTheProductsOfClosePairs) {
  ELECTRET_NEEDS_DEVICE();
  for (const bool half_taylor : {false, true})
    for (const double distance : {1e-3, 1e-5, 1e-7, 1e-9, 1e-12, 1e-15, 0.0}) {
      const Settings settings{30, true, half_taylor};
      Cloud cloud = make_cloud("cube", 900, true, 4);
      for (std::size_t k = 0; k < 40; ++k)
        cloud.positions[k + 100] = cloud.positions[k] + distance * Vec3{0.6, -0.64, 0.48};
      expect_products(settings, cloud, random_vectors(900, 8), product_error,
                      "distance " + std::to_string(distance));
    }
}

TEST(DeviceDdef, HasTheProductsOfSoftenedAndScaledCharges) {
  ELECTRET_NEEDS_DEVICE();
  for (const bool half_taylor : {false, true})
    for (const double softening : {0.0, 1e-6, 0.3})
      for (const double length : {1e-9, 1.0, 1e9})
        for (const double unit : {1e-12, 1e8}) {
          const Settings settings{30, true, half_taylor, softening * length};
          Cloud cloud = make_cloud("blob", 500, true);
          for (auto& x : cloud.positions) x = length * (x + Vec3{1e3, 0, 0});
          for (auto& q : cloud.charges) q *= unit;
          VectorArray z = random_vectors(500, 8);
          for (auto& v : z) v *= unit;
          expect_products(settings, cloud, z, product_error, "softening " + std::to_string(softening));
        }
}

/// Whatever was computed before, and whether or not the field is wanted, too.
TEST(DeviceDdef, HasTheSameBitsOfProductsInAnyCall) {
  ELECTRET_NEEDS_DEVICE();
  Threads threads(2);
  const Settings settings{60, false, true};
  const Cloud cloud = make_cloud("torus", 1500, true);
  const VectorArray z = random_vectors(1500, 8);
  const auto solver = gpu::make_device_ddef_field_solver(settings.options(), threads, test_device());
  solver->prepare(cloud.positions);
  const ProductResult expected = products_of(*solver, cloud, z);
  const Result field = evaluated(*solver, cloud.charges, 1500);
  for (const bool near_only : {false, true}) {
    solver->ignore_far_field(near_only);
    ProductResult r{VectorArray(1500), std::vector<double>(1500)};
    Result with{VectorArray(1500), std::vector<double>(1500)};
    solver->field_and_products(cloud.charges, z, with.field, with.potential, r.product, r.gradient);
    EXPECT_EQ(r, expected);
    if (!near_only) {
      EXPECT_EQ(with.field, field.field);
    }
    solver->transposed_jacobian_product(cloud.charges, z, r.product);
    solver->charge_gradient(cloud.charges, z, r.gradient);
    EXPECT_EQ(r, expected);
  }
}

/// Prints times and errors, for measurements on a GPU: no test, so that it runs only if it is asked for.
TEST(DeviceDdef, DISABLED_Times) {
  ELECTRET_NEEDS_DEVICE();
  using Clock = std::chrono::steady_clock;
  Threads threads;
  std::printf("%s\n", gpu::device_facts(test_device_name()).name.c_str());
  for (const std::string kind : {"cube", "blob", "clusters"})
    for (const int n : {20'000, 200'000})
      for (const bool half_taylor : {false, true}) {
        const Cloud cloud = make_cloud(kind, n, true);
        const auto size = cloud.positions.size();
        auto device = gpu::open_device(test_device_name(), true);
        gpu::Device& timed = *device;
        const Settings settings{n / 100, false, half_taylor};
        const auto solver =
            gpu::make_device_ddef_field_solver(settings.options(), threads, std::move(device));
        const VectorArray z = random_vectors(static_cast<int>(size), 1);
        Result r{VectorArray(size), std::vector<double>(size)};
        ProductResult p{VectorArray(size), std::vector<double>(size)};
        std::printf("%s\n", described(settings, kind, size).c_str());
        const auto timed_call = [&](const char* what, const auto& call) {
          const auto start = Clock::now();
          call();
          return std::printf("  %s %.2f ms", what,
                             std::chrono::duration<double, std::milli>(Clock::now() - start).count());
        };
        for (int round = 0; round < 3; ++round) {
          timed_call("prepare", [&] { solver->prepare(cloud.positions); });
          timed_call("field", [&] { solver->field(cloud.charges, r.field, r.potential); });
          timed_call("products", [&] { solver->products(cloud.charges, z, p.product, p.gradient); });
          std::printf("\n");
          if (round < 2) (void)timed.timings();
        }
        for (const auto& t : timed.timings())
          std::printf("    %s: %lld in %.3f ms\n", t.what.c_str(), static_cast<long long>(t.count),
                      1e3 * t.seconds);
        const Result cpu = on_cpu(settings, cloud.positions, cloud.charges);
        std::printf("  against float64 sums: field %.2e, potential %.2e\n",
                    relative_error(r.field, cpu.field), relative_error(r.potential, cpu.potential));
      }
}

TEST(DdefTables, DealAllTargetsToGroups) {
  Threads threads(1);
  for (const int n : {1, 50, 1000, 6000}) {
    const Cloud cloud = make_cloud("clusters", n, true);
    ddef::Discretisation d(0.0, false);
    d.prepare(cloud.positions, {}, true, 20, false, threads);
    gpu::NearGroups cut;
    cut.cut(d, threads);
    auto& groups = cut.groups;
    for (std::size_t k = 1; k < groups.size(); ++k) EXPECT_LE(cut.pairs[k], 2 * cut.pairs[k - 1]);
    std::sort(groups.begin(), groups.end(), [](const auto& a, const auto& b) { return a.y < b.y; });
    Index next = 0;
    for (const auto& g : groups) {
      EXPECT_EQ(g.w, g.y == d.targets().begin(g.x) ? 1 : 0);
      EXPECT_EQ(g.y, next);
      EXPECT_GE(g.z, 1);
      EXPECT_LE(g.z, gpu::ddef_most_targets);
      EXPECT_GE(g.y, d.targets().begin(g.x));
      EXPECT_LE(g.y + g.z, d.targets().end(g.x));
      next += g.z;
    }
    EXPECT_EQ(next, static_cast<Index>(cloud.positions.size()));
    gpu::FarTiles far;
    far.cut(d.sources(), static_cast<Index>(d.mesh().tessellation.size()));
    next = 0;
    for (const auto& tile : far.tiles) {
      EXPECT_EQ(tile.x, next);
      EXPECT_LE(tile.y, gpu::ddef_tile);
      next += tile.y;
    }
    EXPECT_EQ(next, static_cast<Index>(cloud.positions.size()));
    EXPECT_LE(static_cast<Count>(far.part_begin.size()) - 1, gpu::ddef_most_parts);
  }
}

TEST(DdefTables, CutWorkIntoLaunches) {
  std::vector<std::pair<Index, Index>> launches;
  const Count pairs[] = {5, 5, 20, 1, 1, 1, 9, 1};
  gpu::in_launches(
      8, 10, [&](Count k) { return pairs[k]; },
      [&](Index begin, Index end) { launches.emplace_back(begin, end); });
  EXPECT_EQ(launches, (std::vector<std::pair<Index, Index>>{{0, 2}, {2, 3}, {3, 7}, {7, 8}}));
  gpu::in_launches(
      0, 10, [](Count) { return Count{1}; }, [](Index, Index) { ADD_FAILURE(); });
}

}  // namespace
}  // namespace electret::test
