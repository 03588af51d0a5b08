#include <algorithm>
#include <cmath>
#include <utility>

#include <electret/dynamics/options.hpp>
#include <electret/record/energy_change.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

bool damps(const std::string& method) {
  return std::find(damping_integrator_methods.begin(), damping_integrator_methods.end(), method) !=
         damping_integrator_methods.end();
}

std::string change_text(const RunResult& run) {
  const double relative = run.largest_relative_energy_change;
  if (relative == 0.0) return run.largest_energy_change == 0.0 ? "none" : "none beyond rounding";
  if (!std::isfinite(relative))
    return brief_text(run.largest_energy_change) + " J, where all energies are 0 in every frame";
  if (run.largest_energy_change == 0.0)
    return brief_text(100.0 * relative) + " % by the rule of an earlier version";
  const std::string text = brief_text(100.0 * relative) + " % of the largest energies";
  if (run.largest_energy_change > 0.0) return text + ", gained";
  return text + (damps(run.integrator) ? ", lost to the damping of " + run.integrator : ", lost");
}

}  // namespace

std::string energy_change_text(const RunResult& run) {
  std::string text = change_text(run);
  if (run.charge_step_told) text += " (see the warning: the step is too large for the charges)";
  std::string apart;
  for (const auto& [what, joules] : {std::pair(" J of work by fields and loads", run.work.field_work),
                                     std::pair(" J of work by key-frames", run.work.keyframe_work),
                                     std::pair(" J of work by pins", run.work.pin_work),
                                     std::pair(" J taken by damping", run.work.dissipation)})
    if (joules != 0.0) apart += (apart.empty() ? "; not counting " : ", ") + brief_text(joules) + what;
  return text + apart;
}

}  // namespace electret
