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

/// What the multigrid of an earlier place has cost beyond a new one.
struct MultigridWear {
  double spent = 0.0;       ///< Iterations.
  double fine_spent = 0.0;  ///< Since its fine level was made anew.
  double rate = 0.0;  ///< Iterations for each factor e of a residual, when it was new; 0: not known yet.
};

/// What a step leaves to the next, beside the place that multigrid was made at.
struct StageHessianMemory {
  bool multigrid = false;  ///< Block-Jacobi took too long (PreconditionerChoice).
  bool clamped = false;    ///< Multigrid is made of the clamped Hessian.
  MultigridWear wear = {};
};

/// Preconditioned by block-Jacobi or, where that takes many iterations, by multigrid on background grids,
/// which stays that of an earlier place, of earlier steps too, until the iterations that this costs are worth
/// a new one. The preconditioner is made of H itself or, from the first place where that is not positive
/// definite, of the clamped Hessian. Pinned vertices do not move. Allocates nothing but in the first step
/// that uses a preconditioner.
class StageHessian {
 public:
  /// `factor` a, s². `system` must outlive this.
  StageHessian(System& system, double factor, PreconditionerPolicy policy = PreconditionerPolicy::counted);
  ~StageHessian();

  /// Nothing but `memory` is carried over from earlier steps: multigrid is made anew, and `end_step` does not
  /// store its place.
  void begin_step(StageHessianMemory memory = {});
  /// Goes on from what `end_step` left in the state of a run: multigrid, too. To the same bits in another
  /// solver of the same energies; they must not depend on inputs.
  void begin_step(const MethodMemory& memory);
  /// Of that memory what is not the place.
  static StageHessianMemory last(const MethodMemory& memory);
  void end_step(MethodMemory& memory) const;
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
  /// Bytes at most that `end_step` stores; `with_place`: after steps that go on from such a memory.
  [[nodiscard]] double memory_in_state(bool with_place) const;

 private:
  static constexpr std::string_view memory_name = "elastic_solver", place_name = "multigrid_place";
  static constexpr std::size_t memory_size = 5;
  class Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace electret
