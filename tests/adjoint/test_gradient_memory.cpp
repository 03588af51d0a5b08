/// The reverse sweep's states take no more memory than the budget given, whatever it is: bytes in use,
/// counted by the allocator itself.

#include <algorithm>
#include <memory>

#include <gtest/gtest.h>
#include <malloc.h>

#include <electret/adjoint/gradient.hpp>
#include <electret/scene/read.hpp>

#include "adjoint/adjoint_scene.hpp"

namespace electret::test {
namespace {

double bytes_in_use() {
  const auto info = mallinfo2();
  return static_cast<double>(info.uordblks) + static_cast<double>(info.hblkhd);
}

bool allocator_counts() {
  const double before = bytes_in_use();
  const auto block = std::make_unique<char[]>(1 << 20);
  block[0] = 1;
  return bytes_in_use() >= before + (1 << 20) + block[1];
}

/// The most bytes in use during a gradient of `steps` steps with a budget of `memory` bytes.
double peak(Simulator& simulator, MixedLoss& loss, double memory, Count steps) {
  GradientOptions options;
  options.memory = memory;
  options.steps = steps;
  double most = 0.0;
  options.control.progress = [&](const Progress&) { most = std::max(most, bytes_in_use()); };
  loss_and_gradient(simulator, loss, options);
  return most;
}

/// Of positions and velocities, which are all that the start of a run holds.
double bytes_of_start(const Simulator& simulator) {
  return 48.0 * static_cast<double>(simulator.state().positions.size());
}

constexpr double slack = 8000.0;  // The list of what is stored grows by doubling; a third of a small state.

class GradientMemory : public testing::TestWithParam<const char*> {};

TEST_P(GradientMemory, StaysWithinTheBudget) {
  if (!allocator_counts()) GTEST_SKIP() << "the allocator does not count";
  constexpr Count steps = 20;
  const Assembly assembly = adjoint_scene(
      GetParam(), {"body.0.generate.nx=7", "body.0.generate.ny=7", "body.0.generate.nz=7",
                   "time.steps=" + std::to_string(steps), "integrator.tolerance=1e-6", "time.step=0.002"});
  Simulator simulator(compile(assembly, 1));
  MixedLoss loss;
  loss.observed.reserve(10000);
  const double state = bytes_of_state(simulator);
  peak(simulator, loss, 1e9, steps);  // Whatever the methods allocate once is there from now on.
  // What the sweep itself needs: a step holds its start alone.
  const double itself = peak(simulator, loss, 1e9, 1) - bytes_of_start(simulator);
  for (const double budget : {1.0, 3.0, 4.2, 5.0, 8.9, 13.0, 20.0})  // Three states are held at any.
    EXPECT_LE(peak(simulator, loss, budget * state, steps) - itself, std::max(3.0, budget) * state + slack)
        << budget << " states of " << state << " bytes";
  const double all = peak(simulator, loss, 1e9, steps) - itself;
  EXPECT_LE(all, (steps + 1) * state + slack);
  // Implicit methods count the place of a multigrid, which these springs do not need.
  const double used = GetParam() == std::string("kick_trbdf2") ? 0.7
                      : GetParam() == std::string("verlet")    ? 0.6
                                                               : 0.45;
  EXPECT_GE(all, used * steps * state) << "a state takes less than is said";
}

INSTANTIATE_TEST_SUITE_P(Methods, GradientMemory,
                         testing::Values("verlet", "imex", "kick_midpoint", "kick_trbdf2"),
                         [](const auto& method) { return std::string(method.param); });

constexpr const char* large_network = R"toml(
[time]
step = 0.01
steps = 6
[integrator]
method = "kick_trbdf2"
tolerance = 1e-3
[gravity]
acceleration = [0.3, 0.2, -9.81]
[[body]]
name = "solid"
generate = { shape = "box", cells = [13, 13, 13], cell_size = 0.1 }
mass = 0.001
  [[body.springs]]
  from = "nearest"
  neighbours = 18
  stiffness = 1e6
  [[body.group]]
  name = "wall"
  attribute = "left"
  [[body.pin]]
  group = "wall"
)toml";

/// Its states hold the place that multigrid was made at: a state at the start of the run, which is measured,
/// does not yet.
TEST(GradientMemoryOfAStiffNetwork, CountsThePlaceOfMultigrid) {
  if (!allocator_counts()) GTEST_SKIP() << "the allocator does not count";
  constexpr Count steps = 6;
  Simulator simulator(compile(load_scene_text(large_network, "large.toml", "", {}, read_regular_file), 1));
  MixedLoss loss;
  loss.observed.reserve(1000);
  const double state = bytes_of_state(simulator), start = bytes_of_start(simulator);
  EXPECT_GE(state, 2.0 * start);
  peak(simulator, loss, 1e9, steps);
  ASSERT_EQ(simulator.state().memory.find("multigrid_place").size(), 3 * simulator.state().positions.size());
  const double itself = peak(simulator, loss, 1e9, 1) - start;
  // After one step the simulator's state before it holds no place yet, after more it does.
  const double place = 0.5 * start;
  for (const double budget : {4.5, 1e9})
    EXPECT_LE(peak(simulator, loss, budget * state, steps) - itself,
              std::min(budget, steps + 1.0) * state + place + slack)
        << budget << " states of " << state << " bytes";
}

}  // namespace
}  // namespace electret::test
