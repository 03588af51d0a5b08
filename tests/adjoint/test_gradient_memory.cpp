/// The reverse sweep's states take no more memory than the budget given, whatever it is: bytes in use,
/// counted by the allocator itself.

#include <algorithm>
#include <memory>

#include <gtest/gtest.h>
#include <malloc.h>

#include <electret/adjoint/gradient.hpp>

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

class GradientMemory : public testing::TestWithParam<const char*> {};

TEST_P(GradientMemory, StaysWithinTheBudget) {
  if (!allocator_counts()) GTEST_SKIP() << "the allocator does not count";
  constexpr Count steps = 20;
  constexpr double slack = 8000.0;  // The list of what is stored grows by doubling; a third of a state.
  const Assembly assembly = adjoint_scene(
      GetParam(), {"body.0.generate.nx=7", "body.0.generate.ny=7", "body.0.generate.nz=7",
                   "time.steps=" + std::to_string(steps), "integrator.tolerance=1e-6", "time.step=0.002"});
  Simulator simulator(compile(assembly, 1));
  MixedLoss loss;
  loss.observed.reserve(10000);
  const double state = bytes_of_state(simulator.state());
  const auto peak = [&](double budget, Count count) {
    GradientOptions options;
    options.memory = budget;
    options.steps = count;
    double most = 0.0;
    options.control.progress = [&](const Progress&) { most = std::max(most, bytes_in_use()); };
    loss_and_gradient(simulator, loss, options);
    return most;
  };
  peak(1e9, steps);  // Whatever the methods allocate once is there from now on.
  // What the sweep itself needs: a step holds its start alone, two thirds of what is counted for a state; the
  // last third is for a stage of the method's own.
  const double itself = peak(1e9, 1) - state / 1.5;
  for (const double budget : {1.0, 3.0, 4.2, 5.0, 8.9, 13.0, 20.0})  // Three states are held at any.
    EXPECT_LE(peak(budget * state, steps) - itself, std::max(3.0, budget) * state + slack)
        << budget << " states of " << state << " bytes";
  const double all = peak(1e9, steps) - itself;
  EXPECT_LE(all, (steps + 1) * state + slack);
  const double used = GetParam() == std::string("kick_trbdf2") ? 0.95 : 0.6;
  EXPECT_GE(all, used * steps * state) << "a state takes less than is said";
}

INSTANTIATE_TEST_SUITE_P(Methods, GradientMemory,
                         testing::Values("verlet", "imex", "kick_midpoint", "kick_trbdf2"),
                         [](const auto& method) { return std::string(method.param); });

}  // namespace
}  // namespace electret::test
