#pragma once
/// \file
/// The multigrid preconditioner: Galerkin matrices on background grids.

#include <memory>
#include <span>

#include <electret/linear/grid_levels.hpp>
#include <electret/linear/preconditioner.hpp>

namespace electret {

struct MultigridOptions {
  /// The degree of the fine level's Chebyshev polynomial, 1 or 2. Sheets are 10-20 % faster with 1.
  int fine_degree = 2;
  /// An upper bound of the eigenvalues of D⁻¹A on the fine level, where D are the diagonal blocks of A. It is
  /// k if A consists of masses and positive semi-definite elements of at most k vertices each. 0: no bound is
  /// known; twelve products with A then estimate the largest eigenvalue.
  double fine_bound = 0.0;
};

/// One V-cycle. Chebyshev polynomials of block-Jacobi smooth before and after the coarse correction (degree
/// 2, on [λ/6, λ]). A band Cholesky factor solves on the coarsest level; with up to 100 vertices it is the
/// only level. The iterations of CG hardly grow with the number of vertices. One apply costs about four
/// products with the fine matrix. A refresh costs the coarse matrices and, if no bound is given, sixteen
/// products.
class Multigrid final : public Preconditioner {
 public:
  /// Makes the grids at rest; the arguments are those of GridLevels. `pattern` and `threads` must outlive it.
  Multigrid(const BlockPattern& pattern, VectorView rest, std::span<const Index> body_offsets,
            std::span<const char> held, Threads& threads, MultigridOptions options = {});
  ~Multigrid() override;

  [[nodiscard]] std::string_view name() const override { return "multigrid"; }
  /// `held` must be that of the constructor.
  [[nodiscard]] bool refresh(const BlockMatrix& matrix, std::span<const char> held) override;
  /// Refreshes only the fine level, from a `matrix` that has changed little since the last refresh. The
  /// coarse matrices stay those of that refresh.
  [[nodiscard]] bool refresh_fine(const BlockMatrix& matrix);
  void apply(PaddedView32 r, PaddedSpan32 z) override;
  [[nodiscard]] std::array<float, 9> own_inverse(Index vertex) const override;

  [[nodiscard]] const GridLevels& grids() const;
  /// The matrix of a level ≥ 1, as of the last refresh.
  [[nodiscard]] const BlockMatrix& matrix(int level) const;
  /// λ of any level but the coarsest.
  [[nodiscard]] double largest_eigenvalue(int level) const;

 private:
  struct Levels;
  std::unique_ptr<Levels> levels_;
};

}  // namespace electret
