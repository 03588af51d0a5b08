/// \file
/// `electret check SCENE`: validate a scene and say what a run of it would be.

#include <cmath>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <electret/dynamics/integrator.hpp>
#include <electret/dynamics/stability.hpp>
#include <electret/dynamics/system.hpp>
#include <electret/field/ddef/ddef.hpp>
#include <electret/record/trajectory_writer.hpp>
#include <electret/scene/read.hpp>
#include <electret/scene/warnings.hpp>

#include "command.hpp"
#include "parameter_list.hpp"
#include "terminal.hpp"

namespace electret::app {
namespace {

constexpr const char* footer =
    R"(Every finding is one line on stderr, FILE:LINE:COLUMN: error: what is wrong; what is allowed. Nothing is written.

Examples:
  electret check examples/charged_torus.toml
  electret check scene.toml --set time.step=0.1
  electret check scene.toml --parameters)";

struct Options {
  std::string scene;
  std::vector<std::string> overrides;
  bool parameters = false;
};

double sum(ScalarView values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

void print_row(const std::string& label, const std::string& text) {
  fmt::print("{:<22}{}\n", label, text);
}

void print_bodies(const Assembly& assembly) {
  for (std::size_t b = 0; b < assembly.scene.bodies.size(); ++b) {
    const auto first = static_cast<std::size_t>(assembly.body_offsets[b]);
    const auto count = static_cast<std::size_t>(assembly.body_offsets[b + 1]) - first;
    print_row("body " + assembly.scene.bodies[b].name,
              fmt::format("{} vertices, {} springs, {:.4g} kg, {:.4g} C", count,
                          assembly.body_spring_offsets[b + 1] - assembly.body_spring_offsets[b],
                          sum(ScalarView(assembly.masses).subspan(first, count)),
                          sum(ScalarView(assembly.charges).subspan(first, count))));
  }
}

/// What is as written but may not be as meant.
void print_notes(const Assembly& assembly) {
  for (const auto& warning : scene_warnings(assembly)) fmt::print(stderr, "{}\n", warning);
  for (const auto& note : scene_notes(assembly)) fmt::print(stderr, "{}\n", note);
  const auto& coulomb = assembly.scene.coulomb;
  if (coulomb && coulomb->solver == "ddef" && coulomb->accuracy.value_or(1.0) < ddef_typical_error)
    print_row("warning", fmt::format("accuracy = {:g} is less than solver ddef's own error, which has no "
                                     "bound and is typically up to about {:g}",
                                     *coulomb->accuracy, ddef_typical_error));
}

/// Bytes of a dataset that grows by a row of `row_bytes` a frame, uncompressed: it is kept in whole chunks.
double growing_bytes(double frames, double row_bytes, int compression) {
  const auto chunk = static_cast<double>(frames_per_chunk(static_cast<Count>(row_bytes), compression));
  return std::ceil(frames / chunk) * chunk * row_bytes;
}

/// Bytes of trajectory.h5, and about those of the tables, the plot and the checkpoint.
double disk_bytes(const System& system) {
  const Assembly& assembly = system.assembly;
  const OutputOptions& output = assembly.scene.output;
  const auto n = static_cast<double>(system.vertex_count());
  const double frames =
      1.0 + std::floor(static_cast<double>(assembly.scene.time.steps) / static_cast<double>(output.every));
  const double vector = output.precision == "single" ? 12.0 : 24.0;
  const double vectors =
      growing_bytes(frames, n * vector, output.compression) * (output.velocities ? 2.0 : 1.0);
  const double charges =
      system.schedule.charges_change() ? growing_bytes(frames, n * 8.0, output.compression) : 0.0;
  constexpr double table_bytes = 450.0;   // a row of energy.csv and one of observables.csv
  constexpr double vertex = 40.0 + 48.0;  // mass, charge and rest position; the checkpoint's state
  constexpr double spring = 24.0, face = 12.0;
  constexpr double beginnings = 30e3;  // of the files, and the plot
  return vectors + charges + frames * table_bytes + n * vertex +
         spring * static_cast<double>(assembly.springs.size()) +
         face * static_cast<double>(assembly.faces.size()) + beginnings;
}

/// What the arrays of a run take; the factor of an implicit method is estimated from the springs.
double memory_bytes(const System& system, const Integrator& integrator) {
  const auto n = static_cast<double>(system.vertex_count());
  const auto s = static_cast<double>(system.assembly.springs.size());
  const bool implicit = std::isinf(integrator.stability_limit());
  constexpr double program = 15e6;
  constexpr double vertex = 700.0, implicit_vertex = 500.0;  // bytes: work vectors of 24 bytes each
  constexpr double spring = 160.0;                           // the element block and its incidence
  const double factor = implicit ? 12.0 * (n + s) * std::max(1.0, std::log2(std::max(2.0, n)) - 4.0) : 0.0;
  return program + n * (vertex + (implicit ? implicit_vertex : 0.0)) + s * spring + factor;
}

int run(const Options& options) {
  const auto system = compile(load_scene(options.scene, options.overrides));
  const Assembly& assembly = system->assembly;
  const Scene& scene = assembly.scene;
  const auto integrator = make_integrator(*system, scene.integrator);  // it, too, may have findings
  if (options.parameters) {
    print_parameters(assembly);
    return Status::done;
  }
  if (!scene.name.empty()) print_row("scene", scene.name);
  print_bodies(assembly);
  print_row("vertices", fmt::format("{} ({} pinned)", system->vertex_count(), system->pins.size()));
  print_row("springs", fmt::format("{}", assembly.springs.size()));
  print_row("total mass", fmt::format("{:.6g} kg", sum(assembly.masses)));
  Inputs inputs;
  system->schedule.evaluate(0.0, inputs);
  print_row("total charge", fmt::format("{:.6g} C at the start", sum(inputs.charges)));
  print_row("field solver", system->field_choice.empty() ? "none: no [coulomb] table" : system->field_choice);
  print_row("integrator", fmt::format("{}: {}", integrator->name(), integrator->description()));
  print_row("steps", fmt::format("{} of {:.6g} s, {:.6g} s in all", scene.time.steps, scene.time.step,
                                 static_cast<double>(scene.time.steps) * scene.time.step));
  const double suggested = suggested_step(*system);
  print_row("suggested step",
            std::isfinite(suggested)
                ? fmt::format("{:.3g} s resolves the fastest oscillation at the start", suggested)
                : "any: nothing oscillates at the start");
  print_row("memory", "about " + bytes_text(memory_bytes(*system, *integrator)));
  print_row("disk", "about " + bytes_text(disk_bytes(*system)));
  print_notes(assembly);
  return Status::done;
}

}  // namespace

void add_check(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand("check", "Validate a scene and print what a run would be");
  command->add_option("SCENE", options->scene, "The scene file (TOML)")->required()->type_name("");
  command->add_option("--set", options->overrides, "Override a key of the scene; may be repeated")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command->add_flag("--parameters", options->parameters,
                    "List what of the scene has a name to change or differentiate it by");
  command->footer(footer);
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace electret::app
