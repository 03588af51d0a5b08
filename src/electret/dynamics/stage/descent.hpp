#pragma once
/// \file
/// One iterate of a descent, and the line search for the next.

#include <electret/dynamics/stage/pair_history.hpp>
#include <electret/dynamics/stage/stage_objective.hpp>
#include <electret/dynamics/stage/stopping_rule.hpp>

namespace electret {

/// Keeps g and ∇g at the iterate x, and backtracks on g along a direction.
class Descent {
 public:
  explicit Descent(std::size_t n);

  /// Call at the start of a solve; `value` is g at x.
  void begin(double value) { value_ = value; }
  /// Call at the start of an iteration, with `objective` evaluated at x. Keeps ∇g.
  void mark(const StageObjective& objective, const StoppingRule& rule);

  /// ∇g (n×3, kg m) at the last `mark`, and its norm over the parts that are not solved.
  [[nodiscard]] VectorView gradient() const { return gradient_; }
  [[nodiscard]] double gradient_norm() const { return left_.norm; }
  /// What this norm is of that over all vertices.
  [[nodiscard]] double unsolved_share() const { return left_.share; }
  /// The direction to search along (n×3, m), to be written before `search`.
  VectorSpan direction() { return direction_; }

  /// Backtracks along `direction()`, from its full length on. On success it moves x, leaves `objective`
  /// evaluated there, keeps the pair of changes in `history` if that is given, and returns true. Returns
  /// false if the direction does not go downhill or rounding leaves no step.
  bool search(StageObjective& objective, const StoppingRule& rule, VectorSpan x,
              PairHistory* history = nullptr);
  /// Call after a failed search: evaluates `objective` at x again.
  void restore(StageObjective& objective, VectorView x) { value_ = objective.evaluate(x); }

 private:
  [[nodiscard]] bool acceptable(const StageObjective& objective, const StoppingRule& rule, double value,
                                double length, double slope) const;

  VectorArray direction_, trial_, gradient_;
  double value_ = 0.0;             ///< g at x.
  StoppingRule::Unsolved left_{};  ///< Of ∇g there.
};

}  // namespace electret
