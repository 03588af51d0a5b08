#pragma once
/// \file
/// One place on the way down, and the line search for the next.

#include <electret/dynamics/pair_history.hpp>
#include <electret/dynamics/stage_objective.hpp>
#include <electret/dynamics/stopping_rule.hpp>

namespace electret {

/// g and ∇g at the place x of an iteration, and backtracking on g along a direction.
class Descent {
 public:
  explicit Descent(std::size_t n);

  /// At the start of a solve: g at x.
  void begin(double value) { value_ = value; }
  /// At the start of an iteration, `objective` being evaluated at x: keeps ∇g.
  void mark(const StageObjective& objective);

  /// ∇g (n×3, kg m) and its norm at the last `mark`.
  [[nodiscard]] VectorView gradient() const { return gradient_; }
  [[nodiscard]] double gradient_norm() const { return gradient_norm_; }
  /// Where to search: to be written before `search` (n×3, m).
  VectorSpan direction() { return direction_; }

  /// Backtracks from x along `direction()`, from its full length; on success moves x, keeps the pair of
  /// changes in `history` where there is one, leaves `objective` evaluated there and returns true. False
  /// where the direction does not go downhill or rounding leaves no step.
  bool search(StageObjective& objective, const StoppingRule& rule, VectorSpan x,
              PairHistory* history = nullptr);
  /// After a failed search: `objective` is evaluated at x again.
  void restore(StageObjective& objective, VectorView x) { value_ = objective.evaluate(x); }

 private:
  [[nodiscard]] bool acceptable(const StageObjective& objective, const StoppingRule& rule, double value,
                                double length, double slope) const;

  VectorArray direction_, trial_, gradient_;
  double value_ = 0.0, gradient_norm_ = 0.0;  ///< g and ‖∇g‖ at x.
};

}  // namespace electret
