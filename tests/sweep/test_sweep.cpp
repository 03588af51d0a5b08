/// Sweeps against the library's own runs, merging in every order, and what a sweep goes on with.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/adjoint/gradient.hpp>
#include <electret/core/errors.hpp>
#include <electret/fit/loss_forms.hpp>
#include <electret/record/energy_table.hpp>
#include <electret/record/run.hpp>
#include <electret/record/trajectory_reader.hpp>
#include <electret/scene/parameters.hpp>
#include <electret/scene/read.hpp>

#include "sweep_fixture.hpp"

namespace electret::test {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST_F(Sweep, ARowIsTheRunOfTheSameOverrides) {
  const SweepPlan sweep = plan();
  MeshStore meshes;
  ASSERT_EQ(sweep.design.runs(), 6);
  const auto columns = sweep.columns();
  const auto index = [&](const std::string& name) {
    for (std::size_t k = 0; k < columns.size(); ++k)
      if (columns[k].name == name) return k;
    throw std::logic_error(name);
  };
  for (const Count run : {0, 5}) {
    const SweepRow row = sweep_run(sweep, run, meshes);
    EXPECT_EQ(row.status, SweepStatus::done) << row.note;
    EXPECT_EQ(row.values[index("steps")][0], 25.0);
    Assembly assembly = load_scene(folder_ / "scene.toml", sweep.design.overrides(run));
    const std::string directory = folder_ / ("run" + std::to_string(run));
    run_to_directory(compile(assembly), directory);
    const auto rows = read_energies(directory + "/energy.csv");
    double most = 0.0;
    for (const EnergyRow& each : rows) most = std::max(most, each.energies.kinetic);
    EXPECT_EQ(row.values[index("quantities")][0], most);
    EXPECT_EQ(row.values[index("quantities")][1], rows.back().energies.total());
    // Positions at steps 6, 12, 18 and 25; frames are every second step.
    const TrajectoryReader trajectory(directory + "/trajectory.h5");
    const VectorArray positions = trajectory.positions(6);
    const auto& kept = row.values[index("positions")];
    ASSERT_EQ(kept.size(), 48U);
    for (std::size_t k = 0; k < 12; ++k) EXPECT_EQ(kept[12 + k], positions[k / 3][static_cast<int>(k % 3)]);
    Simulator simulator(compile(assembly));
    const auto loss = parse_loss("centre_of_mass:0,0,1", assembly, {});
    const auto found = loss_and_gradient(simulator, *loss);
    EXPECT_EQ(row.values[index("loss")][0], found.loss);
    auto wanted = find_parameter(assembly, "body.ball.stiffness").pull(found.gradient);
    const auto more = find_parameter(assembly, "body.ball.charge").pull(found.gradient);
    wanted.insert(wanted.end(), more.begin(), more.end());
    EXPECT_EQ(row.values[index("gradient")], wanted);
  }
}

TEST_F(Sweep, ResultsAreTheSameInAnyOrderAndBlocks) {
  std::vector<Count> order(6);
  std::iota(order.begin(), order.end(), Count{0});
  const SweepResults whole = results("a", order, 6);
  EXPECT_EQ(whole.runs, order);
  EXPECT_TRUE(whole.faults.empty());
  std::mt19937 random(3);
  for (const std::size_t block : {1U, 4U}) {
    std::shuffle(order.begin(), order.end(), random);
    const std::string name = "b" + std::to_string(block);
    const SweepResults other = results(name, order, block);
    EXPECT_EQ(other.digest, whole.digest);
    EXPECT_EQ(other.quantities, whole.quantities);
    EXPECT_EQ(file_text(folder_ / (name + "/runs.csv")), file_text(folder_ / "a/runs.csv"));
  }
}

TEST_F(Sweep, ASweepGoesOnOnlyAsItBegan) {
  (void)results("s", {0, 1}, 2);
  const SweepFolder folder(folder_ / "s");
  EXPECT_EQ(sweep_state(folder, folder.plan()).missing, (std::vector<Count>{2, 3, 4, 5}));
  write("job.toml",
        std::string(sweep_job).replace(std::string(sweep_job).find("samples = 3"), 11, "samples = 5"));
  folder.begin(plan(), false);
  EXPECT_EQ(sweep_state(folder, folder.plan()).missing.size(), 8U);
  const auto refusal = [&] {
    try {
      folder.begin(plan(), false);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  write("job.toml", sweep_job);
  EXPECT_THAT(refusal(), HasSubstr("run 6 would be gone"));
}

TEST_F(Sweep, ChangedInputsAreRefused) {
  (void)results("s", {0}, 1);
  const SweepFolder folder(folder_ / "s");
  const auto refusal = [&]() -> std::string {
    try {
      folder.begin(plan(), false);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal(), "");
  write("ball.obj", std::string(sweep_mesh).replace(0, 7, "v 0 0 .1"));
  EXPECT_THAT(refusal(), HasSubstr("the file ball.obj differs"));
  // The sweep itself stands alone.
  EXPECT_EQ(folder.plan().files.begin()->second, sweep_mesh);
  write("ball.obj", sweep_mesh);
  write("job.toml", std::string(sweep_job).replace(std::string(sweep_job).find("[1e-6"), 5, "[2e-6"));
  EXPECT_THAT(refusal(), HasSubstr("run 0 would have other values"));
  write("job.toml", std::string(sweep_job).replace(std::string(sweep_job).find("max of"), 3, "min"));
  EXPECT_THAT(refusal(), HasSubstr("[keep] differs"));
  for (const auto& [before, after] :
       std::vector<std::pair<std::string, std::string>>{{"most =", "more ="},
                                                        {"of kinetic", "of total"},
                                                        {"0,0,1\"", "0,0,2\""},
                                                        {", \"body.ball.charge\"]", "]"},
                                                        {"frames = 4", "frames = 5"},
                                                        {"velocities = true", "velocities = false"},
                                                        {"\"double\"", "\"single\""}}) {
    std::string text = sweep_job;
    write("job.toml", text.replace(text.find(before), before.size(), after));
    EXPECT_THAT(refusal(), AllOf(HasSubstr("[keep] differs"), Not(HasSubstr("\n")))) << after;
  }
  folder.begin(plan(), true);
  EXPECT_EQ(sweep_state(folder, folder.plan()).missing.size(), 6U);
}

TEST_F(Sweep, WhatIsUnsetIsUnsetInEveryRun) {
  const auto job_without = [](const std::string& unset) {
    return "[sweep]\nscene = \"scene.toml\"\n" + unset +
           "[[vary]]\nkey = \"body.0.mass\"\nvalues = [0.1, 0.2]\n"
           "[keep]\nquantities = { end = \"last of total\", most = \"max of kinetic\" }\n";
  };
  write("job.toml", job_without("unset = [\"coulomb\"]\n"));
  const SweepResults found = results("s", {0, 1}, 2);
  for (std::size_t run = 0; run < 2; ++run) {
    std::vector<std::string> overrides = plan().design.overrides(static_cast<Count>(run));
    const auto total_at_end = [&] {
      const std::string directory =
          folder_ / ("run" + std::to_string(run) + std::to_string(overrides.size()));
      run_to_directory(compile(load_scene(folder_ / "scene.toml", overrides)), directory);
      return read_energies(directory + "/energy.csv").back().energies.total();
    };
    EXPECT_NE(found.quantities[2 * run], total_at_end()) << "charges act on each other in the scene as it is";
    overrides.insert(overrides.begin(), "--unset coulomb");
    EXPECT_EQ(found.quantities[2 * run], total_at_end());
  }
  const SweepFolder folder(folder_ / "s");
  for (const char* unset : {"", "unset = [\"output\"]\n", "unset = [\"coulomb\", \"output\"]\n"}) {
    write("job.toml", job_without(unset));
    try {
      folder.begin(plan(), false);
      ADD_FAILURE() << "it goes on with another list: " << unset;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr("set and unset differs"));
    }
  }
}

TEST_F(Sweep, DivergedRefusedAndSlowRunsAreRowsAndEndNothing) {
  write("job.toml", R"([sweep]
scene = "scene.toml"
[[vary]]
key = "time.step"
values = [0.02, 10.0]
[[vary]]
key = "integrator.method"
values = ["verlet"]
[keep]
quantities = { end = "last of total" }
)");
  const SweepResults diverging = results("d", {0, 1}, 2);
  EXPECT_EQ(diverging.status, (std::vector<SweepStatus>{SweepStatus::done, SweepStatus::diverged}));
  EXPECT_TRUE(std::isfinite(diverging.quantities[0]));
  EXPECT_TRUE(std::isfinite(diverging.quantities[1])) << "what was measured before is kept";
  const SweepFolder folder(folder_ / "d");
  EXPECT_TRUE(sweep_state(folder, folder.plan()).is_whole());

  write("job.toml", R"([sweep]
scene = "scene.toml"
set = ["time.steps=100000000"]
[[vary]]
key = "body.0.mass"
values = [0.1]
[limits]
wall = "0.2s"
)");
  const SweepResults slow = results("t", {0}, 1);
  EXPECT_EQ(slow.status, std::vector<SweepStatus>{SweepStatus::timeout});
  EXPECT_TRUE(std::isnan(slow.quantities[0]));
  const SweepFolder slow_folder(folder_ / "t");
  const SweepState state = sweep_state(slow_folder, slow_folder.plan());
  EXPECT_FALSE(state.is_whole());
  ASSERT_EQ(state.without_result.size(), 1U);
  EXPECT_THAT(state.without_result[0].note, HasSubstr("longer than 0.2s"));
}

TEST_F(Sweep, ARunWhoseBodiesCannotBePlacedIsRefused) {
  write("job.toml", R"([sweep]
scene = "scene.toml"
set = ["body.1.name=b", "body.1.mesh=ball.obj", "body.1.mass=1", "body.1.charge=1e-6", "body.1.translate=[3, 0, 0]"]
[[vary]]
key = "body.1.translate.0"
values = [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0]
[[vary]]
key = "body.1.translate.1"
values = [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0]
)");
  // So many combinations are not all assembled before: each value is right with some other.
  const SweepResults found = results("m", {0, 120}, 2);
  EXPECT_EQ(found.status, (std::vector<SweepStatus>{SweepStatus::done, SweepStatus::refused}));
  const SweepFolder folder(folder_ / "m");
  EXPECT_THAT(sweep_state(folder, folder.plan()).without_result.at(0).note, HasSubstr("coincide"));
}

TEST_F(Sweep, RunsThatCannotKeepWhatIsAskedForAreRefused) {
  write("job.toml", R"([sweep]
scene = "scene.toml"
[[vary]]
key = "time.steps"
values = [25, 3]
[keep]
frames = 4
)");
  EXPECT_EQ(results("s", {0, 1}, 2).status,
            (std::vector<SweepStatus>{SweepStatus::done, SweepStatus::refused}));
}

TEST_F(Sweep, ALossWhoseFileHasChangedIsRefused) {
  write("goal.csv", "x,y,z\n0,0,0\n1,0,0\n0,1,0\n0,0,1\n");
  write("job.toml", R"([sweep]
scene = "scene.toml"
[[vary]]
key = "body.0.mass"
values = [0.1, 0.2]
[keep]
loss = "final_position:goal.csv"
)");
  (void)results("s", {0}, 1);
  const SweepFolder folder(folder_ / "s");
  write("goal.csv", "x,y,z\n0,0,0\n1,0,0\n0,1,0\n0,0,2\n");
  MeshStore meshes;
  const SweepRow row = sweep_run(folder.plan(), 1, meshes);
  EXPECT_EQ(row.status, SweepStatus::refused);
  EXPECT_THAT(row.note, HasSubstr("has changed"));
  EXPECT_THROW(folder.begin(plan(), false), InputError);
}

TEST_F(Sweep, GoesOnFromAnotherWorkingDirectory) {
  (void)results("s", {0}, 1);
  const auto before = fs::current_path();
  fs::current_path(folder_.path());
  EXPECT_NO_THROW(SweepFolder("s").begin(plan_sweep("job.toml"), false));
  EXPECT_EQ(sweep_state(SweepFolder("s"), SweepFolder("s").plan()).missing.size(), 5U);
  fs::current_path(before);
}

TEST_F(Sweep, AForeignFolderIsLeftAlone) {
  fs::create_directories(folder_ / "mine/inputs");
  fs::create_directories(folder_ / "mine/parts");
  for (const char* name : {"mine/inputs/data.txt", "mine/parts/p.txt", "mine/runs.csv"}) write(name, "dear");
  const SweepFolder folder(folder_ / "mine");
  for (const bool overwrite : {false, true}) EXPECT_THROW(folder.begin(plan(), overwrite), InputError);
  for (const char* name : {"mine/inputs/data.txt", "mine/parts/p.txt", "mine/runs.csv"})
    EXPECT_EQ(file_text(folder_ / name), "dear");
}

TEST_F(Sweep, WhatIsKeptIsToldWithTheRest) {
  const std::string keep =
      "[keep]\nquantities = { end = \"last of totl\" }\nloss = \"centre_of_mass:0,0,1\"\n"
      "gradient = [\"body.ball.stifness\"]\nframes = 26\n";
  const auto told = [&](const std::string& vary) {
    write("job.toml", "[sweep]\nscene = \"scene.toml\"\n" + vary + keep);
    const std::string all = fault();
    for (const char* said : {"no column \"totl\"", "stifness", "26 frames of 25 steps"})
      EXPECT_THAT(all, HasSubstr(said)) << vary;
    return all;
  };
  EXPECT_THAT(told("[[vary]]\nkey = \"body.0.mass\"\nvalues = [1, -1]\n"), HasSubstr("job.toml:4:7"));
  EXPECT_THAT(told("[[vary]]\nkey = \"body.0.mass\"\nrange = [2, 1]\n"), HasSubstr("the range from 2 to 1"));
  std::string many;
  for (const char* key : {"a", "b", "c", "c"})
    many += std::string("[[vary]]\nkey = \"") + key + "\"\nrange = [1, 2]\npoints = 1000\n";
  const std::string all = told(many);
  EXPECT_THAT(all, HasSubstr("1e+12 runs"));
  EXPECT_THAT(all, HasSubstr("\"c\" varies twice"));
}

TEST_F(Sweep, FindingsOfRunsNameTheJobsLine) {
  write("job.toml", R"([sweep]
scene = "scene.toml"
[[vary]]
key = "body.0.charge"
values = [1e-6, "much"]
[[vary]]
key = "time.stp"
range = [1, 2]
points = 3
)");
  const std::string all = fault();
  EXPECT_THAT(all, HasSubstr("job.toml:4:7: error: run 3: "));
  EXPECT_THAT(all, HasSubstr("job.toml:7:7: error: run 0: unknown key \"stp\""));
  write("job.toml", R"([sweep]
scene = "scene.toml"
samples = 4
[[vary]]
key = "body.0.mass"
range = [-1, 2]
[keep]
quantities = { end = "last of totl", x = "total" }
)");
  const std::string ends = fault();
  EXPECT_THAT(ends, HasSubstr("job.toml:5:7: error: at the end of its range: "));
  EXPECT_THAT(ends, HasSubstr("job.toml:8:42: error: \"total\" is no quantity"));
  write("job.toml", R"([sweep]
scene = "scene.toml"
[[vary]]
key = "body.0.mass"
values = [1]
[keep]
quantities = { end = "last of totl" }
loss = "nothing"
gradient = ["body.ball.stifness"]
frames = 26
)");
  const std::string kept = fault();
  for (const char* said :
       {"no column \"totl\"; did you mean \"total\"?", "job.toml:8:8", "stifness", "26 frames of 25 steps"})
    EXPECT_THAT(kept, HasSubstr(said));
  write("job.toml", "[sweep]\nscene = \"scene.toml\"\nsamples\n");
  EXPECT_THAT(fault(), HasSubstr("job.toml:3:8: error: syntax"));
  EXPECT_THAT(fault(), Not(HasSubstr("nothing varies")));
  write("job.toml", "[sweep]\nscene = \"none.toml\"\n[[vary]]\nkey = \"a\"\nvalues = [1]\n");
  EXPECT_THAT(fault(), HasSubstr("job.toml:2:9: error: scene \"none.toml\""));
}

}  // namespace
}  // namespace electret::test
