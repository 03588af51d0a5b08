#include "warnings.hpp"

#include <utility>

#include <electret/dynamics/capped_steps.hpp>

#include "print.hpp"

namespace electret::app {

void tell(const std::vector<Warning>& warnings, bool stop) {
  if (stop && !warnings.empty()) throw as_errors(warnings);
  for (const Warning& warning : warnings) tell("{}\n", to_string(warning));
}

void tell_capped_steps(Count capped, Count steps, const Scene& scene) {
  if (capped > 0) tell("electret: {}\n", capped_steps_notice(capped, steps, scene));
}

InputError as_errors(const std::vector<Warning>& warnings) {
  std::vector<Finding> findings;
  for (const Warning& warning : warnings)
    findings.push_back({warning.where,
                        warning.message + (warning.advice.empty() ? "" : "; " + warning.advice),
                        "with --stop-on-warning no run begins"});
  return InputError(std::move(findings));
}

}  // namespace electret::app
