#include <algorithm>
#include <cmath>
#include <limits>

#include <electret/dynamics/divergence.hpp>
#include <electret/dynamics/step_choice.hpp>
#include <electret/scene/obstacle.hpp>
#include <electret/scene/report.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

constexpr double ratio_to_tell_of = 1.5;
constexpr double ratio_to_warn_of = 100.0;
/// The largest steps with contact, in steps that resolve the fastest oscillation. Solid cubes on an obstacle
/// slid as they must up to 7e6 of these, two and three on each other up to 1e5, cubes of springs up to 3e4.
constexpr double stiffest_contact = 1e6, stiffest_contact_of_bodies = 5e4, stiffest_contact_of_springs = 2e4;

/// None without exact contact: obstacles that stick by pins, and penalties, are not sensitive to it.
double stiffest_contact_of(const System& system) {
  const bool are_exact = system.contacts && !obstacles_stick(system.assembly.scene);
  const bool are_solid = std::all_of(system.elastic.begin(), system.elastic.end(),
                                     [](const auto& energy) { return energy->is_solid(); });
  if ((are_exact || system.body_contacts) && !are_solid) return stiffest_contact_of_springs;
  if (system.body_contacts) return stiffest_contact_of_bodies;
  return are_exact ? stiffest_contact : std::numeric_limits<double>::infinity();
}
constexpr double charges_resolved = 1.0;  ///< The largest h ω at which no method gains energy from charges.

/// Whether the method is stable at any step and damps elastic oscillations that the step does not resolve.
bool damps_unresolved(const Integrator& integrator) {
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
  return damps_unresolved(integrator) ? name + " stays stable and damps what oscillates faster than the step"
                                      : name + " stays stable, with larger errors of the energy";
}

/// What helps besides a smaller step.
std::string remedy(const System& system, const StepChoice& step) {
  std::string softer = "softer " + elastic_parts(system);
  if (!step.charges_are_cause) return softer;
  const double softening = system.assembly.scene.coulomb->softening;
  const std::string soften =
      softening > 0.0 ? "more softening than " + brief_text(softening) + " m" : "softening";
  return step.springs_diverge ? softer + " and " + soften : soften;
}

/// A warning at the scene's step.
Warning at_step(const System& system, WarningKind kind, std::string message, std::string advice) {
  return {kind, place_of(system.assembly.scene.source, "time.step"), std::move(message), std::move(advice)};
}

/// That of a step that is too small for a float64.
Warning beyond_numbers(const System& system, const StepChoice& step) {
  if (step.charges_are_fastest && !step.charge_warning.empty())
    return at_step(system, WarningKind::time_step, step.charge_warning, "");
  return at_step(system, WarningKind::time_step, "the fastest oscillation at the start is beyond float64",
                 "use softer " + elastic_parts(system) + ", larger masses or smaller charges");
}

/// What oscillates fastest, in words.
std::string cause(const System& system, const StepChoice& step) {
  if (!step.charges_are_cause) return elastic_parts(system);
  return "the charges of vertices " + std::to_string(step.pair.i) + " and " + std::to_string(step.pair.j) +
         ", " + brief_text(step.pair.distance) + " m apart";
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
  choice.only_damps = damps_unresolved(integrator) && !charges_fail;
  choice.consequence = consequence(integrator, h, fastest.springs, choice.pair.frequency);
  const VectorArray& start = system.assembly.initial_positions;
  choice.charge_warning = charge_step_warning(system, start, inputs.charges);
  if (choice.charge_warning.empty() && system.schedule.charges_change())
    choice.later_charge_warning = charge_step_warning(system, start, largest_charges(system));
  return choice;
}

Warning step_warning(const System& system, const StepChoice& step) {
  if (step.is_beyond_numbers()) return beyond_numbers(system, step);
  const double resolving = step.resolving();
  return at_step(system, WarningKind::time_step,
                 "the step of " + brief_text(system.time_step) + " s is " +
                     brief_text(system.time_step / resolving) + " times the " + brief_text(resolving) +
                     " s that resolves the fastest oscillation at the start, which is that of " +
                     cause(system, step) + ": " + step.consequence,
                 std::string(step.only_damps ? "only if vibration as fast as that matters, " : "") +
                     "use a smaller step or " + remedy(system, step) +
                     (step.only_damps ? "; slower motion needs neither" : ""));
}

bool is_too_stiff_for_contact(const System& system, const StepChoice& step) {
  return !step.charges_are_fastest && !step.is_beyond_numbers() &&
         system.time_step > stiffest_contact_of(system) * step.resolving();
}

Warning stiff_contact_warning(const System& system, const StepChoice& step) {
  return at_step(system, WarningKind::time_step,
                 "bodies that touch something are too stiff for the step of " + brief_text(system.time_step) +
                     " s: steps with contact may end unconverged and lose motion",
                 "use a step of at most " + brief_text(stiffest_contact_of(system) * step.resolving()) +
                     " s or softer bodies");
}

std::vector<Warning> charge_warnings(const System& system, const StepChoice& step, ChargesOf charges) {
  if (step.tells_of_charges()) return {};
  std::string text = step.charge_warning;
  if (text.empty() && charges == ChargesOf::whole_run && !step.later_charge_warning.empty())
    text = "with the largest key-framed charges, " + step.later_charge_warning;
  if (text.empty()) return {};
  return {at_step(system, WarningKind::charge_step, std::move(text), "")};
}

}  // namespace electret
