#include "warnings.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <electret/dynamics/divergence.hpp>
#include <electret/dynamics/stability.hpp>
#include <electret/scene/report.hpp>
#include <electret/scene/warnings.hpp>

#include "needs.hpp"
#include "terminal.hpp"

namespace electret::app {
namespace {

constexpr std::string_view mark = ": warning: ";
constexpr double ratio_to_tell_of = 1.5;
constexpr double ratio_to_warn_of = 100.0;

/// What comes of oscillations that the step does not resolve: the springs' as the method treats them; the
/// charges' frequency ω (1/s) is explicit in every method.
std::string consequence(const Integrator& integrator, double h, double springs, double charges) {
  const std::string name(integrator.name());
  const double limit = integrator.stability_limit();
  if (h * springs > limit) return name + " will diverge";
  if (h * charges > 1.0)
    return "charges act explicitly in " + name + ": those that are close will gain energy, or diverge";
  return std::isinf(limit) ? name + " stays stable and damps what oscillates faster than the step"
                           : name + " stays stable, with larger errors of the energy";
}

void add_if_short(std::vector<std::string>& warnings, std::string_view of, double needed,
                  const std::optional<double>& available, std::string_view advice) {
  if (!available || needed <= *available) return;
  warnings.push_back(fmt::format("electret{}a run takes about {} of {}, and there is {}; {}", mark,
                                 bytes_text(needed), of, bytes_text(*available), advice));
}

}  // namespace

StepChoice step_choice(System& system, const Integrator& integrator) {
  Inputs inputs;
  system.schedule.evaluate(0.0, inputs);
  const VectorArray& positions = system.assembly.initial_positions;
  const double h = system.time_step;
  StepChoice choice;
  choice.suggested = suggested_step(system);
  choice.ratio = h / choice.suggested;
  if (choice.ratio < ratio_to_tell_of) return choice;  // Both searches again would not be read.
  choice.consequence = consequence(integrator, h, spring_frequency(system, positions),
                                   fastest_charge_pair(system, positions, inputs.charges).frequency);
  return choice;
}

std::vector<std::string> warnings_before(System& system, const Integrator& integrator, const StepChoice& step,
                                         const std::string& directory) {
  const Scene& scene = system.assembly.scene;
  std::vector<std::string> warnings = scene_warnings(system.assembly);
  if (step.ratio > ratio_to_warn_of)
    warnings.push_back(
        fmt::format("{}{}the step of {:.3g} s is {:.3g} times the {:.3g} s that resolves the fastest "
                    "oscillation at the start: {}; "
                    "use a smaller step, softer springs or, for charges, softening",
                    to_string(place_of(scene.source, "time.step")), mark, system.time_step, step.ratio,
                    step.suggested, step.consequence));
  add_if_short(warnings, "memory", memory_needed(system, integrator), memory_available(),
               "use fewer vertices or springs");
  add_if_short(warnings, "disk", disk_needed(system), disk_available(directory),
               "write fewer frames (output.every), or in precision = \"single\"");
  return warnings;
}

void add_warning_of_first_frame(const System& system, std::vector<std::string>& warnings) {
  Inputs inputs;
  system.schedule.evaluate(0.0, inputs);
  const auto& positions = system.assembly.initial_positions;
  const std::string text = charge_step_warning(system, positions, inputs.charges);
  if (!text.empty())
    warnings.push_back(to_string(place_of(system.assembly.scene.source, "time.step")) + std::string(mark) +
                       text);
}

InputError as_errors(const std::vector<std::string>& warnings) {
  std::vector<Finding> findings;
  for (const std::string& warning : warnings) {
    const auto at = warning.find(mark);
    const std::string where = warning.substr(0, at);
    findings.push_back({{where == "electret" ? "" : where, 0, 0},
                        at == std::string::npos ? warning : warning.substr(at + mark.size()),
                        "with --stop-on-warning no run begins"});
  }
  return InputError(std::move(findings));
}

}  // namespace electret::app
