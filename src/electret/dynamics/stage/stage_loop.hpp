#pragma once
/// \file
/// The loop that the solvers of an implicit stage share: they iterate until the stopping rule, the rounding
/// or the cap.

#include <algorithm>

#include <electret/dynamics/integrator.hpp>
#include <electret/dynamics/stage/stage_objective.hpp>
#include <electret/dynamics/stage/stall.hpp>
#include <electret/dynamics/stage/stopping_rule.hpp>

namespace electret {

/// Calls iterate(done), where `done` is the number of iterations before, until one of these is true: ‖∇g‖ has
/// reached its target or its rounding; `iterate` finds no better place and returns false (capped, unless ‖∇g‖
/// may be rounding); `max_iterations` are done (capped); g or ∇g is not finite (failed). The caller has
/// evaluated `objective` at the start; `iterate` evaluates it at every place it moves to.
template <class Iterate>
StepReport iterate_stage(const StageObjective& objective, const StoppingRule& rule, int max_iterations,
                         Iterate&& iterate) {
  StepReport report;
  StallWatch watch(rule.gradient_rounding());
  const auto is_done = [&] {
    // Contact may have changed both.
    report.residual_target = rule.target();
    watch.allow(rule.gradient_rounding());
    return !objective.is_finite() || objective.gradient_norm() <= report.residual_target ||
           watch.stalled(objective.gradient_norm());
  };
  while (!is_done()) {
    if (report.elastic_iterations == max_iterations) {
      report.capped = true;
      break;
    }
    if (!iterate(report.elastic_iterations++)) {
      report.capped = objective.gradient_norm() > std::max(rule.target(), rule.gradient_rounding());
      break;
    }
  }
  report.residual = objective.gradient_norm();
  report.failed = !objective.is_finite();
  return report;
}

}  // namespace electret
