#include <string>
#include <string_view>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/core/errors.hpp>
#include <electret/dynamics/simulator.hpp>
#include <electret/record/driven_run.hpp>
#include <electret/record/run.hpp>
#include <electret/record/trajectory_reader.hpp>

#include "record/made_scene.hpp"
#include "record/temporary_folder.hpp"
#include "record/whole_runs.hpp"

namespace electret {
namespace {

using test::made_assembly;
using test::message_of;
using test::TemporaryFolder;
using ::testing::HasSubstr;

constexpr Count meeting = 5;  ///< The step at whose end the two charges are at one place.

/// Two pinned charges that meet, where their energy has no value, beside a stretched body. No solve of a step
/// meets its tolerance.
Assembly meeting_charges(Count steps, Count every) {
  Assembly a = made_assembly(
      {.time_step = 0.125, .steps = steps, .every = every, .charge = 1e-9, .key_frames = false});
  a.scene.integrator.max_iterations = 1;
  a.scene.integrator.tolerance = 1e-14;
  for (Spring& spring : a.springs) spring.stiffness = 1e5, spring.rest_length *= 0.5;
  for (const auto& [vertex, shift] : {std::pair{0, -1.0}, std::pair{1, 1.0}}) {
    const auto i = static_cast<std::size_t>(vertex);
    a.initial_positions[i] = {-shift, 0.0, 40.0};
    a.pin_tracks.push_back({{vertex},
                            {{0.0, 0.125 * meeting}, {Vec3{}, Vec3{shift, 0.0, 0.0}}, Interpolation::linear},
                            "pin" + std::to_string(vertex)});
  }
  return a;
}

/// The summary says what one of the steps that are left says, and the notice does, too.
void expect_same_counts(const RunResult& failed, const RunResult& whole) {
  EXPECT_EQ(failed.status, RunStatus::diverged);
  ASSERT_TRUE(failed.failure.has_value());
  EXPECT_EQ(failed.failure->step, meeting);
  EXPECT_EQ(failed.steps, meeting - 1);
  EXPECT_EQ(failed.capped_steps, whole.capped_steps);
  EXPECT_EQ(failed.elastic_iterations, whole.elastic_iterations);
  EXPECT_EQ(failed.max_elastic_iterations, whole.max_elastic_iterations);
  EXPECT_EQ(failed.mean_elastic_iterations, whole.mean_elastic_iterations);
}

/// A step whose frame has no energy is taken back, and is in no count.
TEST(AbandonedStep, IsNotCounted) {
  const TemporaryFolder folder;
  const RunResult whole = run_to_directory(compile(meeting_charges(meeting - 1, 1), 1), folder / "whole");
  ASSERT_EQ(whole.capped_steps, meeting - 1) << "the solves are too easy for this test";

  std::string said;
  RunOptions options;
  options.control.notice = [&](std::string_view text) { said.append(text).append("\n"); };
  const std::string dir = folder / "run";
  EXPECT_THAT(message_of<DivergenceError>(
                  [&] { run_to_directory(compile(meeting_charges(2 * meeting, meeting), 1), dir, options); }),
              HasSubstr("step 5"));
  expect_same_counts(read_summary(dir + "/summary.json"), whole);
  EXPECT_THAT(said, HasSubstr("4 of 4 steps"));

  Simulator simulator(compile(meeting_charges(2 * meeting, 1), 1));
  DrivenRun run(simulator, folder / "driven", {.every = meeting});
  EXPECT_THROW(
      {
        while (simulator.state().step < 2 * meeting) run.add_step(simulator.step());
      },
      DivergenceError);
  run.finish(RunStatus::diverged, RunFailure{meeting, 0, "they met", "keep them apart"});
  expect_same_counts(read_summary(folder / "driven/summary.json"), whole);
}

}  // namespace
}  // namespace electret
