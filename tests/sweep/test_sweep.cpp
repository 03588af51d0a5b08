/// Sweeps against the library's own runs, and merging in every order.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <random>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/adjoint/gradient.hpp>
#include <electret/core/errors.hpp>
#include <electret/fit/loss_forms.hpp>
#include <electret/record/energy_table.hpp>
#include <electret/record/run.hpp>
#include <electret/record/run_directory.hpp>
#include <electret/record/trajectory_reader.hpp>
#include <electret/scene/parameters.hpp>
#include <electret/scene/read.hpp>
#include <electret/sweep/sweep_merge.hpp>
#include <electret/sweep/sweep_state.hpp>

#include "../record/temporary_folder.hpp"

namespace electret::test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

constexpr const char* scene = R"([time]
step = 0.02
steps = 25
[integrator]
method = "imex"
[coulomb]
solver = "direct"
[output]
every = 2
[[body]]
name = "ball"
mesh = "ball.obj"
mass = 0.1
charge = 1e-6
[[body.springs]]
from = "edges"
stiffness = 30.0
)";

constexpr const char* job = R"([sweep]
scene = "scene.toml"
samples = 3
[[vary]]
key = "body.0.charge"
range = [1e-6, 4e-6]
[[vary]]
key = "integrator.method"
values = ["imex", "verlet"]
[keep]
quantities = { most = "max of kinetic", end = "last of total", size = "mean of radius_of_gyration" }
loss = "centre_of_mass:0,0,1"
gradient = ["body.ball.stiffness", "body.ball.charge"]
frames = 4
velocities = true
precision = "double"
)";

constexpr const char* mesh = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n";

class Sweep : public ::testing::Test {
 protected:
  void SetUp() override {
    write("scene.toml", scene);
    write("job.toml", job);
    write("ball.obj", mesh);
  }
  void write(const std::string& name, const std::string& text) { std::ofstream(folder_ / name) << text; }
  SweepPlan plan() { return plan_sweep(folder_ / "job.toml"); }
  std::string fault() {
    try {
      (void)plan();
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }
  /// A sweep of its own, its runs done in this order in parts of so many.
  SweepResults results(const std::string& name, const std::vector<Count>& order, std::size_t block) {
    const SweepFolder folder(folder_ / name);
    folder.begin(plan(), false);
    return results_in(name, order, block);
  }
  /// The same in a folder that is there.
  SweepResults results_in(const std::string& name, const std::vector<Count>& order, std::size_t block = 6) {
    const SweepFolder folder(folder_ / name);
    const SweepPlan own = folder.plan();
    for (std::size_t k = 0; k < order.size(); k += block) {
      PartWriter part(folder, own, order[k], order[k]);
      for (std::size_t i = k; i < std::min(k + block, order.size()); ++i) part.run(order[i], {});
    }
    return merge_sweep(folder, own);
  }

  TemporaryFolder folder_;
};

std::string file_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

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
  write("job.toml", std::string(job).replace(std::string(job).find("samples = 3"), 11, "samples = 5"));
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
  write("job.toml", job);
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
  write("ball.obj", std::string(mesh).replace(0, 7, "v 0 0 .1"));
  EXPECT_THAT(refusal(), HasSubstr("the file ball.obj differs"));
  // The sweep itself stands alone.
  EXPECT_EQ(folder.plan().files.begin()->second, mesh);
  write("ball.obj", mesh);
  write("job.toml", std::string(job).replace(std::string(job).find("[1e-6"), 5, "[2e-6"));
  EXPECT_THAT(refusal(), HasSubstr("run 0 would have other values"));
  write("job.toml", std::string(job).replace(std::string(job).find("max of"), 3, "min"));
  EXPECT_THAT(refusal(), HasSubstr("[keep] differs"));
  folder.begin(plan(), true);
  EXPECT_EQ(sweep_state(folder, folder.plan()).missing.size(), 6U);
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
values = [3.0, 0.0]
)");
  const SweepResults found = results("m", {0, 1}, 2);
  EXPECT_EQ(found.status, (std::vector<SweepStatus>{SweepStatus::done, SweepStatus::refused}));
  const SweepFolder folder(folder_ / "m");
  EXPECT_THAT(sweep_state(folder, folder.plan()).without_result.at(0).note, HasSubstr("coincide"));
}

TEST_F(Sweep, TwoResultsOfOneRunMustBeTheSame) {
  const std::vector<Count> order{0, 1, 2, 3, 4, 5};
  const std::string digest = results("s", order, 6).digest;
  const SweepFolder folder(folder_ / "s");
  const SweepPlan own = folder.plan();
  {
    PartWriter again(folder, own, 2, 2);
    again.run(2, {});
  }
  SweepResults merged = merge_sweep(folder, own);
  EXPECT_TRUE(merged.faults.empty());
  EXPECT_EQ(merged.digest, digest);
  {
    PartWriter other(folder, own, 3, 3);
    MeshStore meshes;
    SweepRow row = sweep_run(own, 3, meshes);
    row.values[4][1] = std::nextafter(row.values[4][1], 1e300);
    other.add(row);
  }
  merged = merge_sweep(folder, own);
  ASSERT_EQ(merged.faults.size(), 1U);
  EXPECT_THAT(to_string(merged.faults[0]), HasSubstr("run 3 has another result"));
}

TEST_F(Sweep, DamagedRowsDoNotCount) {
  const SweepResults whole = results("s", {0, 1, 2, 3, 4, 5}, 3);
  const SweepFolder folder(folder_ / "s");
  const SweepPlan own = folder.plan();
  const std::string part = folder.part_files().at(0);
  MeshStore meshes;
  const SweepRow row = sweep_run(own, 0, meshes);
  // One bit of a number that stands in the file just once.
  std::string bytes = file_text(part);
  const std::string number(reinterpret_cast<const char*>(row.values[4].data()), 8);
  const std::size_t at = bytes.find(number);
  ASSERT_NE(at, std::string::npos);
  bytes[at] = static_cast<char>(bytes[at] ^ 1);
  std::ofstream(part, std::ios::binary) << bytes;
  const SweepResults merged = merge_sweep(folder, own);
  ASSERT_EQ(merged.faults.size(), 1U);
  EXPECT_THAT(to_string(merged.faults[0]), HasSubstr("the row of run 0 is damaged"));
  EXPECT_EQ(merged.runs, (std::vector<Count>{1, 2, 3, 4, 5}));
  EXPECT_EQ(sweep_state(folder, own).missing, std::vector<Count>{0});
  std::ofstream(part, std::ios::binary) << bytes.substr(0, 100);
  EXPECT_EQ(merge_sweep(folder, own).runs.size(), 3U);
  const SweepState state = sweep_state(folder, own);
  EXPECT_EQ(state.faults.size(), 1U);
  // What does not count is done again.
  EXPECT_EQ(state.missing, (std::vector<Count>{0, 1, 2}));
  {
    PartWriter again(folder, own, 0, 2);
    for (const Count run : state.missing) again.run(run, {});
  }
  EXPECT_EQ(merge_sweep(folder, own).digest, whole.digest);
  EXPECT_TRUE(sweep_state(folder, own).is_whole());
}

TEST_F(Sweep, RowsOfOtherValuesOrAnotherJobDoNotCount) {
  (void)results("s", {0, 1}, 2);
  write("job.toml", std::string(job).replace(std::string(job).find("4e-6"), 4, "5e-6"));
  (void)results("t", {2, 3}, 2);
  const SweepFolder folder(folder_ / "s"), other(folder_ / "t");
  fs::copy(other.part_files().at(0), folder.parts() + "/other.h5");
  SweepState state = sweep_state(folder, folder.plan());
  EXPECT_EQ(state.missing, (std::vector<Count>{2, 3, 4, 5}));
  ASSERT_EQ(state.faults.size(), 2U);
  EXPECT_THAT(to_string(state.faults[0]), HasSubstr("run 2 was computed with other values"));
  write("job.toml", std::string(job).replace(std::string(job).find("max of"), 3, "min"));
  (void)results("u", {4}, 1);
  fs::copy(SweepFolder(folder_ / "u").part_files().at(0), folder.parts() + "/third.h5");
  state = sweep_state(folder, folder.plan());
  EXPECT_EQ(state.missing, (std::vector<Count>{2, 3, 4, 5}));
  EXPECT_THAT(to_string(state.faults.back()), HasSubstr("another job or scene"));
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

TEST_F(Sweep, AStoppedRunIsNoAttempt) {
  const SweepPlan whole = plan();
  const SweepFolder folder(folder_ / "s");
  folder.begin(whole, false);
  {
    std::stop_source stop;
    stop.request_stop();
    PartWriter part(folder, whole, 0, 0);
    EXPECT_THROW(part.run(4, stop.get_token()), Cancelled);
  }
  EXPECT_EQ(sweep_state(folder, whole).attempts, std::vector<Count>(6, 0));
}

/// The job with its runs in folders, which do not change the results.
std::string with_folders(const std::string& directories) {
  std::string text = job;
  const std::string keep = "[keep]\n";
  text.insert(text.find(keep) + keep.size(), "directories = \"" + directories + "\"\n");
  return text + "[limits]\nresumable = true\n";
}

TEST_F(Sweep, ARunThatAnotherProcessDoesInItsFolderIsDoneWithoutOne) {
  const std::vector<Count> order{0, 1, 2, 3, 4, 5};
  const SweepResults alone = results("alone", order, 6);
  write("job.toml", with_folders("none"));
  SweepResults found;
  {
    SweepFolder(folder_ / "s").begin(plan(), false);
    const RunLock other(folder_ / "s/runs/2");
    write("s/runs/2/checkpoint.h5", "of the other process");
    found = results_in("s", order);
    EXPECT_EQ(file_text(folder_ / "s/runs/2/checkpoint.h5"), "of the other process");
  }
  EXPECT_EQ(found.digest, alone.digest);
  // The next merge finds the folder that was left.
  EXPECT_TRUE(fs::exists(folder_ / "s/runs"));
  const SweepFolder folder(folder_ / "s");
  (void)merge_sweep(folder, folder.plan());
  EXPECT_FALSE(fs::exists(folder_ / "s/runs"));
}

TEST_F(Sweep, ARunWhoseFolderIsDamagedIsDoneAgain) {
  const std::vector<Count> order{0, 1, 2, 3, 4, 5};
  const SweepResults alone = results("alone", order, 6);
  write("job.toml", with_folders("all"));
  EXPECT_EQ(results("s", order, 6).digest, alone.digest);
  fs::remove_all(folder_ / "s/parts");
  fs::resize_file(folder_ / "s/runs/0/kept.bin", 100);
  write("s/runs/1/checkpoint.h5", "no checkpoint");
  fs::remove(folder_ / "s/runs/2/trajectory.h5");
  fs::remove(folder_ / "s/runs/3/kept.bin");
  fs::copy_file(folder_ / "s/runs/5/checkpoint.h5", folder_ / "s/runs/4/checkpoint.h5",
                fs::copy_options::overwrite_existing);
  EXPECT_EQ(results_in("s", order).digest, alone.digest);
}

TEST_F(Sweep, TheFolderOfALostRunIsKeptAsAFailedOne) {
  write("job.toml", with_folders("failed"));
  const SweepPlan whole = plan();
  const SweepFolder folder(folder_ / "s");
  folder.begin(whole, false);
  fs::create_directories(folder_ / "s/runs/1");
  fs::create_directories(folder_ / "s/runs/4");  // It has not ended.
  PartWriter part(folder, whole, 1, 1);
  part.add(row_without_result(whole, 1, SweepStatus::lost, "its process died"));
  (void)merge_sweep(folder, whole);
  EXPECT_TRUE(fs::exists(folder_ / "s/failed/1"));
  EXPECT_FALSE(fs::exists(folder_ / "s/runs/1"));
  EXPECT_TRUE(fs::exists(folder_ / "s/runs/4"));
}

TEST_F(Sweep, TimesOfALostRunAreUnknownAndNotCounted) {
  const SweepPlan whole = plan();
  const SweepFolder folder(folder_ / "s");
  folder.begin(whole, false);
  {
    PartWriter part(folder, whole, 0, 1);
    part.run(0, {});
    part.add(row_without_result(whole, 1, SweepStatus::lost, "its process died"));
  }
  const SweepState state = sweep_state(folder, whole);
  EXPECT_EQ(state.timed, 1);
  EXPECT_GT(state.wall, 0.0);
  EXPECT_GT(state.cpu, 0.0);
  const SweepResults results = merge_sweep(folder, whole);
  EXPECT_EQ(results.wall, state.wall);
  EXPECT_EQ(results.cpu, state.cpu);
}

TEST_F(Sweep, CallsOfAFunctionAreRefusedToAllButTheirCaller) {
  const SweepFolder folder(folder_ / "s");
  folder.begin(plan(), false);
  EXPECT_NO_THROW(folder.refuse_mapped());
  folder.set_mapped({{"height", {}}});
  EXPECT_THROW(folder.refuse_mapped(), InputError);
  folder.begin(plan(), false);  // Their caller goes on.
  folder.begin(plan(), true);
  EXPECT_NO_THROW(folder.refuse_mapped());
}

TEST_F(Sweep, AFolderThatCannotBeWrittenToEndsTheTaskAndIsNoAttempt) {
  write("job.toml", with_folders("none"));
  const SweepPlan whole = plan();
  const SweepFolder folder(folder_ / "s");
  folder.begin(whole, false);
  write("s/runs", "a file where the folders belong");
  {
    PartWriter part(folder, whole, 0, 0);
    EXPECT_THROW(part.run(0, {}), IoError);
  }
  EXPECT_EQ(sweep_state(folder, whole).attempts, std::vector<Count>(6, 0));
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
  write("job.toml", "[sweep]\nscene = \"none.toml\"\n[[vary]]\nkey = \"a\"\nvalues = [1]\n");
  EXPECT_THAT(fault(), HasSubstr("job.toml:2:9: error: scene \"none.toml\""));
}

}  // namespace
}  // namespace electret::test
