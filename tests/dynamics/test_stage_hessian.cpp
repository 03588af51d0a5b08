// The exact Hessian of a stage: which preconditioner is taken, and that it is remembered with the state.

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/core/errors.hpp>
#include <electret/core/same_bits.hpp>
#include <electret/dynamics/simulator.hpp>
#include <electret/dynamics/stage/preconditioner_choice.hpp>
#include <electret/dynamics/stage/stage_hessian.hpp>
#include <electret/dynamics/stage/stage_solver.hpp>
#include <electret/scene/assembly.hpp>

#include "dynamics/networks.hpp"
#include "dynamics/solids.hpp"

namespace electret::test {
namespace {

using Kind = PreconditionerChoice::Kind;

SolveReport ended(int iterations, bool converged, bool negative_curvature) {
  SolveReport report;
  report.iterations = iterations;
  report.converged = converged;
  report.negative_curvature = negative_curvature;
  return report;
}

SolveOptions newton_options(int most_iterations) {
  SolveOptions options;
  options.max_iterations = most_iterations;
  options.stop_at_negative_curvature = true;
  return options;
}

TEST(PreconditionerChoice, GivesBlockJacobiUpWhereMultigridWouldHaveBeenDone) {
  PreconditionerChoice choice(1000);
  const int most = choice.most_jacobi_iterations(newton_options(2000));
  EXPECT_EQ(choice.most_iterations(newton_options(2000)), most);
  EXPECT_EQ(choice.most_iterations(newton_options(7)), 7);
  EXPECT_FALSE(choice.give_up(ended(most, true, false)));
  EXPECT_FALSE(choice.give_up(ended(3, false, true))) << "a way downhill was found";
  EXPECT_EQ(choice.now(), Kind::block_jacobi);
  EXPECT_TRUE(choice.give_up(ended(most, false, false)));
  EXPECT_EQ(choice.now(), Kind::multigrid);
  EXPECT_EQ(choice.most_iterations(newton_options(2000)), 2000);
}

/// 20 iterations of block-Jacobi at 1e-2 are 100 at 1e-10: there multigrid, made for the system, costs less.
/// What each costs follows from the rates that were counted and from the costs that were given.
TEST(PreconditionerChoice, TakesWhatIsExpectedToCostLess) {
  using Making = PreconditionerChoice::Making;
  SolveReport twenty = ended(20, true, false);
  twenty.residual = 1e-2;
  SolveOptions loose, tight;
  loose.tolerance = 1e-2, tight.tolerance = 1e-10;
  const auto kind_for = [&](const SolveOptions& options, Making making, const SolveCosts& costs) {
    PreconditionerChoice choice(1000, PreconditionerPolicy::counted, costs);
    choice.begin_system(loose, making);
    EXPECT_EQ(choice.now(), Kind::block_jacobi) << "it is tried first";
    choice.count(twenty);
    PreconditionerChoice next(1000, PreconditionerPolicy::counted, costs);
    next.begin(choice.now(), choice.age(), choice.rates());
    next.begin_system(options, making);
    return next.now();
  };
  const SolveCosts even{1.0, 2.0, 30.0, 10.0};
  EXPECT_EQ(kind_for(loose, Making::anew, even), Kind::block_jacobi) << "20 for 30 + 2 · 3.3";
  EXPECT_EQ(kind_for(tight, Making::anew, even), Kind::multigrid) << "100 for 30 + 2 · 16.6";
  EXPECT_EQ(kind_for(loose, Making::made, even), Kind::multigrid) << "20 for 2 · 3.3";
  EXPECT_EQ(kind_for(tight, Making::kept, even), Kind::block_jacobi) << "it goes on with what it has";
  EXPECT_EQ(kind_for(loose, Making::anew, {2.0, 2.0, 30.0, 10.0}), Kind::multigrid) << "40 for 37";
}

/// An adjoint's system takes more cycles of multigrid, and block-Jacobi is given the time for them.
TEST(PreconditionerChoice, GivesTightSystemsMoreTime) {
  SolveOptions tight;
  tight.tolerance = 1e-10;
  const PreconditionerChoice choice(1000);
  EXPECT_GT(choice.most_jacobi_iterations(tight), 1.5 * choice.most_jacobi_iterations(newton_options(2000)));
  SolveOptions exact;
  exact.tolerance = 0.0;
  EXPECT_GT(choice.most_jacobi_iterations(exact), choice.most_jacobi_iterations(tight));
}

TEST(PreconditionerChoice, KeepsToAPolicy) {
  for (const auto policy : {PreconditionerPolicy::block_jacobi, PreconditionerPolicy::multigrid}) {
    PreconditionerChoice choice(1000, policy);
    const Kind kind = policy == PreconditionerPolicy::multigrid ? Kind::multigrid : Kind::block_jacobi;
    choice.begin(kind == Kind::multigrid ? Kind::block_jacobi : Kind::multigrid);
    EXPECT_EQ(choice.most_iterations(newton_options(2000)), 2000);
    EXPECT_FALSE(choice.give_up(ended(2000, false, false)));
    choice.count(ended(0, false, true));
    EXPECT_EQ(choice.now(), kind);
  }
}

TEST(PreconditionerChoice, LeavesMultigridWhereCurvatureIsNegativeAtOnce) {
  PreconditionerChoice choice(1000);
  choice.set(Kind::multigrid);
  choice.count(ended(20, false, true));
  choice.count(ended(1, true, false));
  EXPECT_EQ(choice.now(), Kind::multigrid);
  choice.count(ended(2, false, true));
  EXPECT_EQ(choice.now(), Kind::block_jacobi);
}

SolveReport reduced(int iterations, double residual) {
  SolveReport report = ended(iterations, true, false);
  report.residual = residual;
  return report;
}

/// Three iterations a decade when it was new: five are two too many.
TEST(PreconditionerChoice, WearsMultigridOutByIterations) {
  PreconditionerChoice choice(1000);
  choice.set(Kind::multigrid);
  choice.count(reduced(3, 0.1));
  for (int k = 0; k < 10; ++k) choice.count(reduced(6, 0.01));
  EXPECT_FALSE(choice.is_old() || choice.is_fine_old()) << "as fast as a new one";
  SolveOptions options = newton_options(2000);
  options.tolerance = 1e-2;
  EXPECT_EQ(choice.most_iterations(options, true), 2000);
  const int most = choice.most_iterations(options, false);
  EXPECT_GT(most, 6);
  EXPECT_LT(most, 12);
  choice.count(reduced(5, 0.1));
  EXPECT_TRUE(choice.is_fine_old());
  EXPECT_FALSE(choice.is_old());
  EXPECT_EQ(choice.most_iterations(options, false), most - 2);
  choice.make_fine_new();
  EXPECT_FALSE(choice.is_fine_old());
  choice.count(reduced(6, 0.1));
  EXPECT_TRUE(choice.is_old());
  PreconditionerChoice next(1000);
  next.begin(Kind::multigrid, choice.age());
  EXPECT_TRUE(next.is_old()) << "it is remembered";
  next.make_new();
  EXPECT_FALSE(next.is_old() || next.is_fine_old());
  next.count(ended(20, false, true));
  EXPECT_TRUE(next.is_fine_old()) << "negative curvature";
  EXPECT_FALSE(next.is_old());
  next.count(ended(20, false, true));
  EXPECT_TRUE(next.is_old());
}

/// Systems of 20 iterations of block-Jacobi, each 1. Making multigrid costs 30, an iteration of it 2.
class KeptMultigridChoice : public testing::Test {
 protected:
  /// The kinds of the next systems, of which those by multigrid cost `cost`.
  std::vector<Kind> next(int systems, double cost) {
    std::vector<Kind> kinds;
    for (int k = 0; k < systems; ++k) {
      PreconditionerChoice choice(1000, PreconditionerPolicy::counted, {1.0, 2.0, 30.0, 10.0});
      choice.begin(kind_, {}, rates_, kept_);
      choice.begin_system(newton_options(2000), PreconditionerChoice::Making::kept);
      kinds.push_back(kind_ = choice.now());
      const bool is_jacobi = kind_ == Kind::block_jacobi;
      choice.count(reduced(is_jacobi ? 20 : 3, 0.1), is_jacobi ? 20.0 : cost);
      rates_ = choice.rates(), kept_ = choice.kept();
    }
    return kinds;
  }
  Kind kind_ = Kind::block_jacobi;
  SolveRates rates_;
  KeptMultigrid kept_;
};

TEST_F(KeptMultigridChoice, TakesMultigridThatWouldHavePaidForItself) {
  using enum PreconditionerKind;
  EXPECT_EQ(next(4, 10.0), (std::vector{block_jacobi, block_jacobi, block_jacobi, multigrid}))
      << "three systems would have saved 20 - 3 · 2 each";
  EXPECT_EQ(next(20, 10.0), std::vector<Kind>(20, multigrid));
  EXPECT_EQ(next(3, 50.0), std::vector<Kind>(3, multigrid)) << "30 each are lost now, of the 30 saved";
  EXPECT_EQ(next(1, 50.0), std::vector<Kind>(1, block_jacobi));
}

TEST_F(KeptMultigridChoice, DoesNotTryMultigridAgainThatHasCostMore) {
  const std::vector<Kind> kinds = next(100, 22.0);
  const auto tried = std::count(kinds.begin(), kinds.end(), Kind::multigrid);
  EXPECT_TRUE(tried > 20 && tried < 40) << tried << ": 30 saved and 30 lost, 2 a system";
  EXPECT_EQ(kinds.back(), Kind::block_jacobi);
  EXPECT_EQ(next(100, 22.0), std::vector<Kind>(100, Kind::block_jacobi));
}

TEST(PreconditionerChoice, KeepsFewVerticesFromMultigrid) {
  PreconditionerChoice choice(PreconditionerChoice::fewest_vertices - 1);
  EXPECT_EQ(choice.most_iterations(newton_options(2000)), 2000);
  EXPECT_FALSE(choice.give_up(ended(2000, false, false)));
}

/// A sheet, h²k/m = `stiffness`, hanging or held at its boundary.
Assembly sheet(int side, double stiffness, const char* held_group = "top") {
  Scene scene;
  scene.time = {.step = 0.01, .steps = 100};
  scene.gravity = Vec3{0.0, -9.81, 0.0};
  scene.integrator.elastic_solver = "newton_cg";
  Body& cloth = scene.bodies.emplace_back();
  cloth.name = "cloth";
  const double n = side, width = 0.01 * (n - 1.0);
  cloth.generate = GeneratorSpec{"grid", {{"rows", n}, {"columns", n}, {"width", width}, {"height", width}}};
  cloth.mass = 1e-3;
  for (const char* from : {"edges", "diagonals", "bending"}) {
    SpringTable& springs = cloth.springs.emplace_back();
    springs.from = from;
    springs.stiffness = stiffness * 1e-3 / 1e-4;
  }
  VertexGroup& held = cloth.groups.emplace_back();
  held.name = held.attribute = held_group;
  cloth.pins.emplace_back().group = held_group;
  return assemble(std::move(scene));
}

/// Newton directions at the start: with either preconditioner, to the residual asked for, 0 at pins.
TEST(StageHessian, SolvesByBlockJacobiAndByMultigrid) {
  const auto system = compile(sheet(60, 2000.0), 2);
  StageHessian hessian(*system, 1e-4);
  VectorArray rhs = system->assembly.initial_positions, z(rhs.size());
  for (std::size_t i = 0; i < rhs.size(); ++i) rhs[i].z += static_cast<double>(i % 7);
  for (const bool multigrid : {false, true}) {
    hessian.begin_step({.multigrid = multigrid});
    hessian.linearise(system->assembly.initial_positions);
    SolveOptions options;
    options.tolerance = 0.1;
    const SolveReport report = hessian.solve(rhs, options, z);
    EXPECT_TRUE(report.converged);
    EXPECT_EQ(hessian.memory().multigrid, multigrid);
    for (const Index pin : system->pins) EXPECT_EQ(z[static_cast<std::size_t>(pin)], Vec3{});
    options.tolerance = 1e-7;
    EXPECT_LE(hessian.solve(rhs, options, z).residual, 1e-7);
    EXPECT_TRUE(hessian.memory().multigrid) << "block-Jacobi takes too long for this sheet";
  }
}

/// Coarse levels know nothing of pairs, so that block-Jacobi serves while there are some.
TEST(StageHessian, LeavesMultigridWhileThereArePairs) {
  Assembly assembly = solid({.element = "hex", .cells = 13.0});
  const VectorArray place = assembly.rest_positions;
  const auto system = compile(std::move(assembly), 2);
  ASSERT_GE(place.size(), 2000U) << "multigrid is where it begins";
  constexpr double factor = 1e-3;
  StageHessian hessian(*system, factor);
  StencilMatrix pairs;
  VectorArray rhs(place.size()), solution(place.size()), product(place.size());
  for (std::size_t i = 0; i < rhs.size(); ++i) {
    const auto angle = static_cast<double>(i);
    rhs[i] = {std::sin(angle), std::cos(3.0 * angle), 0.5};
  }
  SolveOptions options;
  options.tolerance = 1e-8;
  hessian.begin_step();
  hessian.add(&pairs);
  StencilBlocks blocks{};
  const double stiffness = 5.0 * system->masses()[0];  // A spring along x between two corners.
  for (const auto& [row, column, sign] : {std::tuple{0U, 0U, 1.0}, {0U, 1U, -1.0}, {1U, 1U, 1.0}})
    blocks.at(row, column).rows[0].x = sign * stiffness;
  const StencilVertices corners{0, static_cast<Index>(place.size() - 1), no_vertex, no_vertex};
  double without = 0.0;
  for (const bool has_pairs : {false, true, false, true}) {
    pairs.clear();
    if (has_pairs)
      pairs.assemble(*system->threads, place.size(), std::span(&corners, 1), std::span(&blocks, 1));
    const double before = hessian.cost();
    hessian.linearise(place);
    hessian.product(rhs, product);
    if (has_pairs) {
      EXPECT_EQ(hessian.cost(), before) << "multigrid is not made for nothing";
    }
    const SolveReport report = hessian.solve(rhs, options, solution);
    EXPECT_TRUE(report.converged);
    EXPECT_EQ(hessian.preconditioner(), has_pairs ? "block_jacobi" : "multigrid");
    if (!has_pairs && without > 0.0) {
      EXPECT_NEAR(hessian.cost() - before, without, 1e-9 * without) << "as if there had been no pairs";
    }
    if (!has_pairs) without = hessian.cost() - before;
    hessian.product(solution, product);
    double squares = 0.0, size = 0.0;
    for (std::size_t i = 0; i < rhs.size(); ++i)
      squares += squared_norm(rhs[i] - product[i]), size += squared_norm(rhs[i]);
    EXPECT_LE(std::sqrt(squares / size), 1e-7);
  }
}

/// Choice and multigrid are part of the state: a run that goes on from it in a fresh simulator, which makes
/// multigrid where the other has it from, has the same bits. The hanging sheet keeps it for many steps, the
/// buckling one for few systems.
TEST(StageHessian, RemembersItsPreconditionerWithTheState) {
  for (const char* held : {"top", "bottom"}) {
    const bool hangs = held[0] == 't';
    Assembly stiff = sheet(60, 2000.0, held);
    if (!hangs)
      for (std::size_t i = 0; i < stiff.initial_velocities.size(); ++i)
        stiff.initial_velocities[i].z = 0.01 * std::sin(static_cast<double>(i));
    Simulator whole = simulator(stiff, 2);
    for (const Count step : {1, 2, 3, 4}) {
      whole.run(step);
      const MethodMemory memory = whole.state().memory;
      ASSERT_FALSE(memory.find("multigrid_place").empty()) << "the sheet is too easy for this test";
      Simulator resumed = simulator(stiff, 1);
      resumed.restore(whole.state(), whole.work());
      resumed.run(step + 1);
      whole.run(step + 1);
      EXPECT_EQ(whole.state().positions, resumed.state().positions) << held << ", step " << step;
      EXPECT_EQ(whole.state().velocities, resumed.state().velocities) << held << ", step " << step;
      const bool kept =
          same_bits(memory.find("multigrid_place"), whole.state().memory.find("multigrid_place"));
      EXPECT_TRUE(kept || !hangs) << "step " << step;
    }
  }
}

/// An adjoint's solve takes the preconditioner that the step ended with: with multigrid from the start it
/// needs a tenth of the iterations. All ways solve the same system.
TEST(SolveHessian, BeginsWithThePreconditionerOfTheStep) {
  Simulator run = simulator(sheet(60, 2000.0), 2);
  run.run(3);
  const VectorArray& x = run.state().positions;
  VectorArray rhs(x.size()), z(x.size()), anew(x.size()), published(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) rhs[i] = {x[i].y, 0.0, static_cast<double>(i % 7)};
  const IntegratorOptions options;
  const auto newton = make_stage_solver(run.system(), 1e-4, options);
  const HessianSolve report = newton->solve_transposed(x, rhs, 1e-10, z, run.state().memory);
  EXPECT_EQ(report.which, "multigrid");
  EXPECT_TRUE(report.converged);
  const HessianSolve other = newton->solve_transposed(x, rhs, 1e-10, anew);
  EXPECT_GT(other.iterations, 10 * report.iterations);
  IntegratorOptions lbfgs;
  lbfgs.elastic_solver = "lbfgs";
  make_stage_solver(run.system(), 1e-4, lbfgs)->solve_transposed(x, rhs, 1e-10, published);
  double size = 0.0;
  for (const Vec3& v : z) size = std::max(size, norm(v));
  EXPECT_LE(largest_difference(z, anew), 1e-7 * size);
  EXPECT_LE(largest_difference(z, published), 1e-7 * size);
}

/// Ten digits on sheets whose springs are stiffer than any quasi-Newton method goes down: hanging, pushed
/// together from all sides in its plane, and standing, which buckles.
TEST(NewtonSolver, ReachesTenDigitsOnStiffSheets) {
  for (const char* held : {"top", "boundary", "bottom"}) {
    Assembly stiff = sheet(100, 500.0, held);
    stiff.scene.integrator.tolerance = 1e-10;
    for (std::size_t i = 0; i < stiff.initial_velocities.size(); ++i)
      stiff.initial_velocities[i].z = 0.01 * std::sin(static_cast<double>(i));
    Simulator run = simulator(std::move(stiff), 2);
    for (int step = 0; step < 2; ++step) {
      const StepReport report = run.step();
      EXPECT_FALSE(report.capped) << held;
      EXPECT_LE(report.residual, report.residual_target) << held << ", step " << step;
    }
  }
}

TEST(MethodMemory, GivesArraysByName) {
  MethodMemory memory;
  memory.values("a", 2)[1] = 7.0;
  memory.values("b", 3)[0] = 8.0;
  EXPECT_THAT(memory.values("a", 2), testing::ElementsAre(0.0, 7.0));
  EXPECT_EQ(memory.values("b", 3)[0], 8.0);
  EXPECT_EQ(memory.find("b").size(), 3U);
  EXPECT_TRUE(memory.find("c").empty());
  EXPECT_THAT(memory.values("b", 1), testing::ElementsAre(0.0)) << "another version's is of no use";
  EXPECT_EQ(memory.arrays.size(), 2U);
}

TEST(MethodMemory, KeepsItsNumbersInPlaceWhenMoreAreAsked) {
  MethodMemory memory;
  const ScalarSpan first = memory.values("0", 2);
  for (int k = 1; k < 100; ++k) (void)memory.values(std::to_string(k), 1);
  first[1] = 7.0;
  EXPECT_THAT(memory.find("0"), testing::ElementsAre(0.0, 7.0));
}

}  // namespace
}  // namespace electret::test
