/// \file
/// Exports are stopped before each of the calls by which they change files, one after the other; a later
/// export must go on from what is left, to the same files and without remains.

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/core/errors.hpp>
#include <electret/dynamics/system.hpp>
#include <electret/record/detail/files.hpp>
#include <electret/record/export.hpp>
#include <electret/record/run.hpp>

#include "record/file_calls.hpp"
#include "record/made_scene.hpp"
#include "record/temporary_folder.hpp"

namespace electret {
namespace {

using test::child;
using test::FileCalls;
using test::TemporaryFolder;
using test::WithoutSyncs;

namespace fs = std::filesystem;

/// Names and bytes of the files but the note, which says how long ago the run was changed.
std::map<std::string, std::string> files_in(const std::string& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (const std::string name = entry.path().filename().string(); name != ".electret-export.json")
      files[name] = read_file(entry.path().string());
  return files;
}

ExportOptions resumed() {
  ExportOptions options;
  options.resume = true;
  return options;
}

class StoppedExport : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    test::SceneWishes wishes;
    wishes.steps = 3;
    wishes.every = 1;
    wishes.vertices = 5;
    Assembly assembly = test::made_assembly(wishes);
    assembly.scene.text.clear();  // The made one is no scene, and vtu reads materials from it.
    run_to_directory(compile(std::move(assembly), 1), folder / "run");
    export_run(folder / "run", GetParam(), folder / "whole");
  }

  void clear() const {
    fs::remove_all(out);
    fs::remove_all(out + ".part");
  }

  /// Stops an export at each call; `prepare` makes what is there before, `go_on` follows. Returns the number
  /// of calls.
  template <class Prepare, class GoOn>
  int stop_everywhere(Prepare&& prepare, GoOn&& go_on) {
    int k = 0;
    for (int status = test::stopped_status; status != 0;) {
      ++k;
      clear();
      prepare();
      status = child(out, FileCalls::Plan::stop, k, [&] { export_run(folder / "run", GetParam(), out); });
      EXPECT_TRUE(status == 0 || status == test::stopped_status) << k;
      EXPECT_NO_THROW(go_on()) << k;
      EXPECT_EQ(files_in(out), files_in(folder / "whole")) << k;
      EXPECT_FALSE(fs::exists(out + ".part")) << k;
      if (HasFailure()) break;
    }
    return k;
  }

  const WithoutSyncs fast;
  const TemporaryFolder folder;
  const std::string out = folder / "out";
};

TEST_P(StoppedExport, IsResumedFromEveryCall) {
  const int calls = stop_everywhere([] {}, [&] { export_run(folder / "run", GetParam(), out, resumed()); });
  EXPECT_GT(calls, 15);
}

TEST_P(StoppedExport, IsReplacedFromEveryCall) {
  ExportOptions overwriting;
  overwriting.overwrite = true;
  stop_everywhere([] {}, [&] { export_run(folder / "run", GetParam(), out, overwriting); });
}

/// The earlier export is of fewer frames; what its user put beside it stays.
TEST_P(StoppedExport, ThatReplacesACompleteOneIsResumedFromEveryCall) {
  ExportOptions few;
  few.every = 2;
  export_run(folder / "run", GetParam(), folder / "few", few);
  stop_everywhere(
      [&] {
        fs::copy(folder / "few", out);
        std::ofstream(out + "/thesis.txt") << "mine";
      },
      [&] {
        try {
          export_run(folder / "run", GetParam(), out, resumed());
        } catch (const InputError&) {  // The former export is still there.
          ExportOptions overwriting;
          overwriting.overwrite = true;
          export_run(folder / "run", GetParam(), out, overwriting);
        }
        EXPECT_EQ(read_file(out + "/thesis.txt"), "mine");
        fs::remove(out + "/thesis.txt");
      });
}

INSTANTIATE_TEST_SUITE_P(Formats, StoppedExport, ::testing::Values("csv", "vtu", "glb"),
                         [](const auto& format) { return std::string(format.param); });

}  // namespace
}  // namespace electret
