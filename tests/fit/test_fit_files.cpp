/// Fits are stopped before each of the calls by which they change files, one after the other; resumed, each
/// must lead on to the same files.

#include <filesystem>
#include <fstream>
#include <map>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <electret/core/errors.hpp>
#include <electret/fit/fit_files.hpp>
#include <electret/record/detail/files.hpp>

#include "record/file_calls.hpp"
#include "record/temporary_folder.hpp"

namespace electret {
namespace {

namespace fs = std::filesystem;

constexpr const char* scene = R"toml(
[time]
step = 0.02
steps = 4
[[body]]
name = "chain"
generate = { shape = "chain", vertices = 3 }
mass = 1.0
velocity = [0.5, 0.0, 0.0]
  [[body.springs]]
  stiffness = 40.0
)toml";

constexpr const char* job = R"toml(
[fit]
scene = "scene.toml"
[[parameter]]
name = "body.chain.velocity"
minimum = -3.0
[[loss]]
of = "centre_of_mass:1.2,0.1,0"
)toml";

void write(const std::string& path, const std::string& text) {
  std::ofstream(path) << text;
}

/// As the command does.
void fit_into(const std::string& folder, const std::string& directory, FitMode mode) {
  const std::string file = folder + "/job.toml";
  Report report;
  const FitJob read = read_fit_job(file, report);
  const FitPlan plan = plan_fit(read, report, file);
  FitFiles files(directory, file, read, plan, mode);
  FitOptions options = plan.options;
  options.threads = 1;
  options.known = files.known();
  bool begun = false;
  options.observe = [&](const FitEvaluation& evaluation) {
    if (!std::exchange(begun, true)) files.begin();
    files.add(evaluation);
  };
  const FitResult result = fit(plan.assembly, plan.parameters, *plan.loss, options);
  Assembly fitted = plan.assembly;
  result.apply(fitted);
  files.finish(result, fitted, {});
}

/// Runs the fit in a child that ends at its k-th call on a file in `directory`. Returns its exit status.
int stopped_at(int k, const std::string& folder, const std::string& directory, FitMode mode) {
  const pid_t pid = fork();
  if (pid == 0) {
    test::FileCalls calls(directory);
    calls.stop_at(k);
    try {
      fit_into(folder, directory, mode);
    } catch (...) {
      _exit(3);
    }
    _exit(0);
  }
  int status = 0;
  waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::map<std::string, std::string> files_in(const std::string& directory) {
  std::map<std::string, std::string> all;
  for (const auto& entry : fs::directory_iterator(directory))
    all[entry.path().filename().string()] = read_file(entry.path().string());
  return all;
}

class StoppedFit : public testing::Test {
 protected:
  void SetUp() override {
    write(folder / "scene.toml", scene);
    write(folder / "job.toml", job);
    fit_into(folder.path(), folder / "whole", FitMode::fresh);
  }
  const test::WithoutSyncs fast;
  const test::TemporaryFolder folder;
};

TEST_F(StoppedFit, LeadsOnToTheSameFilesFromEveryCall) {
  const auto whole = files_in(folder / "whole");
  ASSERT_EQ(whole.size(), 5U);
  int k = 1;
  for (int status = test::stopped_status; status != 0; ++k) {
    for (const FitMode mode : {FitMode::overwrite, FitMode::resume}) {
      if (mode == FitMode::overwrite && k > 10) continue;  // From then on there is a fit.json.
      fs::remove_all(folder / "fit");
      status = stopped_at(k, folder.path(), folder / "fit", FitMode::fresh);
      ASSERT_TRUE(status == 0 || status == test::stopped_status) << k;
      ASSERT_NO_THROW(fit_into(folder.path(), folder / "fit", mode)) << "stopped before call " << k;
      ASSERT_EQ(files_in(folder / "fit"), whole) << "stopped before call " << k;
    }
  }
  EXPECT_GT(k, 30);
}

/// A fit of another job that was killed is replaced. A kill then must not leave the one's evaluations to the
/// other.
TEST_F(StoppedFit, ReplacedByAnotherJobLeadsOnFromEveryCall) {
  const auto whole = files_in(folder / "whole");
  write(folder / "job.toml", std::string(job) + "weight = 2.0\n");
  ASSERT_EQ(stopped_at(30, folder.path(), folder / "other", FitMode::fresh), test::stopped_status);
  ASSERT_TRUE(fs::exists(folder / "other/evaluations.bin"));
  write(folder / "job.toml", job);
  for (int status = test::stopped_status, k = 1; status != 0 && k < 25; ++k) {
    fs::remove_all(folder / "fit");
    fs::copy(folder / "other", folder / "fit");
    status = stopped_at(k, folder.path(), folder / "fit", FitMode::overwrite);
    try {
      fit_into(folder.path(), folder / "fit", FitMode::resume);
    } catch (const InputError&) {  // It is still the other one.
      fit_into(folder.path(), folder / "fit", FitMode::overwrite);
      EXPECT_LT(k, 8) << "stopped before call " << k;
    }
    ASSERT_EQ(files_in(folder / "fit"), whole) << "stopped before call " << k;
  }
}

/// A fit that goes on and is killed again keeps what it knew.
TEST_F(StoppedFit, KeepsItsEvaluationsWhenItGoesOn) {
  ASSERT_EQ(stopped_at(25, folder.path(), folder / "once", FitMode::fresh), test::stopped_status);
  const auto kept = fs::file_size(folder / "once/evaluations.bin");
  ASSERT_GT(kept, 0U);
  for (int k = 1; k < 20; ++k) {
    fs::remove_all(folder / "fit");
    fs::copy(folder / "once", folder / "fit");
    ASSERT_EQ(stopped_at(k, folder.path(), folder / "fit", FitMode::resume), test::stopped_status);
    EXPECT_GE(fs::file_size(folder / "fit/evaluations.bin"), kept) << k;
  }
}

}  // namespace
}  // namespace electret
