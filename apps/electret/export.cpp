/// \file
/// `electret export DIR --to FORMAT`: exports a run as files for other programs.

#include <filesystem>
#include <memory>
#include <sstream>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <electret/core/errors.hpp>
#include <electret/record/export.hpp>

#include "command.hpp"
#include "commands.hpp"
#include "print.hpp"
#include "signals.hpp"

namespace electret::app {
namespace {

constexpr const char* export_notes = R"(
Beside them BODY.json: charges, masses, groups, springs, faces, times, units, version.

The folder is called OUT.part until it is complete. --resume continues an interrupted export. A complete export of the
same run to the same format is replaced; files in its folder that no export made stay.

Examples:
  electret export runs/charged_jelly --to vtu
  electret export runs/filled_duck --to obj -o duck_frames
  electret export runs/falling_cloth --to pc2
  electret export runs/falling_cloth --to glb --every 10)";

/// The formats that have such files, one below the other, with what these hold in lines of at most 119
/// characters.
std::string formats_with(FilesOf files) {
  constexpr std::size_t most = 119;
  std::string text;
  for (const ExportFormat& format : export_formats()) {
    if (format.files != files) continue;
    std::string line = "  " + std::string(format.name) + "   ";
    const std::string indent(line.size(), ' ');
    std::istringstream words{std::string(format.help)};
    for (std::string word; words >> word;) {
      if (line.size() + word.size() > most) text += std::exchange(line, indent) + "\n";
      line += (line.back() == ' ' ? "" : " ") + word;
    }
    text += line + "\n";
  }
  return text;
}

std::string export_footer() {
  return "One file per body and frame:\n" + formats_with(FilesOf::frame) + "One file per body:\n" +
         formats_with(FilesOf::body) + std::string(export_notes).substr(1);
}

struct ExportCommand {
  std::string directory, format, output;
  int every = 1;
  bool resume = false, overwrite = false;
};

/// The folder without a slash at its end; "." and ".." become real names.
std::string named_folder(const std::string& directory) {
  const std::filesystem::path written =
      std::filesystem::path(directory + "/").lexically_normal().parent_path();
  const auto name = written.filename();
  if (name != "." && name != ".." && !name.empty()) return written.string();
  const std::filesystem::path whole = std::filesystem::weakly_canonical(directory);
  return (whole.has_filename() ? whole : whole.parent_path()).string();
}

int run_export(const ExportCommand& options) {
  const std::string out =
      options.output.empty() ? named_folder(options.directory) + "-" + options.format : options.output;
  const SignalStop stop;
  ExportOptions how;
  how.every = options.every;
  how.resume = options.resume;
  how.overwrite = options.overwrite;
  how.stop = stop.token();
  how.notice = [](std::string_view text) { tell("electret: {}\n", text); };
  try {
    const Count files = export_run(options.directory, options.format, out, how);
    say("{} files in {}\n", files, out);
  } catch (const Cancelled&) {
    tell("electret: interrupted; {} was not written; the same command with --resume goes on\n", out);
    return ended_by(stop.received());
  }
  return Status::done;
}

}  // namespace

void add_export(CommandLine& line) {
  auto options = std::make_shared<ExportCommand>();
  Command command = line.add("export", "Export a run to the file formats of other programs");
  command.option("DIR", options->directory, "Directory of a run").required().not_empty().type_name("");
  command.option("--to", options->format, "Format")
      .required()
      .one_of(export_format_names())
      .type_name("FORMAT");
  command.option("-o,--output", options->output, "Folder to write; DIR-FORMAT by default")
      .not_empty()
      .type_name("OUT");
  command.option("--every", options->every, "Export every Nth frame only, from the first")
      .between(1, 1000000000);
  Option resume = command.flag("--resume", options->resume, "Go on with an unfinished export");
  command.flag("--overwrite", options->overwrite, "Replace an unfinished export, or one in another format")
      .excludes(resume);
  command.footer(export_footer());
  command.does([options] { return run_export(*options); });
}

}  // namespace electret::app
