#pragma once
/// \file
/// Chebyshev smoothing on block-Jacobi of a lattice matrix, with the polynomial of degree 2.

#include <vector>

#include <electret/linear/detail/chebyshev_polynomial.hpp>
#include <electret/linear/lattice_matrix.hpp>

namespace electret::detail {

/// As Chebyshev (chebyshev.hpp): a polynomial in D⁻¹A that is small on [λ/6, λ]. λ is 1.25 × an estimate of
/// the largest eigenvalue by seven products with A.
class LatticeSmoother {
 public:
  /// `present` is 1 for the numbers that take part; the matrix is 0 at the others. `matrix` and `threads`
  /// must outlive it.
  LatticeSmoother(Threads& threads, const LatticeMatrix& matrix, std::vector<char> present);

  /// Takes the blocks and λ of the matrix. If `keeps_eigenvalue`, λ stays that of the last refresh, if there
  /// was one. Returns false if a diagonal block or λ is not positive.
  [[nodiscard]] bool refresh(bool keeps_eigenvalue);
  [[nodiscard]] double largest_eigenvalue() const { return polynomial_.lambda; }
  [[nodiscard]] const std::vector<char>& present() const { return present_; }

  /// Moves x from 0 towards A⁻¹b.
  void from_zero(const LatticeVector& b, LatticeVector& x);
  /// Moves x nearer to A⁻¹b.
  void improve(const LatticeVector& b, LatticeVector& x);
  /// b - A x.
  const LatticeVector& residual(const LatticeVector& b, const LatticeVector& x);

 private:
  [[nodiscard]] bool invert_diagonal();
  [[nodiscard]] double estimate();
  [[nodiscard]] bool iterate_power(double& lambda);
  void scale(double gain, const LatticeVector& b, LatticeVector& d);
  void smooth(const LatticeVector& b, bool fresh, LatticeVector& x);
  [[nodiscard]] double dot(const LatticeVector& a, const LatticeVector& b) const;

  Threads& threads_;
  const LatticeMatrix& matrix_;
  std::vector<char> present_;
  Count stride_;
  std::vector<float> inverses_;  ///< 6 floats per number.
  ChebyshevPolynomial polynomial_;
  LatticeVector residual_, direction_;
};

}  // namespace electret::detail
