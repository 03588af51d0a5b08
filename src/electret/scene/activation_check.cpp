#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <electret/scene/activation_check.hpp>

namespace electret {
namespace {

/// Where within a step a method reads activations. docs/physics.md, "Time integrators".
std::vector<double> fractions_read_by(const std::string& method) {
  if (method == "kick_midpoint") return {0.5};
  if (method == "kick_trbdf2") return {2.0 - std::sqrt(2.0)};
  return {};
}

}  // namespace

std::optional<NoActivation> first_without_activation(const ActivationAt& activation, const Scene& scene,
                                                     double least) {
  const std::vector<double> fractions = fractions_read_by(scene.integrator.method);
  constexpr Count most = 10'000'000;  // A quarter of a second.
  const std::size_t made = scene.changes_made;
  const Count first = made == 0 ? 0 : scene.changes[made - 1].step;
  const Count last = made == scene.changes.size() ? scene.time.steps : scene.changes[made].step;
  std::optional<NoActivation> found;
  const auto look_at = [&](Count step, double fraction) {
    const double time = scene.time.at(step, fraction);
    const double value = activation(time, scene.time.leg_at(step).time_step);
    if (!found && !(std::isfinite(value) && value >= least)) found = {time, value};
  };
  for (Count k = first; k <= std::min(last, first + most) && !found; ++k) {
    look_at(k, 0.0);
    if (k < last)
      for (const double fraction : fractions) look_at(k, fraction);
  }
  return found;
}

std::optional<NoActivation> first_without_activation(const ActivationFormula& formula, const Scene& scene,
                                                     double least) {
  return first_without_activation(
      [&formula](double time, double time_step) { return formula.value(time, time_step); }, scene, least);
}

}  // namespace electret
