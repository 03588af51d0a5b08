#include <algorithm>
#include <optional>

#include <electret/core/errors.hpp>
#include <electret/dynamics/descent.hpp>
#include <electret/dynamics/elastic_solver.hpp>
#include <electret/dynamics/free_parts.hpp>
#include <electret/dynamics/hessian_factor.hpp>
#include <electret/dynamics/hessian_solver.hpp>
#include <electret/dynamics/stage_loop.hpp>
#include <electret/dynamics/stage_objective.hpp>
#include <electret/dynamics/stopping_rule.hpp>

namespace electret {
namespace {

/// Newton's method by sparse factorisations of the exact Hessian, where that is not positive definite of the
/// clamped one.
class NewtonCholeskySolver final : public ElasticSolver {
 public:
  NewtonCholeskySolver(System& system, double factor, const IntegratorOptions& options)
      : objective_(system),
        rule_(system, options.tolerance),
        parts_(system),
        descent_(objective_.vertex_count()),
        factor_(factor),
        max_iterations_(options.max_iterations) {
    objective_.set_factor(factor);
  }

  StepReport minimise(const StageProblem& problem, VectorSpan x) override {
    require(problem.factor == factor_, "a stage of another factor than the elastic solver was made for");
    objective_.begin(problem);
    rule_.begin(objective_, problem);
    descent_.begin(objective_.evaluate_start(problem.start, x));
    return iterate_stage(objective_, rule_, max_iterations_, [&](int) {
      descent_.mark(objective_);
      find_direction(x);
      parts_.conserve_momentum(x, problem.y, descent_.direction());
      if (descent_.search(objective_, rule_, x)) return true;
      descent_.restore(objective_, x);
      return false;
    });
  }

  VectorView elastic_gradient() const override { return objective_.elastic_gradient(); }

  HessianSolve solve_hessian(VectorView x, VectorView rhs, double tolerance, VectorSpan z) override {
    objective_.set_factor(factor_);
    return adjoint_.solve_directly(objective_, x, rhs, tolerance, z);
  }

  void hessian_product_unmasked(VectorView d, VectorSpan product) override {
    objective_.hessian_product_unmasked(d, product);
  }

  /// Of the arrays alone: what the factors take is known only when they have been made.
  double memory_needed() const override {
    return 12.0 * sizeof(Vec3) * static_cast<double>(objective_.vertex_count());
  }

 private:
  void find_direction(VectorView x) {
    factor_at(x, HessianKind::exact);
    if (!hessian_->is_positive_definite()) factor_at(x, HessianKind::clamped);
    const VectorSpan direction = descent_.direction();
    hessian_->solve(descent_.gradient(), direction);
    for (Vec3& d : direction) d = -d;
  }

  void factor_at(VectorView x, HessianKind kind) {
    objective_.linearise(x, kind);
    if (hessian_)
      hessian_->refresh(objective_);
    else
      hessian_.emplace(objective_);
  }

  StageObjective objective_;
  StoppingRule rule_;
  FreeParts parts_;
  Descent descent_;
  std::optional<HessianFactor> hessian_;  ///< Made in the first iteration.
  HessianSolver adjoint_;
  double factor_;
  int max_iterations_;
};

}  // namespace

std::unique_ptr<ElasticSolver> make_newton_cholesky_solver(System& system, double factor,
                                                           const IntegratorOptions& options) {
  return std::make_unique<NewtonCholeskySolver>(system, factor, options);
}

}  // namespace electret
