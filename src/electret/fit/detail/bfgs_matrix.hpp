#pragma once
/// \file
/// The approximation of the second derivatives by which L-BFGS with bounds chooses its steps.
///
/// Equations are those of Byrd, Lu, Nocedal and Zhu, "A limited memory algorithm for bound constrained
/// optimization", SIAM J. Sci. Comput. 16 (1995).

#include <deque>

#include <electret/fit/detail/vectors.hpp>
#include <electret/linear/symmetric_eigen.hpp>

namespace electret::detail {

/// B = θI - W M Wᵀ (eq. 3.2) from the last steps s and changes y of the gradient, with W = [Y θS] and
/// M = [-D Lᵀ; L θSᵀS]⁻¹ (eq. 3.4). B scales as the function does, so that no number here depends on the
/// function's unit.
class BfgsMatrix {
 public:
  /// θI for `size` variables, θ > 0.
  BfgsMatrix(std::size_t size, double theta) : theta_(theta), rows_(size) {}

  /// Takes in a step and what it changed in the gradient. A pair without positive curvature is left out. The
  /// oldest pair is forgotten when there are more than `most_pairs`.
  void add(const Vector& step, const Vector& change);
  /// Leaves θI.
  void forget();

  [[nodiscard]] double theta() const { return theta_; }
  /// Columns of W; 0 if B = θI.
  [[nodiscard]] std::size_t columns() const { return 2 * steps_.size(); }
  /// Row `variable` of W.
  [[nodiscard]] const Vector& row(std::size_t variable) const { return rows_[variable]; }
  [[nodiscard]] const Rows& middle() const { return middle_; }  ///< M.
  /// Wᵀ v.
  [[nodiscard]] Vector transposed_times(const Vector& v) const;

 private:
  static constexpr std::size_t most_pairs = 10;

  [[nodiscard]] Rows inverse_of_middle() const;
  void renew();

  double theta_;
  std::deque<Vector> steps_, changes_;  ///< Divided by the step's length, which leaves B as it is.
  Rows rows_, middle_;
};

/// matrix · v.
[[nodiscard]] Vector times(const Rows& matrix, const Vector& v);

}  // namespace electret::detail
