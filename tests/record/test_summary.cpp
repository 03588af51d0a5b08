#include <algorithm>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/dynamics/simulator.hpp>
#include <electret/record/checkpoint.hpp>
#include <electret/record/detail/files.hpp>
#include <electret/record/energy_plot.hpp>
#include <electret/record/run.hpp>
#include <electret/record/summary.hpp>

#include "record/made_scene.hpp"
#include "record/temporary_folder.hpp"

namespace electret {
namespace {

using test::made_assembly;
using test::made_system;
using test::SceneWishes;
using test::TemporaryFolder;
using ::testing::HasSubstr;

/// Every number another one, so that none can stand in for its neighbour.
RunResult made_result() {
  RunResult r;
  r.status = RunStatus::diverged;
  r.steps = 1;
  r.frames = 2;
  r.vertices = 3;
  r.springs = 4;
  r.integrator = "verlet";
  r.solver = "direct";
  r.field_evaluations = 5;
  r.mean_elastic_iterations = 6.5;
  r.max_elastic_iterations = 7;
  r.capped_steps = 8;
  r.wall_field = 9.5;
  r.wall_elastic = 10.5;
  r.wall_output = 11.5;
  r.wall_total = 12.5;
  r.largest_energy_change = -13.25;
  r.largest_relative_energy_change = 13.5;
  r.elements = 21;
  r.time_step = 22.5;
  r.simulated_time = 23.5;
  r.overrides = {"a=1", "--unset b"};
  r.date = "2026-03-31T08:15:00Z";
  r.processor = "a processor";
  r.threads = 24;
  r.energy_jumps = 20;
  r.work = {14.5, 15.5, 16.5, 17.5};
  r.choices = {"a choice"};
  r.warnings = {"a warning"};
  r.failure = RunFailure{18, 19, "a cause", "an advice"};
  return r;
}

TEST(Summary, WritesEachNumberUnderItsName) {
  const std::string text = summary_text(made_result());
  for (const char* line : {R"("status": "diverged")",
                           R"("steps": 1,)",
                           R"("frames": 2,)",
                           R"("vertices": 3,)",
                           R"("springs": 4,)",
                           R"("integrator": "verlet")",
                           R"("solver": "direct")",
                           R"("field_evaluations": 5,)",
                           R"("mean": 6.5)",
                           R"("max": 7)",
                           R"("capped_steps": 8,)",
                           R"("field": 9.5)",
                           R"("elastic": 10.5)",
                           R"("output": 11.5)",
                           R"("total": 12.5)",
                           R"("largest_relative_energy_change": 13.5)",
                           R"("energy_jumps": 20,)",
                           R"("field_work": 14.5)",
                           R"("keyframe_work": 15.5)",
                           R"("pin_work": 16.5)",
                           R"("dissipation": 17.5)",
                           R"("a choice")",
                           R"("a warning")",
                           R"("step": 18,)",
                           R"("vertex": 19,)",
                           R"("cause": "a cause")",
                           R"("advice": "an advice")",
                           R"("largest_energy_change": -13.25)",
                           R"("elements": 21,)",
                           R"("time_step": 22.5)",
                           R"("simulated_time": 23.5)",
                           R"("a=1")",
                           R"("--unset b")",
                           R"("date": "2026-03-31T08:15:00Z")",
                           R"("processor": "a processor")",
                           R"("threads": 24)"})
    EXPECT_THAT(text, HasSubstr(line));
}

TEST(Summary, ReadsBackWhatItWrote) {
  const TemporaryFolder folder;
  write_summary(folder / "summary.json", made_result());
  EXPECT_EQ(summary_text(read_summary(folder / "summary.json")), summary_text(made_result()));
}

TEST(CheckpointFile, ReadsBackEverything) {
  const TemporaryFolder folder;
  State state;
  state.step = 41;
  state.positions = {{1, 2, 3}, {4, 5, 6}};
  state.velocities = {{-1, -2, -3}, {-4, -5, -6}};
  state.memory.arrays = {{"history", {0.5, -0.25, 0.125}}, {"nothing", {}}, {"ü", {7.0}}};
  Checkpoint c;
  c.work = {1.5, 2.5, 3.5, 4.5};
  c.sums = {11,
            {{5.5, 6.5, 7.5, 8.25}, 20.5, 21.5, {22.5, 23.5, 24.5, 25.5}, 26.5, 27.5, 28},
            true,
            12,
            13,
            14,
            15,
            ContactSums{16, 17.5, 18, 19, 29, 34},
            BodyContactSums{20, 21.5, 30, 31, 32, 33.5},
            8.5,
            9.5,
            10.5,
            11.5};
  c.energy_bytes = 16;
  c.observables_bytes = 17;
  c.energy_sum = 35;
  c.observables_sum = 36;
  c.instruction_set = "portable";
  c.identity = {{"masses", "0123456789abcdef"}, {"springs", "fedcba9876543210"}};
  c.warnings = {"one", "two"};
  c.integrator_choice = {"verlet: or so", "it was: so"};
  write_checkpoint(folder / "checkpoint.h5", c, state);
  const Checkpoint read = read_checkpoint(folder / "checkpoint.h5");
  EXPECT_EQ(read.state.step, 41);
  EXPECT_EQ(read.state.positions, state.positions);
  EXPECT_EQ(read.state.velocities, state.velocities);
  ASSERT_EQ(read.state.memory.arrays.size(), 3U);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(read.state.memory.arrays[k].name, state.memory.arrays[k].name);
    EXPECT_EQ(read.state.memory.arrays[k].values, state.memory.arrays[k].values);
  }
  EXPECT_EQ(read.work.field_work, 1.5);
  EXPECT_EQ(read.work.keyframe_work, 2.5);
  EXPECT_EQ(read.work.pin_work, 3.5);
  EXPECT_EQ(read.work.dissipation, 4.5);
  EXPECT_EQ(read.sums.frames, 11);
  ASSERT_TRUE(read.sums.contact.has_value());
  EXPECT_EQ(read.sums.contact->unconverged_steps, 16);
  EXPECT_EQ(read.sums.contact->largest_penetration, 17.5);
  EXPECT_EQ(read.sums.contact->sticking, 18);
  EXPECT_EQ(read.sums.contact->slipping, 19);
  EXPECT_EQ(read.sums.contact->yielding, 29);
  EXPECT_EQ(read.sums.contact->passing_steps, 34);
  ASSERT_TRUE(read.sums.body_contact.has_value());
  EXPECT_EQ(read.sums.body_contact->unconverged_steps, 20);
  EXPECT_EQ(read.sums.body_contact->smallest_gap, 21.5);
  EXPECT_EQ(read.sums.body_contact->touching_steps, 30);
  EXPECT_EQ(read.sums.body_contact->pressed_steps, 31);
  EXPECT_EQ(read.sums.body_contact->passing_steps, 32);
  EXPECT_EQ(read.sums.body_contact->friction_work, 33.5);
  const EnergyWatchMemory& watch = read.sums.energy_watch;
  EXPECT_EQ((std::vector<double>{watch.balance.start, watch.balance.start_gravity, watch.balance.largest_gain,
                                 watch.balance.largest_size}),
            (std::vector<double>{5.5, 6.5, 7.5, 8.25}));
  EXPECT_EQ((std::vector<double>{watch.energy, watch.gain, watch.work.field_work, watch.work.keyframe_work,
                                 watch.work.pin_work, watch.work.dissipation, watch.usual_change,
                                 watch.largest_jump}),
            (std::vector<double>{20.5, 21.5, 22.5, 23.5, 24.5, 25.5, 26.5, 27.5}));
  EXPECT_EQ(watch.jumps, 28);
  EXPECT_TRUE(read.sums.charge_step_told);
  EXPECT_EQ(read.sums.elastic_iterations, 12);
  EXPECT_EQ(read.sums.max_elastic_iterations, 13);
  EXPECT_EQ(read.sums.capped_steps, 14);
  EXPECT_EQ(read.sums.field_evaluations, 15);
  EXPECT_EQ(read.sums.wall_field, 8.5);
  EXPECT_EQ(read.sums.wall_elastic, 9.5);
  EXPECT_EQ(read.sums.wall_output, 10.5);
  EXPECT_EQ(read.sums.wall_total, 11.5);
  EXPECT_EQ(read.energy_bytes, 16);
  EXPECT_EQ(read.observables_bytes, 17);
  EXPECT_EQ(read.energy_sum, 35);
  EXPECT_EQ(read.observables_sum, 36);
  EXPECT_EQ(read.instruction_set, "portable");
  EXPECT_EQ(read.identity, c.identity);
  EXPECT_EQ(read.warnings, c.warnings);
  EXPECT_EQ(read.integrator_choice, c.integrator_choice);
}

Assembly capped_assembly(int cap, Count steps) {
  SceneWishes wishes;
  wishes.steps = steps;
  Assembly a = made_assembly(wishes);
  a.scene.integrator.elastic_solver = "lbfgs";  // its iterations differ from step to step
  a.scene.integrator.tolerance = 1e-8;
  a.scene.integrator.max_iterations = cap;
  return a;
}

std::vector<StepReport> reports_with(int cap, Count steps) {
  std::vector<StepReport> reports;
  Simulator alone(compile(capped_assembly(cap, steps), 1));
  for (Count k = 0; k < steps; ++k) reports.push_back(alone.step());
  return reports;
}

struct Counts {
  Count iterations = 0, capped = 0;
  int most = 0;
};

Counts counts_of(const std::vector<StepReport>& reports) {
  Counts counts;
  for (const StepReport& report : reports) {
    counts.iterations += report.elastic_iterations;
    counts.capped += report.capped ? 1 : 0;
    counts.most = std::max(counts.most, report.elastic_iterations);
  }
  return counts;
}

/// A run stopped half-way and resumed has the counts of its steps, taken one by one.
void expect_counts(int cap, Count steps) {
  const Counts wanted = counts_of(reports_with(cap, steps));
  const TemporaryFolder folder;
  const std::string dir = folder / "run";
  std::stop_source source;
  RunOptions first, second;
  first.control.stop = source.get_token();
  first.control.progress = [&](const Progress& p) {
    if (p.done == steps / 2) source.request_stop();
  };
  second.resume = true;
  const RunResult part = run_to_directory(compile(capped_assembly(cap, steps), 1), dir, first);
  EXPECT_EQ(part.steps, steps / 2);
  // Times are told apart by times that no clock gave: the first leg took days.
  Checkpoint between = read_checkpoint(dir + "/checkpoint.h5");
  for (const auto member : {&RunningSums::wall_field, &RunningSums::wall_elastic, &RunningSums::wall_output,
                            &RunningSums::wall_total})
    between.sums.*member = 1e6;
  write_checkpoint(dir + "/checkpoint.h5", between, between.state);
  const RunResult whole = run_to_directory(compile(capped_assembly(cap, steps), 1), dir, second);
  EXPECT_EQ(whole.capped_steps, wanted.capped);
  EXPECT_EQ(whole.max_elastic_iterations, wanted.most);
  EXPECT_DOUBLE_EQ(whole.mean_elastic_iterations,
                   static_cast<double>(wanted.iterations) / static_cast<double>(steps));
  EXPECT_GE(part.field_evaluations, steps / 2);
  EXPECT_GE(whole.field_evaluations, part.field_evaluations + steps - steps / 2);
  for (const auto member :
       {&RunResult::wall_field, &RunResult::wall_elastic, &RunResult::wall_output, &RunResult::wall_total})
    EXPECT_GT(whole.*member, 1e6);
}

TEST(Run, CountsIterationsAndCappedStepsOverAllLegs) {
  std::vector<StepReport> reports = reports_with(1000, 40);
  const int most = counts_of(reports).most;
  // Up to a step that is not the hardest: the last must not stand in for the largest.
  while (!reports.empty() && reports.back().elastic_iterations == most) reports.pop_back();
  const auto steps = static_cast<Count>(reports.size());
  ASSERT_GT(steps, 4);
  expect_counts(1000, steps);
  ASSERT_GT(counts_of(reports_with(most - 1, steps / 2)).capped, 0);
  expect_counts(most - 1, steps);
}

TEST(Run, KeepsItsWarningsWhenResumed) {
  const auto hasty = [] {
    SceneWishes wishes;
    wishes.steps = 4;
    wishes.every = 4;
    wishes.charge = 3e-4;
    wishes.key_frames = false;
    return made_assembly(wishes);
  };
  const TemporaryFolder folder;
  std::stop_source source;
  source.request_stop();
  RunOptions first, second;
  first.control.stop = source.get_token();
  second.resume = true;
  const RunResult part = run_to_directory(compile(hasty(), 1), folder / "run", first);
  ASSERT_EQ(part.warnings.size(), 1U);
  EXPECT_THAT(part.warnings[0], HasSubstr("the time step is too large for the charges"));
  int said = 0;
  second.control.notice = [&](std::string_view) { ++said; };
  EXPECT_EQ(run_to_directory(compile(hasty(), 1), folder / "run", second).warnings, part.warnings);
  EXPECT_EQ(said, 0) << "said before";
}

/// Two charges thrown at each other: resolved at the start, not where they meet.
Assembly meeting_charges() {
  SceneWishes wishes;
  wishes.vertices = 2, wishes.steps = 8, wishes.every = 1, wishes.time_step = 0.05;
  wishes.key_frames = false;
  Assembly a = made_assembly(wishes);
  a.rest_positions = a.initial_positions = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}};
  a.initial_velocities = {{3.0, 0.0, 0.0}, {-3.0, 0.0, 0.0}};
  a.masses = {1.0, 1.0}, a.charges = {1e-5, 1e-5};
  a.springs.clear(), a.faces.clear();
  a.spring_offsets = a.body_spring_offsets = {0, 0};
  return a;
}

TEST(Run, WarnsOnceOfChargesThatMeetOnTheWayWheneverItIsStopped) {
  const TemporaryFolder folder;
  RunOptions options;
  Count said = 0, step = 0, said_at = -1;
  options.control.notice = [&](std::string_view) { ++said, said_at = step; };
  options.control.progress = [&](const Progress& progress) { step = progress.done + 1; };
  const RunResult whole = run_to_directory(compile(meeting_charges(), 1), folder / "whole", options);
  ASSERT_EQ(whole.warnings.size(), 1U);
  EXPECT_EQ(said, 1);
  EXPECT_GT(said_at, 1) << "the start was resolved";
  said = 0;
  options.resume = true;
  for (Count leg = 0; leg < 9; ++leg) {
    std::stop_source source;
    options.control.stop = source.get_token();
    options.control.notice = [&](std::string_view text) {
      if (text.find("too large for the charges") != std::string_view::npos) ++said;
    };
    options.control.progress = [&](const Progress& progress) {
      if (progress.done > leg) source.request_stop();
    };
    run_to_directory(compile(meeting_charges(), 1), folder / "parts", options);
  }
  const RunResult parts = read_summary(folder / "parts/summary.json");
  EXPECT_EQ(parts.status, RunStatus::done);
  EXPECT_EQ(parts.warnings, whole.warnings);
  EXPECT_EQ(said, 1);
}

TEST(Run, TitlesItsPlotByTheScene) {
  const TemporaryFolder folder;
  SceneWishes wishes;
  wishes.steps = 3;
  run_to_directory(made_system(wishes), folder / "run");
  EXPECT_EQ(read_file(folder / "run/energy.svg"),
            energy_plot(read_energies(folder / "run/energy.csv"), "Energies: made body"));
}

}  // namespace
}  // namespace electret
