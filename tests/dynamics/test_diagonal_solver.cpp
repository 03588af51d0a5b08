/// What L-BFGS on the constant diagonal promises, and when `auto` takes it.

#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include <electret/dynamics/stage/diagonal_hessian.hpp>
#include <electret/dynamics/stage/stage_objective.hpp>
#include <electret/dynamics/stage/stage_solver.hpp>
#include <electret/dynamics/vector_sums.hpp>

#include "dynamics/networks.hpp"
#include "dynamics/reference.hpp"
#include "dynamics/solids.hpp"
#include "dynamics/stages.hpp"
#include "support/random.hpp"

namespace electret::test {
namespace {

std::unique_ptr<System> network(std::uint64_t seed, bool pins, int side = 3, int threads = 1) {
  NetworkOptions options;
  options.side = side;
  options.seed = seed;
  options.pins = pins;
  return compile(random_network(options), threads);
}

/// max_i Σ k/m_i over the free vertices, from the springs themselves.
double stiffness_of(const System& system) {
  std::vector<double> sums(system.masses().size());
  for (const Spring& s : system.assembly.springs)
    for (const Index end : {s.i, s.j}) sums[static_cast<std::size_t>(end)] += s.stiffness;
  for (const Index pin : system.pins) sums[static_cast<std::size_t>(pin)] = 0.0;
  double most = 0.0;
  for (std::size_t i = 0; i < sums.size(); ++i) most = std::max(most, sums[i] / system.masses()[i]);
  return most;
}

/// a at which springs weigh `stiffness` beside masses.
double factor_for(const System& system, double stiffness) {
  return stiffness / stiffness_of(system);
}

VectorArray moved(const System& system, std::uint64_t seed) {
  VectorArray y = system.assembly.initial_positions;
  std::mt19937_64 random(seed + 100);
  std::uniform_real_distribution<double> uniform(-0.3, 0.3);
  for (Vec3& place : y) place += Vec3{uniform(random), uniform(random), uniform(random)};
  return y;
}

struct Solved {
  VectorArray x;
  StepReport report;
};

Solved solve(System& system, const std::string& solver, double a, const VectorArray& y, double tolerance) {
  Solved result{y, {}};
  result.report = solve_at(*make_stage_solver(system, a, {"imex", tolerance, 200, solver}), system,
                           {system.assembly.initial_positions, y, a}, result.x);
  return result;
}

TEST(DiagonalHessian, TellsWhatSpringsWeighBesideMasses) {
  for (const bool pins : {false, true}) {
    const auto system = network(3, pins);
    EXPECT_NEAR(DiagonalHessian(*system, 0.02).stiffness() / (0.02 * stiffness_of(*system)), 1.0, 1e-14);
  }
  const auto body = compile(solid(SolidOptions{}), 1);
  EXPECT_EQ(DiagonalHessian(*body, 1e-9).stiffness(), std::numeric_limits<double>::infinity());
}

/// λ_max(D⁻¹∇²g) by power iteration at `x`.
double largest_eigenvalue(System& system, double a, const VectorArray& x) {
  StageObjective objective(system);
  objective.set_factor(a);
  objective.linearise(x);
  const DiagonalHessian diagonal(system, a);
  VectorArray d = random_vectors(x.size(), 5), product(x.size());
  for (const Index pin : system.pins) d[static_cast<std::size_t>(pin)] = {};
  double eigenvalue = 0.0;
  for (int k = 0; k < 300; ++k) {
    const double size = electret::norm(*system.threads, d);
    for (Vec3& v : d) v *= 1.0 / size;
    objective.hessian_product(d, product);
    diagonal.solve(product, d);
    eigenvalue = electret::norm(*system.threads, d);
  }
  return eigenvalue;
}

/// 2D majorises ∇²g, wherever springs are stretched and compressed to, while they do not outweigh masses.
TEST(DiagonalHessian, MajorisesHalfTheHessian) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed)
    for (const double stretch : {0.8, 1.0, 20.0}) {
      const auto system = network(seed, seed % 2 == 0);
      VectorArray x = moved(*system, seed);
      for (Vec3& place : x) place *= stretch;
      EXPECT_LE(largest_eigenvalue(*system, factor_for(*system, 1.0), x), 2.0) << seed << ", " << stretch;
    }
  const auto system = network(1, false);
  VectorArray x = moved(*system, 1);
  for (Vec3& place : x) place *= 20.0;
  EXPECT_GT(largest_eigenvalue(*system, factor_for(*system, 20.0), x), 2.0) << "a test that cannot fail";
}

TEST(DiagonalSolver, FindsTheMinimiserOfAnIndependentNewtonMethod) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed)
    for (const bool pins : {false, true})
      for (const double stiffness : {0.05, 0.4, 1.0}) {
        const auto system = network(seed, pins);
        const double a = factor_for(*system, stiffness);
        const VectorArray y = moved(*system, seed);
        const Solved solved = solve(*system, "lbfgs_diagonal", a, y, 1e-12);
        EXPECT_FALSE(solved.report.capped);
        EXPECT_LE(solved.report.residual, solved.report.residual_target);
        const VectorArray expected = Reference(system->assembly).minimise(y, a);
        EXPECT_LE(largest_difference(solved.x, expected), 1e-11) << seed << ", " << stiffness;
      }
}

/// Far fewer iterations than Newton's method would have to save to be cheaper.
TEST(DiagonalSolver, NeedsFewIterations) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const auto system = network(seed, false);
    const VectorArray y = moved(*system, seed);
    const auto iterations = [&](double stiffness) {
      return solve(*system, "lbfgs_diagonal", factor_for(*system, stiffness), y, 1e-6)
          .report.elastic_iterations;
    };
    EXPECT_LE(iterations(0.05), 4) << seed;
    EXPECT_LE(iterations(1.0), 12) << seed;
  }
}

/// Springs pushed to a tenth of their lengths bend g downwards: it is left downhill all the same.
TEST(DiagonalSolver, LeavesPlacesOfNegativeCurvatureDownhill) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const auto system = network(seed, false);
    const double a = factor_for(*system, 1.0);
    VectorArray y = moved(*system, seed);
    for (Vec3& place : y) place *= 0.1;
    const Solved solved = solve(*system, "lbfgs_diagonal", a, y, 1e-10);
    EXPECT_FALSE(solved.report.capped) << seed;
    EXPECT_LE(solved.report.residual, solved.report.residual_target);
    StageObjective objective(*system);
    const VectorArray& start = system->assembly.initial_positions;
    const VectorArray inertial = displacements(start, y);
    objective.begin({start, inertial, a});
    const double before = objective.evaluate(inertial);
    EXPECT_LT(objective.evaluate(displacements(start, solved.x)), before);
  }
}

/// Where no pin holds a body its momentum is that of y, however loosely the stage is solved.
TEST(DiagonalSolver, ConservesMomentum) {
  const auto system = network(2, false);
  const double a = factor_for(*system, 0.7);
  const VectorArray y = moved(*system, 2);
  const Solved solved = solve(*system, "lbfgs_diagonal", a, y, 1e-2);
  Vec3 sum{};
  double size = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const Vec3 change = system->masses()[i] * (solved.x[i] - y[i]);
    sum += change;
    size += norm(change);
  }
  EXPECT_GT(size, 0.01);
  EXPECT_LE(norm(sum), 1e-14 * size);
}

TEST(DiagonalSolver, HasTheSameBitsForAnyNumberOfThreads) {
  std::vector<VectorArray> ends;
  for (const int threads : {1, 2, 3}) {
    const auto system = network(4, true, 17, threads);
    ends.push_back(solve(*system, "lbfgs_diagonal", factor_for(*system, 0.8), moved(*system, 4), 1e-9).x);
  }
  EXPECT_EQ(ends[0], ends[1]);
  EXPECT_EQ(ends[0], ends[2]);
}

TEST(AutoSolver, TakesTheDiagonalWhereMassesOutweighSprings) {
  const auto system = network(5, true);
  const VectorArray y = moved(*system, 5);
  for (const auto& [stiffness, solver, choice] :
       {std::tuple{0.999, "lbfgs_diagonal", "L-BFGS on the constant diagonal"},
        {1.001, "newton_cg", "Newton-CG"}}) {
    const double a = factor_for(*system, stiffness);
    EXPECT_EQ(solve(*system, "auto", a, y, 1e-6).x, solve(*system, solver, a, y, 1e-6).x) << stiffness;
    const auto chosen = make_stage_solver(*system, a, {"imex", 1e-6, 200, "auto"});
    EXPECT_EQ(chosen->choice().name, choice);
    EXPECT_TRUE(make_stage_solver(*system, a, {"imex", 1e-6, 200, solver})->choice().empty());
  }
  const double a = factor_for(*system, 0.999);
  EXPECT_NE(solve(*system, "auto", a, y, 1e-6).x, solve(*system, "newton_cg", a, y, 1e-6).x);
}

/// The method of that name is Newton's whatever the springs.
TEST(AutoSolver, IsNewtonsUnderNewton) {
  const auto linear_iterations = [](const std::string& method) {
    return simulator(charged_torus(0.03, method)).step().counts.of("linear_iterations");
  };
  EXPECT_GT(linear_iterations("newton"), 0);
  EXPECT_EQ(linear_iterations("imex"), 0);
}

}  // namespace
}  // namespace electret::test
