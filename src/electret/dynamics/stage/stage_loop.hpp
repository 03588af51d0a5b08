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
  StallWatch watch(0.0);
  StoppingRule::Unsolved left{};
  const auto is_done = [&] {
    // Contact may have changed all.
    report.residual_target = rule.target();
    left = rule.unsolved(objective.gradient(), objective.gradient_norm());
    watch.allow(left.rounding);
    return !objective.is_finite() || left.norm <= report.residual_target || watch.stalled(left.norm);
  };
  while (!is_done()) {
    if (report.elastic_iterations == max_iterations) {
      report.capped = true;
      break;
    }
    if (!iterate(report.elastic_iterations++)) {
      left = rule.unsolved(objective.gradient(), objective.gradient_norm());
      report.capped = left.norm > std::max(rule.target(), left.rounding);
      break;
    }
  }
  report.residual = left.norm;
  report.failed = !objective.is_finite();
  return report;
}

}  // namespace electret
