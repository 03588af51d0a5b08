#pragma once
/// \file
/// The step of L-BFGS with bounds: where a quadratic model of the function is small within the bounds.

#include <electret/fit/detail/bfgs_matrix.hpp>
#include <electret/fit/optimiser.hpp>

namespace electret::detail {

/// A point within the bounds at which m(x) = g·(x - u) + ½ (x - u)·B(x - u) is less than at u: the Cauchy
/// point, which chooses the bounds that hold, and from there the model's minimum over the variables that are
/// free, moved back into the bounds. u is within the bounds.
[[nodiscard]] Vector bounded_minimum(const BfgsMatrix& matrix, const Vector& u, const Vector& gradient,
                                     const VariableBounds& bounds);

}  // namespace electret::detail
