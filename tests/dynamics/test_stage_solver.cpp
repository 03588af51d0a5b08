#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <electret/core/errors.hpp>
#include <electret/dynamics/simulator.hpp>
#include <electret/dynamics/stage/stage_solver.hpp>
#include <electret/linear/prefactored_system.hpp>

#include "dynamics/networks.hpp"
#include "dynamics/reference.hpp"
#include "dynamics/stages.hpp"

namespace electret::test {
namespace {

struct Problem {
  std::unique_ptr<System> system;
  VectorArray start, y;
};

/// A network deformed at random: a third of a metre both ways, so that springs are compressed to less than
/// half and stretched to twice their length.
Problem deformed_network(std::uint64_t seed, bool pins, double step) {
  NetworkOptions options;
  options.seed = seed;
  options.pins = pins;
  options.step = step;
  Problem problem;
  problem.system = compile(random_network(options), 1);
  problem.start = problem.system->assembly.initial_positions;
  problem.y = problem.start;
  std::mt19937_64 random(seed + 100);
  std::uniform_real_distribution<double> uniform(-0.3, 0.3);
  for (Vec3& place : problem.y) place += Vec3{uniform(random), uniform(random), uniform(random)};
  return problem;
}

IntegratorOptions options_of(const std::string& solver, double tolerance) {
  return {"imex", tolerance, 20000, solver};
}

class Solvers : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(All, Solvers,
                         testing::Values("auto", "lbfgs", "local_global", "newton_cg", "newton_cholesky"));

TEST_P(Solvers, FindTheMinimiserOfAnIndependentNewtonMethod) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    for (const bool pins : {false, true}) {
      const double step = seed % 2 == 0 ? 0.02 : 0.1;
      Problem problem = deformed_network(seed, pins, step);
      const auto solver = make_stage_solver(*problem.system, step * step, options_of(GetParam(), 1e-12));
      VectorArray x = problem.y;
      const StepReport report =
          solve_at(*solver, *problem.system, {problem.start, problem.y, step * step}, x);
      EXPECT_FALSE(report.capped);
      EXPECT_LE(report.residual, report.residual_target) << seed;
      const VectorArray expected = Reference(problem.system->assembly).minimise(problem.y, step * step);
      EXPECT_LE(largest_difference(x, expected), 1e-10) << GetParam() << ", seed " << seed;
      for (const Index pin : problem.system->pins)
        EXPECT_EQ(x[static_cast<std::size_t>(pin)], problem.y[static_cast<std::size_t>(pin)]);
    }
  }
}

/// A throw of 1e152 m on a light, stiff spring: E(y) overflows, g(x_t) does not.
TEST_P(Solvers, StartAtTheStepsStartWhereTheEnergyOverflows) {
  Assembly assembly = loose_vertices({{0, 0, 0}, {1, 0, 0}, {0, 5, 0}}, 1.0, "imex");
  assembly.masses = {1e-8, 1e-8, 1.0};
  assembly.springs = {{0, 1, 1e5, 1.0}};
  add_pins(assembly, {2});
  const auto system = compile(assembly, 1);
  const auto solver = make_stage_solver(*system, 1.0, options_of(GetParam(), 1e-3));
  VectorArray y = system->assembly.initial_positions;
  y[0].x = -1e152;
  y[2] = {0, 6, 0};
  VectorArray x = y;
  const StepReport report = solve_at(*solver, *system, {system->assembly.initial_positions, y, 1.0}, x);
  EXPECT_FALSE(report.failed);
  EXPECT_LE(report.residual, report.residual_target);
  EXPECT_NEAR(x[0].x / -0.5e152, 1.0, 1e-2) << "the pair's centre of mass moves as thrown";
  EXPECT_EQ(x[2], y[2]);
}

/// No number is not "converged".
TEST_P(Solvers, ReportAFailureWhereNothingIsFinite) {
  Problem problem = deformed_network(1, true, 0.1);
  const auto solver = make_stage_solver(*problem.system, 0.01, options_of(GetParam(), 1e-6));
  problem.y[3].y = std::numeric_limits<double>::quiet_NaN();
  VectorArray x = problem.y;
  const StepReport report = solve_at(*solver, *problem.system, {problem.start, problem.y, 0.01}, x);
  EXPECT_TRUE(report.failed);
  EXPECT_FALSE(report.capped);
  EXPECT_TRUE(std::isnan(x[3].y)) << "what is wrong can be named";
  // The next solve is none the worse for it.
  problem.y = x = problem.start;
  EXPECT_FALSE(solve_at(*solver, *problem.system, {problem.start, problem.y, 0.01}, x).failed);
  EXPECT_TRUE(is_finite(x[3]));
}

/// The stopping rule of docs/physics.md, written again from that page. The report's residual is the norm that
/// the page names.
TEST_P(Solvers, HonourTheStoppingRule) {
  for (const double tolerance : {1e-2, 1e-5, 1e-9, 1e-18}) {  // the last below the rule's floor
    Problem problem = deformed_network(3, true, 0.1);
    const double a = 0.01;
    const auto solver = make_stage_solver(*problem.system, a, options_of(GetParam(), tolerance));
    VectorArray x = problem.y;
    const StepReport report = solve_at(*solver, *problem.system, {problem.start, problem.y, a}, x);
    const Reference reference(problem.system->assembly);
    const VectorArray at_start = reference.elastic_gradient(problem.start),
                      at_end = reference.elastic_gradient(x);
    std::vector<double> pull(x.size());
    for (const Spring& s : problem.system->assembly.springs)
      for (const Index end : {s.i, s.j}) pull[static_cast<std::size_t>(end)] += s.stiffness * s.rest_length;
    double inertia = 0.0, elastic = 0.0, residual = 0.0, pulls = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (reference.pinned(i)) continue;
      const double m = problem.system->masses()[i];
      inertia += squared_norm(m * (problem.start[i] - problem.y[i]));
      elastic += squared_norm(a * at_start[i]);
      pulls += pull[i] * pull[i];
      residual += squared_norm(m * (x[i] - problem.y[i]) + a * at_end[i]);
    }
    const double floor =
        4.0 * std::numeric_limits<double>::epsilon() * (std::sqrt(inertia) + a * std::sqrt(pulls));
    const double target = std::max(tolerance * (std::sqrt(inertia) + std::sqrt(elastic)), floor);
    EXPECT_NEAR(report.residual_target, target, 1e-12 * target);
    EXPECT_NEAR(report.residual, std::sqrt(residual), 1e-14);
    EXPECT_LE(report.residual, report.residual_target);
    EXPECT_FALSE(report.capped);
  }
}

/// A solver that has solved before knows ∇E of where it ended, which is of no use to a step from elsewhere.
TEST_P(Solvers, AreTheSameUsedOrNew) {
  Problem problem = deformed_network(3, true, 0.1), other = deformed_network(3, true, 0.1);
  for (Vec3& place : other.start) place = 1.1 * place;
  const auto used = make_stage_solver(*problem.system, 0.01, options_of(GetParam(), 1e-6));
  VectorArray x = problem.y;
  solve_at(*used, *problem.system, {problem.start, problem.y, 0.01}, x);
  VectorArray again = problem.y, fresh = problem.y;
  const StepReport second = solve_at(*used, *problem.system, {other.start, problem.y, 0.01}, again);
  const StepReport first = solve_at(*make_stage_solver(*problem.system, 0.01, options_of(GetParam(), 1e-6)),
                                    *problem.system, {other.start, problem.y, 0.01}, fresh);
  EXPECT_EQ(second.residual_target, first.residual_target);
  EXPECT_EQ(again, fresh);
}

TEST_P(Solvers, ReportTheCap) {
  Problem problem = deformed_network(3, true, 0.1);
  IntegratorOptions options = options_of(GetParam(), 1e-12);
  options.max_iterations = 3;
  VectorArray x = problem.y;
  const StepReport report = solve_at(*make_stage_solver(*problem.system, 0.01, options), *problem.system,
                                     {problem.start, problem.y, 0.01}, x);
  EXPECT_TRUE(report.capped);
  EXPECT_EQ(report.elastic_iterations, 3);
  EXPECT_GT(report.residual, report.residual_target);
}

/// Stiff springs far from the origin: the rule's floor is below what coordinates of 1e4 m can resolve.
TEST_P(Solvers, StopAtTheRoundingOfLargeCoordinates) {
  Problem problem = deformed_network(2, true, 0.1);
  Assembly assembly = problem.system->assembly;
  for (auto* array : {&assembly.initial_positions, &problem.start, &problem.y})
    for (Vec3& place : *array) place += Vec3{1e4, -2e4, 5e3};
  const auto system = compile(std::move(assembly), 1);
  VectorArray x = problem.y;
  const StepReport report = solve_at(*make_stage_solver(*system, 25.0, options_of(GetParam(), 1e-16)),
                                     *system, {problem.start, problem.y, 25.0}, x);
  EXPECT_FALSE(report.capped);
  EXPECT_GT(report.residual, report.residual_target);
  EXPECT_LE(report.residual, 1e-6);  // eps · 2e4 m · 25 s² · Σk over 81 coordinates
  EXPECT_LT(report.elastic_iterations, 20000);
}

TEST_P(Solvers, NeedNoIterationWithoutSprings) {
  NetworkOptions options;
  options.springs = false;
  const auto system = compile(random_network(options), 1);
  VectorArray y = system->assembly.initial_positions, x = y;
  const StepReport report =
      solve_at(*make_stage_solver(*system, 0.01, options_of(GetParam(), 1e-9)), *system, {y, y, 0.01}, x);
  EXPECT_EQ(report.elastic_iterations, 0);
  EXPECT_EQ(x, y);
}

/// One iteration of local_global is the published one: project, then solve (M + aL) x' = M y + a Σ J p(x).
TEST(LocalGlobal, IsTheProjectionIteration) {
  Problem problem = deformed_network(5, false, 0.1);
  IntegratorOptions options = options_of("local_global", 1e-12);
  options.max_iterations = 1;
  VectorArray x = problem.y;
  solve_at(*make_stage_solver(*problem.system, 0.01, options), *problem.system,
           {problem.start, problem.y, 0.01}, x);

  const auto n = x.size();
  SparseMatrixBuilder builder(problem.system->vertex_count());
  struct Sink final : ScalarMatrixSink {
    SparseMatrixBuilder* builder = nullptr;
    void add(Index row, Index column, double value) override { builder->add(row, column, 0.01 * value); }
  } sink;
  sink.builder = &builder;
  problem.system->elastic[0]->add_majoriser(sink);
  VectorArray rhs(n), expected(n);
  for (const Spring& spring : problem.system->assembly.springs) {  // J p: k l β̂ on i, opposite on j
    const auto i = static_cast<std::size_t>(spring.i), j = static_cast<std::size_t>(spring.j);
    const Vec3 beta = problem.y[i] - problem.y[j];
    const Vec3 pull = (spring.stiffness * spring.rest_length / norm(beta)) * beta;
    rhs[i] += pull;
    rhs[j] -= pull;
  }
  for (std::size_t i = 0; i < n; ++i) {
    const double m = problem.system->masses()[i];
    builder.add(static_cast<Index>(i), static_cast<Index>(i), m);
    rhs[i] = 0.01 * rhs[i] + m * problem.y[i];
  }
  make_prefactored_system(builder.build(), {})->solve(rhs, expected);
  EXPECT_LE(largest_difference(x, expected), 1e-13);
}

TEST(Lbfgs, NeedsFewerIterationsThanLocalGlobal) {
  Problem problem = deformed_network(4, true, 0.3);
  int iterations[2] = {};
  for (const int k : {0, 1}) {
    VectorArray x = problem.y;
    const auto options = options_of(k == 0 ? "lbfgs" : "local_global", 1e-8);
    iterations[k] = solve_at(*make_stage_solver(*problem.system, 0.09, options), *problem.system,
                             {problem.start, problem.y, 0.09}, x)
                        .elastic_iterations;
  }
  EXPECT_LT(2 * iterations[0], iterations[1]) << iterations[0] << " against " << iterations[1];
}

/// Lengths so small that 1/sᵀt overflows: a direction that is not finite must not end the solve, the plain
/// step -A⁻¹∇g is left.
TEST(Lbfgs, ForgetsPairsWhoseModelGivesNoWayDownhill) {
  const double scale = 1e-156;  // squares are below 1/1.8e308, and not 0
  Problem problem = deformed_network(3, true, 0.1);
  Assembly assembly = problem.system->assembly;
  for (auto* array : {&assembly.initial_positions, &problem.start, &problem.y})
    for (Vec3& place : *array) place *= scale;
  for (Spring& spring : assembly.springs) spring.rest_length *= scale;
  const auto system = compile(std::move(assembly), 1);
  VectorArray x = problem.y;
  const StepReport report = solve_at(*make_stage_solver(*system, 0.01, options_of("lbfgs", 1e-2)), *system,
                                     {problem.start, problem.y, 0.01}, x);
  EXPECT_GT(report.elastic_iterations, 1);
  EXPECT_FALSE(report.capped);
  EXPECT_LE(report.residual, report.residual_target);
}

TEST(StageSolver, RefusesWhatThisVersionLacks) {
  NetworkOptions options;
  Assembly assembly = random_network(options);
  assembly.scene.integrator = {"imex", 1e-6, 200, "simplex"};
  EXPECT_THROW(simulator(assembly), InputError);
  assembly.scene.integrator = {"multirate", 1e-6, 200, "auto"};
  try {
    simulator(assembly);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("not available in this version"), std::string::npos);
  }
}

/// A pinned cloth that is stiff against the step (h²k/m = 1000) and buckles: the constant matrix models it
/// badly.
Scene stiff_cloth() {
  Scene scene;
  scene.time = {.step = 0.1, .steps = 10};
  scene.gravity = Vec3{0.0, 0.0, -9.81};
  Body& cloth = scene.bodies.emplace_back();
  cloth.name = "cloth";
  cloth.generate = GeneratorSpec{"grid", {{"rows", 9.0}, {"columns", 9.0}}};
  cloth.mass = 0.01;
  for (const char* from : {"edges", "diagonals"}) {
    SpringTable& springs = cloth.springs.emplace_back();
    springs.from = from;
    springs.stiffness = 1000.0;
  }
  VertexGroup& held = cloth.groups.emplace_back();
  held.name = "held";
  held.indices = {0, 8};
  cloth.pins.emplace_back().group = "held";
  return scene;
}

TEST(AutoSolver, MeetsATightToleranceOnAStiffClothWithinTheDefaultCap) {
  Scene scene = stiff_cloth();
  scene.integrator.tolerance = 1e-11;
  Simulator run(compile(assemble(scene), 1));
  for (int step = 0; step < 10; ++step) {
    const StepReport report = run.step();
    EXPECT_FALSE(report.capped) << step;
    EXPECT_LE(report.residual, report.residual_target) << step;
  }
  scene.integrator.elastic_solver = "lbfgs";
  Simulator plain(compile(assemble(scene), 1));
  EXPECT_TRUE(plain.step().capped) << "the scene is too easy for this test";
}

}  // namespace
}  // namespace electret::test
