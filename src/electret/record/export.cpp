#include <algorithm>
#include <filesystem>

#include <electret/core/errors.hpp>
#include <electret/core/text.hpp>
#include <electret/record/detail/export_writers.hpp>
#include <electret/record/export.hpp>
#include <electret/record/run_bodies.hpp>
#include <electret/record/run_directory.hpp>
#include <electret/record/unfinished.hpp>

namespace electret {
namespace {

void check_usable(const std::string& out) {
  std::error_code code;
  const bool is_there = std::filesystem::exists(out, code);
  if (is_there && !(std::filesystem::is_directory(out, code) && std::filesystem::is_empty(out, code)))
    throw InputError(Finding{{out, 0, 0}, in_quotes(out) + " is not an empty folder", "name another folder"});
}

/// "0010": as many digits as the last frame has, at least 4.
std::string numbered(Count frame, Count frames) {
  const std::string text = std::to_string(frame);
  const std::size_t digits = std::max<std::size_t>(4, std::to_string(std::max<Count>(frames - 1, 0)).size());
  return std::string(digits - text.size(), '0') + text;
}

using MakeWriter = std::unique_ptr<ExportWriter> (*)(const TrajectoryReader& run);
/// In the order of `export_formats`.
constexpr auto makers =
    std::to_array<MakeWriter>({make_vtu_writer, make_obj_writer, make_pc2_writer, make_mdd_writer});
static_assert(makers.size() == export_formats.size(), "a maker for each format");

std::unique_ptr<ExportWriter> make_writer(const std::string& format, const TrajectoryReader& run) {
  const auto found = std::find(export_formats.begin(), export_formats.end(), format);
  return makers.at(static_cast<std::size_t>(found - export_formats.begin()))(run);
}

}  // namespace

Count export_run(const std::string& directory, const std::string& format, const std::string& out,
                 const std::stop_token& stop) {
  if (std::find(export_formats.begin(), export_formats.end(), format) == export_formats.end())
    throw InputError(
        Finding{{"--to", 0, 0}, "unknown format " + in_quotes(format), "allowed: " + joined(export_formats)});
  const RunDirectory run_directory(directory);
  if (auto finding = run_directory.missing_run()) throw InputError(std::move(*finding));
  check_usable(out);
  const TrajectoryReader run(run_directory.trajectory());
  const std::vector<double> times = run.times();
  const auto writer = make_writer(format, run);
  const std::filesystem::path parent = std::filesystem::absolute(out).lexically_normal().parent_path();
  std::filesystem::create_directories(parent);
  Unfinished folder(out, Unfinished::Kind::folder);
  Count files = 0;
  for (Count frame = 0; frame < run.frames(); ++frame) {
    if (stop.stop_requested()) throw Cancelled();
    files += writer->write_frame(folder.name(), frame, "_" + numbered(frame, run.frames()));
  }
  files += writer->finish(folder.name(), times);
  if (files == 0)
    throw InputError(run.frames() == 0
                         ? Finding{{directory, 0, 0}, "holds no frame yet", "give a run with frames"}
                         : Finding{{directory, 0, 0},
                                   "has no body with a surface",
                                   "export it to another format: vtu, pc2 or mdd"});
  std::error_code code;
  std::filesystem::remove(out, code);  // An empty folder, as checked.
  folder.put_in_place();
  return files;
}

}  // namespace electret
