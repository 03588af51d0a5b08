/// \file
/// Runs of scenes that change: the same bits as a simulator that is changed by hand, stopped or not.

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <electret/adjoint/gradient.hpp>
#include <electret/core/same_bits.hpp>
#include <electret/dynamics/simulator.hpp>
#include <electret/fit/loss_forms.hpp>
#include <electret/record/describe.hpp>
#include <electret/record/disk_need.hpp>
#include <electret/record/energy_table.hpp>
#include <electret/record/run.hpp>
#include <electret/record/summary.hpp>
#include <electret/scene/changes.hpp>
#include <electret/scene/read.hpp>

#include "record/temporary_folder.hpp"
#include "record/whole_runs.hpp"

namespace electret {
namespace {

using test::expect_same_run;
using test::resumed;
using test::StopAfter;
using test::TemporaryFolder;
using ::testing::HasSubstr;

/// A charged chain that hangs from a moved pin, 40 steps, without changes.
std::string chain(const std::string& method) {
  return "[scene]\nname = \"chain\"\n[time]\nstep = 0.002\nsteps = 40\n[integrator]\nmethod = \"" + method +
         "\"\n[coulomb]\nsoftening = 0.05\n[gravity]\nacceleration = [0, 0, -9.81]\n[damping]\ndrag = 0.1\n"
         "[output]\nevery = 3\n"
         "[[body]]\nname = \"a\"\ngenerate = { shape = \"chain\", vertices = 8 }\nmass = 0.1\ncharge = 1e-6\n"
         "[[body.springs]]\nfrom = \"edges\"\nstiffness = 30.0\n"
         "[[body.group]]\nname = \"end\"\nindices = [0]\n[[body.group]]\nname = \"half\"\nindices = [4, 5]\n"
         "[[body.group_charge]]\ngroup = \"half\"\ntimes = [0.0, 0.1]\nvalues = [1e-6, -3e-6]\n"
         "[[body.pin]]\ngroup = \"end\"\ntimes = [0.0, 0.1]\noffsets = [[0, 0, 0], [0.1, 0.0, 0.2]]\n";
}

const std::vector<std::string> first = {"body.0.springs.0.stiffness=60", "time.step=0.001"};
const std::vector<std::string> second = {"body.0.charge=2e-6", "body.0.mass=0.12", "coulomb.softening=0.1"};
const std::vector<std::string> third = {"time.step=0.002", "damping.drag=0.3"};

std::string listed(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) list += (list.empty() ? "\"" : ", \"") + text + "\"";
  return "[" + list + "]";
}

/// With changes at steps 7, 20 (two) and 30.
std::string changing(const std::string& method) {
  return chain(method) + "[[change]]\nstep = 7\nset = " + listed(first) +
         "\n[[change]]\nstep = 20\nset = " + listed(second) +
         "\n[[change]]\nstep = 20\nunset = [\"gravity\"]\n[[change]]\nstep = 30\nset = " + listed(third) +
         "\n";
}

Assembly loaded(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return load_scene_text(text, "scene.toml", ".", overrides, read_regular_file);
}

RunResult run(const std::string& text, const std::string& directory, const RunOptions& options = {},
              int threads = 1) {
  return run_to_directory(compile(loaded(text), threads), directory, options);
}

void append(std::vector<std::string>& all, const std::vector<std::string>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

/// A simulator of the scene without changes, which is changed by hand.
Simulator changed_by_hand(const std::string& method) {
  std::vector<std::string> overrides;
  Simulator simulator(compile(loaded(chain(method)), 1));
  const auto change_at = [&](Count step, const std::vector<std::string>& sets) {
    simulator.run(step);
    append(overrides, sets);
    simulator.change(loaded(chain(method), overrides));
  };
  change_at(7, first);
  std::vector<std::string> both = second;
  both.emplace_back("--unset gravity");
  change_at(20, both);
  change_at(30, third);
  simulator.run(40);
  return simulator;
}

class ChangingRun : public ::testing::TestWithParam<std::string_view> {};

TEST_P(ChangingRun, HasTheBitsOfASimulatorThatIsChangedByHand) {
  const std::string method(GetParam());
  const TemporaryFolder folder;
  const RunResult result = run(changing(method), folder / "run");
  const Simulator by_hand = changed_by_hand(method);
  const Checkpoint end = read_checkpoint(folder / "run/checkpoint.h5");
  EXPECT_EQ(result.changes, 4);
  EXPECT_TRUE(same_bits(end.state.positions, by_hand.state().positions));
  EXPECT_TRUE(same_bits(end.state.velocities, by_hand.state().velocities));
  EXPECT_EQ(end.state.memory.arrays.size(), by_hand.state().memory.arrays.size());
  EXPECT_EQ(end.work.keyframe_work, by_hand.work().keyframe_work);
  EXPECT_EQ(end.work.field_work, by_hand.work().field_work);
  EXPECT_EQ(end.work.pin_work, by_hand.work().pin_work);
  EXPECT_EQ(end.work.dissipation, by_hand.work().dissipation);
  const double time = 7 * 0.002 + 23 * 0.001;
  EXPECT_EQ(result.simulated_time, time + 10 * 0.002);
  EXPECT_EQ(by_hand.system().time(40), result.simulated_time);
}

TEST_P(ChangingRun, ResumesAcrossItsChangesToTheBit) {
  const std::string method(GetParam());
  const TemporaryFolder folder;
  run(changing(method), folder / "whole");
  for (const Count stop : {6, 7, 8, 19, 20, 21, 30, 33}) {
    const std::string dir = folder / ("stopped" + std::to_string(stop));
    StopAfter early(stop);
    EXPECT_EQ(run(changing(method), dir, early.options).steps, stop);
    StopAfter at_once(stop, true);
    EXPECT_EQ(run(changing(method), dir, at_once.options).steps, stop) << "stopped again where it was";
    if (stop % 2 == 0) test::make_killed(dir + "/checkpoint.h5");
    EXPECT_EQ(run(changing(method), dir, resumed(), stop % 3 == 0 ? 3 : 1).status, RunStatus::done);
    expect_same_run(folder / "whole", dir);
    EXPECT_EQ(read_summary(dir + "/summary.json").changes, 4);
  }
}

TEST_P(ChangingRun, HasTheSameBitsOnThreeThreads) {
  const TemporaryFolder folder;
  run(changing(std::string(GetParam())), folder / "one");
  run(changing(std::string(GetParam())), folder / "three", {}, 3);
  expect_same_run(folder / "one", folder / "three");
}
INSTANTIATE_TEST_SUITE_P(Methods, ChangingRun, ::testing::ValuesIn(integrator_methods));

/// The method and its solver change, too.
TEST(Changing, ResumesAcrossAChangeOfMethod) {
  const TemporaryFolder folder;
  const std::string text =
      chain("imex") +
      "[[change]]\nstep = 10\nset = [\"integrator.method='newton'\", \"coulomb.solver='fmm'\"]\n"
      "[[change]]\nstep = 25\nset = [\"integrator.method='auto'\"]\n";
  run(text, folder / "whole");
  for (const Count stop : {9, 10, 12, 24, 25, 30}) {
    const std::string dir = folder / ("stopped" + std::to_string(stop));
    StopAfter early(stop);
    run(text, dir, early.options);
    run(text, dir, resumed());
    expect_same_run(folder / "whole", dir);
  }
}

/// Killed by -9 at some moment, as often as it takes.
TEST(Changing, IsTheSameRunAfterKills) {
  const TemporaryFolder folder;
  std::string text = changing("imex");
  text.replace(text.find("steps = 40"), 10, "steps = 900");
  run(text, folder / "whole");
  const std::string dir = folder / "killed";
  for (int k = 0; k < 6; ++k) {
    const pid_t pid = fork();
    ASSERT_GE(pid, 0);
    if (pid == 0) {
      try {
        RunOptions options = resumed();
        // Checkpoints are due by the clock: slow steps give it time for some.
        options.control.progress = [](const Progress&) { usleep(2000); };
        run(text, dir, options);
      } catch (...) {
        _exit(3);
      }
      _exit(0);
    }
    usleep(500000);
    kill(pid, SIGKILL);
    waitpid(pid, nullptr, 0);
  }
  run(text, dir, resumed());
  expect_same_run(folder / "whole", dir);
}

/// E_f - E_0 is the work, the booked changes among it: without them the table would not close.
TEST(Changing, EnergyTableClosesWithWhatIsBooked) {
  const TemporaryFolder folder;
  const std::string text =
      chain("kick_midpoint") + "[[change]]\nstep = 15\nset = [\"body.0.springs.0.stiffness=3000\"]\n";
  run(text, folder / "run");
  const Checkpoint end = read_checkpoint(folder / "run/checkpoint.h5");
  const auto rows = read_energies(folder / "run/energy.csv");
  const double gained = rows.back().energies.total() - rows.front().energies.total();
  double booked = 0.0;
  for (std::size_t f = 1; f < rows.size(); ++f) {
    const double jump = (rows[f].energies.total() - rows[f].work + rows[f].dissipation) -
                        (rows[f - 1].energies.total() - rows[f - 1].work + rows[f - 1].dissipation);
    EXPECT_LT(std::abs(jump), 2e-3) << "frame " << f;
    booked = std::max(booked, std::abs(rows[f].work - rows[f - 1].work));
  }
  EXPECT_GT(booked, 0.1) << "the springs are stretched at step 15";
  EXPECT_NEAR(gained, rows.back().work - rows.back().dissipation, 5e-3);
  EXPECT_EQ(read_summary(folder / "run/summary.json").energy_jumps, 0);
}

/// The frame of the step at which a change is made has the energies of before; its time and those after it go
/// on.
TEST(Changing, FramesHaveTheirTimes) {
  const TemporaryFolder folder;
  run(changing("verlet"), folder / "run");
  const auto times = TrajectoryReader(folder / "run/trajectory.h5").times();
  ASSERT_EQ(times.size(), 14U);
  for (const std::size_t f : {0U, 1U, 2U}) EXPECT_EQ(times[f], static_cast<double>(3 * f) * 0.002);
  EXPECT_EQ(times[3], 7 * 0.002 + 2 * 0.001);
  EXPECT_EQ(times[10], 7 * 0.002 + 23 * 0.001);
  EXPECT_EQ(times[13], 7 * 0.002 + 23 * 0.001 + 9 * 0.002);
}

/// Charges that a change sets are in every frame.
TEST(Changing, RecordsChargesFrameByFrame) {
  const TemporaryFolder folder;
  std::string text = chain("verlet");
  const auto track = text.find("[[body.group_charge]]");
  text.erase(track, text.find("[[body.pin]]") - track);
  run(text, folder / "still");
  const double still = disk_need(*compile(loaded(text), 1)).per_frame;
  EXPECT_FALSE(TrajectoryReader(folder / "still/trajectory.h5").charges_change());
  text += "[[change]]\nstep = 10\nset = [\"body.0.charge=2e-6\"]\n";
  run(text, folder / "run");
  const TrajectoryReader reader(folder / "run/trajectory.h5");
  EXPECT_TRUE(reader.charges_change());
  EXPECT_EQ(reader.charges(3)[0], 1e-6);
  EXPECT_EQ(reader.charges(4)[0], 2e-6);
  EXPECT_DOUBLE_EQ(disk_need(*compile(loaded(text), 1)).per_frame, still + 8.0 * 8.0);
}

TEST(Changing, IsDescribedWithItsChanges) {
  const TemporaryFolder folder;
  run(changing("verlet"), folder / "run");
  const RunDescription d = describe(folder / "run");
  ASSERT_EQ(d.changes.size(), 4U);
  EXPECT_EQ(d.changes[0].step, 7);
  EXPECT_EQ(d.changes[2].unset, std::vector<std::string>{"gravity"});
  EXPECT_EQ(d.time_step, 0.002);
}

/// Another change is another run; so is none.
TEST(Changing, IsNotResumedWithOtherChanges) {
  const TemporaryFolder folder;
  StopAfter early(10);
  run(changing("verlet"), folder / "run", early.options);
  for (const std::string& text :
       {chain("verlet"), changing("verlet") + "[[change]]\nstep = 35\nset = [\"damping.drag=1\"]\n"})
    EXPECT_THAT(test::message_of<InputError>([&] { run(text, folder / "run", resumed()); }),
                HasSubstr("changes"));
  std::string longer = changing("verlet");
  longer.replace(longer.find("steps = 40"), 10, "steps = 50");
  EXPECT_EQ(run(longer, folder / "run", resumed()).steps, 50);
}

/// A step that diverges right after a change leaves the last good step, before the change.
TEST(Changing, DivergesAtTheLastGoodStepAndResumesThere) {
  const TemporaryFolder folder;
  const std::string text =
      chain("verlet") + "[[change]]\nstep = 12\nset = [\"body.0.springs.0.stiffness=1e300\"]\n";
  EXPECT_THROW(run(text, folder / "run"), DivergenceError);
  const Checkpoint end = read_checkpoint(folder / "run/checkpoint.h5");
  EXPECT_EQ(end.state.step, 12);
  Simulator before(compile(loaded(chain("verlet")), 1));
  before.run(12);
  EXPECT_TRUE(same_bits(end.state.positions, before.state().positions));
  EXPECT_EQ(end.work.keyframe_work, before.work().keyframe_work);
  EXPECT_THROW(run(text, folder / "run", resumed()), DivergenceError);
  EXPECT_EQ(read_checkpoint(folder / "run/checkpoint.h5").work.keyframe_work, before.work().keyframe_work);
}

TEST(Changing, CheckpointHoldsTheLegsOfTime) {
  const TemporaryFolder folder;
  run(changing("verlet"), folder / "run");
  const Checkpoint end = read_checkpoint(folder / "run/checkpoint.h5");
  ASSERT_EQ(end.legs.size(), 3U);
  EXPECT_EQ(end.legs[1].step, 7);
  EXPECT_EQ(end.legs[1].time, 7 * 0.002);
  EXPECT_EQ(end.legs[1].time_step, 0.001);
  run(chain("verlet"), folder / "still");
  EXPECT_TRUE(read_checkpoint(folder / "still/checkpoint.h5").legs.empty());
  StopAfter early(10);
  run(changing("verlet"), folder / "stopped", early.options);
  Checkpoint other = read_checkpoint(folder / "stopped/checkpoint.h5");
  other.legs[1].time = 1.0;
  const State state = other.state;
  write_checkpoint(folder / "stopped/checkpoint.h5", other, state);
  EXPECT_THAT(
      test::message_of<UnreadableError>([&] { run(changing("verlet"), folder / "stopped", resumed()); }),
      HasSubstr("its times are not the scene's"));
}

// A simulator of such a scene by itself.

TEST(Changing, SimulatorMakesChangesInItsSteps) {
  Simulator by_hand = changed_by_hand("imex");
  Simulator simulator(compile(loaded(changing("imex")), 1));
  simulator.run(40);
  EXPECT_TRUE(same_bits(simulator.state().positions, by_hand.state().positions));
  EXPECT_EQ(simulator.work().keyframe_work, by_hand.work().keyframe_work);
  EXPECT_EQ(simulator.system().assembly.scene.changes_made, 4U);
  simulator.restart();
  EXPECT_EQ(simulator.system().assembly.scene.changes_made, 0U);
  EXPECT_EQ(simulator.system().time_step, 0.002);
  simulator.run(40);
  EXPECT_TRUE(same_bits(simulator.state().positions, by_hand.state().positions));
}

TEST(Changing, SimulatorRestoresStatesOfAllLegs) {
  Simulator simulator(compile(loaded(changing("imex")), 1));
  std::vector<State> states;
  std::vector<WorkAccounts> works;
  for (Count n = 0; n <= 40; ++n) {
    states.push_back(simulator.state());
    works.push_back(simulator.work());
    if (n < 40) simulator.step();
  }
  for (const std::size_t n : {35U, 3U, 20U, 21U, 7U}) {
    simulator.restore(states[n], works[n]);
    EXPECT_EQ(simulator.inputs().time, simulator.system().time(static_cast<Count>(n)));
    simulator.run(40);
    EXPECT_TRUE(same_bits(simulator.state().positions, states[40].positions)) << n;
    EXPECT_EQ(simulator.work().keyframe_work, works[40].keyframe_work) << n;
  }
}

/// An abandoned step takes the changes with it that were made before it.
TEST(Changing, AbandonedStepTakesItsChangesBack) {
  Simulator simulator(compile(loaded(changing("newton")), 1)), other(compile(loaded(changing("newton")), 1));
  simulator.run(7);
  const State before = simulator.state();
  const WorkAccounts work = simulator.work();
  EXPECT_TRUE(simulator.is_change_due());
  simulator.step();
  EXPECT_FALSE(simulator.is_change_due());
  EXPECT_EQ(simulator.system().time_step, 0.001);
  EXPECT_TRUE(simulator.abandon_step());
  EXPECT_TRUE(simulator.is_change_due());
  EXPECT_EQ(simulator.system().time_step, 0.002);
  EXPECT_EQ(simulator.state().step, 7);
  EXPECT_TRUE(same_bits(simulator.state().positions, before.positions));
  EXPECT_EQ(simulator.work().keyframe_work, work.keyframe_work);
  EXPECT_EQ(simulator.inputs().time, 7 * 0.002);
  simulator.run(40);
  other.run(40);
  EXPECT_TRUE(same_bits(simulator.state().positions, other.state().positions));
  EXPECT_EQ(simulator.work().keyframe_work, other.work().keyframe_work);
}

/// Inputs that a caller made for the system before a change do not fit the one after it.
TEST(Changing, CallersInputsComeAfterTheChange) {
  Simulator simulator(compile(loaded(changing("verlet")), 1));
  simulator.run(7);
  StepInputs inputs{simulator.inputs(), simulator.inputs(), {}};
  EXPECT_THROW(simulator.step(inputs), std::invalid_argument);
  simulator.make_changes();
  EXPECT_FALSE(simulator.is_change_due());
  EXPECT_NO_THROW(simulator.step(inputs));
}

TEST(Changing, GradientsAreRefusedAtEachChange) {
  Assembly assembly = loaded(changing("imex"));
  Simulator simulator(compile(assembly, 1));
  const auto loss = parse_loss("energy", assembly, {});
  const std::string message = test::message_of<InputError>([&] { loss_and_gradient(simulator, *loss); });
  EXPECT_THAT(message, HasSubstr("a gradient cannot pass the change at step 7"));
  EXPECT_THAT(message, HasSubstr("scene.toml:"));
  EXPECT_EQ(std::count(message.begin(), message.end(), '\n'), 3);
  EXPECT_NO_THROW(loss_of_run(simulator, *loss));
}

}  // namespace
}  // namespace electret
