#pragma once
/// \file
/// Eigenvalues of small dense symmetric matrices.

#include <vector>

namespace electret {

/// A dense matrix by rows.
using Rows = std::vector<std::vector<double>>;

struct SymmetricEigen {
  std::vector<double> values;  ///< Ascending.
  Rows vectors;                ///< [k]: of values[k], of length 1.
};

/// Of the symmetric part of `matrix`, n × n, by Householder's reduction and the QR iteration: O(n³).
/// Throws InternalError where a row is not n long.
SymmetricEigen symmetric_eigen(const Rows& matrix);

}  // namespace electret
