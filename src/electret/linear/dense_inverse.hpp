#pragma once
/// \file
/// Inverses of small dense matrices.

#include <optional>

#include <electret/linear/symmetric_eigen.hpp>

namespace electret {

/// The inverse of `matrix` (n × n), by LU with full pivoting, O(n³). Empty if the matrix is singular up to
/// rounding or has entries that are not finite. Throws InternalError if a row does not have n entries.
std::optional<Rows> dense_inverse(const Rows& matrix);

}  // namespace electret
