#include <gtest/gtest.h>

#include <electret/dynamics/step_schedule.hpp>

#include "dynamics/networks.hpp"

namespace electret::test {
namespace {

void expect_inputs_at(const System& system, double time, const Inputs& found) {
  Inputs expected;
  system.schedule.evaluate(time, expected);
  EXPECT_EQ(found.time, time);
  EXPECT_EQ(found.charges, expected.charges);
  EXPECT_EQ(found.pin_positions, expected.pin_positions);
}

/// From scratch, as before a run, and moving on: a stage's inputs are those of its own time.
TEST(StepSchedule, EvaluatesEachStageAtItsFraction) {
  NetworkOptions options;
  options.moved_pins = true;
  Assembly assembly = random_network(options);
  assembly.charge_tracks = {{{1}, {{0.0, 1.0}, {0.0, 1.0}, Interpolation::linear}, true, "q"}};
  const auto system = compile(assembly, 1);
  const std::vector<double> fractions{0.25, 0.75};
  for (const Count first : {Count{0}, Count{3}}) {
    StepSchedule scheduled(*system, fractions);
    scheduled.evaluate(first);
    for (Count step = first; step < first + 3; ++step) {
      if (step > first) scheduled.advance(step);
      expect_inputs_at(*system, system->time(step), scheduled.inputs().start);
      expect_inputs_at(*system, system->time(step + 1), scheduled.inputs().end);
      ASSERT_EQ(scheduled.inputs().stages.size(), 2U);
      for (std::size_t k = 0; k < 2; ++k)
        expect_inputs_at(*system, (static_cast<double>(step) + fractions[k]) * system->time_step,
                         scheduled.inputs().stages[k]);
    }
  }
}

}  // namespace
}  // namespace electret::test
