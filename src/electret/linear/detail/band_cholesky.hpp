#pragma once
/// \file
/// The direct solver of multigrid's coarsest level: a float32 Cholesky factor in a band.

#include <vector>

#include <electret/linear/block_matrix.hpp>

namespace electret::detail {

/// An order of the rows in which neighbours are near: reverse Cuthill-McKee, component by component, each
/// from a row at its rim. It lists only rows with skipped[row] = 0 (empty: all).
std::vector<Index> narrow_order(const BlockPattern& pattern, std::span<const char> skipped);

class BandCholesky {
 public:
  /// Rows with held[row] = 1 are left out (empty: none).
  BandCholesky(const BlockPattern& pattern, std::span<const char> held);

  /// Factors `matrix`, which has the pattern. Returns false if a pivot is negative beyond rounding. A pivot
  /// that may be nothing but rounding, because columns of the coarse space depend on one another, is raised
  /// to 2e-6 of its diagonal, so that the solution there stays bounded.
  [[nodiscard]] bool factorise(const BlockMatrix& matrix);

  /// x = A⁻¹ b; 0 on rows left out.
  void solve(PaddedView32 b, PaddedSpan32 x);

 private:
  [[nodiscard]] float* row(std::size_t r) { return band_.data() + r * (width_ + 1); }

  const BlockPattern& pattern_;
  /// Row k of the band is row order_[k] of the matrix; place_ is the inverse, -1 for rows left out.
  std::vector<Index> order_, place_;
  std::size_t width_ = 0;    ///< Entries left of the diagonal.
  std::vector<float> band_;  ///< Row r: columns r - width_ … r.
  std::vector<float> inverse_, work_;
};

}  // namespace electret::detail
