#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/core/errors.hpp>
#include <electret/core/instruction_set.hpp>
#include <electret/record/checkpoint.hpp>
#include <electret/record/detail/files.hpp>
#include <electret/record/run.hpp>

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
using test::StopAfter;
using test::TemporaryFolder;
using ::testing::HasSubstr;

namespace fs = std::filesystem;

class Resume : public ::testing::TestWithParam<std::string_view> {};

TEST_P(Resume, IsBitwiseTheSameAsNeverStopping) {
  const TemporaryFolder folder;
  SceneWishes wishes;
  wishes.method = std::string(GetParam());
  wishes.time_step = 0.002;
  run_to_directory(made_system(wishes), folder / "whole");
  for (const Count stop : {0, 1, 6, 31, 59}) {
    const std::string dir = folder / ("stopped" + std::to_string(stop));
    StopAfter first(stop);
    const RunResult part = run_to_directory(made_system(wishes), dir, first.options);
    EXPECT_EQ(part.status, RunStatus::interrupted);
    EXPECT_EQ(part.steps, stop);
    EXPECT_EQ(read_summary(dir + "/summary.json").status, RunStatus::interrupted);
    StopAfter second(stop + 1, true);
    run_to_directory(made_system(wishes), dir, second.options);
    const RunResult whole = run_to_directory(made_system(wishes, 2), dir, resumed());
    EXPECT_EQ(whole.status, RunStatus::done);
    expect_same_run(folder / "whole", dir);
  }
}
INSTANTIATE_TEST_SUITE_P(Methods, Resume, ::testing::ValuesIn(integrator_methods));

/// The method that "auto" took is in the checkpoint: a resumed run stays with it, whatever would be chosen
/// now.
TEST(Run, ResumedStaysWithTheIntegratorItChose) {
  const TemporaryFolder folder;
  SceneWishes wishes;
  wishes.method = "auto";
  const std::string dir = folder / "run";
  StopAfter early(20);
  run_to_directory(made_system(wishes), dir, early.options);
  const RunResult part = read_summary(dir + "/summary.json");
  Checkpoint checkpoint = read_checkpoint(dir + "/checkpoint.h5");
  EXPECT_EQ(checkpoint.integrator_choice.name, part.integrator);
  EXPECT_THAT(part.choices, ::testing::Contains("integrator: " + to_string(checkpoint.integrator_choice)));
  ASSERT_NE(part.integrator, "explicit_euler");
  checkpoint.integrator_choice = {"explicit_euler", "it was so"};
  const State state = checkpoint.state;
  write_checkpoint(dir + "/checkpoint.h5", checkpoint, state);
  EXPECT_EQ(run_to_directory(made_system(wishes), dir, resumed()).integrator, "explicit_euler");
}

/// Where the field was computed is in the checkpoint, and no part of the scene's identity.
TEST(Run, ResumedOnAnotherDeviceWarnsAndGoesOn) {
  const TemporaryFolder folder;
  const std::string dir = folder / "run";
  StopAfter early(20);
  run_to_directory(made_system({}), dir, early.options);
  EXPECT_EQ(read_summary(dir + "/summary.json").field_device, "cpu");
  EXPECT_EQ(read_checkpoint(dir + "/checkpoint.h5").field_device, "cpu");
  const auto resumed_from = [&](const std::string& device, bool stop_on_warning) {
    Checkpoint checkpoint = read_checkpoint(dir + "/checkpoint.h5");
    checkpoint.field_device = device;
    const State state = checkpoint.state;
    write_checkpoint(dir + "/checkpoint.h5", checkpoint, state);
    StopAfter later(state.step + 1, true);
    later.options.stop_on_warning = stop_on_warning;
    std::string notices;
    later.options.control.notice = [&](std::string_view text) { notices += text; };
    run_to_directory(made_system({}), dir, later.options);
    return notices;
  };
  EXPECT_EQ(resumed_from("cpu", true), "");
  EXPECT_EQ(resumed_from("", true), "") << "written by a version without devices";
  const std::string words = "was computed on A Card (Made Up, driver 1.2) until here and is computed on cpu";
  EXPECT_THAT(message_of<InputError>([&] { resumed_from("A Card (Made Up, driver 1.2)", true); }),
              HasSubstr(words));
  EXPECT_THAT(resumed_from("A Card (Made Up, driver 1.2)", false), HasSubstr(words));
  EXPECT_THAT(read_summary(dir + "/summary.json").warnings, ::testing::Contains(HasSubstr(words)));
  EXPECT_EQ(read_checkpoint(dir + "/checkpoint.h5").field_device, "cpu");
}

/// So is the instruction set, whose last digits differ. The warning stays, because later legs do not change
/// the bits of the earlier ones.
TEST(Run, ResumedWithAnotherInstructionSetWarnsAndGoesOn) {
  const TemporaryFolder folder;
  const std::string dir = folder / "run";
  StopAfter early(20);
  run_to_directory(made_system({}), dir, early.options);
  const std::string now = name_of(instruction_set());
  Checkpoint checkpoint = read_checkpoint(dir + "/checkpoint.h5");
  EXPECT_EQ(checkpoint.instruction_set, now);
  const auto resumed_from = [&](const std::string& set, bool stop_on_warning) {
    checkpoint = read_checkpoint(dir + "/checkpoint.h5");
    checkpoint.instruction_set = set;
    const State state = checkpoint.state;
    write_checkpoint(dir + "/checkpoint.h5", checkpoint, state);
    StopAfter later(state.step + 1, true);
    later.options.stop_on_warning = stop_on_warning;
    std::string notices;
    later.options.control.notice = [&](std::string_view text) { notices += text; };
    run_to_directory(made_system({}), dir, later.options);
    return notices;
  };
  EXPECT_EQ(resumed_from("", true), "") << "written by an earlier version";
  const std::string words =
      "was computed with the instruction set made_up until here and is computed with " + now;
  EXPECT_THAT(message_of<InputError>([&] { resumed_from("made_up", true); }), HasSubstr(words));
  EXPECT_THAT(resumed_from("made_up", false), HasSubstr(words));
  EXPECT_EQ(resumed_from(now, true), "");
  EXPECT_THAT(read_summary(dir + "/summary.json").warnings, ::testing::Contains(HasSubstr(words)));
}

TEST(Run, ResumedCutsBackFramesAndRowsWrittenAfterTheCheckpoint) {
  const TemporaryFolder folder;
  const SceneWishes wishes;
  run_to_directory(made_system(wishes), folder / "whole");
  StopAfter early(20);
  run_to_directory(made_system(wishes), folder / "run", early.options);
  test::make_killed(folder / "run/checkpoint.h5");
  fs::copy_file(folder / "run/checkpoint.h5", folder / "early.h5");
  StopAfter late(50, true);
  run_to_directory(made_system(wishes), folder / "run", late.options);
  fs::copy_file(folder / "early.h5", folder / "run/checkpoint.h5", fs::copy_options::overwrite_existing);
  std::ofstream(folder / "run/energy.csv", std::ios::app) << "0.5,1,2";  // A row cut short.
  run_to_directory(made_system(wishes), folder / "run", resumed());
  expect_same_run(folder / "whole", folder / "run");
}

/// A table whose rows are no longer where the checkpoint has them would be cut within a row.
TEST(Run, IsNotResumedIfARowOfItsTablesWasChanged) {
  const TemporaryFolder folder;
  const std::string dir = folder / "run";
  StopAfter early(20);
  run_to_directory(made_system({}), dir, early.options);
  test::make_killed(dir + "/checkpoint.h5");
  for (const std::string name : {"energy.csv", "observables.csv"}) {
    const std::string path = dir + "/" + name, whole = read_file(path);
    const auto refused_with = [&](const std::string& text) {
      std::ofstream(path, std::ios::binary) << text;
      return message_of<UnreadableError>([&] { run_to_directory(made_system({}), dir, resumed()); });
    };
    const std::size_t row = whole.find('\n') + 1;
    EXPECT_THAT(refused_with(whole.substr(0, row) + "0.0" + whole.substr(row)),
                HasSubstr(name + " has other rows in its first " + std::to_string(whole.size()) +
                          " bytes than the 7 of the checkpoint"));
    EXPECT_THAT(refused_with(whole.substr(0, row) + "\n" + whole.substr(row + 1)),
                HasSubstr("has other rows"));
    std::ofstream(path, std::ios::binary) << whole;
  }
}

/// A digit that was changed leaves as many rows and bytes, and a row more is none of the run's if it had
/// ended.
TEST(Run, IsNotResumedIfANumberOfItsTablesWasChangedOrARowAdded) {
  const TemporaryFolder folder;
  const std::string dir = folder / "run";
  const auto expect_refused = [&](const char* name, std::string text, const char* why) {
    const std::string path = dir + "/" + name, whole = read_file(path);
    std::ofstream(path, std::ios::binary) << text;
    EXPECT_THAT(message_of<UnreadableError>([&] { run_to_directory(made_system({}), dir, resumed()); }),
                HasSubstr(std::string(name) + why));
    EXPECT_EQ(read_file(path), text);
    std::ofstream(path, std::ios::binary) << whole;
  };
  StopAfter early(20);
  run_to_directory(made_system({}), dir, early.options);
  for (const bool is_done : {false, true}) {
    for (const char* name : {"energy.csv", "observables.csv"}) {
      const std::string whole = read_file(dir + "/" + name);
      std::string changed = whole;
      char& digit = changed[changed.size() - 2];
      digit = digit == '1' ? '2' : '1';
      expect_refused(name, changed, " has rows whose numbers are not those that were written");
      expect_refused(name, whole + "0,0\n", " has ");
    }
    EXPECT_EQ(run_to_directory(made_system({}), dir, resumed()).already_finished, is_done);
  }
}

/// Rows behind the checkpoint of a run that was killed are cut off, whatever they are.
TEST(Run, ThatWasKilledIsResumedWhateverFollowsInItsTables) {
  const TemporaryFolder folder;
  const std::string dir = folder / "run";
  run_to_directory(made_system({}), folder / "whole");
  StopAfter early(20);
  run_to_directory(made_system({}), dir, early.options);
  test::make_killed(dir + "/checkpoint.h5");
  for (const char* name : {"/energy.csv", "/observables.csv"})
    std::ofstream(dir + name, std::ios::app) << "0,0\n???";
  run_to_directory(made_system({}), dir, resumed());
  expect_same_run(folder / "whole", dir);
}

TEST(Run, ALongerRunGoesOnAShorterOrChangedOneIsRefused) {
  const TemporaryFolder folder;
  SceneWishes wishes;
  const std::string dir = folder / "run";
  wishes.steps = 31;
  run_to_directory(made_system(wishes), dir);
  wishes.steps = 60;
  EXPECT_FALSE(run_to_directory(made_system(wishes), dir, resumed()).already_finished);
  run_to_directory(made_system(wishes), folder / "whole");
  expect_same_run(folder / "whole", dir);

  const RunResult again = run_to_directory(made_system(wishes), dir, resumed());
  EXPECT_TRUE(again.already_finished);
  EXPECT_EQ(again.status, RunStatus::done);
  EXPECT_EQ(again.frames, 21);

  const std::string before = read_file(dir + "/trajectory.h5");
  wishes.charge = 3e-6;
  wishes.every = 2;
  const std::string changed =
      message_of<InputError>([&] { run_to_directory(made_system(wishes), dir, resumed()); });
  EXPECT_THAT(changed, HasSubstr("scene has changed"));
  EXPECT_THAT(changed, HasSubstr("charges, [output]"));
  wishes = {};
  wishes.steps = 40;
  EXPECT_THAT(message_of<InputError>([&] { run_to_directory(made_system(wishes), dir, resumed()); }),
              HasSubstr("at step 60 already, beyond the 40 requested steps"));
  EXPECT_EQ(read_file(dir + "/trajectory.h5"), before);
}

/// The part of a page that has neither times nor the order of a folder.
std::string energies_and_scene(const std::string& page) {
  const auto begin = page.find("<h2>Energies</h2>"), end = page.find("<h2>Files</h2>");
  EXPECT_NE(begin, std::string::npos);
  EXPECT_NE(end, std::string::npos);
  return page.substr(begin, end - begin);
}

TEST(Run, ThatHasFinishedWritesItsPlotAndPageAgainIfTheyAreGone) {
  const TemporaryFolder folder;
  const std::string dir = folder / "run";
  Assembly unnamed = test::made_assembly({});
  unnamed.scene.name.clear();  // Its text has no name.
  run_to_directory(compile(unnamed, 1), dir);
  const std::string plot = read_file(dir + "/energy.svg"), page = read_file(dir + "/index.html"),
                    summary = read_file(dir + "/summary.json");
  const auto again = [&](std::vector<std::string> gone) {
    for (const std::string& name : gone) fs::remove(dir + "/" + name);
    const RunResult result = run_to_directory(compile(unnamed, 1), dir, resumed());
    EXPECT_TRUE(result.already_finished);
    EXPECT_EQ(result.written_again, gone);
    EXPECT_EQ(read_file(dir + "/energy.svg"), plot);
    EXPECT_EQ(energies_and_scene(read_file(dir + "/index.html")), energies_and_scene(page));
    EXPECT_EQ(read_file(dir + "/summary.json"), summary);
  };
  again({});
  again({"energy.svg"});
  again({"index.html"});
  again({"energy.svg", "index.html"});
}

/// Two charges thrown at each other, faster than the step resolves: they meet at step 25, and fly on.
std::unique_ptr<System> encounter() {
  Assembly a;
  a.scene.time = {0.01, 60};
  a.scene.integrator.method = "verlet";
  a.scene.coulomb = FieldOptions{};
  a.rest_positions = a.initial_positions = {{1, 0, 0}, {-1, 0, 0}, {0, 50, 0}, {0, 51, 0}};
  a.initial_velocities = {{-4, 0, 0}, {4, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  a.charges = {4.2e-6, 4.2e-6, 1e-6, -1e-6};
  a.masses = {1.0, 1.0, 1.0, 1.0};
  a.body_offsets = {0, 4};
  a.spring_offsets = a.body_spring_offsets = {0, 0};
  return compile(std::move(a), 1);
}

TEST(Run, ResumedRemembersWhatTheEnergyDid) {
  const TemporaryFolder folder;
  const RunResult whole = run_to_directory(encounter(), folder / "whole");
  ASSERT_GE(whole.energy_jumps, 1);
  const auto told = [](const RunResult& result) {
    return std::count_if(result.warnings.begin(), result.warnings.end(),
                         [](const std::string& text) { return text.starts_with("the energy has jumped"); });
  };
  ASSERT_EQ(told(whole), 1);
  for (const Count stop : {10, 24, 25, 26, 40}) {
    const std::string dir = folder / ("stopped" + std::to_string(stop));
    StopAfter first(stop);
    run_to_directory(encounter(), dir, first.options);
    const RunResult result = run_to_directory(encounter(), dir, resumed());
    EXPECT_EQ(result.energy_jumps, whole.energy_jumps) << stop;
    EXPECT_EQ(result.energy_watch.largest_jump, whole.energy_watch.largest_jump) << stop;
    EXPECT_EQ(result.energy_watch.usual_change, whole.energy_watch.usual_change) << stop;
    EXPECT_EQ(result.warnings, whole.warnings) << stop;
    expect_same_run(folder / "whole", dir);
  }
}

TEST(Run, ResumedWithoutACheckpointStartsAfreshAndSaysSo) {
  const TemporaryFolder folder;
  std::string said;
  RunOptions options = resumed();
  options.control.notice = [&](std::string_view text) { said += text; };
  EXPECT_EQ(run_to_directory(made_system({}), folder / "run", options).status, RunStatus::done);
  EXPECT_THAT(said, HasSubstr("starting afresh"));
}

}  // namespace
}  // namespace electret
