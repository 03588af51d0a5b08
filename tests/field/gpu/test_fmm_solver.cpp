/// The multipole method on a device against sums in float64: every accuracy, shape, scale and place, and the
/// errors that a device may have.

#include <cmath>
#include <random>

#include <field/gpu/device_for_tests.hpp>
#include <gtest/gtest.h>
#include <support/point_clouds.hpp>

#include <electret/core/errors.hpp>
#include <electret/core/instruction_set.hpp>
#include <electret/field/direct/direct.hpp>
#include <electret/field/fmm/fmm.hpp>
#include <electret/field/gpu/fmm/fmm.hpp>

namespace electret::test {
namespace {

struct Result {
  VectorArray field;
  std::vector<double> potential;
  Count coincident = 0;
  friend bool operator==(const Result&, const Result&) = default;
};

class FmmOnDevice : public testing::Test {
 protected:
  void SetUp() override { ELECTRET_NEEDS_DEVICE(); }

  static FieldOptions options(double accuracy, double softening = 0.0) {
    FieldOptions asked;
    asked.accuracy = accuracy;
    asked.softening = softening;
    return asked;
  }
  std::unique_ptr<FieldSolver> solver(const FieldOptions& asked) {
    return gpu::make_device_fmm_field_solver(asked, threads, test_device());
  }
  static Result result(FieldSolver& solver, const Cloud& cloud, VectorView targets = {}) {
    const std::size_t n = targets.empty() ? cloud.positions.size() : targets.size();
    Result r{VectorArray(n), std::vector<double>(n), 0};
    targets.empty() ? solver.prepare(cloud.positions) : solver.prepare(cloud.positions, targets);
    solver.field(cloud.charges, r.field, r.potential);
    r.coincident = solver.coincident_pairs();
    return r;
  }
  Result expected(const Cloud& cloud, double softening = 0.0, VectorView targets = {}) {
    FieldOptions exact;
    exact.softening = softening;
    return result(
        *direct::make_direct_field_solver(exact, threads, instruction_set(), direct::Arithmetic::float64),
        cloud, targets);
  }
  void expect_accuracy(const Cloud& cloud, double accuracy, double allowed, double softening = 0.0,
                       VectorView targets = {}) {
    const Result exact = expected(cloud, softening, targets);
    const Result found = result(*solver(options(accuracy, softening)), cloud, targets);
    EXPECT_LE(relative_error(found.field, exact.field), allowed) << cloud.name << ' ' << accuracy;
    EXPECT_LE(relative_error(found.potential, exact.potential), allowed) << cloud.name << ' ' << accuracy;
    EXPECT_EQ(found.coincident, exact.coincident) << cloud.name << ' ' << accuracy;
    if (!targets.empty()) return;
    Vec3 force;
    double sum = 0.0;
    for (std::size_t i = 0; i < found.field.size(); ++i) {
      force += cloud.charges[i] * found.field[i];
      sum += std::abs(cloud.charges[i]) * norm(found.field[i]);
    }
    EXPECT_LE(norm(force), 1e-6 * sum) << cloud.name << ' ' << accuracy;
  }

  Threads threads{2};
};

Cloud shaped(const std::string& shape, int n, bool mixed) {
  Cloud cloud = make_cloud("cube", n, mixed);
  cloud.name = shape;
  std::mt19937 random(9);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  for (std::size_t i = 0; i < cloud.positions.size(); ++i) {
    Vec3& x = cloud.positions[i];
    if (shape == "torus") {
      const double a = 6.283185307 * unit(random), b = 6.283185307 * unit(random),
                   r = 0.3 * std::sqrt(unit(random));
      x = {(1.0 + r * std::cos(b)) * std::cos(a), (1.0 + r * std::cos(b)) * std::sin(a), r * std::sin(b)};
    } else if (shape == "line") {
      x = {x.x, 0.3, 0.2};
    } else if (shape == "clusters") {
      const auto k = static_cast<int>(i % 3);
      x = Vec3{static_cast<double>(k), 0.1 * static_cast<double>(i % 5), 0.0} + std::pow(10.0, -3 * k) * x;
    } else if (shape == "pairs") {
      x = cloud.positions[i - i % 2];
    } else if (shape == "a pile and a few") {
      x = i % 7 ? Vec3{0.25, 0.5, -0.125} : x;
    }
  }
  return cloud;
}

/// Bounds: twice the errors that the prototype of these kernels had on such clouds, and the accuracy asked.
TEST_F(FmmOnDevice, HasTheErrorsOfItsPrototype) {
  expect_accuracy(shaped("cube", 4096, false), 1e-3, 1e-4);
  expect_accuracy(shaped("torus", 4000, false), 1e-3, 1e-4);
  expect_accuracy(shaped("clusters", 3000, true), 1e-2, 6e-4);
  expect_accuracy(shaped("cube", 4000, true), 1e-4, 4e-6);
  expect_accuracy(shaped("torus", 3000, false), 1e-6, 3e-7);
  expect_accuracy(shaped("line", 1000, false), 1e-3, 1e-4);
}

TEST_F(FmmOnDevice, MeetsEveryAccuracyOnEveryShape) {
  for (const char* shape : {"cube", "torus", "line", "clusters", "pairs", "a pile and a few"})
    for (const double accuracy : {1e-1, 1e-3, 1e-6})
      expect_accuracy(shaped(shape, 1500, true), accuracy, accuracy);
  for (const double accuracy : {1e-2, 1e-4, 1e-5, 3e-6})
    expect_accuracy(shaped("cube", 1500, true), accuracy, accuracy);
}

TEST_F(FmmOnDevice, MeetsItAtEveryScaleAndPlace) {
  for (const double unit : {1e-9, 1e9})
    for (const double far : {0.0, 1e6}) {
      Cloud cloud = shaped("torus", 1200, true);
      for (Vec3& x : cloud.positions) x = unit * (x + far * Vec3{1.0, -1.0, 1.0});
      expect_accuracy(cloud, 1e-3, 1e-3);
      // 1e6 away, float64 itself keeps ten digits of the body.
      expect_accuracy(cloud, 1e-5, 1e-5);
    }
  Cloud cloud = shaped("cube", 1000, true);
  for (double& q : cloud.charges) q *= 1e-19 / 1e-6;
  expect_accuracy(cloud, 1e-5, 1e-5);
}

/// More charges at one place than a launch should sum are left to the CPU, as are their neighbours.
TEST_F(FmmOnDevice, LeavesLongPilesToTheHost) {
  Cloud cloud = shaped("cube", 17'000, true);
  for (std::size_t i = 0; i < 16'500; ++i) cloud.positions[i] = Vec3{0.25, 0.5, -0.125};
  const auto host = fmm::make_fmm_field_solver(options(1e-1), threads, instruction_set());
  const Result on_host = result(*host, cloud), on_device = result(*solver(options(1e-1)), cloud);
  EXPECT_EQ(on_device.field, on_host.field);
  EXPECT_EQ(on_device.coincident, Count{16'500} * 16'499);
}

TEST_F(FmmOnDevice, TakesFewPoints) {
  for (const int n : {1, 2, 3, 47, 48, 49, 127, 129}) {
    const Cloud cloud = shaped("cube", n, true);
    for (const double accuracy : {1e-3, 1e-6}) expect_accuracy(cloud, accuracy, accuracy);
  }
}

TEST_F(FmmOnDevice, Softens) {
  for (const double softening : {1e-12, 1e-3, 0.03, 3.0})
    for (const double accuracy : {1e-3, 1e-5})
      expect_accuracy(shaped("pairs", 1200, true), accuracy, accuracy, softening);
}

TEST_F(FmmOnDevice, SumsAtSeparateTargets) {
  const Cloud cloud = shaped("torus", 1500, true);
  for (const double accuracy : {1e-1, 1e-3, 1e-5}) {
    VectorArray targets = random_vectors(700, 5);
    expect_accuracy(cloud, accuracy, accuracy, 0.0, targets);
    targets[3] = cloud.positions[8];
    expect_accuracy(cloud, accuracy, accuracy, 0.0, targets);
    expect_accuracy(cloud, accuracy, accuracy, 0.02, targets);
    for (Vec3& x : targets) x += Vec3{40.0, 0.0, 0.0};
    expect_accuracy(cloud, accuracy, accuracy, 0.0, targets);
    expect_accuracy(cloud, accuracy, accuracy, 0.0, VectorView(targets).first(1));
  }
}

TEST_F(FmmOnDevice, SumsProducts) {
  for (const char* shape : {"cube", "clusters", "pairs", "a pile and a few"})
    for (const double softening : {0.0, 0.02})
      for (const double accuracy : {1e-2, 1e-4, 1e-6}) {
        const Cloud cloud = shaped(shape, 900, true);
        const std::size_t n = cloud.positions.size();
        VectorArray z = random_vectors(static_cast<int>(n), 4);
        // Vectors with much in common, whose differences alone count.
        if (softening == 0.0)
          for (Vec3& v : z) v = 1e-4 * v + Vec3{1.0, -2.0, 3.0};
        VectorArray field(n), product(n), product_again(n), expected_field(n), expected_product(n);
        std::vector<double> potential(n), gradient(n), gradient_again(n), expected_potential(n),
            expected_gradient(n);
        FieldOptions exact;
        exact.softening = softening;
        const auto reference =
            direct::make_direct_field_solver(exact, threads, instruction_set(), direct::Arithmetic::float64);
        reference->prepare(cloud.positions);
        reference->field_and_products(cloud.charges, z, expected_field, expected_potential, expected_product,
                                      expected_gradient);
        const auto device = solver(options(accuracy, softening));
        device->prepare(cloud.positions);
        device->field_and_products(cloud.charges, z, field, potential, product, gradient);
        // Where piles of charges leave no near pairs that outweigh the expansions' errors, the CPU's method
        // misses the accuracy alike.
        VectorArray of_host(n), field_of_host(n);
        std::vector<double> gradient_of_host(n);
        const auto host =
            fmm::make_fmm_field_solver(options(accuracy, softening), threads, instruction_set());
        host->prepare(cloud.positions);
        host->field_and_products(cloud.charges, z, field_of_host, {}, of_host, gradient_of_host);
        const double allowed_field = std::max(accuracy, 1.5 * relative_error(field_of_host, expected_field));
        const double allowed = std::max(accuracy, 1.5 * relative_error(of_host, expected_product));
        const double allowed_gradient =
            std::max(accuracy, 1.5 * relative_error(gradient_of_host, expected_gradient));
        const std::string name =
            cloud.name + ' ' + std::to_string(accuracy) + ' ' + std::to_string(softening);
        EXPECT_LE(relative_error(field, expected_field), allowed_field) << name;
        EXPECT_LE(relative_error(potential, expected_potential), accuracy) << name;
        EXPECT_LE(relative_error(product, expected_product), allowed) << name;
        EXPECT_LE(relative_error(gradient, expected_gradient), allowed_gradient) << name;
        device->products(cloud.charges, z, product_again, gradient_again);
        EXPECT_EQ(product_again, product) << name;
        EXPECT_EQ(gradient_again, gradient) << name;
      }
}

TEST_F(FmmOnDevice, GivesTheSameBitsAgain) {
  const Cloud first = shaped("cube", 2000, true), second = shaped("clusters", 900, true);
  const auto kept = solver(options(1e-4));
  const Result once = result(*kept, first);
  result(*kept, second);
  result(*kept, first, VectorView(second.positions).first(300));
  EXPECT_EQ(result(*kept, first), once);
  EXPECT_EQ(result(*solver(options(1e-4)), first), once);
}

TEST_F(FmmOnDevice, RefusesFinerAccuracy) {
  EXPECT_THROW(solver(options(5e-7)), InputError);
}

}  // namespace
}  // namespace electret::test
