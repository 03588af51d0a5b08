#include <algorithm>
#include <cmath>

#include <electret/scene/activation_check.hpp>

namespace electret {

std::optional<NoActivation> first_without_activation(const ActivationFormula& formula, double step,
                                                     Count steps, std::span<const double> fractions) {
  constexpr Count most = 10'000'000;  // A quarter of a second.
  std::optional<NoActivation> found;
  const auto look_at = [&](double time) {
    const double value = formula.value(time, step);
    if (!found && !(std::isfinite(value) && value >= 0.0)) found = {time, value};
  };
  for (Count k = 0; k <= std::min(steps, most) && !found; ++k) {
    const double start = static_cast<double>(k) * step;
    look_at(start);
    if (k < steps)
      for (const double fraction : fractions) look_at(start + fraction * step);
  }
  return found;
}

}  // namespace electret
