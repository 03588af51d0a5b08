#include <electret/dynamics/stage/constant_hessian_solver.hpp>
#include <electret/dynamics/stage/quasi_newton.hpp>
#include <electret/dynamics/stage/stage_loop.hpp>

namespace electret {
namespace {

class LbfgsSolver final : public ConstantHessianSolver {
 public:
  LbfgsSolver(System& system, double factor, const IntegratorOptions& options)
      : ConstantHessianSolver(system, factor, options), quasi_newton_(objective_.vertex_count()) {}

  StepReport solve(const StageProblem& problem, VectorSpan displacement) override {
    quasi_newton_.begin(begin(problem, displacement));
    return iterate_stage(objective_, rule_, max_iterations_, [&](int) {
      quasi_newton_.descent().mark(objective_, rule_);
      return quasi_newton_.iterate(objective_, rule_, constant_hessian_, displacement);
    });
  }

 private:
  QuasiNewton quasi_newton_;
};

}  // namespace

std::unique_ptr<StageSolver> make_lbfgs_solver(System& system, double factor,
                                               const IntegratorOptions& options) {
  return std::make_unique<LbfgsSolver>(system, factor, options);
}

}  // namespace electret
