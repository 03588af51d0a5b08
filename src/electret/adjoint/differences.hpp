#pragma once
/// \file
/// Derivatives by differences of whole runs: slow, obvious, and what gradients are checked against.

#include <functional>
#include <vector>

#include <electret/core/control.hpp>
#include <electret/scene/parameters.hpp>

namespace electret {

/// A derivative by differences, and an estimate of its error.
struct Difference {
  double value = 0.0;
  double error = 0.0;  ///< Of truncation and rounding together; +∞ where no step gave two finite values.
};

/// f'(0) from central differences over `reach`, reach/2, reach/4, …, extrapolated to step 0 (Ridders 1982);
/// the step is chosen where neighbouring extrapolations agree best; where they do not agree to 1e-7 smaller
/// steps are tried, too. Where `one_sided`, f is called with offsets ≥ 0 only. At most 29 calls of f; one
/// that is not finite counts as a step too large.
Difference difference(const std::function<double(double offset)>& f, double reach, bool one_sided = false);

/// By each value of `parameter`, in its order: 29 runs each at most. `loss` gives the loss of an assembly's
/// run; a run that diverges counts as not finite. Progress counts values; throws Cancelled.
std::vector<Difference> differences(const Assembly& assembly, const Parameter& parameter,
                                    const std::function<double(Assembly)>& loss, const Control& control = {});

}  // namespace electret
