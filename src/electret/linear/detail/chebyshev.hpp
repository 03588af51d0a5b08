#pragma once
/// \file
/// Chebyshev smoothing on block-Jacobi, which multigrid uses on every level but the coarsest.

#include <vector>

#include <electret/linear/block_jacobi.hpp>
#include <electret/linear/detail/chebyshev_polynomial.hpp>

namespace electret::detail {

/// A polynomial in D⁻¹A, where D are the diagonal blocks, that is small on [λ/6, λ] (degree 2) or [λ/3, λ]
/// (degree 1). λ is a bound of the largest eigenvalue that the caller knows, or 1.25 × its estimate by twelve
/// power iterations from a fixed vector. The polynomial is symmetric in D's inner product, so that the same
/// steps before and after the coarse correction make a symmetric cycle.
class Chebyshev {
 public:
  /// `bound` is an upper bound of D⁻¹A's eigenvalues; 0: none is known.
  Chebyshev(Threads& threads, Index rows, int degree, double bound = 0.0);

  /// Takes the blocks and λ of `matrix`, which must outlive the smoothing. Returns false if a diagonal block
  /// or λ is not positive.
  [[nodiscard]] bool refresh(const BlockMatrix& matrix, std::span<const char> held);
  [[nodiscard]] double largest_eigenvalue() const { return polynomial_.lambda; }

  /// Moves x from 0 towards A⁻¹b.
  void from_zero(PaddedView32 b, PaddedSpan32 x);
  /// Moves x nearer to A⁻¹b.
  void improve(PaddedView32 b, PaddedSpan32 x);

 private:
  /// Power iteration sees λ from below, in stiff flat sheets (h²k/m = 2000) by more than a tenth. A λ too
  /// small makes the cycle indefinite.
  [[nodiscard]] double estimate();
  void scale(double gain, PaddedView32 b, PaddedSpan32 d);
  /// x += keep d + gain D⁻¹(b - A d).
  void smooth(PaddedView32 b, PaddedView32 d, PaddedSpan32 x);

  Threads& threads_;
  int degree_;
  double bound_;
  const BlockMatrix* matrix_ = nullptr;
  BlockJacobi diagonal_;
  ChebyshevPolynomial polynomial_;
  std::vector<Padded32> power_, residual_, direction_;
};

}  // namespace electret::detail
