#pragma once
/// \file
/// The interface of Coulomb sums, and the one-line functions that use it.
///
/// With r_ij = y_i - x_j, ρ² = |r|² + ε², K(r) = r/ρ³, K'(r) = I/ρ³ - 3 r rᵀ/ρ⁵ (targets y, sources x,
/// charges q):
///
///   E_i = k_c Σ_j q_j K(r_ij)  (N/C)          φ_i = k_c Σ_j q_j / ρ_ij  (V)
///
/// The self pair, and with ε = 0 every pair at distance exactly 0, contribute nothing; the latter are
/// counted.
///
/// \code
///   auto solver = electret::make_field_solver({}, n, threads);   // reusable
///   solver->prepare(positions);
///   solver->field(charges, E, phi);
/// \endcode

#include <memory>
#include <string>
#include <string_view>

#include <electret/core/parallel.hpp>
#include <electret/core/types.hpp>
#include <electret/field/options.hpp>

namespace electret {

/// One method of summing Coulomb fields. Arrays go in and out in the caller's order. Results are bitwise
/// equal for any number of threads, and whatever the solver computed before: a solver that was kept gives
/// the bits of a new one. One evaluation of a solver, and of all that share its threads, runs at a time.
///
/// `prepare` comes before any evaluation; until then a solver has no sources, and arrays that are not empty
/// throw std::invalid_argument. So do arrays of sizes that do not fit.
///
/// Positions and charges are expected to be finite. A solver does not look, since a time loop checks its
/// state anyway: with numbers that are not finite it returns, but any of the results may be any number or
/// none. `coulomb_field` (field.hpp) looks, and throws.
///
/// Once warm - every kind of evaluation that is asked for made once, for as many charges and targets -
/// preparing and evaluating allocate nothing, with three exceptions: `fmm` and `ddef` where the charges'
/// moves make their lists longer than they ever were; the same two on several threads, each of whose buffers
/// grows with the longest task it happened to take so far; `ddef` where the box's aspect changes and asks for
/// another tessellation.
class FieldSolver {
 public:
  virtual ~FieldSolver() = default;

  /// "direct", "reference", ….
  [[nodiscard]] virtual std::string_view name() const = 0;

  /// Sets the sources' positions (n×3, m); the targets are the sources themselves. The solver copies what it
  /// needs.
  virtual void prepare(VectorView sources) = 0;

  /// The same with other targets (t×3, m).
  virtual void prepare(VectorView sources, VectorView targets) = 0;

  /// Field and potential at the targets of the charges (n, C): `field` (t×3, N/C), `potential` (t, V; empty:
  /// not computed). Overwrites both.
  virtual void field(ScalarView charges, VectorSpan field, ScalarSpan potential) = 0;

  /// (Jᵀz)_i with J = ∂(q_i E_i)/∂x: k_c q_i Σ_j q_j K'(r_ij)(z_i - z_j). `out` (n×3) is overwritten.
  /// Targets must be the sources.
  virtual void transposed_jacobian_product(ScalarView charges, VectorView z, VectorSpan out) = 0;

  /// ∂(Σ_i q_i z_i·E_i)/∂q_i = z_i·E_i + k_c Σ_j q_j z_j·K(x_j - x_i): both roles of q_i. `out` (n) is
  /// overwritten. Targets must be the sources.
  virtual void charge_gradient(ScalarView charges, VectorView z, ScalarSpan out) = 0;

  /// `transposed_jacobian_product` and `charge_gradient` of the same charges in one pass, the same bits: what
  /// a backward step asks for. Targets must be the sources. Overwrites both. The base calls the two in turn.
  virtual void products(ScalarView charges, VectorView z, VectorSpan product, ScalarSpan charge_gradient);

  /// `field` and `products` at once, for less than their sum. Targets must be the sources. Overwrites all
  /// four; `potential` may be empty. The base calls the two in turn.
  virtual void field_and_products(ScalarView charges, VectorView z, VectorSpan field, ScalarSpan potential,
                                  VectorSpan product, ScalarSpan charge_gradient);

  /// The adjoint of `field` at separate targets with weights w (t×3): `target_gradient` (t×3) ∂/∂y,
  /// `source_gradient` (n×3) ∂/∂x and `charge_gradient` (n) ∂/∂q of Σ_a w_a·E_a. Overwrites all three.
  virtual void target_adjoint(ScalarView charges, VectorView w, VectorSpan target_gradient,
                              VectorSpan source_gradient, ScalarSpan charge_gradient) = 0;

  /// Ordered pairs at distance exactly 0 with ε = 0 and both charges (targets apart: the source's charge)
  /// non-zero, self pairs not counted, left out of the last `field`.
  [[nodiscard]] virtual Count coincident_pairs() const = 0;
};

/// A solver for about `source_count` charges: `options.solver` chooses, `auto` by a committed rule (no
/// clock). Throws InputError for a solver or device this version lacks. `threads` must outlive the solver.
std::unique_ptr<FieldSolver> make_field_solver(const FieldOptions& options, Count source_count,
                                               Threads& threads);

/// What `make_field_solver` would choose and why, one sentence; `apart`: the targets are not the charges.
std::string field_solver_choice(const FieldOptions& options, Count source_count, bool apart = false);

/// The oracle: two plain float64 loops, no blocking, no threads.
std::unique_ptr<FieldSolver> make_reference_field_solver(const FieldOptions& options);

}  // namespace electret
