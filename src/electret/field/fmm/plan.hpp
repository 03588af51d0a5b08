#pragma once
/// \file
/// The method's settings for a requested accuracy, from a committed table.

#include <vector>

#include <electret/field/fmm/passes/acceptance.hpp>

namespace electret::fmm {

/// The settings that meet a relative L2 error of field and potential with room (`bench_fmm_calibration` finds
/// the table). Smaller accuracies than the table's last row get that row's.
Plan plan_for(double accuracy);

/// The accuracies that have settings of their own, falling.
std::vector<double> plan_accuracies();

}  // namespace electret::fmm
