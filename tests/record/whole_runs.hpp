#pragma once
/// \file
/// What the tests of whole runs share: runs that are stopped and resumed, and whether two are the same.

#include <stop_token>
#include <string>

#include <gtest/gtest.h>

#include <electret/record/checkpoint.hpp>
#include <electret/record/detail/files.hpp>
#include <electret/record/run.hpp>
#include <electret/record/trajectory_reader.hpp>

namespace electret::test {

/// What an Error that `action` throws says.
template <class Error, class Action>
std::string message_of(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "(no such error)";
}

/// Options whose run is stopped before the step after `step`.
struct StopAfter {
  explicit StopAfter(Count step, bool resume = false) {
    options.resume = resume;
    options.control.stop = source.get_token();
    options.control.progress = [this, step](const Progress& progress) {
      if (progress.done >= step) source.request_stop();
    };
  }
  std::stop_source source;
  RunOptions options;
};

inline RunOptions resumed() {
  RunOptions options;
  options.resume = true;
  return options;
}

/// Makes a stopped run's checkpoint one that a run which is killed leaves: it does not know of a closed file.
inline void make_killed(const std::string& checkpoint) {
  Checkpoint c = read_checkpoint(checkpoint);
  c.trajectory = {.frames = c.trajectory.frames, .chunks = {}};
  const State state = c.state;
  write_checkpoint(checkpoint, c, state);
}

/// The runs' data are bitwise the same, and their tables byte for byte.
inline void expect_same_run(const std::string& a, const std::string& b) {
  const TrajectoryReader first(a + "/trajectory.h5"), second(b + "/trajectory.h5");
  ASSERT_EQ(first.frames(), second.frames());
  EXPECT_EQ(first.times(), second.times());
  EXPECT_EQ(first.pins(), second.pins());
  for (Count f = 0; f < first.frames(); ++f) {
    ASSERT_TRUE(first.positions(f) == second.positions(f)) << "frame " << f;
    ASSERT_TRUE(first.velocities(f) == second.velocities(f)) << "frame " << f;
    ASSERT_TRUE(first.charges(f) == second.charges(f)) << "frame " << f;
    if (!first.pins().empty()) {
      ASSERT_TRUE(first.pin_reactions(f) == second.pin_reactions(f)) << "frame " << f;
    }
  }
  EXPECT_EQ(read_file(a + "/energy.csv"), read_file(b + "/energy.csv"));
  EXPECT_EQ(read_file(a + "/observables.csv"), read_file(b + "/observables.csv"));
  const Checkpoint one = read_checkpoint(a + "/checkpoint.h5"), two = read_checkpoint(b + "/checkpoint.h5");
  EXPECT_EQ(one.state.step, two.state.step);
  EXPECT_TRUE(one.state.positions == two.state.positions);
  EXPECT_TRUE(one.state.velocities == two.state.velocities);
  EXPECT_EQ(one.work.field_work, two.work.field_work);
  EXPECT_EQ(one.work.keyframe_work, two.work.keyframe_work);
  EXPECT_EQ(one.work.pin_work, two.work.pin_work);
  EXPECT_EQ(one.work.dissipation, two.work.dissipation);
  EXPECT_EQ(one.sums.energy_watch.balance.largest_gain, two.sums.energy_watch.balance.largest_gain);
  EXPECT_EQ(one.sums.energy_watch.balance.largest_size, two.sums.energy_watch.balance.largest_size);
  EXPECT_EQ(one.sums.elastic_iterations, two.sums.elastic_iterations);
}

}  // namespace electret::test
