#include <fmt/format.h>

#include <electret/core/text.hpp>
#include <electret/dynamics/capped_steps.hpp>

namespace electret {

std::string capped_steps_notice(Count capped, Count steps, int max_iterations) {
  if (capped == 0) return {};
  return fmt::format(
      "{} of {} ended before integrator.tolerance was met, within integrator.max_iterations = {}; raise "
      "either "
      "of them, or use a smaller step",
      capped, counted(steps, "step", "steps"), max_iterations);
}

}  // namespace electret
