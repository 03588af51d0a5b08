#pragma once
/// \file
/// The exact Hessian H = M + a∇²E(x) of an implicit stage with a preconditioner: what Newton's method solves
/// with.

#include <memory>
#include <string_view>

#include <electret/dynamics/system.hpp>
#include <electret/linear/block_system.hpp>

namespace electret {

/// Which preconditioner: the one that counted iterations say (PreconditionerChoice), or always the same,
/// which is for comparisons.
enum class PreconditionerPolicy { counted, block_jacobi, multigrid };

/// What a step leaves to the next: part of the state of a run.
struct StageHessianMemory {
  bool multigrid = false;  ///< Block-Jacobi took too long (PreconditionerChoice).
  bool clamped = false;    ///< Multigrid is made of the clamped Hessian.
};

/// Preconditioned by block-Jacobi or, where that takes many iterations, by multigrid on background grids. The
/// preconditioner is made of H itself or, from the first place where that is not positive definite, of the
/// clamped Hessian. Pinned vertices do not move. Allocates nothing but in the first step that uses a
/// preconditioner.
class StageHessian {
 public:
  /// `factor` a, s². `system` must outlive this.
  StageHessian(System& system, double factor, PreconditionerPolicy policy = PreconditionerPolicy::counted);
  ~StageHessian();

  /// Nothing but `memory` is carried over from earlier steps.
  void begin_step(StageHessianMemory memory = {});
  [[nodiscard]] StageHessianMemory memory() const;
  /// Makes `x` the place of the solves: linearises the energies there and refreshes the preconditioner.
  void linearise(VectorView x);
  /// H_FF z_F = rhs_F, z_P = 0, as BlockSystem::solve; once more with the clamped preconditioner where the
  /// exact one turns out not to be positive definite.
  SolveReport solve(VectorView rhs, const SolveOptions& options, VectorSpan z);

  /// The preconditioner of the last solve: "block_jacobi", "multigrid".
  [[nodiscard]] std::string_view preconditioner() const;

  /// About the bytes of its matrix, its grids, its work arrays and of the energies' linearisations.
  [[nodiscard]] double memory_needed() const;

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace electret
