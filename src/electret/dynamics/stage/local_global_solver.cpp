#include <electret/dynamics/stage/constant_hessian_solver.hpp>
#include <electret/dynamics/stage/stage_loop.hpp>
#include <electret/dynamics/vector_sums.hpp>

namespace electret {
namespace {

/// The global step solves A x' = M y + a Σ J p(x) with A = M + aL. Because ∇g(x) = A x - M y - a Σ J p(x),
/// that is x' = x - A⁻¹∇g(x), and the same for displacements. In this form one pass over the elements serves
/// both the stopping rule and the step, and rounding does not grow with the coordinates. A majorises ∇²g, so
/// that every step goes downhill.
class LocalGlobalSolver final : public ConstantHessianSolver {
 public:
  LocalGlobalSolver(System& system, double factor, const IntegratorOptions& options)
      : ConstantHessianSolver(system, factor, options), step_(objective_.vertex_count()) {}

  StepReport solve(const StageProblem& problem, VectorSpan displacement) override {
    begin(problem, displacement);
    return iterate_stage(objective_, rule_, max_iterations_, [&](int) {
      constant_hessian_.solve(objective_.gradient(), step_);
      add_scaled(objective_.threads(), displacement, -1.0, step_, displacement);
      objective_.evaluate(displacement);
      return true;
    });
  }

 private:
  VectorArray step_;
};

}  // namespace

std::unique_ptr<StageSolver> make_local_global_solver(System& system, double factor,
                                                      const IntegratorOptions& options) {
  return std::make_unique<LocalGlobalSolver>(system, factor, options);
}

}  // namespace electret
