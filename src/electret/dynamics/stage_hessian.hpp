#pragma once
/// \file
/// The exact Hessian H = M + a∇²E(x) of an implicit stage with a preconditioner: what Newton's method solves
/// with.

#include <memory>

#include <electret/dynamics/system.hpp>
#include <electret/linear/block_system.hpp>

namespace electret {

/// Preconditioned by multigrid on background grids, small bodies by block-Jacobi. The preconditioner is made
/// of H itself or, from the first place of a step where that is not positive definite, of the clamped
/// Hessian; `begin_step` forgets that, so nothing is carried from step to step. Pinned vertices do not move.
/// Allocates nothing after the first step.
class StageHessian {
 public:
  /// `factor` a, s². `system` must outlive this.
  StageHessian(System& system, double factor);
  ~StageHessian();

  void begin_step();
  /// Makes `x` the place of the solves: linearises the energies there and refreshes the preconditioner.
  void linearise(VectorView x);
  /// H_FF z_F = rhs_F, z_P = 0, as BlockSystem::solve; once more with the clamped preconditioner where the
  /// exact one turns out not to be positive definite.
  SolveReport solve(VectorView rhs, const SolveOptions& options, VectorSpan z);

  /// About the bytes of its matrix, its grids, its work arrays and of the energies' linearisations.
  [[nodiscard]] double memory_needed() const;

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace electret
