#pragma once
/// \file
/// When a sweep begins no further run, by its `[limits]`.

#include <string>

#include <electret/sweep/sweep_plan.hpp>
#include <electret/sweep/sweep_run.hpp>

namespace electret {

/// "5 of 20 runs have no result, more than …", if so many of the runs that have ended have none that
/// `failures` lets no further run begin; else empty.
[[nodiscard]] std::string failures_text(const SweepPlan& plan, Count without_result, Count ended);
/// "the runs have taken the processor time that …", if so much, s, is all that `cpu_hours` allows; else
/// empty.
[[nodiscard]] std::string spent_text(const SweepPlan& plan, double cpu);

}  // namespace electret
