// What runs of bodies that touch each other keep, and that they go on from a checkpoint.

#include <gtest/gtest.h>

#include <electret/contact/body_contacts.hpp>
#include <electret/dynamics/body_energy.hpp>
#include <electret/dynamics/simulator.hpp>
#include <electret/record/summary.hpp>
#include <electret/scene/read.hpp>

#include "record/temporary_folder.hpp"
#include "record/whole_runs.hpp"

namespace electret::test {
namespace {

/// A jelly that falls obliquely onto a slab whose base is pinned.
Assembly falling_jelly() {
  return assemble(parse_scene(R"(
[time]
step = 0.01
steps = 16
[output]
every = 2
[gravity]
acceleration = [0.0, 0.0, -9.81]
[contact]
against = ["bodies"]
thickness = 0.002
friction = 0.4
[[body]]
name = "slab"
generate = { shape = "box", cells = [3, 3, 1], cell_size = 0.05 }
density = 1000.0
  [[body.material]]
  model = "stable_neo_hookean"
  youngs_modulus = 1e5
  poissons_ratio = 0.3
  [[body.group]]
  name = "base"
  box = [[-1.0, -1.0, -0.026], [1.0, 1.0, -0.024]]
  [[body.pin]]
  group = "base"
[[body]]
name = "jelly"
generate = { shape = "box", cells = [1, 1, 1], cell_size = 0.05 }
translate = [0.013, 0.007, 0.058]
velocity = [0.3, 0.0, -0.4]
density = 1000.0
  [[body.material]]
  model = "stable_neo_hookean"
  youngs_modulus = 1e5
  poissons_ratio = 0.3
)",
                              "scene.toml", "."));
}

TEST(BodyContactRun, KeepsTheSmallestGap) {
  const TemporaryFolder folder;
  run_to_directory(compile(falling_jelly(), 1), folder / "run", {});
  const RunResult result = read_summary(folder / "run/summary.json");
  ASSERT_TRUE(result.body_contact.has_value());
  EXPECT_FALSE(result.contact.has_value());
  EXPECT_EQ(result.body_contact->unconverged_steps, 0);
  EXPECT_GT(result.body_contact->smallest_gap, 0.0);
  Simulator simulator(compile(falling_jelly(), 1));
  double smallest = 0.002;
  for (int step = 0; step < 16; ++step) {
    simulator.step();
    smallest = std::min(smallest, simulator.system().body_contacts->state().smallest_gap);
  }
  EXPECT_LT(smallest, 0.002);
  EXPECT_EQ(result.body_contact->smallest_gap, smallest);
}

TEST(BodyContactRun, GoesOnInTheMiddleOfSliding) {
  const TemporaryFolder folder;
  run_to_directory(compile(falling_jelly(), 1), folder / "whole", {});
  for (const bool killed : {false, true}) {
    const std::string part = folder / (killed ? "killed" : "stopped");
    StopAfter stop(9);
    run_to_directory(compile(falling_jelly(), 1), part, stop.options);
    if (killed) make_killed(part + "/checkpoint.h5");
    run_to_directory(compile(falling_jelly(), 3), part, resumed());
    expect_same_run(folder / "whole", part);
    EXPECT_EQ(read_summary(folder / "whole/summary.json").body_contact->smallest_gap,
              read_summary(part + "/summary.json").body_contact->smallest_gap);
  }
}

/// The column elastic holds what elements and repulsion have together.
TEST(BodyContactRun, EnergiesHoldThoseOfTheRepulsion) {
  Simulator simulator(compile(falling_jelly(), 1));
  for (int step = 0; step < 10; ++step) simulator.step();
  auto& system = const_cast<System&>(simulator.system());
  const VectorArray x = simulator.state().positions;
  const double repulsion = body_contact_energy(system, x);
  EXPECT_GT(repulsion, 0.0);
  EXPECT_NEAR(repulsion, system.body_contacts->state().energy, 1e-12 * repulsion);
  double elements = 0.0;
  for (auto& energy : system.elastic) elements += energy->energy(x);
  EXPECT_NEAR(simulator.energies().elastic, elements + repulsion, 1e-12 * (elements + repulsion));
}

/// Its derivatives by places against differences, and by the scales: E_c is linear in all of them together.
TEST(BodyContactRun, DerivativesOfTheRepulsionAreThoseOfDifferences) {
  Simulator simulator(compile(falling_jelly(), 1));
  for (int step = 0; step < 10; ++step) simulator.step();
  auto& system = const_cast<System&>(simulator.system());
  VectorArray x = simulator.state().positions, by_places(x.size());
  std::vector<double> by_scales(x.size());
  add_body_contact_gradient(system, x, by_places, by_scales);
  const double energy = body_contact_energy(system, x);
  EXPECT_GT(energy, 0.0);
  double linear = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) linear += by_scales[i] * system.body_contacts->scales()[i];
  EXPECT_NEAR(linear, energy, 1e-12 * energy);
  double largest = 0.0;
  for (const Vec3& g : by_places) largest = std::max(largest, norm(g));
  for (std::size_t i = 0; i < x.size(); i += 3)
    for (int axis = 0; axis < 3; ++axis) {
      constexpr double step = 1e-7;
      const double at = x[i][axis];
      x[i][axis] = at + step;
      const double above = body_contact_energy(system, x);
      x[i][axis] = at - step;
      const double below = body_contact_energy(system, x);
      x[i][axis] = at;
      EXPECT_NEAR(by_places[i][axis], (above - below) / (2.0 * step), 1e-5 * largest);
    }
}

}  // namespace
}  // namespace electret::test
