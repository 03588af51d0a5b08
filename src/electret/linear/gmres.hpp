#pragma once
/// \file
/// Restarted GMRES, preconditioned from the right, in float32 with float64 sums.

#include <array>
#include <vector>

#include <electret/core/parallel.hpp>
#include <electret/linear/krylov.hpp>

namespace electret {

/// For any regular A. `threads` must outlive it. When the size grows, it allocates 61 vectors.
class Gmres {
 public:
  static constexpr int restart = 60;  ///< Iterations between restarts.

  explicit Gmres(Threads& threads) : threads_(threads) {}

  /// Solves a x ≈ rhs from x = 0, preconditioned by `b`. It also stops if a restart gains nothing.
  KrylovReport solve(LinearMap& a, LinearMap& b, PaddedView32 rhs, const KrylovOptions& options,
                     PaddedSpan32 x);

 private:
  static constexpr std::size_t height = restart + 1;

  /// Iterates from the residual in r_, whose norm is `residual`, until it is ≤ target according to the
  /// recurrence, or until the basis has `most` vectors. Returns the number of vectors and leaves the
  /// recurrence's residual in `residual`.
  int cycle(LinearMap& a, LinearMap& b, int most, double target, double& residual);
  /// Makes w_ orthogonal to the basis up to vector `column`, and turns it into the next vector. False if
  /// nothing of it is left, or if it is not a number.
  bool orthogonalise(int column);
  /// Rotates the new column of the Hessenberg matrix into its triangle. Returns the residual's norm.
  double rotate(int column);
  /// x += B Σ_j y_j v_j, with y from the triangle of `columns` columns.
  void correct(LinearMap& b, int columns, PaddedSpan32 x);
  [[nodiscard]] double& hessenberg(int row, int column) {
    return hessenberg_[static_cast<std::size_t>(row) + height * static_cast<std::size_t>(column)];
  }
  [[nodiscard]] PaddedSpan32 basis(int column) {
    return std::span(basis_).subspan(static_cast<std::size_t>(column) * size_, size_);
  }

  Threads& threads_;
  std::size_t size_ = 0;
  std::vector<Padded32> basis_, r_, w_, z_;
  std::array<double, height * restart> hessenberg_{};
  std::array<double, height> rhs_{};
  std::array<double, restart> cosine_{}, sine_{};
};

}  // namespace electret
