#include <fmt/format.h>

#include <electret/sweep/sweep_limits.hpp>

namespace electret {

std::string failures_text(const SweepPlan& plan, Count without_result, Count ended) {
  constexpr Count least = 20;
  const double allowed = plan.job.limits.failures;
  if (ended < least || static_cast<double>(without_result) <= allowed * static_cast<double>(ended)) return {};
  return fmt::format("{} of {} runs have no result, more than the share of {:g} that [limits] allows",
                     without_result, ended, allowed);
}

std::string spent_text(const SweepPlan& plan, double cpu) {
  constexpr double hour = 3600.0;
  const double allowed = plan.job.limits.cpu_hours;
  if (!(allowed > 0.0) || cpu < hour * allowed) return {};
  return fmt::format("the runs have taken the processor time that cpu_hours = {:g} of [limits] allows",
                     allowed);
}

}  // namespace electret
