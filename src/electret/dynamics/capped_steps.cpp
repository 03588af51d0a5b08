#include <fmt/format.h>

#include <electret/core/text.hpp>
#include <electret/dynamics/capped_steps.hpp>

namespace electret {

std::string capped_steps_notice(Count capped, Count steps, int max_iterations, bool bodies_touch) {
  if (capped == 0) return {};
  if (bodies_touch)
    return fmt::format(
        "{} of {} ended before integrator.tolerance was met; bodies touch each other: use a smaller step or "
        "less friction, or raise integrator.tolerance",
        capped, counted(steps, "step", "steps"));
  return fmt::format(
      "{} of {} ended before integrator.tolerance was met, within integrator.max_iterations = {}; use a "
      "smaller step, or raise either of them",
      capped, counted(steps, "step", "steps"), max_iterations);
}

}  // namespace electret
