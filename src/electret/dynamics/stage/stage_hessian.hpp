#pragma once
/// \file
/// The exact Hessian H = M + a∇²E(x) of an implicit stage with a preconditioner, with which Newton's method
/// solves.

#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include <electret/dynamics/memory_layout.hpp>
#include <electret/dynamics/stage/rigid_motions.hpp>
#include <electret/dynamics/system.hpp>
#include <electret/linear/block_system.hpp>
#include <electret/linear/stencil_matrix.hpp>

namespace electret {

/// Which preconditioner is used: `counted` lets the number of iterations decide (PreconditionerChoice); the
/// others fix it, for comparisons.
enum class PreconditionerPolicy { counted, block_jacobi, multigrid };

/// How much more a multigrid made at an earlier place has cost than a new one.
struct MultigridAge {
  double spent = 0.0;       ///< Iterations.
  double fine_spent = 0.0;  ///< Iterations since its fine level was made anew.
  double rate = 0.0;        ///< Iterations per factor e of the residual when it was new; 0 if not known yet.
};

/// Iterations per factor e of the residual, as they were counted last; 0 if not known yet. Multigrid's is
/// that of one that is new.
struct SolveRates {
  double jacobi = 0.0, multigrid = 0.0;
};

/// What is known of multigrid that is kept from step to step, in units of SolveCosts.
struct KeptMultigrid {
  double saved = 0.0;  ///< What it has saved against block-Jacobi or, while that is used, would have saved.
  double rate = 0.0;   ///< Mean cost per factor e of the residual, making it included; 0 if not known yet.
};

/// What a step passes to the next, besides the place at which multigrid was made.
struct StageHessianMemory {
  bool multigrid = false;  ///< The last system was solved by it (PreconditionerChoice).
  bool clamped = false;    ///< Multigrid is made from the clamped Hessian.
  MultigridAge age = {};
  SolveRates rates = {};
  KeptMultigrid kept = {};
};

/// The linear systems of a stage. Their unknowns may be constrained vertex by vertex, and the transposed
/// systems are those of adjoints. The preconditioner is block-Jacobi or, if that takes many iterations,
/// multigrid, on background grids or on the lattice of a solid's vertices; `next` (preconditioning.hpp) says
/// when and where each is made. Multigrid of springs is made at one place and serves others, in later steps,
/// too, until the iterations lost to its age would have paid for a new one. Multigrid of solids is made anew
/// at each place. Where H is not positive definite, the preconditioner is made of the clamped Hessian.
///
/// Pins are constraints like others, except that they are known from the start, so that the grids leave them
/// out. Allocates only in the first step that uses a preconditioner, in the first solve with more constraints
/// than before, in the first by GMRES, and for a solid on a lattice in the first that needs the clamped
/// Hessian.
class StageHessian {
 public:
  /// `factor` a, s². `system` must outlive this.
  StageHessian(System& system, double factor, PreconditionerPolicy policy = PreconditionerPolicy::counted);
  ~StageHessian();

  /// Begins a step to which only `memory` is carried over from earlier ones: multigrid is made anew, and
  /// `end_step` does not store its place.
  void begin_step(StageHessianMemory memory = {});
  /// Begins a step from what `end_step` stored in the state of a run, multigrid included. Another solver of
  /// the same energies gives the same bits. The energies must not depend on inputs.
  void begin_step(const MethodMemory& memory);
  /// The part of that memory that is not the place.
  static StageHessianMemory last(const MethodMemory& memory);
  void end_step(MethodMemory& memory) const;
  [[nodiscard]] StageHessianMemory memory() const;
  /// H has this matrix, too, as it is when a system is solved after a `linearise`; null: none. It must
  /// outlive the solves. Block-Jacobi solves while it is not 0.
  /// Where H with it is refused by block-Jacobi, that is made with what `definite` returns, which is positive
  /// semi-definite; none: then nothing is solved, as Newton's method wants it.
  void add(const StencilMatrix* matrix, std::function<const StencilMatrix*()> definite = {});
  /// Makes `x` the place of the solves. They linearise the energies there and refresh the preconditioner.
  /// With `clamped`, H is made of the clamped second derivatives of the energies.
  void linearise(VectorView x, HessianKind kind = HessianKind::exact);
  /// Says which constraints the first solve at this place will have, where H is needed before it.
  void expect(std::span<const VertexConstraint> constraints);
  /// Of the stiff parts, which the solves take apart in float64.
  [[nodiscard]] RigidMotions& rigid_motions();
  /// Solves H_FF z_F = rhs_F, z_P = 0, where P are the pins and F the other vertices, as BlockSystem::solve.
  SolveReport solve(VectorView rhs, const SolveOptions& options, VectorSpan z);
  /// Solves (WᵀHV + D) ξ = rhs with `constraints` at vertices that are not pinned, as BlockSystem::solve.
  /// Right-hand side and solution are in reduced coordinates, but for the right-hand side at rollers, which
  /// are constraints that the system knows. A constraint given at a roller takes the place of the roller's
  /// own, and must hold what that holds.
  SolveReport solve(VectorView rhs, std::span<const VertexConstraint> constraints,
                    const SolveOptions& options, VectorSpan solution);
  /// Solves (WᵀHV + D)ᵀ ω = rhs.
  SolveReport solve_transposed(VectorView rhs, std::span<const VertexConstraint> constraints,
                               const SolveOptions& options, VectorSpan solution);
  /// Replaces a solution ξ of the last constraints by its displacements δ = V ξ.
  void expand(VectorSpan solution) const;
  /// Replaces a solution ω of the last transposed system by its forces W ω.
  void expand_transposed(VectorSpan solution) const;
  /// H d, with the rows at pins, for d that is 0 there. Costs nothing for the (expanded) solution of a last
  /// solve to less than 1e-4, whose residual was computed.
  void product(VectorView d, VectorSpan product);

  /// The preconditioner of the last solve: "block_jacobi", "multigrid".
  [[nodiscard]] std::string_view preconditioner() const;

  /// What all solves have cost so far, by counts of their parts (SolveCosts).
  [[nodiscard]] double cost() const;

  /// About the bytes of its matrix, its grids, its work arrays and the energies' linearisations.
  [[nodiscard]] double memory_needed() const;
  /// The arrays that `end_step` of any stage may store.
  static std::vector<MemoryArray> memory_arrays();
  /// Those that this one's may store; `with_place`: after steps that begin from such a memory.
  [[nodiscard]] std::vector<MemoryArray> memory_layout(bool with_place) const;

 private:
  static constexpr std::string_view memory_name = "elastic_solver", place_name = "multigrid_place";
  static constexpr std::size_t memory_size = 9;
  class Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace electret
