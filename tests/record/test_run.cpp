#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/core/errors.hpp>
#include <electret/record/compare.hpp>
#include <electret/record/describe.hpp>
#include <electret/record/detail/files.hpp>
#include <electret/record/energy_table.hpp>
#include <electret/record/run.hpp>
#include <electret/record/trajectory_reader.hpp>

#include "record/made_scene.hpp"
#include "record/temporary_folder.hpp"
#include "record/whole_runs.hpp"

namespace electret {
namespace {

using test::made_system;
using test::message_of;
using test::resumed;
using test::SceneWishes;
using test::TemporaryFolder;
using ::testing::HasSubstr;

namespace fs = std::filesystem;

TEST(RunToDirectory, NeedsASystem) {
  const TemporaryFolder folder;
  const std::string dir = folder.path() + "/none";
  EXPECT_THROW(run_to_directory(nullptr, dir), std::invalid_argument);
  EXPECT_FALSE(std::filesystem::exists(dir));
}

TEST(Run, WritesEveryFileOfTheContract) {
  const TemporaryFolder folder;
  const std::string dir = folder / "deep/er/run";
  const RunResult result = run_to_directory(made_system({}), dir);
  EXPECT_EQ(result.status, RunStatus::done);
  EXPECT_EQ(result.steps, 60);
  EXPECT_EQ(result.frames, 21);
  EXPECT_EQ(result.vertices, 24);
  EXPECT_EQ(result.integrator, "imex");
  EXPECT_EQ(result.solver, "direct");
  EXPECT_GE(result.field_evaluations, 60);
  EXPECT_GT(result.mean_elastic_iterations, 0.0);
  EXPECT_GE(result.max_elastic_iterations, result.mean_elastic_iterations);
  EXPECT_GT(result.work.dissipation, 0.0);
  EXPECT_NE(result.work.keyframe_work, 0.0);
  EXPECT_GE(result.wall_total, result.wall_output);
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(dir)) names.push_back(entry.path().filename().string());
  EXPECT_THAT(names,
              ::testing::UnorderedElementsAre("trajectory.h5", "energy.csv", "observables.csv", "energy.svg",
                                              "index.html", "summary.json", "checkpoint.h5"));
  const TrajectoryReader run(dir + "/trajectory.h5");
  EXPECT_EQ(run.frames(), 21);
  EXPECT_TRUE(run.charges_change());
  EXPECT_NEAR(run.times().back(), 0.6, 1e-15);
  const auto rows = read_energies(dir + "/energy.csv");
  ASSERT_EQ(rows.size(), 21u);
  EXPECT_EQ(rows.back().work, result.work.field_work + result.work.keyframe_work + result.work.pin_work);
  EXPECT_EQ(rows.back().dissipation, result.work.dissipation);
  double largest = 0.0, size = 0.0;
  for (const auto& [time, e, work, dissipation] : rows) {
    const double change = e.total() - rows[0].energies.total() - work + dissipation;
    if (std::abs(change) > std::abs(largest)) largest = change;
    size = std::max(size, e.kinetic + std::abs(e.elastic) + std::abs(e.coulomb) + std::abs(e.external) +
                              std::abs(e.gravity - rows[0].energies.gravity));
  }
  EXPECT_NEAR(result.largest_energy_change, largest, 1e-14 * size);
  EXPECT_NEAR(result.largest_relative_energy_change, std::abs(largest) / size, 1e-14);
  EXPECT_EQ(result.time_step, 0.01);
  EXPECT_NEAR(result.simulated_time, 0.6, 1e-15);
  const RunResult read = read_summary(dir + "/summary.json");
  EXPECT_EQ(summary_text(read), summary_text(result));
}

/// A cloth at rest in the plane z = 0 has no energy at the start. It falls freely, which imex follows with an
/// error of the order of the step.
TEST(Run, MeasuresAnEnergyChangeFromNothingByTheLargestEnergies) {
  const TemporaryFolder folder;
  SceneWishes wishes;
  wishes.key_frames = false;
  Assembly a = test::made_assembly(wishes);
  a.scene.coulomb.reset();
  a.initial_velocities.assign(a.initial_velocities.size(), Vec3{});
  for (auto* places : {&a.rest_positions, &a.initial_positions})
    for (Vec3& x : *places) x.z = 0.0;
  for (Spring& spring : a.springs)
    spring.rest_length = norm(a.rest_positions[static_cast<std::size_t>(spring.i)] -
                              a.rest_positions[static_cast<std::size_t>(spring.j)]);
  const std::string dir = folder / "run";
  const RunResult result = run_to_directory(compile(a, 1), dir);
  EXPECT_GT(result.largest_relative_energy_change, 0.0);
  EXPECT_LT(result.largest_relative_energy_change, 0.1);
  EXPECT_LT(result.largest_energy_change, 0.0);
  EXPECT_TRUE(run_to_directory(compile(a, 1), dir, resumed()).already_finished);
}

TEST(Run, ReplacesAnEarlierRunButNoOtherFolder) {
  const TemporaryFolder folder;
  SceneWishes wishes;
  wishes.steps = 9;
  fs::create_directory(folder / "notes");
  std::ofstream(folder / "notes/diary.txt") << "mine";
  EXPECT_THAT(message_of<InputError>([&] { run_to_directory(made_system(wishes), folder / "notes"); }),
              HasSubstr("not empty and holds no Electret run"));
  std::ofstream(folder / "notes/summary.json") << "{\"status\": \"mine\"}";
  EXPECT_THAT(message_of<InputError>([&] { run_to_directory(made_system(wishes), folder / "notes"); }),
              HasSubstr("holds no Electret run"));
  EXPECT_EQ(read_file(folder / "notes/summary.json"), "{\"status\": \"mine\"}");
  EXPECT_THAT(
      message_of<InputError>([&] { run_to_directory(made_system(wishes), folder / "notes/diary.txt"); }),
      HasSubstr("is no folder"));

  // Names alone make no run: another program's table may be called energy.csv too.
  fs::create_directory(folder / "tables");
  std::ofstream(folder / "tables/energy.csv") << "t,E\n0,1\n";
  EXPECT_THAT(message_of<InputError>([&] { run_to_directory(made_system(wishes), folder / "tables"); }),
              HasSubstr("holds no Electret run"));
  EXPECT_EQ(read_file(folder / "tables/energy.csv"), "t,E\n0,1\n");

  fs::create_directory(folder / "killed");
  std::ofstream(folder / "killed/summary.json.71-0.part") << "{";
  EXPECT_EQ(run_to_directory(made_system(wishes), folder / "killed").status, RunStatus::done);
  EXPECT_FALSE(fs::exists(folder / "killed/summary.json.71-0.part"));

  run_to_directory(made_system(wishes), folder / "run");
  std::ofstream(folder / "run/diary.txt") << "mine";
  wishes.steps = 3;
  EXPECT_EQ(run_to_directory(made_system(wishes), folder / "run").frames, 2);
  EXPECT_EQ(TrajectoryReader(folder / "run/trajectory.h5").frames(), 2);
  EXPECT_EQ(read_file(folder / "run/diary.txt"), "mine");
}

TEST(Run, KeepsASecondRunOutOfItsFolder) {
  const TemporaryFolder folder;
  SceneWishes wishes;
  wishes.steps = 9;
  const std::string dir = folder / "run";
  for (const bool resume : {false, true}) {
    std::string said;
    RunOptions options;
    options.resume = resume;
    options.control.progress = [&](const Progress&) {
      if (!said.empty()) return;
      RunOptions second;
      second.resume = resume;
      said = message_of<InputError>([&] { run_to_directory(made_system(wishes), dir, second); });
    };
    if (resume) wishes.steps = 18;
    EXPECT_EQ(run_to_directory(made_system(wishes), dir, options).status, RunStatus::done);
    EXPECT_THAT(said, HasSubstr("another run is being written"));
  }
  EXPECT_EQ(TrajectoryReader(dir + "/trajectory.h5").frames(), 7);
}

TEST(Run, SaysWhenItsFolderCannotBeMade) {
  const TemporaryFolder folder;
  std::ofstream(folder / "file") << "x";
  EXPECT_THAT(message_of<IoError>([&] { run_to_directory(made_system({}), folder / "file/run"); }),
              HasSubstr("file/run"));
  EXPECT_THAT(message_of<IoError>([&] { run_to_directory(made_system({}), "/proc/electret/run"); }),
              HasSubstr("cannot make the output folder /proc/electret/run"));
}

TEST(Run, KeepsEverythingUpToTheLastGoodFrameOnDivergence) {
  const TemporaryFolder folder;
  SceneWishes wishes;
  wishes.method = "explicit_euler";
  wishes.time_step = 0.2;
  wishes.steps = 5000;
  const std::string dir = folder / "run";
  EXPECT_THROW(run_to_directory(made_system(wishes), dir), DivergenceError);
  const RunResult summary = read_summary(dir + "/summary.json");
  EXPECT_EQ(summary.status, RunStatus::diverged);
  ASSERT_TRUE(summary.failure.has_value());
  EXPECT_EQ(summary.failure->step, summary.steps + 1);
  EXPECT_TRUE(summary.failure->vertex.has_value());
  EXPECT_FALSE(summary.failure->cause.empty());
  EXPECT_FALSE(summary.failure->advice.empty());
  const TrajectoryReader run(dir + "/trajectory.h5");
  EXPECT_EQ(run.frames(), summary.frames);
  EXPECT_EQ(run.frames(), summary.steps / wishes.every + 1);
  EXPECT_EQ(read_energies(dir + "/energy.csv").size(), static_cast<std::size_t>(run.frames()));
  for (const Vec3& x : run.positions(run.frames() - 1)) EXPECT_TRUE(is_finite(x));
  EXPECT_TRUE(fs::exists(dir + "/energy.svg"));
}

TEST(Run, IsDescribedAndCompared) {
  const TemporaryFolder folder;
  SceneWishes wishes;
  run_to_directory(made_system(wishes), folder / "a");
  run_to_directory(made_system(wishes, 2), folder / "b");
  const RunDescription d = describe(folder / "a");
  EXPECT_EQ(d.frames, 21);
  EXPECT_EQ(d.vertices, 24);
  EXPECT_EQ(d.faces, 1);
  EXPECT_EQ(d.bodies, 1);
  EXPECT_EQ(d.checkpoint_step, 60);
  EXPECT_EQ(d.summary->status, RunStatus::done);
  EXPECT_EQ(d.files.size(), 7u);
  EXPECT_EQ(d.last_energies->time, d.last_time);
  EXPECT_TRUE(compare(folder / "a", folder / "b").identical());

  wishes.charge *= 1.0 + 1e-9;
  run_to_directory(made_system(wishes), folder / "c");
  const RunDifference difference = compare(folder / "a", folder / "c");
  EXPECT_FALSE(difference.identical());
  ASSERT_EQ(difference.mismatches.size(), 1u);
  EXPECT_EQ(difference.mismatches[0].what, "charges at frame 0 (22 of 24 differ, first number 0)");
  // The same by hand.
  const TrajectoryReader a(folder / "a/trajectory.h5"), c(folder / "c/trajectory.h5");
  double largest = 0.0, sum = 0.0;
  for (Count f = 0; f < 21; ++f) {
    const auto x = a.positions(f), y = c.positions(f);
    for (std::size_t i = 0; i < x.size(); ++i) {
      largest = std::max(largest, norm(x[i] - y[i]));
      sum += norm(x[i] - y[i]);
    }
  }
  EXPECT_GT(largest, 0.0);
  EXPECT_EQ(difference.positions->largest, largest);
  EXPECT_NEAR(difference.positions->mean, sum / (21 * 24), 1e-15 * largest + 1e-12 * sum);
  ASSERT_TRUE(difference.positions->first.has_value());
  EXPECT_GE(difference.positions->first->frame, 1);
  ASSERT_EQ(difference.energies.size(), 8u);
  EXPECT_GT(difference.energies[2].largest, 0.0);
  EXPECT_THAT(message_of<InputError>([&] { compare(folder / "a", folder / "none"); }),
              HasSubstr("is no folder"));
}

}  // namespace
}  // namespace electret
