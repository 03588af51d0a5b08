#include <algorithm>
#include <cmath>
#include <limits>

#include <electret/dynamics/elastic_objective.hpp>
#include <electret/dynamics/elastic_solver.hpp>
#include <electret/dynamics/newton_direction.hpp>
#include <electret/dynamics/pair_history.hpp>
#include <electret/dynamics/stage_loop.hpp>
#include <electret/dynamics/vector_sums.hpp>

namespace electret {
namespace {

/// The quasi-Newton iteration, which the auto solver gives up for Newton's after `newton_after` iterations of
/// a step: where springs are stiff against h² (h²k/m far above 10) or buckle, five pairs do not mend the
/// constant matrix.
class LbfgsSolver final : public ElasticSolver {
 public:
  LbfgsSolver(System& system, double factor, const IntegratorOptions& options, int newton_after)
      : objective_(system, factor, options.tolerance),
        max_iterations_(options.max_iterations),
        newton_after_(newton_after),
        history_(objective_.vertex_count()),
        newton_(objective_.vertex_count()) {
    for (auto* array : {&direction_, &trial_, &gradient_, &work_}) array->resize(objective_.vertex_count());
  }

  StepReport minimise(VectorView x_t, VectorView y, VectorSpan x) override {
    objective_.begin(x_t, y);
    history_.clear();
    value_ = objective_.evaluate_start(x_t, x);
    return iterate_stage(objective_, max_iterations_, [&](int done) {
      newton_phase_ = done >= newton_after_;
      return iterate(x);
    });
  }

  VectorView elastic_gradient() const override { return objective_.elastic_gradient(); }

 private:
  /// One step downhill; false where rounding leaves none.
  bool iterate(VectorSpan x) {
    std::copy(objective_.gradient().begin(), objective_.gradient().end(), gradient_.begin());
    gradient_norm_ = objective_.gradient_norm();
    if (!newton_phase_) newton_start_ = gradient_norm_;
    if (newton_phase_ && search(x)) return true;
    newton_phase_ = false;
    if (search(x)) return true;
    if (!history_.empty()) {
      // The model was poor: the plain step -A⁻¹∇g goes downhill always, as A majorises ∇²g.
      history_.clear();
      if (search(x)) return true;
    }
    value_ = objective_.evaluate(x);
    return false;
  }

  /// Backtracks along the model's direction; on success moves x, keeps the pair and leaves the objective
  /// evaluated there.
  bool search(VectorSpan x) {
    Threads& threads = objective_.threads();
    model_direction(x);
    const double slope = dot(threads, gradient_, direction_);
    if (!(slope < 0.0)) return false;
    double length = 1.0;
    for (int halvings = 0; halvings < 40; ++halvings, length *= 0.5) {
      add_scaled(threads, x, length, direction_, trial_);
      const double value = objective_.evaluate(trial_);
      if (!acceptable(value, length, slope)) continue;
      add_scaled(threads, trial_, -1.0, x, history_.next_s());
      add_scaled(threads, objective_.gradient(), -1.0, gradient_, history_.next_t());
      history_.keep(threads);
      std::copy(trial_.begin(), trial_.end(), x.begin());
      value_ = value;
      return true;
    }
    return false;
  }

  /// The Newton phase solves more and more exactly as ‖∇g‖ falls, but not beyond what the target asks for.
  void model_direction(VectorView x) {
    if (!newton_phase_) return history_.direction(objective_, gradient_, work_, direction_);
    const double progress = gradient_norm_ / newton_start_;
    const double needed = 0.1 * objective_.target() / gradient_norm_;
    const double accuracy = std::min(0.1, std::max(needed, 0.1 * progress));
    newton_.compute(objective_, x, gradient_, accuracy, direction_);
  }

  /// Armijo's condition on g; where the decrease to expect drowns in the rounding of g, slopes decide instead
  /// (Hager and Zhang's approximate Wolfe condition), or a smaller gradient.
  bool acceptable(double value, double length, double slope) {
    constexpr double armijo = 1e-4;
    if (!std::isfinite(value)) return false;
    const double rounding = objective_.value_rounding(value_);
    if (-length * slope > rounding) return value <= value_ + armijo * length * slope;
    if (value > value_ + rounding) return false;
    if (objective_.gradient_norm() < gradient_norm_) return true;
    return dot(objective_.threads(), objective_.gradient(), direction_) <= -0.8 * slope;
  }

  ElasticObjective objective_;
  int max_iterations_, newton_after_;
  PairHistory history_;
  NewtonDirection newton_;
  bool newton_phase_ = false;
  double newton_start_ = 0.0;  ///< ‖∇g‖ where the Newton phase began.
  VectorArray direction_, trial_, gradient_, work_;
  double value_ = 0.0, gradient_norm_ = 0.0;  ///< g and ‖∇g‖ at x.
};

}  // namespace

std::unique_ptr<ElasticSolver> make_lbfgs_solver(System& system, double factor,
                                                 const IntegratorOptions& options) {
  return std::make_unique<LbfgsSolver>(system, factor, options, std::numeric_limits<int>::max());
}

std::unique_ptr<ElasticSolver> make_auto_solver(System& system, double factor,
                                                const IntegratorOptions& options) {
  constexpr int newton_after = 30;  // soft scenes converge in 3 to 20: they never get there
  return std::make_unique<LbfgsSolver>(system, factor, options, newton_after);
}

}  // namespace electret
