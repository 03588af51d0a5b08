// What elastic solves cost by counts of their parts, forward and back: a looser tolerance costs no more than
// a finer one, and the chosen preconditioner costs little more than the better of the two.

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <electret/dynamics/simulator.hpp>
#include <electret/dynamics/stage/stage_solver.hpp>

#include "dynamics/stages.hpp"

namespace electret::test {
namespace {

constexpr double h = 0.01;  // s
constexpr std::array<double, 5> tolerances{1e-3, 1e-4, 1e-5, 1e-6, 1e-7};

Scene scene_of_one_body(const char* held) {
  Scene scene;
  scene.time = {.step = h, .steps = 1000};
  Body& body = scene.bodies.emplace_back();
  body.name = "a";
  VertexGroup& group = body.groups.emplace_back();
  group.name = group.attribute = held;
  body.pins.emplace_back().group = held;
  return scene;
}

/// A beam that is all muscle, 4×4×16 cells; eight parts of 32 elements contract or stretch, as in the
/// experiment routing-tendon.
Assembly muscle_beam(const char* element, double youngs_modulus, double muscle_stiffness) {
  Scene scene = scene_of_one_body("bottom");
  Body& body = scene.bodies[0];
  const std::vector<double> cells{4.0, 4.0, 16.0};
  body.generate = GeneratorSpec{"box", {{"cells", cells}, {"cell_size", 0.025}, {"element", element}}};
  body.mass = 1000.0 * std::pow(0.025, 3.0);
  body.materials.push_back({"projective", youngs_modulus, 0.45, ""});
  const std::size_t elements = std::string(element) == "hex" ? 256 : 6 * 256;
  constexpr std::array<double, 8> activations{0.75, 1.9, 1.46, 1.2, 0.31, 0.31, 0.12, 1.73};
  Muscle muscle{.fibre = FibreDirection{{0.0, 0.0, 1.0}}, .stiffness = muscle_stiffness};
  for (std::size_t e = 0; e < elements; ++e)
    muscle.activations.values.push_back(activations[8 * e / elements]);
  body.muscles = {muscle};
  return assemble(std::move(scene));
}

/// A hanging sheet of 40² vertices.
Assembly cloth(double stiffness) {
  Scene scene = scene_of_one_body("top");
  scene.gravity = Vec3{0.0, -9.81, 0.0};
  Body& body = scene.bodies[0];
  constexpr double side = 40.0, width = 0.39;
  body.generate =
      GeneratorSpec{"grid", {{"rows", side}, {"columns", side}, {"width", width}, {"height", width}}};
  body.mass = 1e-3;
  for (const char* from : {"edges", "diagonals", "bending"}) {
    SpringTable& springs = body.springs.emplace_back();
    springs.from = from;
    springs.stiffness = stiffness;
  }
  return assemble(std::move(scene));
}

/// Sums over steps of imex.
struct Cost {
  double forward = 0.0, back = 0.0;
};

/// The adjoint's systems are solved to the tolerance that a gradient's would be (StageAdjoint).
Cost cost_of(Assembly assembly, double tolerance, PreconditionerPolicy policy = PreconditionerPolicy::counted,
             int steps = 8) {
  assembly.scene.integrator.tolerance = tolerance;
  assembly.scene.integrator.max_iterations = 1000;
  const auto system = compile(std::move(assembly), 1);
  const auto solver = make_newton_solver(*system, h * h, system->assembly.scene.integrator, policy);
  const double adjoint_tolerance = tolerance <= 1e-6 ? 1e-10 : 0.01 * tolerance;
  VectorArray x = system->assembly.initial_positions, v(x.size()), y(x.size()), rhs(x.size()), z(x.size());
  for (std::size_t i = 0; i < rhs.size(); ++i) rhs[i] = {i + 1 == rhs.size() ? 1.0 : 0.0, 0.1, 0.0};
  const Vec3 gravity = system->assembly.scene.gravity.value_or(Vec3{});
  MethodMemory memory;
  Cost cost;
  for (int step = 0; step < steps; ++step) {
    const VectorArray start = x;
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += h * v[i], y[i] = x[i] + h * h * gravity;
    for (const Index pin : system->pins) {
      const auto i = static_cast<std::size_t>(pin);
      x[i] = y[i] = system->assembly.initial_positions[i];
    }
    const VectorArray unforced = x;
    const VectorArray inertial = displacements(start, y), free_flight = displacements(start, unforced);
    VectorArray moved = inertial;
    const StepReport report = solver->solve({start, inertial, h * h, nullptr, &memory, free_flight}, moved);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = start[i] + moved[i];
    EXPECT_FALSE(report.capped || report.failed);
    cost.forward += report.linear_cost;
    cost.back += solver->solve_transposed(x, rhs, adjoint_tolerance, z, memory).cost;
    for (std::size_t i = 0; i < x.size(); ++i) v[i] = (1.0 / h) * (x[i] - start[i]);
  }
  return cost;
}

void expect_no_looser_tolerance_to_cost_more(const std::array<Cost, tolerances.size()>& costs) {
  constexpr double most = 1.1;
  for (std::size_t loose = 0; loose < costs.size(); ++loose)
    for (std::size_t fine = loose + 1; fine < costs.size(); ++fine) {
      EXPECT_LE(costs[loose].forward, most * costs[fine].forward)
          << tolerances[loose] << " " << tolerances[fine];
      EXPECT_LE(costs[loose].back, most * costs[fine].back) << tolerances[loose] << " " << tolerances[fine];
    }
}

TEST(SolveCosts, OfAMuscleBeamDoNotGrowWithTheTolerance) {
  for (const char* element : {"hex", "tet"})
    for (const double stiffness : {1.0, 0.05}) {
      SCOPED_TRACE(std::string(element) + " of " + std::to_string(stiffness) + " of its stiffness");
      std::array<Cost, tolerances.size()> costs;
      for (std::size_t k = 0; k < costs.size(); ++k)
        costs[k] = cost_of(muscle_beam(element, stiffness * 5e5, stiffness * 1e5), tolerances[k]);
      expect_no_looser_tolerance_to_cost_more(costs);
    }
}

/// Multigrid that is kept from step to step has a cost that nothing tells before: it is found by trying.
TEST(SolveCosts, OfASheetDoNotGrowWithTheTolerance) {
  for (const double stiffness : {100.0, 500.0, 3000.0}) {
    SCOPED_TRACE("stiffness " + std::to_string(stiffness));
    std::array<Cost, tolerances.size()> costs;
    for (std::size_t k = 0; k < costs.size(); ++k)
      costs[k] = cost_of(cloth(stiffness), tolerances[k], PreconditionerPolicy::counted, 16);
    expect_no_looser_tolerance_to_cost_more(costs);
  }
}

/// To find it by trying takes some steps: sheets are given more.
TEST(SolveCosts, AreNearThoseOfTheBetterPreconditioner) {
  struct Case {
    const char* name;
    Assembly assembly;
    double most_forward, most_back;
  };
  const std::vector<Case> cases{{"muscles", muscle_beam("hex", 5e5, 1e5), 1.1, 1.05},
                                {"soft muscles", muscle_beam("hex", 2.5e4, 5e3), 1.05, 1.2},
                                {"tetrahedra", muscle_beam("tet", 5e5, 1e5), 1.1, 1.05},
                                {"soft cloth", cloth(20.0), 1.05, 1.05},
                                {"stiff cloth", cloth(2e4), 1.4, 1.05}};
  for (const Case& each : cases)
    for (const double tolerance : {1e-3, 1e-6}) {
      const auto by = [&](PreconditionerPolicy policy) { return cost_of(each.assembly, tolerance, policy); };
      const Cost counted = by(PreconditionerPolicy::counted), jacobi = by(PreconditionerPolicy::block_jacobi),
                 multigrid = by(PreconditionerPolicy::multigrid);
      EXPECT_LE(counted.forward, each.most_forward * std::min(jacobi.forward, multigrid.forward))
          << each.name << ", " << tolerance;
      EXPECT_LE(counted.back, each.most_back * std::min(jacobi.back, multigrid.back))
          << each.name << ", " << tolerance;
    }
}

}  // namespace
}  // namespace electret::test
