// Gradients through bodies that touch each other and obstacles in one run, against differences of whole runs.

#include <gtest/gtest.h>

#include <electret/adjoint/differences.hpp>
#include <electret/adjoint/gradient.hpp>
#include <electret/contact/body_contacts.hpp>
#include <electret/dynamics/body_energy.hpp>
#include <electret/dynamics/energies.hpp>
#include <electret/dynamics/energy_gradient.hpp>
#include <electret/scene/read.hpp>

#include "adjoint/adjoint_scene.hpp"

namespace electret::test {
namespace {

struct Case {
  std::string name;
  std::string obstacle;  ///< Its keys.
  std::vector<std::string> parameters;
  double bodies = 0.3;  ///< Friction between them.
  std::string velocity = "[0.5, -0.1, -0.2]";
  std::string law = "exact";
  std::string block{};  ///< More of its keys.
  int steps = 6;
};

/// A block on a slab that comes down on the obstacle.
std::string text_of(const Case& c) {
  const auto box = [&](const std::string& name, const std::string& shape, const std::string& place,
                       double modulus, const std::string& more) {
    return "[[body]]\nname = \"" + name + "\"\ngenerate = { shape = \"box\", " + shape +
           " }\ntranslate = " + place + "\nvelocity = " + c.velocity + "\ndensity = 500.0\n" + more +
           "[[body.material]]\nmodel = \"stable_neo_hookean\"\nyoungs_modulus = " + std::to_string(modulus) +
           "\npoissons_ratio = 0.3\n";
  };
  return "[time]\nstep = 0.01\nsteps = " + std::to_string(c.steps) +
         "\n[integrator]\ntolerance = 1e-13\nmax_iterations = 500\n[gravity]\nacceleration = [0.3, 0.2, "
         "-9.81]\n"
         "[contact]\nagainst = [\"obstacles\", \"bodies\"]\nthickness = 0.002\nfriction = " +
         std::to_string(c.bodies) + "\n" +
         box("slab", "cells = [2, 2, 1], cell_size = 0.1", "[0.0, 0.0, 0.0535]", 4e4, "") +
         box("block", "cells = [1, 1, 1], cell_size = 0.09", "[0.013, 0.011, 0.1504]", 3e4,
             "rotate = [0, 0, 17]\n" + c.block) +
         "[[obstacle]]\nname = \"ground\"\nlaw = \"" + c.law + "\"\n" + c.obstacle;
}

template <class Of>
double loss_of(Assembly assembly) {
  Simulator simulator(compile(std::move(assembly), 1, IdleForces::kept));
  Of loss;
  return loss_of_run(simulator, loss);
}

/// The sum of the total energies, J, at all steps: what slips store is a part of them.
class TotalEnergy final : public Loss {
 public:
  [[nodiscard]] bool reads(Count step, Count /*last_step*/) const override { return step > 0; }
  void start() override { sum_ = 0.0; }
  void observe(const LossPoint& at) override { sum_ += energies(at.system, at.state, at.inputs).total(); }
  [[nodiscard]] double value() const override { return sum_; }
  void add_derivatives(const LossPoint& at, double factor, const LossGradients& out) override {
    add_energy_gradient(at.system, at.state, at.inputs, factor, out);
  }

 private:
  double sum_ = 0.0;
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.name;
}

class BodyAndObstacleGradient : public testing::TestWithParam<Case> {};

template <class Of>
void compare_with_differences(const Case& c) {
  const Assembly assembly = assemble(parse_scene(text_of(c), "scene.toml", "."));
  Simulator simulator(compile(assembly, 1, IdleForces::kept));
  Of loss;
  const LossAndGradient got = loss_and_gradient(simulator, loss);
  EXPECT_EQ(got.report.capped_steps, 0);
  EXPECT_FALSE(simulator.system().body_contacts->state().forces.empty());
  std::vector<ContactForce> pushes;
  simulator.system().contacts->collect(pushes);
  EXPECT_FALSE(pushes.empty());
  for (const std::string& name : c.parameters) {
    const Parameter parameter = find_parameter(assembly, name);
    const std::vector<double> found = parameter.pull(got.gradient);
    const std::vector<Difference> expected = differences(assembly, parameter, loss_of<Of>);
    double scale = 0.0, worst = 0.0;
    for (const Difference& d : expected) scale = std::max(scale, std::abs(d.value));
    ASSERT_GT(scale, 0.0) << name;
    for (std::size_t k = 0; k < found.size(); ++k)
      worst = std::max(worst, std::abs(found[k] - expected[k].value));
    EXPECT_LT(worst, 1e-6 * scale) << name << ": " << worst / scale;
  }
}

TEST_P(BodyAndObstacleGradient, IsThatOfDifferences) {
  compare_with_differences<MixedLoss>(GetParam());
}

/// The block is thrown along the slab, to which its friction holds it.
TEST(EnergyGradient, HoldsWhatSlipsOfTouchingBodiesStore) {
  const Case thrown{
      "thrown",
      "shape = \"plane\"\npoint = [0.0, 0.0, -0.006]\nnormal = [0.05, 0.02, 1.0]\nfriction = 0.2\n",
      {"contact.friction", "obstacle.ground.friction", "body.block.velocity", "body.block.positions",
       "body.slab.youngs_modulus", "body.block.masses"},
      0.6};
  Simulator simulator(compile(assemble(parse_scene(text_of(thrown), "scene.toml", ".")), 1));
  double most = 0.0;
  for (int step = 0; step < thrown.steps; ++step) {
    simulator.step();
    most = std::max(most, slip_energy(simulator.system(), simulator.state()));
  }
  EXPECT_GT(most, 1e-4);
  compare_with_differences<TotalEnergy>(thrown);
}

std::vector<std::string> with(std::vector<std::string> more) {
  std::vector<std::string> all{"body.block.velocity", "body.slab.youngs_modulus"};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

INSTANTIATE_TEST_SUITE_P(
    Obstacles, BodyAndObstacleGradient,
    testing::Values(
        Case{"slip_on_a_plane",
             "shape = \"plane\"\npoint = [0.0, 0.0, -0.006]\nnormal = [0.05, 0.02, 1.0]\nfriction = 0.2\n",
             with({"obstacle.ground.friction", "obstacle.ground.point", "contact.friction",
                   "body.block.positions", "body.slab.velocity", "gravity"})},
        Case{"stick_to_a_plane",
             "shape = \"plane\"\npoint = [0.0, 0.0, -0.006]\nnormal = [0.05, 0.02, 1.0]\nfriction = 1.9\n",
             with({"obstacle.ground.point"}), 1.2, "[0.1, -0.1, -0.2]"},
        Case{"without_friction",
             "shape = \"plane\"\npoint = [0.0, 0.0, -0.006]\nnormal = [0.05, 0.02, "
             "1.0]\n[[contact.pair]]\nbetween = "
             "[\"slab\", \"ground\"]\nfriction = 0.0\n",
             with({"obstacle.ground.point", "contact.pair.0.friction"}), 0.0},
        Case{"slip_on_a_ball",
             "shape = \"sphere\"\ncentre = [0.01, 0.02, -0.5]\nradius = 0.5\nfriction = 0.2\n",
             with({"obstacle.ground.friction", "obstacle.ground.centre", "obstacle.ground.radius",
                   "contact.friction", "body.slab.positions"})},
        Case{"on_a_conveyor",
             "shape = \"plane\"\npoint = [0.0, 0.0, 0.0]\nnormal = [0.0, 0.0, 1.0]\nfriction = 0.4\n"
             "times = [0.0, 0.05, 0.2]\noffsets = [[0, 0, 0], [0.02, -0.03, 0.0015], [0.2, 0.0, 0.0]]\n",
             with({"obstacle.ground.friction", "obstacle.ground.offsets", "contact.friction",
                   "body.block.masses"})},
        Case{"between_the_floor_and_pins",
             "shape = \"plane\"\npoint = [0.0, 0.0, -0.006]\nnormal = [0.05, 0.02, 1.0]\nfriction = 0.2\n",
             {"obstacle.ground.friction", "obstacle.ground.point", "contact.friction", "body.slab.velocity",
              "body.slab.youngs_modulus", "body.block.pin[top].offsets"},
             0.3,
             "[0.5, -0.1, -0.2]",
             "exact",
             "[[body.group]]\nname = \"top\"\nbox = [[-9, -9, 0.17], [9, 9, 9]]\n[[body.pin]]\ngroup = "
             "\"top\"\ntimes = "
             "[0.0, 0.2]\noffsets = [[0, 0, 0], [0.05, 0.02, -0.06]]\n"},
        Case{"held_by_a_plane", "shape = \"plane\"\npoint = [0.0, 0.0, -0.006]\nnormal = [0.05, 0.02, 1.0]\n",
             with({"contact.friction", "body.block.positions", "body.slab.velocity"}), 0.3,
             "[0.5, -0.1, -0.2]", "sticking"},
        Case{"held_by_a_belt",
             "shape = \"plane\"\npoint = [0.0, 0.0, 0.0]\nnormal = [0.0, 0.0, 1.0]\n"
             "times = [0.0, 0.05, 0.2]\noffsets = [[0, 0, 0], [0.02, -0.03, 0.0015], [0.2, 0.0, 0.0]]\n",
             with({"contact.friction", "obstacle.ground.offsets"}), 0.3, "[0.5, -0.1, -0.2]", "sticking"}),
    [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace electret::test
