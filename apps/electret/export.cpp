/// \file
/// `electret export DIR --to FORMAT`: exports a run as files for other programs.

#include <filesystem>
#include <memory>
#include <string>

#include <fmt/format.h>

#include <electret/core/errors.hpp>
#include <electret/record/export.hpp>

#include "command.hpp"
#include "print.hpp"
#include "signals.hpp"

namespace electret::app {
namespace {

constexpr const char* export_footer =
    R"(One file per body and frame:
  vtu   ParaView's grids, listed in BODY.pvd: displacement, velocity, charge, mass; for elements with materials
        also the Cauchy stress, von Mises' stress and the energy density
  vtp   ParaView's surfaces: faces as polygons, springs as lines, and the same values per vertex
  obj   the surface; for a body filled from a surface, that surface, moved with the body
  ply   the same, with velocity, charge and mass per vertex
One file per body:
  pc2, mdd   point caches, as for Blender's Mesh Cache; the points are those of obj's first frame, in that order, or the
             body's own vertices if it was not filled from a surface
  glb   an animated mesh for browsers: the first frame, and the others as morph targets
  csv   a table: frame, time, vertex, position, velocity, charge
Beside them BODY.json: charges, masses, groups, springs, faces, times, units, version.

The folder is called OUT.part until it is complete. --resume continues an interrupted export. A complete export of the
same run to the same format is replaced; files in its folder that no export made stay.

Examples:
  electret export runs/charged_jelly --to vtu
  electret export runs/filled_duck --to obj -o duck_frames
  electret export runs/falling_cloth --to pc2
  electret export runs/falling_cloth --to glb --every 10)";

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
      .one_of({export_formats.begin(), export_formats.end()})
      .type_name("FORMAT");
  command.option("-o,--output", options->output, "Folder to write; DIR-FORMAT by default")
      .not_empty()
      .type_name("OUT");
  command.option("--every", options->every, "Export every Nth frame only, from the first")
      .between(1, 1000000000);
  Option resume = command.flag("--resume", options->resume, "Go on with an unfinished export");
  command.flag("--overwrite", options->overwrite, "Replace an unfinished export, or one in another format")
      .excludes(resume);
  command.footer(export_footer);
  command.does([options] { return run_export(*options); });
}

}  // namespace electret::app
