#pragma once
/// \file
/// Runs of a session's scene, and whether they end as the session did.

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <electret/record/checkpoint.hpp>
#include <electret/record/run.hpp>
#include <electret/scene/read.hpp>

namespace electret::test {

inline void expect_same(const Checkpoint& a, const Checkpoint& b, const std::string& what) {
  EXPECT_EQ(a.state.step, b.state.step) << what;
  EXPECT_EQ(a.state.positions, b.state.positions) << what;
  EXPECT_EQ(a.state.velocities, b.state.velocities) << what;
  EXPECT_EQ(a.work.field_work, b.work.field_work) << what;
  EXPECT_EQ(a.work.keyframe_work, b.work.keyframe_work) << what;
  EXPECT_EQ(a.work.pin_work, b.work.pin_work) << what;
  EXPECT_EQ(a.work.dissipation, b.work.dissipation) << what;
  ASSERT_EQ(a.state.memory.arrays.size(), b.state.memory.arrays.size()) << what;
  for (std::size_t k = 0; k < a.state.memory.arrays.size(); ++k) {
    EXPECT_EQ(a.state.memory.arrays[k].name, b.state.memory.arrays[k].name) << what;
    EXPECT_EQ(a.state.memory.arrays[k].values, b.state.memory.arrays[k].values) << what;
  }
}

/// The checkpoint of a run of the session's scene, as `electret run session.toml` makes it.
inline Checkpoint run_again(const std::string& session, const std::string& folder, int threads,
                            const std::vector<std::string>& overrides = {}) {
  run_to_directory(compile(load_scene(session, overrides), threads), folder);
  return read_checkpoint(folder + "/checkpoint.h5");
}

}  // namespace electret::test
