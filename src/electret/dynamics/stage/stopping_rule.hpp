#pragma once
/// \file
/// When a stage is solved: docs/physics.md, "Time integrators".

#include <electret/dynamics/stage/stage_objective.hpp>

namespace electret {

/// ‖∇g‖ ≤ max(tolerance·(‖M(x_t - y)‖ + a‖∇E(x_t)‖), 4·eps·(‖M(x_t - y)‖ + a‖k l‖)), with norms over the
/// free vertices. Where contact pushes with more than a hundred times that, a hundredth of its forces takes
/// the place of the first sum, and they are added to the second. The same bits for a body anywhere, as far as
/// ∇E(x_t) has them. Also estimates how much of g and ∇g may be nothing but rounding.
class StoppingRule {
 public:
  StoppingRule(const System& system, double tolerance);

  /// Computes the targets of the stage that `objective` has begun. Allocates nothing after the first call.
  void begin(const StageObjective& objective, const StageProblem& problem);

  /// Tells what contact does at the iterate, until the next `begin`: the norm of its forces over the vertices
  /// (kg m), and how much of ∇g may be the positions' last digits, multiplied by the contact's stiffness (kg
  /// m). Where bodies have no motion and no elasticity of their own at a step's start, contact alone gives
  /// the step a size.
  void meet(double pushes, double rounding) { pushes_ = pushes, push_rounding_ = rounding; }

  /// ‖∇g‖ ≤ target() ends the solve.
  [[nodiscard]] double target() const;
  /// Below this value ‖∇g‖ may be nothing but rounding: of the positions' last digits, multiplied by aL, and
  /// of its terms.
  [[nodiscard]] double gradient_rounding() const;
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
  double pushes_ = 0.0, push_rounding_ = 0.0;  ///< Of contact, kg m.
};

}  // namespace electret
