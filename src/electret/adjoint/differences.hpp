#pragma once
/// \file
/// Derivatives by differences of whole runs: the slow, obvious reference against which gradients are checked.

#include <functional>
#include <vector>

#include <electret/core/control.hpp>
#include <electret/scene/parameters.hpp>

namespace electret {

/// A derivative by differences, and an estimate of its error.
struct Difference {
  double value = 0.0;  ///< NaN if no step size gave two finite values.
  double error = 0.0;  ///< Truncation and rounding together; +∞ if the value is NaN or has no neighbour.
};

/// f'(0) from central differences with step sizes `reach`, reach/2, reach/4, …, extrapolated to step size 0
/// (Ridders 1982). The result is the extrapolation that agrees best with its neighbours. If none agrees to a
/// relative 1e-7, smaller step sizes are tried, too. If `one_sided`, f is called only with offsets ≥ 0. f is
/// called at most 29 times. A step size at which f is not finite counts as too large and is left out.
/// Throws std::invalid_argument if there is no f, or if `reach` is not finite and positive.
Difference difference(const std::function<double(double offset)>& f, double reach, bool one_sided = false);

/// The derivative with respect to each value of `parameter`, in the parameter's order. Each takes at most 29
/// runs. No value leaves the range of the parameter: near an end of it steps are shorter, and a value at an
/// end is moved away from it alone. `loss` returns the loss of an assembly's run; if a run diverges, its loss
/// counts as not finite. Progress counts values. Throws Cancelled, and std::invalid_argument if there is no
/// loss or if the parameter is of another assembly.
std::vector<Difference> differences(const Assembly& assembly, const Parameter& parameter,
                                    const std::function<double(Assembly)>& loss, const Control& control = {});

}  // namespace electret
