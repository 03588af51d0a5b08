// Gradients through exact contact against differences of whole runs: sticking, slipping and landing, on
// planes and spheres at rest and in motion, of springs and of elements.

#include <gtest/gtest.h>

#include <electret/adjoint/differences.hpp>
#include <electret/adjoint/gradient.hpp>
#include <electret/core/errors.hpp>
#include <electret/scene/read.hpp>

#include "adjoint/adjoint_scene.hpp"

namespace electret::test {
namespace {

struct Case {
  std::string name;
  std::string obstacle;
  std::vector<std::string> parameters;
  std::string velocity = "[0.8, -0.1, -0.3]";
  bool solid = true;
};

std::string text_of(const Case& c) {
  const std::string material = R"(
  density = 500.0
  [[body.material]]
  model = "stable_neo_hookean"
  youngs_modulus = 4e4
  poissons_ratio = 0.3
)";
  const std::string springs = R"(
  mass = 0.3
  [[body.springs]]
  from = "volume"
  stiffness = 900.0
)";
  return R"(
[time]
step = 0.01
steps = 12
[integrator]
tolerance = 1e-13
max_iterations = 500
[gravity]
acceleration = [0.3, 0.2, -9.81]
[[body]]
name = "block"
generate = { shape = "box", cells = [2, 2, 1], cell_size = 0.1 }
translate = [0.0, 0.0, 0.055]
velocity = )" +
         c.velocity + (c.solid ? material : springs) + c.obstacle;
}

std::string obstacle(const std::string& rest) {
  return "\n[[obstacle]]\nname = \"ground\"\nlaw = \"exact\"\n" + rest;
}

double loss_of(Assembly assembly) {
  Simulator simulator(compile(std::move(assembly), 1, IdleForces::kept));
  MixedLoss loss;
  return loss_of_run(simulator, loss);
}

class ContactGradient : public testing::TestWithParam<Case> {};

TEST_P(ContactGradient, IsThatOfDifferences) {
  const Case& c = GetParam();
  const Assembly assembly = assemble(parse_scene(text_of(c), "scene.toml", "."));
  Simulator simulator(compile(assembly, 1, IdleForces::kept));
  MixedLoss loss;
  const LossAndGradient got = loss_and_gradient(simulator, loss);
  EXPECT_EQ(got.report.capped_steps, 0);
  for (const std::string& name : c.parameters) {
    const Parameter parameter = find_parameter(assembly, name);
    const std::vector<double> found = parameter.pull(got.gradient);
    const std::vector<Difference> expected = differences(assembly, parameter, loss_of);
    double scale = 0.0, worst = 0.0;
    for (const Difference& d : expected) scale = std::max(scale, std::abs(d.value));
    ASSERT_GT(scale, 0.0) << name;
    for (std::size_t k = 0; k < found.size(); ++k)
      worst = std::max(worst, std::abs(found[k] - expected[k].value));
    EXPECT_LT(worst, 1e-6 * scale) << name;
  }
}

const std::vector<std::string> of_solid{"body.block.velocity", "body.block.youngs_modulus", "gravity"};

std::vector<std::string> with(std::vector<std::string> more, std::vector<std::string> all) {
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

INSTANTIATE_TEST_SUITE_P(
    Obstacles, ContactGradient,
    testing::Values(
        Case{"slips_on_a_plane",
             obstacle(
                 "shape = \"plane\"\npoint = [0.0, 0.0, 0.0]\nnormal = [0.05, 0.02, 1.0]\nfriction = 0.3\n"),
             with({"obstacle.ground.friction", "obstacle.ground.point"}, of_solid)},
        Case{"sticks_to_a_plane",
             obstacle(
                 "shape = \"plane\"\npoint = [0.0, 0.0, 0.0]\nnormal = [0.05, 0.02, 1.0]\nfriction = 1.9\n"),
             with({"obstacle.ground.point"}, of_solid)},
        Case{
            "slips_on_a_ball",
            obstacle("shape = \"sphere\"\ncentre = [0.01, 0.02, -0.5]\nradius = 0.5\nfriction = 0.2\n"),
            with({"obstacle.ground.friction", "obstacle.ground.centre", "obstacle.ground.radius"}, of_solid)},
        Case{"sticks_to_a_ball",
             obstacle("shape = \"sphere\"\ncentre = [0.01, 0.02, -0.5]\nradius = 0.5\nfriction = 1.8\n"),
             with({"obstacle.ground.centre", "obstacle.ground.radius"}, of_solid)},
        Case{"slips_without_friction",
             obstacle("shape = \"sphere\"\ncentre = [0.01, 0.02, -0.5]\nradius = 0.5\n"),
             with({"obstacle.ground.centre", "obstacle.ground.radius"}, of_solid)},
        Case{"on_a_conveyor",
             obstacle(
                 "shape = \"plane\"\npoint = [0.0, 0.0, 0.0]\nnormal = [0.0, 0.0, 1.0]\nfriction = 0.4\n"
                 "times = [0.0, 0.05, 0.2]\noffsets = [[0, 0, 0], [0.02, -0.03, 0.003], [0.2, 0.0, 0.0]]\n"),
             with({"obstacle.ground.friction", "obstacle.ground.offsets"}, of_solid)},
        Case{"on_a_turning_ball",
             obstacle("shape = \"sphere\"\ncentre = [0.01, 0.02, -0.5]\nradius = 0.5\nfriction = 0.5\n"
                      "times = [0.0, 0.2]\nrotations = [[0, 0, 0], [20.0, 30.0, -50.0]]\n"),
             with({"obstacle.ground.friction", "obstacle.ground.rotations", "obstacle.ground.centre"},
                  of_solid)},
        Case{"springs_on_a_plane",
             obstacle(
                 "shape = \"plane\"\npoint = [0.0, 0.0, 0.0]\nnormal = [0.05, 0.02, 1.0]\nfriction = 0.3\n"),
             {"body.block.velocity", "body.block.stiffness", "body.block.masses", "obstacle.ground.friction"},
             "[0.8, -0.1, -0.3]",
             false}),
    [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace electret::test
