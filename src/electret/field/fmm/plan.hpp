#pragma once
/// \file
/// The FMM's settings (order, acceptance, leaf size) for a requested accuracy, from a committed table.

#include <vector>

#include <electret/field/fmm/passes/acceptance.hpp>

namespace electret::fmm {

/// The settings with which the relative L2 errors of field and potential are at most half of `accuracy`, and
/// on regular lattices and sheets at most `accuracy`. `bench_fmm_calibration` measures the table. Accuracies
/// below the last row get the settings of that row.
Plan plan_for(double accuracy);

/// The accuracies of the table's rows, in descending order.
std::vector<double> plan_accuracies();

}  // namespace electret::fmm
