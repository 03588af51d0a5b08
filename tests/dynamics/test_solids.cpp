// Solid bodies in motion: inverted starts, solvers against each other, threads.

#include <algorithm>
#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/core/errors.hpp>
#include <electret/dynamics/stage/stage_hessian.hpp>
#include <electret/elastic/options.hpp>

#include "dynamics/networks.hpp"
#include "dynamics/solids.hpp"
#include "support/allocation_counter.hpp"
#include "support/differences.hpp"

namespace electret::test {
namespace {

using testing::HasSubstr;
using testing::Not;

/// How far vertices are moved for cells of 0.1 m to turn inside out, m.
constexpr double inverting = 0.12;

class Solids : public testing::TestWithParam<const char*> {
 protected:
  [[nodiscard]] static SolidOptions of(std::string_view model, double step = 0.01) {
    return {.element = GetParam(), .model = std::string(model), .step = step, .tolerance = 1e-9};
  }
};
INSTANTIATE_TEST_SUITE_P(All, Solids, testing::Values("tet", "hex"));

TEST_P(Solids, RecoverFromAnInvertedStart) {
  for (const char* model : {"stable_neo_hookean", "corotated"}) {
    Assembly assembly = solid(of(model, 0.02));
    assembly.scene.damping.drag = 2.0;
    // `corotated` has a kink where an inverted element's two smallest stretches are alike: a stage whose
    // minimum is there is never solved to the tolerance, and its step ends at the cap.
    assembly.scene.integrator.max_iterations = 50;
    jitter(assembly, inverting);
    ASSERT_LT(least_determinant(assembly, assembly.initial_positions), -0.1);
    const State end = state_after(assembly, 100);
    EXPECT_GT(least_determinant(assembly, end.positions), 0.5) << model;
  }
}

/// Large loads turn elements inside out, where `corotated` has kinks. A step that ends at one has not met its
/// tolerance, whatever solver gave up.
TEST_P(Solids, CountEveryStepThatMissesItsTolerance) {
  for (const char* solver : {"newton_cg", "lbfgs"}) {
    int capped = 0, met = 0;
    for (unsigned seed = 0; seed < 4; ++seed) {
      SolidOptions options = of("corotated", 0.2);
      options.tolerance = 1e-6;
      options.youngs_modulus = 1600.0, options.poissons_ratio = 0.46;
      Assembly assembly = solid(options);
      assembly.scene.integrator.elastic_solver = solver;
      assembly.scene.integrator.max_iterations = 100;
      assembly.scene.gravity = Vec3{0, 0, -9.81};
      add_pins(assembly, {0, 1, 2});
      jitter(assembly, 0.2, 300 + seed);
      Simulator run = simulator(std::move(assembly));
      for (int step = 0; step < 8; ++step) {
        const StepReport report = run.step();
        ASSERT_TRUE(report.capped || report.residual <= report.residual_target)
            << solver << ", seed " << seed << ", step " << step << ": " << report.residual << " of "
            << report.residual_target << " after " << report.elastic_iterations << " iterations";
        ++(report.capped ? capped : met);
      }
    }
    EXPECT_GT(capped, 0) << solver;
    EXPECT_GT(met, 0) << solver;
  }
}

/// Random places, inverted most of them: a finite motion or a report, whatever the model.
TEST_P(Solids, AreNeverNotANumber) {
  int moved = 0, told = 0;
  for (const std::string_view model : material_models)
    for (unsigned seed = 0; seed < 6; ++seed) {
      SolidOptions options = of(model);
      options.cells = 1.0;
      Assembly assembly = solid(options);
      assembly.scene.integrator.max_iterations = 200;
      jitter(assembly, seed % 2 == 0 ? 0.05 : 0.3, 90 + seed);
      Simulator run = simulator(assembly);
      try {
        run.run(5);
        ++moved;
      } catch (const DivergenceError& error) {
        EXPECT_FALSE(error.cause().empty()) << model;
        ++told;
      }
      for (const Vec3& x : run.state().positions) ASSERT_TRUE(is_finite(x)) << model << ", seed " << seed;
    }
  EXPECT_GT(moved, 20);
  EXPECT_GT(told, 0);
}

/// Its energy is infinite there: a smaller step would not help.
TEST_P(Solids, SayThatANeoHookeanStartIsInverted) {
  Assembly assembly = solid(of("neo_hookean", 0.02));
  jitter(assembly, inverting);
  Simulator run = simulator(assembly);
  try {
    run.step();
    FAIL() << "a step from an infinite energy";
  } catch (const DivergenceError& error) {
    EXPECT_THAT(error.cause(), HasSubstr("an inverted element"));
    EXPECT_THAT(error.advice(), HasSubstr("stable_neo_hookean"));
    EXPECT_THAT(error.advice(), Not(HasSubstr("step")));
  }
}

/// What is too stiff is told by its name.
TEST_P(Solids, AreTooStiffByTheirName) {
  SolidOptions options = of("corotated", 0.2);
  options.method = "verlet";
  Assembly assembly = solid(options);
  jitter(assembly, 0.01);
  Simulator run = simulator(assembly);
  try {
    run.run(1000);
    FAIL() << "a step far beyond the limit of stability";
  } catch (const DivergenceError& error) {
    EXPECT_THAT(error.cause(), HasSubstr("the elements are too stiff for the step"));
  }
}

TEST_P(Solids, MoveAlikeByEverySolver) {
  Assembly assembly = solid(of("projective"));
  jitter(assembly, 0.02);
  const State expected = state_after(assembly, 3);
  ASSERT_GT(largest_difference(expected.positions, assembly.initial_positions), 1e-3);
  for (const char* solver : {"lbfgs", "local_global"}) {
    assembly.scene.integrator.elastic_solver = solver;
    EXPECT_LT(largest_difference(state_after(assembly, 3).positions, expected.positions), 1e-7) << solver;
  }
}

/// Strains of 1e-6 and below: the energy of such a stage is less than the rounding of its terms.
TEST_P(Solids, MeetTheToleranceOfTheSlightestMotions) {
  for (const std::string_view model : material_models)
    for (const double size : {1e-7, 1e-9, 1e-11}) {
      SolidOptions options = of(model);
      options.tolerance = 1e-8;
      Assembly assembly = solid(options);
      assembly.scene.integrator.max_iterations = 200;
      const VectorArray random = random_vectors(assembly.initial_velocities.size(), 83, size / options.step);
      std::copy(random.begin(), random.end(), assembly.initial_velocities.begin());
      Simulator run = simulator(assembly);
      for (int step = 0; step < 20; ++step) {
        const StepReport report = run.step();
        EXPECT_FALSE(report.capped) << model << ' ' << size << ", step " << step;
        EXPECT_LE(report.elastic_iterations, 10) << model << ' ' << size << ", step " << step;
      }
    }
}

/// Of more elements than one chunk of work.
TEST_P(Solids, MoveToTheSameBitsOnAnyNumberOfThreads) {
  SolidOptions options = of("stable_neo_hookean");
  options.cells = GetParam() == std::string("hex") ? 11.0 : 6.0;
  options.tolerance = 1e-3;
  Assembly assembly = muscular(options);
  jitter(assembly, 0.01);
  ASSERT_GT(assembly.tetrahedra.size() + assembly.hexahedra.size(), 1024U);
  const State one = state_after(assembly, 2, 1);
  for (const int threads : {2, 3}) {
    const State several = state_after(assembly, 2, threads);
    EXPECT_EQ(one.positions, several.positions) << threads;
    EXPECT_EQ(one.velocities, several.velocities) << threads;
  }
}

/// A body of hexahedra that is large enough for multigrid from the first step on, with muscles or without.
class LargeSolids : public testing::TestWithParam<bool> {
 protected:
  static constexpr Count steps = 4;
  [[nodiscard]] static Assembly body() {
    const SolidOptions options{.cells = 13.0, .tolerance = 1e-3};
    Assembly assembly = GetParam() ? muscular(options) : solid(options);
    jitter(assembly, 0.01);
    return assembly;
  }
  /// Multigrid was taken, and is made anew at every place.
  static void expect_multigrid(const State& state) {
    EXPECT_TRUE(StageHessian::last(state.memory).multigrid) << "step " << state.step;
    EXPECT_TRUE(state.memory.find("multigrid_place").empty()) << "step " << state.step;
  }
  static void expect_same(const State& a, const State& b) {
    EXPECT_EQ(a.positions, b.positions);
    EXPECT_EQ(a.velocities, b.velocities);
  }
};
INSTANTIATE_TEST_SUITE_P(All, LargeSolids, testing::Bool(),
                         [](const auto& muscles) { return muscles.param ? "muscular" : "passive"; });

TEST_P(LargeSolids, MoveToTheSameBitsOnAnyNumberOfThreads) {
  const State one = state_after(body(), steps, 1);
  expect_multigrid(one);
  for (const int threads : {2, 3}) {
    SCOPED_TRACE(threads);
    expect_same(one, state_after(body(), steps, threads));
  }
}

TEST_P(LargeSolids, MoveToTheSameBitsFromAStateOnTheWay) {
  Simulator whole = simulator(body(), 2);
  whole.run(2);
  expect_multigrid(whole.state());
  Simulator resumed = simulator(body(), 2);
  resumed.restore(whole.state(), whole.work());
  for (Simulator* run : {&whole, &resumed}) run->run(steps);
  expect_multigrid(whole.state());
  expect_same(whole.state(), resumed.state());
}

TEST_P(LargeSolids, AllocateNothingAfterTwoSteps) {
  Simulator run = simulator(body());
  run.run(2);
  expect_multigrid(run.state());
  const AllocationCounter counter;
  run.run(steps + 2);
  EXPECT_EQ(counter.count(), 0);
}

TEST_P(Solids, AllocateNothingAfterTheFirstStep) {
  SolidOptions options = of("stable_neo_hookean");
  Simulator run = simulator(muscular(options));
  run.run(2);
  const AllocationCounter counter;
  run.run(5);
  EXPECT_EQ(counter.count(), 0);
}

/// The same charges by another field solver push a solid with springs in it the same way.
TEST_P(Solids, AreMovedByChargesOfEveryFieldSolver) {
  SolidOptions options = of("corotated");
  options.cells = 4.0;
  Assembly assembly = solid(options);
  for (std::size_t i = 0; i < assembly.charges.size(); ++i)
    assembly.charges[i] = (i % 3 == 0 ? -2.0 : 1.0) * 2e-6;
  const auto place = [&](Index i) { return assembly.rest_positions[static_cast<std::size_t>(i)]; };
  for (Index i = 0; i + 5 < static_cast<Index>(assembly.masses.size()); i += 5)
    assembly.springs.push_back({i, i + 5, 40.0, norm(place(i) - place(i + 5))});
  assembly.body_spring_offsets.back() = static_cast<Count>(assembly.springs.size());
  const auto ends = [&](const char* solver) {
    assembly.scene.coulomb.emplace();
    assembly.scene.coulomb->solver = solver;
    assembly.scene.coulomb->accuracy = 1e-6;
    return state_after(assembly, 5).positions;
  };
  const VectorArray direct = ends("direct");
  const double way = largest_difference(direct, assembly.initial_positions);
  EXPECT_LT(largest_difference(ends("fmm"), direct), 1e-4 * way);
  EXPECT_LT(largest_difference(ends("ddef"), direct), 0.3 * way);
  assembly.charges.assign(assembly.charges.size(), 0.0);
  EXPECT_GT(largest_difference(ends("direct"), direct), 0.3 * way);
}

}  // namespace
}  // namespace electret::test
