#pragma once
/// \file
/// A sparse Cholesky factor as dense panels (supernodes), and its triangular solves with three right-hand
/// sides. The solve is the same whichever library factored the matrix. It allocates nothing and uses neither
/// BLAS nor threads, so that it gives the same bits in any environment.

#include <memory>
#include <vector>

#include <electret/core/padded.hpp>

namespace electret::detail {

/// P H Pᵀ = L Lᵀ. Panel p holds columns first_column[p] … first_column[p+1]-1 of L. Its rows are
/// rows[row_offsets[p]] …, ascending, with its own columns first. Its values start at
/// values[value_offsets[p]], in column-major order with one entry per row of the panel in each column.
/// Entries above the diagonal are not read.
struct PanelFactor {
  std::vector<Index> permutation;  ///< Row k of L is row permutation[k] of H.
  std::vector<Index> first_column{0};
  std::vector<Count> row_offsets{0};
  std::vector<Count> value_offsets{0};
  std::vector<Index> rows;
  std::shared_ptr<const double> values;
  std::vector<double> inverse_diagonal;

  [[nodiscard]] Index size() const { return static_cast<Index>(permutation.size()); }
  [[nodiscard]] Count panels() const { return static_cast<Count>(first_column.size()) - 1; }
  /// The entries of L in the panels, the diagonal included.
  [[nodiscard]] Count nonzeros() const;
  /// The number of rows of the tallest panel.
  [[nodiscard]] Count tallest() const;
  /// Fills `inverse_diagonal` from the values. Call it once, when everything else is set.
  void invert_diagonal();
};

/// Overwrites `x` (size() rows, in the factor's order) with (L Lᵀ)⁻¹ x; `scratch` has tallest() rows.
void solve_in_place(const PanelFactor& factor, Padded64* x, Padded64* scratch);

/// The same by two plain loops over single entries; the reference for tests.
void solve_in_place_reference(const PanelFactor& factor, Padded64* x);

}  // namespace electret::detail
