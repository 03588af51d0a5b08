#include <cmath>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include <electret/core/memory.hpp>
#include <electret/core/text.hpp>
#include <electret/dynamics/body_energy.hpp>
#include <electret/record/disk_need.hpp>
#include <electret/record/memory_need.hpp>
#include <electret/record/run_warnings.hpp>
#include <electret/scene/warnings.hpp>

namespace electret {
namespace {

/// What takes `needed` bytes of `of`, and what helps.
struct Need {
  WarningKind kind;
  std::string_view what, of;
  double needed = 0.0;
  std::string_view advice;
};

void add_if_short(const Need& need, const std::optional<double>& available, std::vector<Warning>& warnings) {
  if (!available || need.needed <= *available) return;
  warnings.push_back({need.kind,
                      {},
                      std::string(need.what) + " takes about " + bytes_text(need.needed) + " of " +
                          std::string(need.of) + ", but only " + bytes_text(*available) + " is free",
                      std::string(need.advice)});
}

/// The warnings about the scene's settings and its step, and about `memory` (bytes), which `what` takes.
std::vector<Warning> warnings_of_system(const System& system, const StepChoice& step, std::string_view what,
                                        double memory, const std::vector<std::string>& used_groups = {}) {
  std::vector<Warning> warnings = scene_warnings(system.assembly, used_groups, [&system] {
    return body_pushes(system, system.assembly.initial_positions);
  });
  if (step.is_far_too_large()) warnings.push_back(step_warning(system, step));
  if (is_too_stiff_for_contact(system, step)) warnings.push_back(stiff_contact_warning(system, step));
  add_if_short({WarningKind::memory, what, "memory", memory, "use fewer vertices or springs"},
               memory_available(), warnings);
  return warnings;
}

void append(std::vector<Warning>& warnings, const std::vector<Warning>& more) {
  warnings.insert(warnings.end(), more.begin(), more.end());
}

}  // namespace

std::vector<Warning> run_warnings(const System& system, const Integrator& integrator, const StepChoice& step,
                                  const std::string& directory, const std::vector<std::string>& used_groups) {
  std::vector<Warning> warnings =
      warnings_of_system(system, step, "a run", memory_need(system, integrator), used_groups);
  if (directory.empty()) return warnings;
  add_if_short({WarningKind::disk, "a run", "disk", disk_need(system).total(),
                "write fewer frames (output.every), or in precision = \"single\""},
               disk_available(directory), warnings);
  return warnings;
}

std::vector<Warning> gradient_warnings(System& system, const Integrator& integrator, bool rest_positions,
                                       const std::vector<std::string>& used_groups) {
  const StepChoice step = step_choice(system, integrator, true);
  std::vector<Warning> warnings = warnings_of_system(
      system, step, "a gradient", gradient_memory_need(system, integrator, rest_positions), used_groups);
  append(warnings, charge_warnings(system, step, ChargesOf::whole_run));
  return warnings;
}

std::string gradient_tolerance_notice(const System& system, const Integrator& integrator) {
  const double tolerance = system.assembly.scene.integrator.tolerance;
  if (!std::isinf(integrator.stability_limit()) || tolerance <= 1e-10) return {};
  return fmt::format(
      "integrator.tolerance = {:g}: the gradient's error may be many times as large; for an exact gradient, "
      "set "
      "integrator.tolerance = 1e-10",
      tolerance);
}

std::vector<Warning> prepare_run(System& system, const std::string& directory, RunOptions& options) {
  const auto integrator = make_integrator(system, system.assembly.scene.integrator, options.integrator);
  const StepChoice step = step_choice(system, *integrator, options.stop_on_warning);
  std::vector<Warning> warnings = run_warnings(system, *integrator, step, directory);
  if (options.stop_on_warning) append(warnings, charge_warnings(system, step, ChargesOf::first_frame));
  options.warnings = warnings;
  options.charge_step_told = step.tells_of_charges();
  options.suggested_step = step.suggested;
  options.integrator = integrator->choice();
  return warnings;
}

}  // namespace electret
