#include <cmath>

#include <electret/dynamics/stage/descent.hpp>
#include <electret/dynamics/vector_arrays.hpp>
#include <electret/dynamics/vector_sums.hpp>

namespace electret {

Descent::Descent(std::size_t n) {
  for (auto* array : {&direction_, &trial_, &gradient_}) array->resize(n);
}

void Descent::mark(const StageObjective& objective, const StoppingRule& rule) {
  copy_rows(objective.threads(), objective.gradient(), gradient_);
  left_ = rule.unsolved(gradient_, objective.gradient_norm());
}

bool Descent::search(StageObjective& objective, const StoppingRule& rule, VectorSpan x,
                     PairHistory* history) {
  Threads& threads = objective.threads();
  const double slope = dot(threads, gradient_, direction_);
  if (!(slope < 0.0)) return false;
  double length = 1.0;
  for (int halvings = 0; halvings < 40; ++halvings, length *= 0.5) {
    add_scaled(threads, x, length, direction_, trial_);
    const double value = objective.evaluate(trial_);
    if (!acceptable(objective, rule, value, length, slope)) continue;
    if (history != nullptr) {
      add_scaled(threads, trial_, -1.0, x, history->next_s());
      add_scaled(threads, objective.gradient(), -1.0, gradient_, history->next_t());
      history->keep(threads);
    }
    copy_rows(threads, trial_, x);
    value_ = value;
    return true;
  }
  return false;
}

/// Armijo's condition on g. If the expected decrease is lost in the rounding of g, slopes decide instead
/// (Hager and Zhang's approximate Wolfe condition), or a smaller gradient.
bool Descent::acceptable(const StageObjective& objective, const StoppingRule& rule, double value,
                         double length, double slope) const {
  constexpr double armijo = 1e-4;
  if (!std::isfinite(value)) return false;
  const double rounding = rule.value_rounding(value_);
  if (-length * slope > rounding) return value <= value_ + armijo * length * slope;
  if (value > value_ + rounding) return false;
  if (rule.unsolved(objective.gradient(), objective.gradient_norm()).norm < left_.norm) return true;
  return dot(objective.threads(), objective.gradient(), direction_) <= -0.8 * slope;
}

}  // namespace electret
