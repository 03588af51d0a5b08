#pragma once
/// \file
/// The method's settings for a requested accuracy, from a committed table.

#include <vector>

#include <electret/field/fmm/passes/acceptance.hpp>

namespace electret::fmm {

/// The settings with which the relative L2 errors of field and potential are at most half of `accuracy`, or
/// all of it on regular lattices and sheets (`bench_fmm_calibration` finds the table). Accuracies below the
/// table's last row get that row's settings.
Plan plan_for(double accuracy);

/// The accuracies that have settings of their own, in descending order.
std::vector<double> plan_accuracies();

}  // namespace electret::fmm
