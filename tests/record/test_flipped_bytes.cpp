/// \file
/// Bytes of a run's files that have changed: a resumed run refuses them, or ends as if they had not.

#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <electret/core/errors.hpp>
#include <electret/record/detail/files.hpp>
#include <electret/record/run.hpp>
#include <electret/record/unreadable_error.hpp>

#include "record/made_scene.hpp"
#include "record/temporary_folder.hpp"
#include "record/whole_runs.hpp"

namespace electret {
namespace {

using test::made_system;
using test::resumed;
using test::SceneWishes;
using test::StopAfter;
using test::TemporaryFolder;

namespace fs = std::filesystem;

constexpr int same = 0, refused = 2, wrong = 3;

bool same_frames(const std::string& a, const std::string& b) {
  const TrajectoryReader first(a + "/trajectory.h5"), second(b + "/trajectory.h5");
  if (first.frames() != second.frames() || first.times() != second.times()) return false;
  for (Count f = 0; f < first.frames(); ++f)
    if (first.positions(f) != second.positions(f) || first.velocities(f) != second.velocities(f) ||
        first.charges(f) != second.charges(f) || first.pin_reactions(f) != second.pin_reactions(f))
      return false;
  return first.scene() == second.scene() && first.pins() == second.pins() &&
         read_file(a + "/energy.csv") == read_file(b + "/energy.csv");
}

/// What comes of a run that goes on in `folder`, in a process of its own: `same` as the run in `whole`,
/// `refused`, anything else, or minus the signal that ended it.
int outcome(const std::string& folder, const std::string& whole, const SceneWishes& wishes) {
  const pid_t child = fork();
  if (child == 0) {
    int status = wrong;
    try {
      run_to_directory(made_system(wishes), folder, resumed());
      status = same_frames(whole, folder) ? same : wrong;
    } catch (const UnreadableError& error) {
      if (std::string(error.what()).starts_with("cannot resume: ")) status = refused;
    } catch (const std::exception&) {
    }
    _exit(status);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/// Changes single bytes, at places spread over the whole file, in copies of a run that was stopped.
class FlippedBytes : public ::testing::TestWithParam<const char*> {};

TEST_P(FlippedBytes, AreRefusedOrChangeNothing) {
  constexpr std::size_t samples = 250;
  const TemporaryFolder folder;
  SceneWishes wishes;
  wishes.steps = 30;
  run_to_directory(made_system(wishes), folder / "whole");
  StopAfter early(20);
  run_to_directory(made_system(wishes), folder / "stopped", early.options);
  const std::string bytes = read_file((folder / "stopped/") + GetParam());
  std::mt19937_64 random(5);
  std::size_t refusals = 0;
  for (std::size_t k = 0; k < samples; ++k) {
    const std::size_t first = bytes.size() * k / samples, end = bytes.size() * (k + 1) / samples;
    const std::size_t at = first + random() % (end - first);
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ static_cast<char>(1 + random() % 255));
    const std::string run = folder / "run";
    fs::remove_all(run);
    fs::copy(folder / "stopped", run);
    std::ofstream(run + "/" + GetParam(), std::ios::binary) << changed;
    const int found = outcome(run, folder / "whole", wishes);
    EXPECT_TRUE(found == same || found == refused) << GetParam() << ", byte " << at << ": " << found;
    if (found != refused) continue;
    ++refusals;
    EXPECT_EQ(read_file(run + "/" + GetParam()), changed) << "a refused run is left as it is";
  }
  EXPECT_GT(refusals, samples / 3);
}
INSTANTIATE_TEST_SUITE_P(Of, FlippedBytes, ::testing::Values("checkpoint.h5", "trajectory.h5"),
                         [](const auto& file) { return std::string(file.param).substr(0, 10); });

}  // namespace
}  // namespace electret
