#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include <electret/core/errors.hpp>
#include <electret/dynamics/stage/hessian_factor.hpp>
#include <electret/dynamics/stage/hessian_solver.hpp>
#include <electret/dynamics/stage/stage_solver.hpp>

#include "dynamics/networks.hpp"
#include "dynamics/stages.hpp"

namespace electret::test {
namespace {

constexpr double factor = 0.04;

/// A network at random places, and the dense Hessian of its stage, from central differences of ∇E.
struct Stage {
  explicit Stage(std::uint64_t seed, double disorder) {
    NetworkOptions options;
    options.seed = seed;
    options.pins = true;
    system = compile(random_network(options), 1);
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    x = system->assembly.initial_positions;
    for (Vec3& place : x) place += disorder * Vec3{uniform(random), uniform(random), uniform(random)};
    rhs.resize(x.size());
    for (Vec3& entry : rhs) entry = {uniform(random), uniform(random), uniform(random)};
  }

  VectorArray elastic_gradient(const VectorArray& at) const {
    VectorArray g(at.size());
    for (auto& energy : system->elastic) energy->add_gradient(at, g);
    return g;
  }

  /// M + a ∇²E, of all vertices.
  Eigen::MatrixXd hessian() const {
    const auto n = static_cast<Eigen::Index>(3 * x.size());
    Eigen::MatrixXd matrix(n, n);
    const double d = 1e-5;
    for (Eigen::Index column = 0; column < n; ++column) {
      VectorArray ahead = x, behind = x;
      const auto j = static_cast<std::size_t>(column / 3);
      ahead[j][static_cast<int>(column % 3)] += d;
      behind[j][static_cast<int>(column % 3)] -= d;
      const VectorArray more = elastic_gradient(ahead), less = elastic_gradient(behind);
      for (Eigen::Index row = 0; row < n; ++row) {
        const auto i = static_cast<std::size_t>(row / 3);
        const int axis = static_cast<int>(row % 3);
        matrix(row, column) = factor * (more[i][axis] - less[i][axis]) / (2.0 * d);
      }
      matrix(column, column) += system->masses()[j];
    }
    return matrix;
  }

  bool pinned(std::size_t i) const {
    return std::binary_search(system->pins.begin(), system->pins.end(), static_cast<Index>(i));
  }

  /// (∇²g)⁻¹ rhs by dense elimination on the free vertices; 0 at pins.
  VectorArray expected() const {
    Eigen::MatrixXd matrix = hessian();
    Eigen::VectorXd b(matrix.rows());
    for (Eigen::Index k = 0; k < b.size(); ++k) {
      const auto i = static_cast<std::size_t>(k / 3);
      b(k) = pinned(i) ? 0.0 : rhs[i][static_cast<int>(k % 3)];
      if (!pinned(i)) continue;
      matrix.row(k).setZero();
      matrix.col(k).setZero();
      matrix(k, k) = 1.0;
    }
    const Eigen::VectorXd solution = matrix.fullPivLu().solve(b);
    VectorArray z(x.size());
    for (Eigen::Index k = 0; k < b.size(); ++k)
      z[static_cast<std::size_t>(k / 3)][static_cast<int>(k % 3)] = solution(k);
    return z;
  }

  std::unique_ptr<StageSolver> solver(const char* name = "lbfgs") const {
    return make_stage_solver(*system, factor, {"imex", 1e-6, 200, name});
  }

  std::unique_ptr<System> system;
  VectorArray x, rhs;
};

/// Newton's way and the published iteration; few vertices never take multigrid.
TEST(SolveHessian, EqualsDenseElimination) {
  for (const auto& [name, which] : {std::pair{"auto", "block_jacobi"},
                                    {"newton_cg", "block_jacobi"},
                                    {"lbfgs", "quasi_newton"},
                                    {"local_global", "quasi_newton"}})
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      const Stage stage(seed, 0.05);
      VectorArray z(stage.x.size());
      const HessianSolve report = stage.solver(name)->solve_transposed(stage.x, stage.rhs, 1e-12, z);
      EXPECT_EQ(report.which, which) << seed;
      EXPECT_TRUE(report.converged);
      EXPECT_FALSE(report.negative_curvature);
      EXPECT_LE(report.residual, 1e-12);
      EXPECT_GT(report.iterations, 1);
      EXPECT_LE(largest_difference(z, stage.expected()), 1e-7) << name << ", seed " << seed;
      for (const Index pin : stage.system->pins) EXPECT_EQ(z[static_cast<std::size_t>(pin)], Vec3{});
    }
}

/// Springs compressed far below their rest lengths: ∇²g is indefinite, and the direct way solves it all the
/// same and says so.
TEST(SolveHessian, FactorsTheExactHessianWhereItIsIndefinite) {
  int met = 0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    Stage stage(seed, 0.0);
    for (Vec3& place : stage.x) place *= 0.2;
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(stage.hessian());
    if (eigen.eigenvalues().minCoeff() > -0.1) continue;
    VectorArray z(stage.x.size());
    const HessianSolve report = stage.solver()->solve_transposed(stage.x, stage.rhs, 1e-10, z);
    if (report.which != "direct") continue;
    ++met;
    EXPECT_TRUE(report.converged) << seed;
    EXPECT_TRUE(report.negative_curvature);
    EXPECT_LE(report.residual, 1e-10);
    const VectorArray expected = stage.expected();
    double size = 0.0;
    for (const Vec3& entry : expected) size = std::max(size, norm(entry));
    EXPECT_LE(largest_difference(z, expected), 1e-5 * size) << seed;
  }
  EXPECT_GE(met, 2);
}

TEST(SolveHessian, SaysWhereNoToleranceIsMet) {
  Stage stage(1, 0.05);
  stage.rhs[1].x = std::nan("");
  VectorArray z(stage.x.size());
  EXPECT_FALSE(stage.solver()->solve_transposed(stage.x, stage.rhs, 1e-10, z).converged);
}

TEST(SolveHessian, IsZeroWithoutARightHandSide) {
  Stage stage(1, 0.05);
  for (std::size_t i = 0; i < stage.rhs.size(); ++i)
    if (!stage.pinned(i)) stage.rhs[i] = {};
  VectorArray z(stage.x.size(), Vec3{1, 1, 1});
  const HessianSolve report = stage.solver()->solve_transposed(stage.x, stage.rhs, 1e-10, z);
  EXPECT_TRUE(report.converged);
  EXPECT_EQ(z, VectorArray(stage.x.size()));
}

/// The factorisation on its own, against the dense Hessian.
TEST(HessianFactor, SolvesAsDenseElimination) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Stage stage(seed, 0.05);
    StageObjective objective(*stage.system);
    objective.set_factor(factor);
    objective.linearise(stage.x);
    const HessianFactor exact(objective);
    EXPECT_TRUE(exact.is_positive_definite());
    VectorArray z(stage.x.size());
    exact.solve(stage.rhs, z);
    EXPECT_LE(largest_difference(z, stage.expected()), 1e-7) << seed;
  }
}

/// The rows at pins: ∂g/∂x_P moved by d on the free vertices.
TEST(HessianProduct, UnmaskedHasTheRowsAtPins) {
  const Stage stage(2, 0.05);
  VectorArray d = stage.rhs, z(stage.x.size()), product(stage.x.size());
  for (std::size_t i = 0; i < d.size(); ++i)
    if (stage.pinned(i)) d[i] = {};
  const auto solver = stage.solver();
  solver->solve_transposed(stage.x, stage.rhs, 1e-10, z);
  solver->hessian_product_unmasked(d, product);
  const Eigen::MatrixXd matrix = stage.hessian();
  const Eigen::VectorXd expected = matrix * Eigen::Map<const Eigen::VectorXd>(&d.front().x, matrix.rows());
  double at_pins = 0.0;
  for (Eigen::Index k = 0; k < expected.size(); ++k) {
    const auto i = static_cast<std::size_t>(k / 3);
    EXPECT_NEAR(product[i][static_cast<int>(k % 3)], expected(k), 1e-8);
    if (stage.pinned(i)) at_pins = std::max(at_pins, std::abs(expected(k)));
  }
  EXPECT_GT(at_pins, 0.01);
}

/// One factor a, one matrix: a stage of another a is refused, not solved with the wrong one.
TEST(StageSolver, RefusesAStageOfAnotherFactor) {
  const Stage stage(1, 0.05);
  VectorArray x = stage.x;
  EXPECT_THROW(solve_at(*stage.solver(), *stage.system, {stage.x, stage.x, 0.5 * factor}, x), InternalError);
}

/// Two stages of different a in turn, as TR-BDF2 has with another first stage: each as if it were alone.
TEST(StageSolver, SolversOfDifferentFactorsDoNotMeet) {
  const Stage stage(3, 0.1);
  const auto alone = [&](double a) {
    VectorArray x = stage.x;
    solve_at(*make_stage_solver(*stage.system, a, {"imex", 1e-9, 200, "auto"}), *stage.system,
             {stage.system->assembly.initial_positions, stage.x, a}, x);
    return x;
  };
  const VectorArray first = alone(0.25 * factor), second = alone(factor);
  const auto one = make_stage_solver(*stage.system, 0.25 * factor, {"imex", 1e-9, 200, "auto"});
  const auto other = make_stage_solver(*stage.system, factor, {"imex", 1e-9, 200, "auto"});
  for (int turn = 0; turn < 2; ++turn) {
    VectorArray x = stage.x;
    solve_at(*one, *stage.system, {stage.system->assembly.initial_positions, stage.x, 0.25 * factor}, x);
    EXPECT_EQ(x, first);
    x = stage.x;
    solve_at(*other, *stage.system, {stage.system->assembly.initial_positions, stage.x, factor}, x);
    EXPECT_EQ(x, second);
  }
}

}  // namespace
}  // namespace electret::test
