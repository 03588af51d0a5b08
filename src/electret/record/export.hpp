#pragma once
/// \file
/// Exports a run as files for other programs.

#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <electret/core/types.hpp>

namespace electret {

struct ExportPlan;
class ExportFolder;
class ExportWriter;

/// Whether a format has a file for each body and frame, such as BODY_0010.vtu, or one for each body, such as
/// BODY.pc2.
enum class FilesOf { frame, body };

/// What a format needs of a run.
struct ExportNeeds {
  bool materials = false;  ///< Its numbers are computed with the scene's materials.
  bool surface = false;    ///< A run without a body that has a surface is refused.
  bool float32 = false;    ///< It holds numbers up to 3.4e38 alone.
  /// Throws InputError if the run has what the format cannot hold; null if it can hold every run.
  void (*check)(const ExportPlan&) = nullptr;
};

/// A format to which runs are exported.
struct ExportFormat {
  std::string_view name;  ///< "vtu"
  FilesOf files;
  std::string_view help;  ///< What its files hold, for people.
  std::unique_ptr<ExportWriter> (*make)(const ExportPlan&, ExportFolder&);
  ExportNeeds needs;
};

/// The rows (detail/export_writers.hpp), in the order of the help. BODY.json is written beside each format's
/// files. It holds charges at every frame, masses, groups, springs, faces, times, units and a version.
[[nodiscard]] std::span<const ExportFormat> export_formats();
/// Their names.
[[nodiscard]] std::vector<std::string> export_format_names();
/// The version of BODY.json.
inline constexpr int export_format_version = 1;

struct ExportOptions {
  Count every = 1;         ///< Exports every k-th frame of the run, from the first.
  bool resume = false;     ///< Goes on with an unfinished export; starts afresh if there is none.
  bool overwrite = false;  ///< Replaces an unfinished export, and a complete one in another format.
  std::stop_token stop = {};
  std::function<void(std::string_view)> notice = {};  ///< Receives what the user should know.
};

/// Writes the run in `directory` frame by frame into the folder `out`, which must be absent or empty or hold
/// a complete export of the same run to the same format, which is replaced. `format` is one of
/// `export_format_names`. Returns the number of files. The folder is called OUT.part until the export is
/// complete. If the export is stopped (Cancelled), fails or is killed, OUT.part stays if a frame is in it.
/// Throws InputError for an unknown format, for any other folder that is not empty, for a damaged run, and
/// for numbers that the format cannot hold: pc2, mdd and glb take finite float32 only. An unfinished export
/// in OUT.part is also an InputError unless `overwrite` is set, or `resume` is set and it is the same export.
/// Throws IoError if a file cannot be read or written.
Count export_run(const std::string& directory, const std::string& format, const std::string& out,
                 const ExportOptions& options = {});

}  // namespace electret
