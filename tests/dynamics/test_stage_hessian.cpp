// The exact Hessian of a stage: which preconditioner is taken, and that it is remembered with the state.

#include <gtest/gtest.h>

#include <electret/core/errors.hpp>
#include <electret/dynamics/preconditioner_choice.hpp>
#include <electret/dynamics/simulator.hpp>
#include <electret/dynamics/stage_hessian.hpp>
#include <electret/scene/assembly.hpp>

#include "dynamics/networks.hpp"

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

TEST(PreconditionerChoice, GivesBlockJacobiUpWhereMultigridWouldHaveBeenDone) {
  PreconditionerChoice choice(1000);
  const int most = PreconditionerChoice::most_jacobi_iterations;
  EXPECT_EQ(choice.most_iterations(2000), most);
  EXPECT_EQ(choice.most_iterations(7), 7);
  EXPECT_FALSE(choice.give_up(ended(most, true, false)));
  EXPECT_FALSE(choice.give_up(ended(3, false, true))) << "a way downhill was found";
  EXPECT_EQ(choice.now(), Kind::block_jacobi);
  EXPECT_TRUE(choice.give_up(ended(most, false, false)));
  EXPECT_EQ(choice.now(), Kind::multigrid);
  EXPECT_EQ(choice.most_iterations(2000), 2000);
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

TEST(PreconditionerChoice, KeepsFewVerticesFromMultigrid) {
  PreconditionerChoice choice(PreconditionerChoice::fewest_vertices - 1);
  EXPECT_EQ(choice.most_iterations(2000), 2000);
  EXPECT_FALSE(choice.give_up(ended(2000, false, false)));
}

/// A hanging sheet, h²k/m = `stiffness`.
Assembly sheet(int side, double stiffness) {
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
  held.name = held.attribute = "top";
  cloth.pins.emplace_back().group = "top";
  return assemble(std::move(scene));
}

/// Newton directions at the start: with either preconditioner, to the residual asked for, 0 at pins.
TEST(StageHessian, SolvesByBlockJacobiAndByMultigrid) {
  const auto system = compile(sheet(60, 2000.0), 2);
  StageHessian hessian(*system, 1e-4);
  VectorArray rhs = system->assembly.initial_positions, z(rhs.size());
  for (std::size_t i = 0; i < rhs.size(); ++i) rhs[i].z += static_cast<double>(i % 7);
  for (const bool multigrid : {false, true}) {
    hessian.begin_step({multigrid, false});
    hessian.linearise(system->assembly.initial_positions);
    SolveOptions options;
    options.tolerance = 1e-2;
    const SolveReport report = hessian.solve(rhs, options, z);
    EXPECT_TRUE(report.converged);
    EXPECT_EQ(hessian.memory().multigrid, multigrid);
    for (const Index pin : system->pins) EXPECT_EQ(z[static_cast<std::size_t>(pin)], Vec3{});
    options.tolerance = 1e-7;
    EXPECT_LE(hessian.solve(rhs, options, z).residual, 1e-7);
    EXPECT_TRUE(hessian.memory().multigrid) << "block-Jacobi takes too long for this sheet";
  }
}

/// The choice is part of the state: a run that goes on from it in a fresh simulator has the same bits.
TEST(StageHessian, RemembersItsPreconditionerWithTheState) {
  const Assembly stiff = sheet(60, 2000.0);
  Simulator whole = simulator(stiff, 2);
  whole.run(3);
  ASSERT_EQ(whole.state().memory.arrays.size(), 1U);
  EXPECT_EQ(whole.state().memory.arrays[0].values[0], 1.0) << "the sheet is too easy for this test";
  Simulator resumed = simulator(stiff, 1);
  resumed.restore(whole.state(), whole.work());
  whole.run(6);
  resumed.run(6);
  EXPECT_EQ(whole.state().positions, resumed.state().positions);
  EXPECT_EQ(whole.state().velocities, resumed.state().velocities);
}

TEST(MethodMemory, GivesArraysByName) {
  MethodMemory memory;
  memory.values("a", 2)[1] = 7.0;
  memory.values("b", 3)[0] = 8.0;
  EXPECT_EQ(memory.values("a", 2), (std::vector<double>{0.0, 7.0}));
  EXPECT_EQ(memory.values("b", 3)[0], 8.0);
  EXPECT_EQ(memory.values("b", 1), std::vector<double>{0.0}) << "another version's is of no use";
  EXPECT_EQ(memory.arrays.size(), 2U);
}

}  // namespace
}  // namespace electret::test
