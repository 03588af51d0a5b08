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
};

/// One V-cycle with Chebyshev smoothing of block-Jacobi before and after, degree 2 on [λ/6, λ], and a band
/// Cholesky factor on the coarsest level; up to 100 vertices that factor alone. Iterations of CG hardly grow
/// with the number of vertices. One apply costs about four products with the fine matrix, a refresh about
/// sixteen and the coarse matrices.
class Multigrid final : public Preconditioner {
 public:
  /// Makes the grids at rest: arguments as GridLevels'. `pattern` and `threads` must outlive it.
  Multigrid(const BlockPattern& pattern, VectorView rest, std::span<const Index> body_offsets,
            std::span<const char> held, Threads& threads, MultigridOptions options = {});
  ~Multigrid() override;

  [[nodiscard]] std::string_view name() const override { return "multigrid"; }
  /// `held` must be that of the constructor. Twelve power iterations a level, from a fixed vector.
  [[nodiscard]] bool refresh(const BlockMatrix& matrix, std::span<const char> held) override;
  /// The next matrix of a row that changes little (Newton's within a step): block inverses and λ of the fine
  /// level anew, λ by two power iterations from where they stopped; the coarse levels, too, if `coarse`, else
  /// they stay those of the last refresh that made them. What it gives depends on all refreshes since the
  /// last full one.
  [[nodiscard]] bool refresh_lagged(const BlockMatrix& matrix, bool coarse);
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
