#pragma once
/// \file
/// Scalar sparse matrices that act alike on x, y and z, such as constant majorisers of a Hessian.

#include <vector>

#include <electret/core/parallel.hpp>
#include <electret/core/types.hpp>

namespace electret {

/// A symmetric n×n matrix in compressed rows of both triangles, with columns ascending and 64-bit offsets.
struct SparseMatrix {
  Index rows = 0;
  std::vector<Count> offsets;  ///< rows + 1.
  std::vector<Index> columns;
  std::vector<double> values;

  /// Writes Σ_j A_ij x_j to `out` for x (n×3). Rows are computed in parallel, each in column order.
  void multiply(Threads& threads, VectorView x, VectorSpan out) const;
};

/// Collects (row, column, value) entries and sums duplicates, in the order in which they were added, into a
/// SparseMatrix.
class SparseMatrixBuilder {
 public:
  explicit SparseMatrixBuilder(Index rows);
  void add(Index row, Index column, double value);
  [[nodiscard]] SparseMatrix build() const;

 private:
  struct Entry {
    Index row, column;
    double value;
  };
  Index rows_;
  std::vector<Entry> entries_;
};

}  // namespace electret
