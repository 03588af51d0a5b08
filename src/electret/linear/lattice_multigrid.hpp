#pragma once
/// \file
/// The multigrid preconditioner for vertices on a lattice, with Galerkin matrices on lattices of twice the
/// step.

#include <memory>
#include <span>

#include <electret/linear/lattice_matrix.hpp>
#include <electret/linear/preconditioner.hpp>

namespace electret {

/// One V-cycle as in Multigrid, with trilinear interpolation from every second node, down to 100 nodes. It
/// holds the matrix itself, as half of its blocks without column indices. On a lattice a product costs a
/// third of that with a BlockMatrix, and a coarse matrix about three products.
class LatticeMultigrid final : public Preconditioner {
 public:
  /// `held` is 1 for a vertex that does not move; if it is empty, all move. `lattice` and `threads` must
  /// outlive it.
  LatticeMultigrid(const Lattice& lattice, std::span<const char> held, Threads& threads);
  ~LatticeMultigrid() override;

  [[nodiscard]] std::string_view name() const override { return "multigrid"; }
  /// The matrix, to be filled before `refresh`, which sets the rows and columns of held vertices to 0.
  LatticeMatrix& matrix();
  /// Makes the levels from the matrix. Estimating the smoothers' eigenvalues costs as much as all else, and
  /// they change little from one of Newton's steps to the next: with `keeps_eigenvalues` those of the last
  /// refresh serve. Returns false as Preconditioner::refresh does.
  [[nodiscard]] bool refresh(bool keeps_eigenvalues = false);
  /// The same from a matrix in the order of vertices, for comparisons.
  [[nodiscard]] bool refresh(const BlockMatrix& matrix, std::span<const char> held) override;
  void apply(PaddedView32 r, PaddedSpan32 z) override;
  [[nodiscard]] std::array<float, 9> own_inverse(Index vertex) const override;

  /// y = A x in the order of vertices, 0 at held ones. The arrays differ.
  void multiply(const LatticeMatrix& a, PaddedView32 x, PaddedSpan32 y);
  /// Sets the rows and columns of held vertices of `a` to 0.
  void clear_held(LatticeMatrix& a) const;

  /// The number of levels, 1 or more.
  [[nodiscard]] int levels() const;
  /// The matrix of a level as of the last refresh; level 0 is the matrix itself.
  [[nodiscard]] const LatticeMatrix& matrix(int level) const;
  /// About the bytes of all levels.
  static double bytes(const LatticeShape& shape);

 private:
  struct Levels;
  std::unique_ptr<Levels> levels_;
};

}  // namespace electret
