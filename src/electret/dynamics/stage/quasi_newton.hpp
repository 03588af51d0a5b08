#pragma once
/// \file
/// The L-BFGS iteration on the constant Hessian [Liu17], for the solvers that consist of it or begin with it.

#include <electret/dynamics/stage/constant_hessian.hpp>
#include <electret/dynamics/stage/descent.hpp>

namespace electret {

class QuasiNewton {
 public:
  explicit QuasiNewton(std::size_t n) : descent_(n), history_(n), work_(n) {}

  /// Call at the start of a solve; `value` is g at x. Drops all pairs.
  void begin(double value) {
    history_.clear();
    descent_.begin(value);
  }
  /// The iterate, and room for a direction of the caller's own.
  Descent& descent() { return descent_; }
  /// Searches along the direction written into `descent()`.
  bool search(StageObjective& objective, const StoppingRule& rule, VectorSpan x) {
    return descent_.search(objective, rule, x, &history_);
  }

  /// Takes one step downhill from the place of the last `descent().mark`. False if rounding leaves no step.
  bool iterate(StageObjective& objective, const StoppingRule& rule, ConstantHessian& hessian, VectorSpan x) {
    if (search_model(objective, rule, hessian, x)) return true;
    if (!history_.empty()) {
      // The model was poor. The plain step -A⁻¹∇g always goes downhill, because A majorises ∇²g.
      history_.clear();
      if (search_model(objective, rule, hessian, x)) return true;
    }
    descent_.restore(objective, x);
    return false;
  }

 private:
  bool search_model(StageObjective& objective, const StoppingRule& rule, ConstantHessian& hessian,
                    VectorSpan x) {
    history_.direction(objective.threads(), hessian, descent_.gradient(), work_, descent_.direction());
    return search(objective, rule, x);
  }

  Descent descent_;
  PairHistory history_;
  VectorArray work_;
};

}  // namespace electret
