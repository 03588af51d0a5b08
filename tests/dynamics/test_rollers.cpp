/// Pins that hold in some directions alone: planes of symmetry and rails, as a scene describes them.

#include <cmath>

#include <gtest/gtest.h>

#include <electret/core/errors.hpp>
#include <electret/dynamics/simulator.hpp>
#include <electret/dynamics/stage/stage_solver.hpp>
#include <electret/scene/read.hpp>

#include "dynamics/matched_vertices.hpp"
#include "dynamics/networks.hpp"

namespace electret::test {
namespace {

/// A block whose base is held, and which its weight squeezes. `cells` and `middle` say which part of it is
/// there.
std::string block(const std::string& cells, const std::string& middle, const std::string& method,
                  const std::string& more = "") {
  return R"(
[time]
step = 0.002
steps = 400
[integrator]
tolerance = 1e-12
method = ")" +
         method + R"("
[gravity]
acceleration = [0.0, 0.0, -30.0]
[[body]]
name = "block"
generate = { shape = "box", cells = )" +
         cells + R"(, cell_size = 0.05 }
translate = )" +
         middle + R"(
density = 1000.0
  [[body.material]]
  model = "stable_neo_hookean"
  youngs_modulus = 1e5
  poissons_ratio = 0.4
  [[body.group]]
  name = "base"
  box = [[-1, -1, -0.1], [1, 1, -0.04]]
  [[body.pin]]
  group = "base"
)" + more;
}

std::string plane(const std::string& name, const std::string& box, const std::string& normal) {
  return "  [[body.group]]\n  name = \"" + name + "\"\n  box = " + box + "\n  [[body.pin]]\n  group = \"" +
         name + "\"\n  normal = " + normal + "\n";
}

const std::string of_x = plane("x", "[[-0.001, -1, -0.04], [0.001, 1, 1]]", "[2, 0, 0]");
const std::string of_y = plane("y", "[[-1, -0.001, -0.04], [1, 0.001, 1]]", "[0, -1, 0]");

Simulator simulator_of(const std::string& text, int threads = 1) {
  return Simulator(compile(assemble(parse_scene(text, "scene.toml", ".")), threads));
}

double moved(const Simulator& run) {
  return largest_difference(run.state().positions, run.system().assembly.initial_positions);
}

class Symmetry : public testing::TestWithParam<const char*> {};

TEST_P(Symmetry, HalfAndAQuarterMoveAsTheWhole) {
  Simulator whole = simulator_of(block("[4, 4, 2]", "[0, 0, 0]", GetParam()));
  Simulator half = simulator_of(block("[2, 4, 2]", "[0.05, 0, 0]", GetParam(), of_x));
  Simulator quarter = simulator_of(block("[2, 2, 2]", "[0.05, 0.05, 0]", GetParam(), of_x + of_y));
  for (Simulator* run : {&whole, &half, &quarter}) run->run(60);
  EXPECT_GT(moved(whole), 5e-4);
  EXPECT_LT(largest_distance(half, whole), 1e-9);
  EXPECT_LT(largest_distance(quarter, whole), 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Methods, Symmetry,
                         testing::Values("imex", "newton", "kick_midpoint", "kick_trbdf2", "verlet"),
                         [](const auto& method) { return std::string(method.param); });

/// The planes bear what the missing parts would: by symmetry nothing along themselves.
TEST(Rollers, BearAlongTheirNormalsAlone) {
  Simulator quarter = simulator_of(block("[2, 2, 2]", "[0.05, 0.05, 0]", "imex", of_x + of_y));
  quarter.run(100);
  const System& system = quarter.system();
  EXPECT_EQ(system.fixed.size(), 9U);
  EXPECT_EQ(system.rollers.size(), 10U);
  double squeeze = 0.0;
  for (const Roller& roller : system.rollers) {
    const Vec3 reaction = quarter.pin_reactions()[roller.pin];
    EXPECT_EQ(reaction.z, 0.0);
    EXPECT_TRUE(reaction.x == 0.0 || roller.held.rows[0].x == 1.0);
    squeeze += std::abs(reaction.x);
  }
  EXPECT_GT(squeeze, 0.1);
}

/// By factors of the whole Hessian, and by L-BFGS on the diagonal.
TEST(Rollers, AreHeldByEveryElasticSolverThatTakesThem) {
  NetworkOptions options;
  options.method = "imex";
  options.gravity = options.pins = options.rollers = true;
  options.step = 0.05;
  const auto run = [&](std::string_view solver) {
    Assembly assembly = random_network(options);
    assembly.scene.integrator.elastic_solver = solver;
    return state_after(std::move(assembly), 10).positions;
  };
  const VectorArray expected = run("newton_cg");
  EXPECT_LT(largest_difference(run(newton_baseline), expected), 1e-9);
  EXPECT_LT(largest_difference(run(diagonal_solver), expected), 1e-9);
  for (const char* solver : {"lbfgs", "local_global"}) EXPECT_THROW(run(solver), InputError) << solver;
}

std::string findings_of(const std::string& text) {
  try {
    assemble(parse_scene(text, "scene.toml", "."));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Rollers, FindWhatDoesNotGoTogether) {
  const std::string other = plane("x2", "[[-0.001, -1, -0.04], [0.001, 1, 1]]", "[1, 1, 0]");
  EXPECT_NE(findings_of(block("[2, 4, 2]", "[0.05, 0, 0]", "imex", of_x + other))
                .find("unless they hold perpendicular directions"),
            std::string::npos);
  const std::string none = plane("x", "[[-0.001, -1, -0.04], [0.001, 1, 1]]", "[0, 0, 0]");
  EXPECT_NE(findings_of(block("[2, 4, 2]", "[0.05, 0, 0]", "imex", none)).find("the direction is [0, 0, 0]"),
            std::string::npos);
  EXPECT_NE(findings_of(block("[2, 4, 2]", "[0.05, 0, 0]", "imex", of_x + "  axis = [0, 0, 1]\n")), "");
}

}  // namespace
}  // namespace electret::test
