#pragma once
/// \file
/// The multigrid preconditioner: Galerkin matrices on background grids.

#include <memory>
#include <span>

#include <electret/linear/grid_levels.hpp>
#include <electret/linear/preconditioner.hpp>

namespace electret {

struct MultigridOptions {
  /// Of the fine level's Chebyshev polynomial, 1 or 2. Sheets are 10-20 % faster with 1.
  int fine_degree = 2;
  /// No eigenvalue of D⁻¹A on the fine level is larger, D the diagonal blocks of A; 0: none such is known,
  /// and twelve products with A estimate the largest. The masses and positive semi-definite elements of at
  /// most k vertices each: k.
  double fine_bound = 0.0;
};

/// One V-cycle with Chebyshev smoothing of block-Jacobi before and after, degree 2 on [λ/6, λ], and a band
/// Cholesky factor on the coarsest level; up to 100 vertices that factor alone. Iterations of CG hardly grow
/// with the number of vertices. One apply costs about four products with the fine matrix, a refresh the
/// coarse matrices and, where no bound is given, sixteen products.
class Multigrid final : public Preconditioner {
 public:
  /// Makes the grids at rest: arguments as GridLevels'. `pattern` and `threads` must outlive it.
  Multigrid(const BlockPattern& pattern, VectorView rest, std::span<const Index> body_offsets,
            std::span<const char> held, Threads& threads, MultigridOptions options = {});
  ~Multigrid() override;

  [[nodiscard]] std::string_view name() const override { return "multigrid"; }
  /// `held` must be that of the constructor.
  [[nodiscard]] bool refresh(const BlockMatrix& matrix, std::span<const char> held) override;
  /// Takes the fine level from a `matrix` that has changed little since the last refresh: the coarse matrices
  /// stay those of that refresh.
  [[nodiscard]] bool refresh_fine(const BlockMatrix& matrix);
  void apply(PaddedView32 r, PaddedSpan32 z) override;

  [[nodiscard]] const GridLevels& grids() const;
  /// The matrix of a level ≥ 1, as of the last refresh.
  [[nodiscard]] const BlockMatrix& matrix(int level) const;
  /// λ of a level but the coarsest.
  [[nodiscard]] double largest_eigenvalue(int level) const;

 private:
  struct Levels;
  std::unique_ptr<Levels> levels_;
};

}  // namespace electret
