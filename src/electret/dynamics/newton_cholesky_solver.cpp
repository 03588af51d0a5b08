#include <optional>

#include <electret/dynamics/hessian_factor.hpp>
#include <electret/dynamics/hessian_solver.hpp>
#include <electret/dynamics/newton_directions_solver.hpp>

namespace electret {
namespace {

/// Newton's method by sparse factorisations of the exact Hessian, where that is not positive definite of the
/// clamped one.
class NewtonCholeskySolver final : public NewtonDirectionsSolver {
 public:
  using NewtonDirectionsSolver::NewtonDirectionsSolver;

  StepReport minimise(const StageProblem& problem, VectorSpan x) override {
    begin(problem);
    return search_down(objective_.evaluate_start(problem.start, x), problem.y, x,
                       [&](int) { find_direction(x); });
  }

  HessianSolve solve_hessian(VectorView x, VectorView rhs, double tolerance, VectorSpan z,
                             const MethodMemory&) override {
    objective_.set_factor(factor_);
    return adjoint_.solve_directly(objective_, {x, rhs, tolerance}, z);
  }

  /// Of the arrays alone: what the factors take is known only when they have been made.
  double memory_needed() const override { return arrays_needed(); }

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

  std::optional<HessianFactor> hessian_;  ///< Made in the first iteration.
  HessianSolver adjoint_;
};

}  // namespace

std::unique_ptr<ElasticSolver> make_newton_cholesky_solver(System& system, double factor,
                                                           const IntegratorOptions& options) {
  return std::make_unique<NewtonCholeskySolver>(system, factor, options);
}

}  // namespace electret
