#pragma once
/// \file
/// The base of the elastic solvers that search along Newton directions.

#include <electret/core/errors.hpp>
#include <electret/dynamics/descent.hpp>
#include <electret/dynamics/elastic_solver.hpp>
#include <electret/dynamics/free_parts.hpp>
#include <electret/dynamics/stage_loop.hpp>
#include <electret/dynamics/stage_objective.hpp>
#include <electret/dynamics/stopping_rule.hpp>

namespace electret {

/// Holds the stage, its stopping rule and the line search; how a direction is found is the solver's own.
class NewtonDirectionsSolver : public ElasticSolver {
 public:
  NewtonDirectionsSolver(System& system, double factor, const IntegratorOptions& options)
      : objective_(system),
        rule_(system, options.tolerance),
        descent_(objective_.vertex_count()),
        factor_(factor),
        parts_(system),
        max_iterations_(options.max_iterations) {
    objective_.set_factor(factor);
  }

  VectorView elastic_gradient() const final { return objective_.elastic_gradient(); }

  void hessian_product_unmasked(VectorView d, VectorSpan product) final {
    objective_.hessian_product_unmasked(d, product);
  }

 protected:
  /// Begins the stage; nothing is evaluated.
  void begin(const StageProblem& problem) {
    require(problem.factor == factor_, "a stage of another factor than the elastic solver was made for");
    objective_.begin(problem);
    rule_.begin(objective_, problem);
  }

  /// Goes down from x, where `objective_` is evaluated and g is `value`: find_direction(done), `done` the
  /// iterations before it, writes `descent_.direction()` from ∇g as `descent_` has marked it.
  template <class FindDirection>
  StepReport search_down(double value, VectorView y, VectorSpan x, FindDirection&& find_direction) {
    descent_.begin(value);
    return iterate_stage(objective_, rule_, max_iterations_, [&](int done) {
      descent_.mark(objective_);
      find_direction(done);
      parts_.conserve_momentum(x, y, descent_.direction());
      if (descent_.search(objective_, rule_, x)) return true;
      descent_.restore(objective_, x);
      return false;
    });
  }

  /// Bytes of the stage's arrays and the descent's.
  [[nodiscard]] double arrays_needed() const {
    return 12.0 * sizeof(Vec3) * static_cast<double>(objective_.vertex_count());
  }

  StageObjective objective_;
  StoppingRule rule_;
  Descent descent_;
  double factor_;

 private:
  FreeParts parts_;
  int max_iterations_;
};

}  // namespace electret
