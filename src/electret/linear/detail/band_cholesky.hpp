#pragma once
/// \file
/// The direct solver of multigrid's coarsest level: a float32 Cholesky factor in a band.

#include <vector>

#include <electret/linear/block_matrix.hpp>

namespace electret::detail {

/// An order of the rows in which neighbours are near: reverse Cuthill-McKee, component by component, from a
/// row at the component's rim. Only rows with skipped[row] = 0 are listed (empty: all).
std::vector<Index> narrow_order(const BlockPattern& pattern, std::span<const char> skipped);

class BandCholesky {
 public:
  /// Rows with held[row] = 1 are left out (empty: none).
  BandCholesky(const BlockPattern& pattern, std::span<const char> held);

  /// Factors `matrix`, which has the pattern. False: a pivot is negative beyond rounding. A pivot that
  /// rounding may have made of nothing (columns of the coarse space that depend on one another) is raised to
  /// 2e-6 of its diagonal: the solution there stays bounded.
  [[nodiscard]] bool factorise(const BlockMatrix& matrix);

  /// x = A⁻¹ b; 0 on rows left out.
  void solve(PaddedView32 b, PaddedSpan32 x);

 private:
  [[nodiscard]] float* row(std::size_t r) { return band_.data() + r * (width_ + 1); }

  const BlockPattern& pattern_;
  std::vector<Index> order_,
      place_;                ///< Row k of the band is rows order_[k]; place_ is the inverse, -1 left out.
  std::size_t width_ = 0;    ///< Entries left of the diagonal.
  std::vector<float> band_;  ///< Row r: columns r - width_ … r.
  std::vector<float> inverse_, work_;
};

}  // namespace electret::detail
