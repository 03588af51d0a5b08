#pragma once
/// \file
/// Eigenvalues of small dense symmetric matrices.

#include <vector>

namespace electret {

/// A dense matrix, stored by rows.
using Rows = std::vector<std::vector<double>>;

struct SymmetricEigen {
  std::vector<double> values;  ///< Ascending.
  Rows vectors;                ///< vectors[k] belongs to values[k] and has length 1.
};

/// Eigenvalues and eigenvectors of the symmetric part of `matrix` (n × n), by Householder's reduction and the
/// QR iteration, O(n³). Throws InternalError if a row does not have n entries.
SymmetricEigen symmetric_eigen(const Rows& matrix);

}  // namespace electret
