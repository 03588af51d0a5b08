/// \file
/// `electret export DIR --to FORMAT`: a run as files of other programs.

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

constexpr const char* footer =
    R"(vtu: ParaView's grids, a file for each body and frame and BODY.pvd for all of a body's. Cells with displacement,
velocity, charge, mass; of elements with materials the Cauchy stress, von Mises' and the energy density.
obj: a surface for each body and frame; of a body that was filled from a surface that surface, carried along.
pc2, mdd: point caches for Blender's and others' Mesh Cache, a file for each body; its points are those of obj's
first frame, in that order, and a body's own vertices where it was not filled from a surface.

Examples:
  electret export runs/charged_jelly --to vtu
  electret export runs/filled_duck --to obj -o duck_frames
  electret export runs/falling_cloth --to pc2)";

struct Options {
  std::string directory, format, output;
};

/// The folder without a slash at its end; "." and ".." by their names.
std::string beside(const std::string& directory) {
  const std::filesystem::path written =
      std::filesystem::path(directory + "/").lexically_normal().parent_path();
  const auto name = written.filename();
  if (name != "." && name != ".." && !name.empty()) return written.string();
  const std::filesystem::path whole = std::filesystem::weakly_canonical(directory);
  return (whole.has_filename() ? whole : whole.parent_path()).string();
}

int run(const Options& options) {
  const std::string out =
      options.output.empty() ? beside(options.directory) + "-" + options.format : options.output;
  const SignalStop stop;
  try {
    const Count files = export_run(options.directory, options.format, out, stop.token());
    say("{} files in {}\n", files, out);
  } catch (const Cancelled&) {
    tell("electret: interrupted; {} was not written\n", out);
    return ended_by(stop.received());
  }
  return Status::done;
}

}  // namespace

void add_export(CommandLine& line) {
  auto options = std::make_shared<Options>();
  Command command = line.add("export", "Write a run as files of other programs");
  command.option("DIR", options->directory, "Directory of a run").required().not_empty().type_name("");
  command.option("--to", options->format, "Format")
      .required()
      .one_of({export_formats.begin(), export_formats.end()})
      .type_name("FORMAT");
  command.option("-o,--output", options->output, "Folder to write, new or empty; DIR-FORMAT by default")
      .not_empty()
      .type_name("OUT");
  command.footer(footer);
  command.does([options] { return run(*options); });
}

}  // namespace electret::app
