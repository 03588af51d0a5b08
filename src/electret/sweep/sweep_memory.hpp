#pragma once
/// \file
/// How much memory the runs of a sweep take.

#include <vector>

#include <electret/sweep/sweep_plan.hpp>

namespace electret {

/// About the most bytes that a process takes which does any runs of the sweep, one after the other
/// (`memory_need`; `gradient_memory_need` if it keeps a gradient or fits).
///
/// Only few scenes are assembled, because a sweep may have millions. They are a run that can be read; this
/// run with the values of each `[[vary]]` (those that advance together as one) or column of a table in turn
/// taken from another run, namely the runs with its smallest and largest number and with each of its first
/// 100 texts; and the run with the values of all that were found to take most. Between the smallest and the
/// largest number the need is taken to rise or to fall all the way. Scenes that cannot be read take nothing.
/// The meshes that a process keeps from run to run are added if runs have different ones: as many as the keys
/// that change meshes have different values, at most 16. The values of a million runs are added, too.
[[nodiscard]] double memory_of_a_worker(const SweepPlan& plan);

/// The columns of the design that a `[[vary]]` fills, with all that advance together with it; of a table each
/// column by itself.
[[nodiscard]] std::vector<std::vector<std::size_t>> independent_columns(const SweepPlan& plan);

}  // namespace electret
