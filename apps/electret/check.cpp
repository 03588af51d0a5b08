/// \file
/// `electret check SCENE`: validates a scene and says what a run of it would be.

#include <cmath>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <electret/dynamics/integrator.hpp>
#include <electret/dynamics/step_choice.hpp>
#include <electret/dynamics/system.hpp>
#include <electret/field/ddef/ddef.hpp>
#include <electret/geometry/body_size.hpp>
#include <electret/geometry/volume_report.hpp>
#include <electret/record/disk_need.hpp>
#include <electret/record/memory_need.hpp>
#include <electret/record/run_warnings.hpp>
#include <electret/scene/body_contact.hpp>
#include <electret/scene/obstacle.hpp>
#include <electret/scene/warnings.hpp>

#include "body_text.hpp"
#include "change_text.hpp"
#include "command.hpp"
#include "commands.hpp"
#include "parameter_list.hpp"
#include "print.hpp"
#include "scene_input.hpp"
#include "scene_options.hpp"
#include "sign_of_life.hpp"
#include "terminal.hpp"
#include "warnings.hpp"

namespace electret::app {
namespace {

constexpr const char* check_footer =
    R"(Each finding is one line on stderr: FILE:LINE:COLUMN: error: what is wrong; what is allowed. A line with "warning"
is about something that is allowed but perhaps not meant. Nothing is written.

check takes every option of run: to check a command line, write check instead of run. It checks the free disk space
where -o says; --threads, --resume and --overwrite do not change what it prints.

Examples:
  electret check examples/charged_torus.toml
  electret check scene.toml --set time.step=0.1
  electret check scene.toml --parameters
  electret check scene.toml --unset time.duration --set time.steps=100 --stop-on-warning)";

struct CheckCommand {
  SceneOptions scene;
  bool parameters = false;
};

double sum(ScalarView values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

void print_row(const std::string& label, const std::string& text) {
  say("{:<20}  {}\n", label, text);
}

std::vector<BodySize> sizes_of(const Assembly& assembly) {
  JoinedParts parts{assembly.tetrahedra, assembly.hexahedra, assembly.faces, {}};
  for (const Spring& spring : assembly.springs) parts.springs.push_back({spring.i, spring.j});
  return body_sizes(assembly.rest_positions, assembly.body_offsets, parts);
}

/// `charges` (n, C) are those at the start, with the charges of groups and key-frames.
void print_bodies(const Assembly& assembly, ScalarView charges) {
  const std::vector<BodySize> sizes = sizes_of(assembly);
  for (std::size_t b = 0; b < assembly.scene.bodies.size(); ++b) {
    const auto first = static_cast<std::size_t>(assembly.body_offsets[b]);
    const auto count = static_cast<std::size_t>(assembly.body_offsets[b + 1]) - first;
    print_row("body " + assembly.scene.bodies[b].name,
              fmt::format("{}, {}, {:.4g} kg, {:.4g} C at the start", counted(count, "vertex", "vertices"),
                          counted(assembly.body_spring_offsets[b + 1] - assembly.body_spring_offsets[b],
                                  "spring", "springs"),
                          sum(ScalarView(assembly.masses).subspan(first, count)),
                          sum(charges.subspan(first, count))));
    print_row("size of " + assembly.scene.bodies[b].name, body_size_text(sizes[b]));
  }
}

/// As a scene writes it.
std::string friction_text(double friction) {
  return std::isinf(friction) ? "\"stick\"" : fmt::format("{:.4g}", friction);
}

void print_obstacles(const Assembly& assembly) {
  const Scene& scene = assembly.scene;
  for (std::size_t o = 0; o < scene.obstacles.size(); ++o) {
    const Obstacle& obstacle = scene.obstacles[o];
    print_row("obstacle " + obstacle.name,
              fmt::format("{}{}, {}{}, friction {}{}", obstacle.shape, obstacle.inside ? " from inside" : "",
                          law_of(scene, obstacle),
                          obstacle.stiffness ? fmt::format(", stiffness {:.4g}", *obstacle.stiffness) : "",
                          friction_text(friction_between(assembly, scene.bodies.size(), o).value),
                          obstacle.times.empty() ? "" : ", key-framed"));
  }
  for (const ContactPairTrack& pair : assembly.contact_pairs)
    print_row("contact",
              fmt::format("{} on {}, {}", scene.bodies[pair.body].name,
                          pair.other == ContactPairTrack::none ? scene.obstacles[pair.obstacle].name
                                                               : scene.bodies[pair.other].name,
                          pair.is_ignored ? "ignored" : "friction " + friction_text(pair.friction)));
}

void print_grabs(const Assembly& assembly) {
  for (std::size_t g = 0; g < assembly.grabs.size(); ++g) {
    const GrabTrack& track = assembly.grabs[g];
    print_row(fmt::format("grab {}", g),
              fmt::format(
                  "{} of {}, stiffness {:.4g} N/m, damping {:.4g} N s/m, from {:.6g} s{}",
                  counted(track.vertices.size(), "vertex", "vertices"), assembly.scene.grabs[g].body,
                  track.stiffness, track.damping, track.targets.times.front(),
                  std::isfinite(track.until) ? fmt::format(" until {:.6g} s", track.until) : " to the end"));
  }
}

/// Which bodies may touch each other and themselves.
void print_body_contact(const Assembly& assembly) {
  const Scene& scene = assembly.scene;
  if (!touches_bodies(scene)) return;
  const BodyPairs pairs = body_pairs(assembly);
  std::string others, selves;
  const auto add = [](std::string& list, const std::string& text) {
    list += (list.empty() ? "" : ", ") + text;
  };
  for (std::size_t a = 0; a < pairs.bodies(); ++a) {
    if (pairs.may_touch(a, a)) add(selves, scene.bodies[a].name);
    for (std::size_t b = a + 1; b < pairs.bodies(); ++b)
      if (pairs.may_touch(a, b)) add(others, scene.bodies[a].name + " and " + scene.bodies[b].name);
  }
  print_row("contact of bodies", fmt::format("thickness {:.4g} m, friction {:.4g}", scene.contact->thickness,
                                             assembly.contact_friction));
  print_row("may touch", others.empty() ? "no two bodies" : others);
  print_row("may touch themselves", selves.empty() ? "none" : selves);
}

/// Volume meshes: their numbers of elements, and their materials.
void print_solids(const Assembly& assembly) {
  for (const MaterialTrack& track : assembly.materials)
    print_row("material", fmt::format("{}: {}, {}", track.name, track.model,
                                      counted(track.elements.size(), "element", "elements")));
  for (const MuscleTrack& track : assembly.muscles)
    print_row("muscle",
              fmt::format("{}: {}", track.name, counted(track.elements.size(), "element", "elements")));
  Mesh solids;
  solids.tetrahedra = assembly.tetrahedra;
  solids.hexahedra = assembly.hexahedra;
  if (solids.element_count() == 0) return;
  const VolumeReport report = volume_report(solids, assembly.rest_positions);
  for (const CarriedSurface& surface : assembly.surfaces) {
    const auto& [is_closed, volume_error, outside, inside] = surface.fit;
    print_row("surface of " + assembly.scene.bodies[surface.body].name,
              fmt::format("{}; the body's boundary is at most {:.3g} m from the surface, and the surface at "
                          "most {:.3g} m from the boundary",
                          is_closed ? fmt::format("volume {:+.2g} %", 100.0 * volume_error)
                                    : "open, closed where the winding number is 1/2",
                          outside, inside));
  }
  print_row("elements", fmt::format("{}, {:.6g} m³, worst quality {:.3g} of 1",
                                    element_counts(static_cast<Count>(report.tetrahedra),
                                                   static_cast<Count>(report.hexahedra)),
                                    report.volume, report.worst_quality));
}

/// Notes on what is valid but may not be meant.
void print_notes(const Assembly& assembly) {
  for (const Warning& note : scene_notes(assembly)) tell("{}\n", to_string(note, "note"));
  const auto& coulomb = assembly.scene.coulomb;
  if (coulomb && coulomb->solver == "ddef" && coulomb->accuracy.value_or(1.0) < ddef_typical_error)
    print_row("warning",
              fmt::format("accuracy = {:g} is less than the error of solver ddef, which has no bound and "
                          "is typically up to about {:g}",
                          *coulomb->accuracy, ddef_typical_error));
}

std::string step_text(const StepChoice& step) {
  if (!std::isfinite(step.suggested)) return "any: nothing oscillates at the start";
  if (step.is_beyond_numbers()) return "none: the fastest oscillation at the start is beyond float64";
  std::string text = fmt::format("{:.3g} s resolves the fastest oscillation at the start", step.suggested);
  const bool names_charges = std::isfinite(step.charges) && step.charges != step.suggested;
  if (names_charges) text += fmt::format(", {:.3g} s that of the charges as they are there", step.charges);
  if (step.consequence.empty()) return text;
  const bool as_charges = names_charges && step.charges_are_cause;
  const double ratio = as_charges ? step.ratio * step.suggested / step.resolving() : step.ratio;
  return text + fmt::format("; yours is {:.3g} times larger{}: {}", ratio, as_charges ? " than this" : "",
                            step.consequence);
}

void print_system(System& system, const Integrator& integrator) {
  const Assembly& assembly = system.assembly;
  const Scene& scene = assembly.scene;
  if (!scene.name.empty()) print_row("scene", scene.name);
  Inputs inputs;
  system.schedule.evaluate(0.0, inputs);
  print_bodies(assembly, inputs.charges);
  print_obstacles(assembly);
  print_grabs(assembly);
  print_body_contact(assembly);
  print_row("vertices", fmt::format("{} ({} pinned)", system.vertex_count(), system.pins.size()));
  print_row("springs", fmt::format("{}", assembly.springs.size()));
  print_solids(assembly);
  print_row("total mass", fmt::format("{:.6g} kg", sum(assembly.masses)));
  print_row("total charge", fmt::format("{:.6g} C at the start", sum(inputs.charges)));
  print_row("field solver",
            system.field_choice.empty() ? "none: no [coulomb] table" : to_string(system.field_choice));
  if (!system.field_device.empty()) print_row("field device", to_string(system.field_device));
  print_row("integrator", fmt::format("{}: {}", integrator.name(), integrator.description()));
  if (!integrator.choice().empty()) print_row("chosen by auto", to_string(integrator.choice()));
  print_row("steps",
            fmt::format("{} of {:.6g} s{}, {:.6g} s in all", scene.time.steps, scene.time.step,
                        scene.time.legs.empty() ? "" : " at the start", scene.time.at(scene.time.steps)));
  for (const Change& change : scene.changes) print_row("change", change_text(change));
}

int run_check(const CheckCommand& all) {
  const SceneOptions& options = all.scene;
  std::optional<SignOfLife> sign(std::in_place, preparing);
  const auto system = compiled_scene(options);
  const auto integrator = make_integrator(*system, system->assembly.scene.integrator);  // May have findings.
  const StepChoice step = step_choice(*system, *integrator, true);
  auto warnings = run_warnings(*system, *integrator, step, options.output());
  for (Warning& warning : charge_warnings(*system, step, ChargesOf::whole_run))
    warnings.push_back(std::move(warning));
  sign.reset();
  tell(warnings, options.stop_on_warning);
  if (all.parameters) {
    print_parameters(system->assembly);
    return Status::done;
  }
  print_system(*system, *integrator);
  print_row("suggested step", step_text(step));
  print_row("memory", "about " + bytes_text(memory_need(*system, *integrator)));
  print_row("disk", "about " + bytes_text(disk_need(*system).total()));
  print_notes(system->assembly);
  return Status::done;
}

}  // namespace

void add_check(CommandLine& line) {
  auto options = std::make_shared<CheckCommand>();
  Command command = line.add("check", "Validate a scene and print what a run would be");
  add_scene_options(command, options->scene);
  command.flag("--parameters", options->parameters,
               "List the names of all values that can be changed or differentiated");
  command.footer(check_footer);
  command.does([options] { return run_check(*options); });
}

}  // namespace electret::app
