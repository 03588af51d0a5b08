#pragma once
/// \file
/// When a stage is solved: docs/physics.md, "Time integrators".

#include <electret/dynamics/stage/stage_objective.hpp>

namespace electret {

/// ‖∇g‖ ≤ max(tolerance·(‖M(x_t - y)‖ + a‖∇E(x_t)‖), 4·eps·(‖M(x_t - y)‖ + a‖k l‖)), with norms over the
/// free vertices. The same bits for a body anywhere, as far as ∇E(x_t) has them. Also estimates how much of g
/// and ∇g may be nothing but rounding.
class StoppingRule {
 public:
  StoppingRule(const System& system, double tolerance);

  /// Computes the targets of the stage that `objective` has begun. Allocates nothing after the first call.
  void begin(const StageObjective& objective, const StageProblem& problem);

  /// ‖∇g‖ ≤ target() ends the solve.
  [[nodiscard]] double target() const { return target_; }
  /// Below this value ‖∇g‖ may be nothing but rounding: of the positions' last digits, multiplied by aL, and
  /// of its terms.
  [[nodiscard]] double gradient_rounding() const { return gradient_rounding_; }
  /// Differences of g below this value may be nothing but rounding.
  [[nodiscard]] double value_rounding(double value) const;

 private:
  void measure(const StageObjective& objective);

  const System& system_;
  double tolerance_;
  double factor_ = -1.0;            ///< The a (s²) of `magnitudes_`.
  std::vector<double> magnitudes_;  ///< n, kg: Σ_j |aL_ij|, 0 at pins.
  double force_scale_ = 0.0;        ///< ‖k l‖ over free vertices, N.
  double energy_size_ = 0.0;        ///< J.
  double target_ = 0.0, gradient_rounding_ = 0.0, value_slope_ = 0.0;
};

}  // namespace electret
