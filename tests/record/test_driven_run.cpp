#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/core/errors.hpp>
#include <electret/dynamics/simulator.hpp>
#include <electret/dynamics/step_schedule.hpp>
#include <electret/record/driven_run.hpp>
#include <electret/record/run.hpp>
#include <electret/record/trajectory_reader.hpp>

#include "record/made_scene.hpp"
#include "record/temporary_folder.hpp"
#include "record/whole_runs.hpp"

namespace electret {
namespace {

using test::expect_same_run;
using test::made_system;
using test::message_of;
using test::resumed;
using test::SceneWishes;
using test::TemporaryFolder;
using ::testing::HasSubstr;

/// Steps by the schedule's inputs, with the charges multiplied by `factor`.
StepReport driven_step(Simulator& simulator, double factor) {
  StepSchedule schedule(simulator.system(), simulator.integrator().stage_fractions());
  schedule.evaluate(simulator.state().step);
  StepInputs inputs = schedule.inputs();
  for (Inputs* at : {&inputs.start, &inputs.end})
    for (double& charge : at->charges) charge *= factor;
  return simulator.step(inputs);
}

TEST(DrivenRun, OfTheSchedulesStepsHasTheFilesOfARun) {
  const TemporaryFolder folder;
  const std::string whole = folder / "whole", driven = folder / "driven";
  run_to_directory(made_system({}), whole);
  Simulator simulator(made_system({}));
  DrivenRun run(simulator, driven, {.every = 3});
  while (simulator.state().step < 60) run.add_step(simulator.step());
  run.finish(RunStatus::done);
  expect_same_run(whole, driven);
  for (const auto& entry : std::filesystem::directory_iterator(whole))
    EXPECT_TRUE(std::filesystem::exists(std::filesystem::path(driven) / entry.path().filename()))
        << entry.path();
}

TEST(DrivenRun, KeepsTheChargesOfEveryFrame) {
  const TemporaryFolder folder;
  Simulator simulator(made_system({.key_frames = false}));
  for (int step = 0; step < 2; ++step) simulator.step();
  DrivenRun run(simulator, folder / "run", {.every = 4});
  std::vector<std::vector<double>> charges{simulator.inputs().charges};
  for (int step = 1; step <= 10; ++step) {
    run.add_step(driven_step(simulator, 0.1 * step));
    if (step % 4 == 0) charges.push_back(simulator.inputs().charges);
  }
  run.finish(RunStatus::done);
  const TrajectoryReader read(folder / "run/trajectory.h5");
  ASSERT_EQ(read.frames(), 3);
  for (Count frame = 0; frame < 3; ++frame)
    EXPECT_EQ(read.charges(frame), charges[static_cast<std::size_t>(frame)]) << frame;
  EXPECT_NE(charges[1], charges[2]);
  EXPECT_DOUBLE_EQ(read.times().front(), 0.02);
}

TEST(DrivenRun, CallersMistakesAreToldBeforeAnythingIsWritten) {
  const TemporaryFolder folder;
  Simulator simulator(made_system({}));
  EXPECT_THROW(DrivenRun(simulator, folder / "run", {.every = 0}), std::invalid_argument);
  EXPECT_FALSE(std::filesystem::exists(folder / "run"));
  DrivenRun run(simulator, folder / "run", {});
  run.finish(RunStatus::done);
  const TrajectoryReader read(folder / "run/trajectory.h5");
  std::vector<double> wrong(7);
  std::vector<float> few(7);
  for (const FrameValues what : {FrameValues::positions, FrameValues::velocities, FrameValues::charges}) {
    EXPECT_THROW(read.read(what, 0, std::span<double>(wrong)), std::invalid_argument);
    EXPECT_THROW(read.read(what, 0, std::span<float>(few)), std::invalid_argument);
  }
  EXPECT_THROW(static_cast<void>(read.positions(1)), IoError);
}

TEST(DrivenRun, SaysHowItEnded) {
  const TemporaryFolder folder;
  Simulator simulator(made_system({}));
  {
    DrivenRun run(simulator, folder / "run", {});
    run.add_step(simulator.step());
    run.finish(RunStatus::diverged, RunFailure{2, 5, "it left", "go slower"});
  }
  EXPECT_THAT(read_file(folder / "run/summary.json"), HasSubstr("it left"));
  // An unfinished run is not replaced unasked, and what is written stays.
  EXPECT_THAT(message_of<InputError>([&] { DrivenRun(simulator, folder / "run", {}); }),
              HasSubstr("overwrite"));
  DrivenRun again(simulator, folder / "run", {.overwrite = true});
  again.finish(RunStatus::done);
  EXPECT_EQ(TrajectoryReader(folder / "run/trajectory.h5").frames(), 1);
}

TEST(DrivenRun, IsNotGoneOnFromByARunOfTheSceneAlone) {
  const TemporaryFolder folder;
  Simulator simulator(made_system({}));
  {
    DrivenRun run(simulator, folder / "run", {.every = 3});
    run.add_step(simulator.step());
    run.finish(RunStatus::interrupted);
  }
  EXPECT_THAT(message_of<InputError>([&] { run_to_directory(made_system({}), folder / "run", resumed()); }),
              HasSubstr("driven"));
}

TEST(DrivenRun, HasAFrameForEveryGoodStepWhereOneDiverges) {
  const TemporaryFolder folder;
  Simulator simulator(made_system({.key_frames = false}));
  DrivenRun run(simulator, folder / "run", {});
  run.add_step(simulator.step());
  const State before = simulator.state();
  EXPECT_THROW(
      {
        for (int step = 0; step < 5; ++step) run.add_step(driven_step(simulator, 1e7));
      },
      DivergenceError);
  EXPECT_EQ(simulator.state().step,
            static_cast<Count>(TrajectoryReader(folder / "run/trajectory.h5").frames()) - 1);
  EXPECT_GE(simulator.state().step, before.step);
  run.finish(RunStatus::interrupted);
}

}  // namespace
}  // namespace electret
