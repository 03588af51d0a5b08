#include "warnings.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <electret/core/memory.hpp>
#include <electret/dynamics/capped_steps.hpp>
#include <electret/dynamics/divergence.hpp>
#include <electret/dynamics/stability.hpp>
#include <electret/record/disk_need.hpp>
#include <electret/record/memory_need.hpp>
#include <electret/scene/report.hpp>
#include <electret/scene/warnings.hpp>

#include "needs.hpp"
#include "print.hpp"
#include "terminal.hpp"

namespace electret::app {
namespace {

constexpr std::string_view warning_mark = ": warning: ";
constexpr double ratio_to_tell_of = 1.5;
constexpr double ratio_to_warn_of = 100.0;
constexpr double charges_resolved = 1.0;  ///< The largest h ω at which no method gains energy from charges.

/// Whether the method is stable at any step and damps elastic oscillations that the step does not resolve.
bool damps(const Integrator& integrator) {
  return std::isinf(integrator.stability_limit()) && !integrator.conserves_energy();
}

/// What happens to oscillations that the step does not resolve. `springs` and `charges` are the fastest
/// angular frequencies at the start (1/s). For springs it depends on the method; charges act explicitly in
/// every method.
std::string consequence(const Integrator& integrator, double h, double springs, double charges) {
  const std::string name(integrator.name());
  const double limit = integrator.stability_limit();
  if (h * springs > limit) return name + " will diverge";
  if (h * charges > charges_resolved)
    return name + " treats charges explicitly, so that close ones may gain energy or diverge";
  return damps(integrator) ? name + " stays stable and damps what oscillates faster than the step"
                           : name + " stays stable, with larger errors of the energy";
}

void add_if_short(std::vector<std::string>& warnings, std::string_view what, std::string_view of,
                  double needed, const std::optional<double>& available, std::string_view advice) {
  if (!available || needed <= *available) return;
  warnings.push_back(fmt::format("electret{}{} takes about {} of {}, but only {} is free; {}", warning_mark,
                                 what, bytes_text(needed), of, bytes_text(*available), advice));
}

/// What helps besides a smaller step.
std::string remedy(const System& system, const StepChoice& step) {
  const std::string softer = "softer " + elastic_parts(system);
  if (!step.charges_are_cause) return softer;
  const double softening = system.assembly.scene.coulomb->softening;
  const std::string soften =
      softening > 0.0 ? fmt::format("more softening than {:.3g} m", softening) : "softening";
  return step.springs_diverge ? softer + " and " + soften : soften;
}

/// The warning of a step that `is_far_too_large`.
std::string step_warning(const System& system, const StepChoice& step) {
  if (step.is_beyond_numbers())
    return step.charges_are_fastest && !step.charge_warning.empty()
               ? step.charge_warning
               : "the fastest oscillation at the start is beyond float64; use softer " +
                     elastic_parts(system) + ", larger masses or smaller charges";
  const double resolving = step.resolving();
  return fmt::format(
      "the step of {:.3g} s is {:.3g} times the {:.3g} s that resolves the fastest oscillation at the start, "
      "which is that of {}: {}; {}use a smaller step or {}{}",
      system.time_step, system.time_step / resolving, resolving,
      step.charges_are_cause ? fmt::format("the charges of vertices {} and {}, {:.3g} m apart", step.pair.i,
                                           step.pair.j, step.pair.distance)
                             : elastic_parts(system),
      step.consequence, step.only_damps ? "only if vibration as fast as that matters, " : "",
      remedy(system, step), step.only_damps ? "; slower motion needs neither" : "");
}

}  // namespace

double StepChoice::resolving() const {
  if (!charges_are_cause) return suggested;
  return springs_diverge ? std::min(charges, suggested) : charges;
}

bool StepChoice::is_far_too_large() const {
  return ratio > ratio_to_warn_of;
}

bool StepChoice::tells_of_charges() const {
  return is_far_too_large() && charges_are_cause;
}

StepChoice step_choice(System& system, const Integrator& integrator, bool words) {
  const Oscillations fastest = fastest_oscillations(system);
  const double h = system.time_step;
  StepChoice choice;
  choice.suggested = fastest.suggested_step();
  choice.ratio = h / choice.suggested;
  choice.charges_are_fastest = fastest.charges > fastest.springs;
  choice.springs_diverge = h * fastest.springs > integrator.stability_limit();
  if (!words && !choice.is_far_too_large()) return choice;
  choice.pair = fastest_pair_of_run(system);
  choice.charges = advised_charge_step(choice.pair);
  const bool charges_fail = h * choice.pair.frequency > charges_resolved;
  choice.charges_are_cause = choice.is_beyond_numbers()
                                 ? choice.charges_are_fastest
                                 : charges_fail && (choice.charges_are_fastest || !choice.springs_diverge);
  // A step so close to the suggested one gives no warning of charges, because at the start they oscillate
  // more slowly than what the suggested step resolves.
  if (choice.ratio < ratio_to_tell_of) return choice;
  Inputs inputs;
  system.schedule.evaluate(0.0, inputs);
  choice.only_damps = damps(integrator) && !charges_fail;
  choice.consequence = consequence(integrator, h, fastest.springs, choice.pair.frequency);
  const VectorArray& start = system.assembly.initial_positions;
  choice.charge_warning = charge_step_warning(system, start, inputs.charges);
  if (choice.charge_warning.empty() && system.schedule.charges_change())
    choice.later_charge_warning = charge_step_warning(system, start, largest_charges(system));
  return choice;
}

namespace {

/// The warnings about the scene's settings and its step, and about `memory` (bytes), which `what` takes.
std::vector<std::string> warnings_of_system(const System& system, const StepChoice& step,
                                            std::string_view what, double memory) {
  const Scene& scene = system.assembly.scene;
  std::vector<std::string> warnings = scene_warnings(system.assembly);
  if (step.is_far_too_large())
    warnings.push_back(to_string(place_of(scene.source, "time.step")) + std::string(warning_mark) +
                       step_warning(system, step));
  add_if_short(warnings, what, "memory", memory, memory_available(), "use fewer vertices or springs");
  return warnings;
}

}  // namespace

std::vector<std::string> warnings_before(System& system, const Integrator& integrator, const StepChoice& step,
                                         const std::string& directory) {
  std::vector<std::string> warnings =
      warnings_of_system(system, step, "a run", memory_need(system, integrator));
  add_if_short(warnings, "a run", "disk", disk_need(system).total(), disk_available(directory),
               "write fewer frames (output.every), or in precision = \"single\"");
  return warnings;
}

void add_charge_warning(const System& system, const StepChoice& step, ChargesOf charges,
                        std::vector<std::string>& warnings) {
  if (step.tells_of_charges()) return;
  std::string text = step.charge_warning;
  if (text.empty() && charges == ChargesOf::whole_run && !step.later_charge_warning.empty())
    text = "with the largest key-framed charges, " + step.later_charge_warning;
  if (text.empty()) return;
  warnings.push_back(to_string(place_of(system.assembly.scene.source, "time.step")) +
                     std::string(warning_mark) + text);
}

std::vector<std::string> warnings_of_motion(System& system, const Integrator& integrator,
                                            bool rest_positions) {
  const StepChoice step = step_choice(system, integrator, true);
  std::vector<std::string> warnings = warnings_of_system(
      system, step, "a gradient", gradient_memory_need(system, integrator, rest_positions));
  add_charge_warning(system, step, ChargesOf::whole_run, warnings);
  return warnings;
}

void tell(const std::vector<std::string>& warnings, bool stop) {
  if (stop && !warnings.empty()) throw as_errors(warnings);
  for (const std::string& warning : warnings) tell("{}\n", warning);
}

void tell_capped_steps(Count capped, Count steps, int max_iterations) {
  if (capped > 0) tell("electret: {}\n", capped_steps_notice(capped, steps, max_iterations));
}

InputError as_errors(const std::vector<std::string>& warnings) {
  std::vector<Finding> findings;
  for (const std::string& warning : warnings) {
    const auto at = warning.find(warning_mark);
    const std::string where = warning.substr(0, at);
    findings.push_back({{where == "electret" ? "" : where, 0, 0},
                        at == std::string::npos ? warning : warning.substr(at + warning_mark.size()),
                        "with --stop-on-warning no run begins"});
  }
  return InputError(std::move(findings));
}

}  // namespace electret::app
