/// Derivative products of the direct solver in every arithmetic and instruction set against the reference:
/// vectors that cancel, charges that nearly touch, units, charges of 0, threads, momentum.

#include <cmath>
#include <tuple>

#include <field/solver_conformance.hpp>
#include <gtest/gtest.h>
#include <support/point_clouds.hpp>

namespace electret::test {
namespace {

struct OnePass {
  VectorArray field, product;
  std::vector<double> potential, gradient;
  explicit OnePass(std::size_t n) : field(n), product(n), potential(n), gradient(n) {}
  friend bool operator==(const OnePass&, const OnePass&) = default;
};

struct Adjoint {
  VectorArray target, source;
  std::vector<double> charge;
  friend bool operator==(const Adjoint&, const Adjoint&) = default;
};

/// The error of charge gradients against k_c Σ_j q_j K(r_ij)·(z_i - z_j), summed pair by pair: the
/// reference's two sums cancel for smooth vectors. Relative to the terms' magnitudes |q_j| |r| |z_i -
/// z_j|/ρ³, as turns of the whole set have no gradient at all.
double gradient_error(ScalarView gradient, const Cloud& cloud, VectorView z, const FieldOptions& options) {
  double difference = 0.0, magnitude = 0.0;
  for (std::size_t i = 0; i < z.size(); ++i) {
    double sum = 0.0, terms = 0.0;
    for (std::size_t j = 0; j < z.size(); ++j) {
      const Vec3 r = cloud.positions[i] - cloud.positions[j], w = z[i] - z[j];
      const double rho2 = squared_norm(r) + options.softening * options.softening;
      if (i == j || rho2 == 0.0) continue;
      const double kernel = options.constant / (rho2 * std::sqrt(rho2));
      sum += cloud.charges[j] * kernel * dot(r, w);
      terms += std::abs(cloud.charges[j]) * kernel * norm(r) * norm(w);
    }
    difference += (gradient[i] - sum) * (gradient[i] - sum);
    magnitude += terms * terms;
  }
  return magnitude > 0.0 ? std::sqrt(difference / magnitude) : std::sqrt(difference);
}

class DirectProducts : public ::testing::TestWithParam<SolverCase> {
 protected:
  static OnePass one_pass(FieldSolver& solver, const Cloud& cloud, VectorView z) {
    OnePass r(z.size());
    solver.prepare(cloud.positions);
    solver.field_and_products(cloud.charges, z, r.field, r.potential, r.product, r.gradient);
    return r;
  }
  static Adjoint adjoint(FieldSolver& solver, const Cloud& cloud, VectorView targets, VectorView w) {
    Adjoint a{VectorArray(targets.size()), VectorArray(cloud.positions.size()),
              std::vector<double>(cloud.positions.size())};
    solver.prepare(cloud.positions, targets);
    solver.target_adjoint(cloud.charges, w, a.target, a.source, a.charge);
    return a;
  }
  std::unique_ptr<FieldSolver> make(const FieldOptions& options = {}) {
    return GetParam().make(options, threads_);
  }
  void expect_like_the_reference(const Cloud& cloud, VectorView z, const std::string& what,
                                 const FieldOptions& options = {}) {
    const OnePass r = one_pass(*make(options), cloud, z);
    const OnePass expected = one_pass(*make_reference_field_solver(options), cloud, z);
    const std::string where = cloud.name + ", " + what;
    EXPECT_LE(relative_error(r.field, expected.field), GetParam().field_accuracy) << where;
    EXPECT_LE(relative_error(r.potential, expected.potential), GetParam().field_accuracy) << where;
    EXPECT_LE(relative_error(r.product, expected.product), GetParam().product_accuracy) << where;
    EXPECT_LE(gradient_error(r.gradient, cloud, z, options), GetParam().product_accuracy) << where;
  }

  Threads threads_{2};
};

/// Vectors as a backward step meets them, from those without a pattern to those whose differences cancel.
std::vector<std::pair<std::string, VectorArray>> vectors_at(VectorView x) {
  const int n = static_cast<int>(x.size());
  const VectorArray random = random_vectors(n, 8);
  VectorArray strained, turned, nearly_constant, constant(x.size(), Vec3{0.3, -0.7, 1.1});
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Vec3& p = x[i];
    strained.push_back({p.x + 0.5 * p.y - 0.2 * p.z, 0.1 * p.x - 0.7 * p.y, 0.3 * p.z + 0.4 * p.y});
    turned.push_back({-0.8 * p.y + 0.3 * p.z, 0.8 * p.x - 0.5 * p.z, 0.5 * p.y - 0.3 * p.x});
    nearly_constant.push_back(Vec3{0.3, -0.7, 1.1} + 1e-6 * random[i]);
  }
  return {{"random", random},
          {"strained", strained},
          {"turned", turned},
          {"nearly constant", nearly_constant},
          {"constant", constant}};
}

TEST_P(DirectProducts, AreAsAccurateAsTheField) {
  for (const auto& kind : cloud_kinds())
    for (const bool mixed : {false, true})
      for (const double softening : {0.0, 0.3})
        for (const int n : {1, 2, 17, 65, 300}) {
          FieldOptions options;
          options.softening = softening;
          const Cloud cloud = make_cloud(kind, n, mixed, static_cast<unsigned>(n));
          for (const auto& [what, z] : vectors_at(cloud.positions))
            expect_like_the_reference(cloud, z, what + " vectors", options);
        }
}

/// A whole body that moves fast: all vectors have far more in common than they differ by, more than twice
/// float32's digits.
TEST_P(DirectProducts, KeepWhatVectorsDifferByBesideWhatTheyHaveInCommon) {
  for (const double common : {1e6, 1e12}) {
    const Cloud cloud = make_cloud("torus", 200, true);
    VectorArray z = random_vectors(200, 4);
    for (Vec3& v : z) v += common * Vec3{1.0, -0.5, 0.25};
    expect_like_the_reference(cloud, z, "common part " + std::to_string(common));
  }
}

/// Two small bodies apart, each moving nearly as one: the middle of all vectors is near neither.
TEST_P(DirectProducts, KeepWhatNearlyEqualVectorsDifferBy) {
  for (const double size : {1e-2, 1e-4, 1e-6})
    for (const double deviation : {1e-2, 1e-4, 1e-6}) {
      Cloud cloud = make_cloud("cube", 54, true);
      VectorArray z = random_vectors(54, 4);
      for (int i = 0; i < 54; ++i) {
        const auto k = static_cast<std::size_t>(i);
        const double side = i < 27 ? -1.0 : 1.0;
        const Vec3 place{static_cast<double>(i % 3), static_cast<double>(i / 3 % 3),
                         static_cast<double>(i / 9 % 3)};
        cloud.positions[k] = Vec3{side, 0.3, -0.2} + size * (place + 0.1 * cloud.positions[k]);
        z[k] = side * Vec3{0.4, -0.3, 0.9} + deviation * z[k];
      }
      expect_like_the_reference(cloud, z,
                                "log size " + std::to_string(std::log10(size)) + ", deviation " +
                                    std::to_string(std::log10(deviation)));
    }
}

TEST_P(DirectProducts, OneByOneAreThoseOfOnePass) {
  const Cloud cloud = make_cloud("clusters", 333, true);
  const VectorArray z = random_vectors(333, 5);
  const auto solver = make();
  const OnePass all = one_pass(*solver, cloud, z);
  OnePass r(333), bare(333);
  solver->transposed_jacobian_product(cloud.charges, z, r.product);
  solver->charge_gradient(cloud.charges, z, r.gradient);
  solver->field_and_products(cloud.charges, z, bare.field, {}, bare.product, bare.gradient);
  EXPECT_EQ(r.product, all.product);
  EXPECT_EQ(r.gradient, all.gradient);
  bare.potential = all.potential;
  EXPECT_EQ(bare, all);
}

TEST_P(DirectProducts, KeepTheAccuracyOfClosePairs) {
  for (const double distance : {1e-2, 4e-3, 1e-3, 1e-4, 1e-6, 5e-8, 1e-8, 1e-9, 1e-13, 0.0}) {
    Cloud cloud = make_cloud("cube", 100, true);
    cloud.positions[7] = {0.1, 0.2, 0.3};
    cloud.positions[8] = cloud.positions[7] + distance * Vec3{0.6, 0.48, 0.64};
    for (const auto& [what, z] : vectors_at(cloud.positions))
      expect_like_the_reference(cloud, z,
                                what + " vectors, distance " + std::to_string(std::log10(distance)));
  }
}

TEST_P(DirectProducts, DoNotDependOnUnits) {
  const Cloud cloud = make_cloud("clusters", 200, true);
  const VectorArray z = random_vectors(200, 3);
  for (const auto& [length, charge, vector] : {std::tuple{1e-9, 1.6e-13, 1.0}, std::tuple{1e9, 1e6, 1.0},
                                               std::tuple{1.0, 1.0, 1e-30}, std::tuple{1.0, 1.0, 1e60}}) {
    Cloud scaled = cloud;
    VectorArray scaled_z = z;
    for (auto& x : scaled.positions) x *= length;
    for (auto& q : scaled.charges) q *= charge;
    for (auto& v : scaled_z) v *= vector;
    expect_like_the_reference(scaled, scaled_z,
                              "lengths × " + std::to_string(length) + ", z × " + std::to_string(vector));
  }
  // Scaling by powers of two rounds nothing: the same digits come out.
  Cloud scaled = cloud;
  VectorArray scaled_z = z;
  for (auto& x : scaled.positions) x *= 0x1p-30;
  for (auto& q : scaled.charges) q *= 0x1p-40;
  for (auto& v : scaled_z) v *= 0x1p100;
  const auto solver = make();
  OnePass r = one_pass(*solver, scaled, scaled_z);
  for (auto& e : r.field) e *= 0x1p-20;
  for (auto& p : r.potential) p *= 0x1p10;
  for (auto& v : r.product) v *= 0x1p-110;
  for (auto& g : r.gradient) g *= 0x1p-120;
  EXPECT_EQ(r, one_pass(*solver, cloud, z));
}

TEST_P(DirectProducts, KeepTheirAccuracyFarFromTheOrigin) {
  Cloud cloud = make_cloud("clusters", 200, true);
  const auto vectors = vectors_at(cloud.positions);
  for (auto& x : cloud.positions) x += Vec3{1e6, -1e6, 1e6};
  for (const auto& [what, z] : vectors) expect_like_the_reference(cloud, z, what);
}

TEST_P(DirectProducts, TakeChargesOfZeroAndNextToIt) {
  for (const double small : {0.0, 1e-30, 1e-9}) {
    Cloud cloud = make_cloud("torus", 300, true);
    for (std::size_t i = 0; i < 300; i += 7) cloud.charges[i] *= small;
    const VectorArray z = random_vectors(300, 6);
    expect_like_the_reference(cloud, z, "charges × " + std::to_string(small));
    const OnePass r = one_pass(*make(), cloud, z);
    const OnePass expected = one_pass(*make_reference_field_solver({}), cloud, z);
    VectorArray at_small, expected_at_small;
    for (std::size_t i = 0; i < 300; i += 7) {
      at_small.push_back(r.product[i]);
      expected_at_small.push_back(expected.product[i]);
    }
    EXPECT_LE(relative_error(at_small, expected_at_small), GetParam().product_accuracy) << small;
  }
  Cloud none = make_cloud("cube", 70, true);
  none.charges.assign(70, 0.0);
  none.positions[3] = none.positions[60];
  EXPECT_EQ(one_pass(*make(), none, random_vectors(70, 1)), OnePass(70));
}

TEST_P(DirectProducts, ConserveMomentum) {
  for (const auto& kind : cloud_kinds())
    for (const auto& [what, z] : vectors_at(make_cloud(kind, 400, true).positions)) {
      const OnePass r = one_pass(*make(), make_cloud(kind, 400, true), z);
      Vec3 total;
      double magnitude = 0.0;
      for (const Vec3& v : r.product) total += v, magnitude += norm(v);
      EXPECT_LE(norm(total), GetParam().momentum * magnitude) << kind << ", " << what << " vectors";
    }
}

TEST_P(DirectProducts, AreBitwiseEqualForAnyNumberOfThreads) {
  for (const double distance : {1.0, 1e-5, 1e-12, 0.0}) {  // an arithmetic each, and pairs left out
    Cloud cloud = make_cloud("blob", 1300, true);
    if (distance < 1.0) cloud.positions[1200] = cloud.positions[20] + Vec3{distance, 0, 0};
    const VectorArray z = random_vectors(1300, 4), targets = random_vectors(500, 9);
    const VectorArray w = random_vectors(500, 10);
    std::vector<std::tuple<OnePass, Adjoint, OnePass>> results;
    for (const int count : {1, 2, 7}) {
      Threads team(count);
      const auto solver = GetParam().make({}, team);
      OnePass first = one_pass(*solver, cloud, z);
      Adjoint at_targets = adjoint(*solver, cloud, targets, w);
      results.emplace_back(std::move(first), std::move(at_targets), one_pass(*solver, cloud, z));
    }
    EXPECT_EQ(std::get<0>(results[0]), std::get<2>(results[0])) << "whatever was computed before";
    EXPECT_EQ(results[0], results[1]);
    EXPECT_EQ(results[0], results[2]);
  }
}

TEST_P(DirectProducts, DoNotDependOnWhatTheFieldNeeded) {
  Cloud cloud = make_cloud("cube", 150, true);
  cloud.positions[7] = cloud.positions[90] + Vec3{3e-4, 0, 0};
  const VectorArray z = random_vectors(150, 4);
  const auto solver = make();
  OnePass before(150), after(150);
  solver->prepare(cloud.positions);
  solver->field_and_products(cloud.charges, z, before.field, before.potential, before.product,
                             before.gradient);
  VectorArray field(150);
  solver->field(cloud.charges, field, {});
  solver->field_and_products(cloud.charges, z, after.field, after.potential, after.product, after.gradient);
  EXPECT_EQ(before, after);
  VectorArray alone(150);
  solver->prepare(cloud.positions);
  solver->field(cloud.charges, alone, {});
  EXPECT_EQ(alone, field);
}

TEST_P(DirectProducts, AtOtherTargetsAreAsAccurateAsTheField) {
  for (const double distance : {1.0, 3e-3, 1e-5, 1e-9, 1e-13, 0.0})
    for (const double vector : {1.0, 1e-30, 1e60}) {
      const Cloud cloud = make_cloud("torus", 190, true);
      VectorArray targets = random_vectors(130, 21), w = random_vectors(130, 22);
      if (distance < 1.0) targets[70] = cloud.positions[100] + Vec3{0, distance, 0};
      for (auto& v : w) v *= vector;
      const Adjoint a = adjoint(*make(), cloud, targets, w);
      const Adjoint expected = adjoint(*make_reference_field_solver({}), cloud, targets, w);
      EXPECT_LE(relative_error(a.target, expected.target), GetParam().product_accuracy) << distance;
      EXPECT_LE(relative_error(a.source, expected.source), GetParam().product_accuracy) << distance;
      EXPECT_LE(relative_error(a.charge, expected.charge), GetParam().product_accuracy) << distance;
    }
}

std::vector<SolverCase> direct_cases() {
  std::vector<SolverCase> cases;
  for (auto& c : solver_cases())
    if (c.solver_name == "direct") cases.push_back(std::move(c));
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Solvers, DirectProducts, ::testing::ValuesIn(direct_cases()),
                         [](const auto& solver) { return solver.param.name; });

}  // namespace
}  // namespace electret::test
