#include <algorithm>

#include <electret/dynamics/constant_hessian_solver.hpp>
#include <electret/dynamics/newton_direction.hpp>
#include <electret/dynamics/quasi_newton.hpp>
#include <electret/dynamics/stage_loop.hpp>

namespace electret {
namespace {

/// Soft scenes converge in 3 to 20 iterations: they never get there.
constexpr int newton_after = 30;

/// The quasi-Newton iteration, given up for Newton's after `newton_after` iterations of a step: where springs
/// are stiff against h² (h²k/m far above 10) or buckle, five pairs do not mend the constant matrix.
class AutoSolver final : public ConstantHessianSolver {
 public:
  AutoSolver(System& system, double factor, const IntegratorOptions& options)
      : ConstantHessianSolver(system, factor, options),
        quasi_newton_(objective_.vertex_count()),
        newton_(objective_.vertex_count()) {}

  StepReport minimise(const StageProblem& problem, VectorSpan x) override {
    quasi_newton_.begin(begin(problem, x));
    return iterate_stage(objective_, rule_, max_iterations_, [&](int done) {
      Descent& here = quasi_newton_.descent();
      here.mark(objective_);
      if (done < newton_after) newton_start_ = here.gradient_norm();
      if (done >= newton_after && search_newton(x)) return true;
      return quasi_newton_.iterate(objective_, rule_, constant_hessian_, x);
    });
  }

 private:
  /// Solves more and more exactly as ‖∇g‖ falls, but not beyond what the target asks for.
  bool search_newton(VectorSpan x) {
    Descent& here = quasi_newton_.descent();
    const double progress = here.gradient_norm() / newton_start_;
    const double needed = 0.1 * rule_.target() / here.gradient_norm();
    const double accuracy = std::min(0.1, std::max(needed, 0.1 * progress));
    newton_.compute(objective_, constant_hessian_, x, here.gradient(), accuracy, here.direction());
    return quasi_newton_.search(objective_, rule_, x);
  }

  QuasiNewton quasi_newton_;
  NewtonDirection newton_;
  double newton_start_ = 0.0;  ///< ‖∇g‖ where the Newton phase began; set anew in each step.
};

}  // namespace

std::unique_ptr<ElasticSolver> make_auto_solver(System& system, double factor,
                                                const IntegratorOptions& options) {
  return std::make_unique<AutoSolver>(system, factor, options);
}

}  // namespace electret
