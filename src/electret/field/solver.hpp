#pragma once
/// \file
/// The interface of Coulomb sums, and the functions that make solvers.
///
/// For targets y, sources x and charges q, with ρ² = |r|² + ε²:
///
///   r_ij = y_i - x_j          K(r) = r/ρ³          K'(r) = I/ρ³ - 3 r rᵀ/ρ⁵
///
///   E_i = k_c Σ_j q_j K(r_ij)  (N/C)          φ_i = k_c Σ_j q_j / ρ_ij  (V)
///
/// The self pair contributes nothing. With ε = 0, every pair at distance exactly 0 contributes nothing
/// either, and is counted.
///
/// \code
///   auto solver = electret::make_field_solver({}, n, threads);   // reusable
///   solver->prepare(positions);
///   solver->field(charges, E, phi);
/// \endcode

#include <memory>
#include <string>
#include <string_view>

#include <electret/core/choice.hpp>
#include <electret/core/parallel.hpp>
#include <electret/core/types.hpp>
#include <electret/field/options.hpp>

namespace electret {

/// A method of summing Coulomb fields. Arrays go in and come out in the caller's order. Results are bitwise
/// equal for any number of threads. Earlier evaluations do not change results: a solver that was kept gives
/// the bits of a new one. A solver, and all solvers that share its threads, run one evaluation at a time.
///
/// Call `prepare` before any evaluation. Until then a solver has no sources, and throws std::invalid_argument
/// for arrays that are not empty. A solver throws the same exception for arrays whose sizes do not fit.
///
/// Positions and charges must be finite. A solver does not check this, because a time loop checks its state
/// anyway. If a number is not finite the solver still returns, but any of the results may be any number or
/// NaN. `coulomb_field` (field.hpp) does check, and throws.
///
/// A solver is warm once it has made each kind of evaluation for the same numbers of charges and targets.
/// From then on, preparing and evaluating allocate nothing, with three exceptions:
/// * `fmm` and `ddef` allocate if the charges move so that their lists become longer than ever before.
/// * `fmm` and `ddef` on several threads allocate if a thread gets a larger task than any it had before.
/// * `ddef` allocates if the aspect of the box changes so far that it needs another tessellation.
class FieldSolver {
 public:
  virtual ~FieldSolver() = default;

  /// "direct", "reference", ….
  [[nodiscard]] virtual std::string_view name() const = 0;

  /// Sets the positions of the sources (n×3, m), which are also the targets. The solver copies what it needs.
  virtual void prepare(VectorView sources) = 0;

  /// The same with separate targets (t×3, m).
  virtual void prepare(VectorView sources, VectorView targets) = 0;

  /// The field and the potential that the charges (n, C) cause at the targets. Overwrites `field` (t×3, N/C)
  /// and `potential` (t, V). An empty `potential` is not computed.
  virtual void field(ScalarView charges, VectorSpan field, ScalarSpan potential) = 0;

  /// (Jᵀz)_i with J = ∂(q_i E_i)/∂x: k_c q_i Σ_j q_j K'(r_ij)(z_i - z_j). Overwrites `out` (n×3). The targets
  /// must be the sources.
  virtual void transposed_jacobian_product(ScalarView charges, VectorView z, VectorSpan out) = 0;

  /// ∂(Σ_i q_i z_i·E_i)/∂q_i = z_i·E_i + k_c Σ_j q_j z_j·K(x_j - x_i), which covers both roles of q_i.
  /// Overwrites `out` (n). The targets must be the sources.
  virtual void charge_gradient(ScalarView charges, VectorView z, ScalarSpan out) = 0;

  /// `transposed_jacobian_product` and `charge_gradient` of the same charges in one pass, as a backward step
  /// needs them. The bits are those of the two calls. Overwrites both. The targets must be the sources. The
  /// base class calls the two in turn.
  virtual void products(ScalarView charges, VectorView z, VectorSpan product, ScalarSpan charge_gradient);

  /// `field` and `products` in one pass, which costs less than the two calls. Overwrites all four;
  /// `potential` may be empty. The targets must be the sources. The base class calls the two in turn.
  virtual void field_and_products(ScalarView charges, VectorView z, VectorSpan field, ScalarSpan potential,
                                  VectorSpan product, ScalarSpan charge_gradient);

  /// The adjoint of `field` for weights w (t×3). Overwrites the derivatives of Σ_a w_a·E_a by targets
  /// (`target_gradient`, t×3), sources (`source_gradient`, n×3) and charges (`charge_gradient`, n). If the
  /// targets are the sources, the derivative by a charge's position is the sum of the first two.
  virtual void target_adjoint(ScalarView charges, VectorView w, VectorSpan target_gradient,
                              VectorSpan source_gradient, ScalarSpan charge_gradient) = 0;

  /// The number of ordered pairs that the last `field` left out. With ε = 0 these are the pairs at distance
  /// exactly 0 whose charges are both non-zero, without self pairs. At separate targets only the source's
  /// charge counts.
  [[nodiscard]] virtual Count coincident_pairs() const = 0;
};

/// Makes a solver for about `source_count` charges. `options.solver` chooses the method; `auto` chooses by a
/// table in the source code, never by measuring. `options.device` chooses where it runs. Throws InputError
/// for a solver or device that this version or this machine lacks, for an accuracy finer than the device
/// computes and for more charges than fit in its memory; and std::invalid_argument for a negative count. A
/// solver on a device throws gpu::DeviceError (gpu/devices.hpp) if the device fails later.
/// `threads` must outlive the solver.
std::unique_ptr<FieldSolver> make_field_solver(const FieldOptions& options, Count source_count,
                                               Threads& threads);

/// What `make_field_solver` would choose and why, and how and where that computes. Never empty: `why` is
/// "requested; …" if the options name the solver. `apart`: the targets are not the charges. Throws as
/// `make_field_solver`.
Choice field_solver_choice(const FieldOptions& options, Count source_count, bool apart = false);

/// Where that solver would run and why: "cpu", or the name of a device with its platform and driver. Never
/// empty. Throws as `make_field_solver`.
Choice field_device_choice(const FieldOptions& options, Count source_count);

/// The reference that tests compare with: two plain float64 loops without blocking or threads.
std::unique_ptr<FieldSolver> make_reference_field_solver(const FieldOptions& options);

}  // namespace electret
