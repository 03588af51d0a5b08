/// The notes that `render` and `export` leave in a folder: of the pictures that belong to a run, and of how
/// far an export has come. The first byte says which.

#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include <electret/core/errors.hpp>
#include <electret/record/detail/export_folder.hpp>
#include <electret/record/picture_list.hpp>

#include "fuzz/run_files.hpp"

namespace {

using namespace electret;
namespace fs = std::filesystem;

/// Nothing but pictures below the run's folder is ever removed.
void check_pictures(std::string_view note) {
  static const test::TemporaryFolder folder;
  const RunDirectory run(folder / "run");
  const std::array<std::string, 2> others{folder / "other.png", folder / "run/scene.toml"};
  fs::create_directories(folder / "run/pictures");
  for (const std::string& file : others) test::put_file(file, "kept");
  test::put_file(folder / "run/pictures/a.png", "");
  test::put_file(folder / "run/.electret-pictures.json", note);
  remove_pictures(run);
  for (const std::string& file : others)
    if (!fs::exists(file)) std::abort();
}

/// An export goes on from its note, or refuses to.
void check_export(std::string_view note, std::uint8_t how) {
  static const test::TemporaryFolder folder;
  const std::string out = folder / "out", part = out + ".part", kept = folder / "kept.csv";
  test::put_file(kept, "kept");
  const std::string& there = how % 2 == 0 ? part : out;
  fs::create_directories(there);
  test::put_file(there + "/.electret-export.json", note);
  test::put_file(there + "/a.csv", "1,2\n");
  using Earlier = ExportFolder::Earlier;
  const auto earlier = std::array{Earlier::refuse, Earlier::resume, Earlier::replace}[how / 2 % 3];
  try {
    ExportFolder folder_of_export(out, {"run", "csv", "whole"}, earlier);
    if (!folder_of_export.is_complete()) {
      folder_of_export.growing("a.csv");
      folder_of_export.save(folder_of_export.frames() + 1);
      folder_of_export.finish(folder_of_export.frames());
    }
  } catch (const InputError&) {  // the answer to what is no note of this export
  }
  if (!fs::exists(kept)) std::abort();
  test::remove_export(out);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view note(reinterpret_cast<const char*>(bytes) + 1, size - 1);
  if (bytes[0] % 2 == 0)
    check_pictures(note);
  else
    check_export(note, bytes[0] / 2);
  return 0;
}
