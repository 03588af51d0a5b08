#include <optional>

#include <electret/core/vertex_loops.hpp>
#include <electret/dynamics/stage/hessian_factor.hpp>
#include <electret/dynamics/stage/newton_factoring_solver.hpp>

namespace electret {
namespace {

/// Newton's method by sparse factorisations of the exact Hessian or, if that is not positive definite, of the
/// clamped one.
class NewtonCholeskySolver final : public NewtonFactoringSolver {
 public:
  using NewtonFactoringSolver::NewtonFactoringSolver;

  StepReport solve(const StageProblem& problem, VectorSpan displacement) override {
    begin(problem);
    return search_down(objective_.evaluate_start(displacement), problem.inertial, displacement,
                       [&](int) { find_newton_direction(); });
  }

 private:
  bool find_definite_direction() override {
    factor_at(objective_.place(), HessianKind::clamped);
    find_direction();
    return true;
  }

  void find_newton_direction() {
    factor_at(objective_.place(), HessianKind::exact);
    if (!hessian_->is_positive_definite()) factor_at(objective_.place(), HessianKind::clamped);
    find_direction();
  }

  void find_direction() {
    const VectorSpan direction = descent_.direction();
    hessian_->solve(descent_.gradient(), direction);
    for_vertices(objective_.threads(), direction.size(),
                 [&](std::size_t i) { direction[i] = -direction[i]; });
  }

  void factor_at(VectorView x, HessianKind kind) {
    objective_.linearise(x, kind);
    if (hessian_)
      hessian_->refresh(objective_);
    else
      hessian_.emplace(objective_);
  }

  std::optional<HessianFactor> hessian_;  ///< Made in the first iteration.
};

}  // namespace

std::unique_ptr<StageSolver> make_newton_cholesky_solver(System& system, double factor,
                                                         const IntegratorOptions& options) {
  return std::make_unique<NewtonCholeskySolver>(system, factor, options);
}

}  // namespace electret
