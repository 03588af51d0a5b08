#include <algorithm>
#include <limits>

#include <electret/adjoint/checkpoint_schedule.hpp>
#include <electret/core/errors.hpp>

namespace electret {
namespace {

/// β(s, r) = C(s + r, s): the most steps that s stored states reverse while no step is repeated more than r
/// times. 0 for r < 0; held at the largest Count.
Count reach(Count stored, Count repeats) {
  if (repeats < 0) return 0;
  constexpr double most = 9.0e18;
  double result = 1.0;
  Count exact = 1;
  for (Count k = 1; k <= std::min(stored, repeats); ++k) {
    const Count factor = std::max(stored, repeats) + k;
    result = result * static_cast<double>(factor) / static_cast<double>(k);
    if (result * static_cast<double>(factor + 1) > most) return std::numeric_limits<Count>::max();
    exact = exact * factor / k;
  }
  return exact;
}

/// The least r with β(stored, r) ≥ steps.
Count repeats_needed(Count steps, Count stored) {
  Count repeats = 0;
  while (reach(stored, repeats) < steps) ++repeats;
  return repeats;
}

}  // namespace

// Let t(n, s) be the fewest forward steps that reverse n steps if the state at the end is known. A first
// stride of m steps gives t(n, s) = m + t(n - m, s - 1) + t(m, s). As a function of n this is convex and
// piecewise linear, with slope r between β(s, r - 1) and β(s, r). A stride is therefore best if the slope 1 +
// (r - 1) of its own part equals the slope r of the rest.
Count checkpoint_distance(Count steps, Count stored) {
  require(steps >= 2 && stored >= 1, "a checkpoint schedule needs at least two steps and one state");
  if (stored == 1) return steps - 1;
  const Count r = repeats_needed(steps, stored);
  const Count least = std::max(reach(stored, r - 2), steps - reach(stored - 1, r));
  return std::clamp<Count>(least, 1, steps - 1);
}

Count forward_steps(Count steps, Count stored) {
  require(steps >= 1 && stored >= 1, "a checkpoint schedule needs at least one step and one state");
  if (stored == 1) return steps * (steps - 1) / 2 + 1;
  const Count r = repeats_needed(steps, stored);
  // t(n, s) = r n - β(s + 1, r - 1), and the last step itself.
  return r * steps - reach(stored + 1, r - 1) + 1;
}

}  // namespace electret
