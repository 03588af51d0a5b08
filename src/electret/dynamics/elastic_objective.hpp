#pragma once
/// \file
/// g(x) = ½ (x-y)ᵀM(x-y) + a E(x) over the free vertices: what every implicit stage minimises.

#include <cmath>
#include <memory>

#include <electret/dynamics/system.hpp>
#include <electret/linear/prefactored_system.hpp>

namespace electret {

/// The objective of one stage, its gradient, its stopping rule (physics.md §2, "Stop on") and its constant
/// Hessian A = M + aL, factored once ([Liu13]; L majorises ∇²E, so A majorises ∇²g).
///
/// Pinned rows of x and y hold the prescribed places; gradients are 0 there.
class ElasticObjective {
 public:
  /// `factor` a, s²: h² for imex. `system` must outlive this.
  ElasticObjective(System& system, double factor, double tolerance);

  /// Sets y and, from the start of the step `x_t`, the stopping rule. Both views must stay valid.
  void begin(VectorView x_t, VectorView y);
  /// g(x), kg m²; sets `gradient()`, `gradient_norm()` and `elastic_gradient()`. May be infinite or NaN.
  double evaluate(VectorView x);
  /// Evaluates where a solve starts. If g or ∇g is not finite at `x` (an energy may be infeasible there), `x`
  /// becomes the start of the step, its pinned rows kept; if it is not finite there either, `x` stays.
  double evaluate_start(VectorView x_t, VectorSpan x);

  /// Whether g and ‖∇g‖ at the last evaluated place are finite.
  [[nodiscard]] bool is_finite() const { return std::isfinite(value_) && std::isfinite(gradient_norm_); }
  /// ∇g at the last evaluated place (n×3, kg m), 0 at pins.
  [[nodiscard]] VectorView gradient() const { return gradient_; }
  [[nodiscard]] double gradient_norm() const { return gradient_norm_; }
  /// ∇E at the last evaluated place (n×3, N), pins included.
  [[nodiscard]] VectorView elastic_gradient() const { return elastic_gradient_; }

  /// ‖∇g‖ ≤ target() ends the solve.
  [[nodiscard]] double target() const { return target_; }
  /// Below this ‖∇g‖ may be nothing but rounding: of the positions' own last digits through A.
  [[nodiscard]] double gradient_rounding() const { return gradient_rounding_; }
  /// Differences of g below this may be nothing but rounding.
  [[nodiscard]] double value_rounding(double value) const;

  /// direction ← A⁻¹ rhs on the free vertices, 0 at pins.
  void solve_constant_hessian(VectorView rhs, VectorSpan direction);
  /// Makes `x` the place of `hessian_product`, whatever is evaluated after it.
  void linearise(VectorView x);
  /// product ← ∇²g d = (M + a ∇²E) d at the last `linearise`, the exact Hessian, for d that is 0 at pins; 0
  /// at pins.
  void hessian_product(VectorView d, VectorSpan product);
  /// Of the free vertices, kg; 0 where there are none.
  [[nodiscard]] double smallest_mass() const { return smallest_mass_; }
  [[nodiscard]] Threads& threads() const { return *system_.threads; }
  [[nodiscard]] std::size_t vertex_count() const { return gradient_.size(); }

 private:
  void factor_constant_hessian();
  void evaluate_elastic_gradient(VectorView x);
  /// ‖w‖ with w_i = weight_i x_i (and minus weight_i y_i where y is given), over free vertices.
  double free_norm(ScalarView weights, VectorView x, VectorView y);

  System& system_;
  double factor_, tolerance_;
  std::unique_ptr<PrefactoredSystem> constant_hessian_;
  std::vector<double> free_;         ///< n: 1, at pins 0.
  std::vector<double> free_masses_;  ///< n, kg: 0 at pins.
  std::vector<double> magnitudes_;   ///< n, kg: m_i + Σ_j |aL_ij|, 0 at pins.
  double smallest_mass_ = 0.0;       ///< Of the free vertices, kg.
  double force_scale_ = 0.0;         ///< ‖k l‖ over free vertices, N.
  VectorView y_;
  double elastic_energy_ = 0.0;  ///< E at the last evaluated place, J.
  bool known_ = false;           ///< elastic_gradient_ is that of evaluated_.
  VectorArray evaluated_, elastic_gradient_, gradient_, scratch_;
  double value_ = 0.0, gradient_norm_ = 0.0, target_ = 0.0, gradient_rounding_ = 0.0, value_slope_ = 0.0;
};

}  // namespace electret
