#include <cmath>

#include <electret/dynamics/elastic_objective.hpp>
#include <electret/dynamics/elastic_solver.hpp>
#include <electret/dynamics/stage_loop.hpp>
#include <electret/dynamics/vector_sums.hpp>

namespace electret {
namespace {

/// The global step solves A x' = M y + a Σ J p(x) with A = M + aL. As ∇g(x) = A x - M y - a Σ J p(x), that is
/// x' = x - A⁻¹∇g(x): written so, one pass over the elements serves the stopping rule and the step, and
/// rounding does not grow with the coordinates. A majorises ∇²g, so every step goes downhill.
class LocalGlobalSolver final : public ElasticSolver {
 public:
  LocalGlobalSolver(System& system, double factor, const IntegratorOptions& options)
      : objective_(system, factor, options.tolerance),
        max_iterations_(options.max_iterations),
        step_(objective_.vertex_count()) {}

  StepReport minimise(VectorView x_t, VectorView y, VectorSpan x) override {
    objective_.begin(x_t, y);
    objective_.evaluate_start(x_t, x);
    return iterate_stage(objective_, max_iterations_, [&](int) {
      objective_.solve_constant_hessian(objective_.gradient(), step_);
      add_scaled(objective_.threads(), x, -1.0, step_, x);
      objective_.evaluate(x);
      return true;
    });
  }

  VectorView elastic_gradient() const override { return objective_.elastic_gradient(); }

 private:
  ElasticObjective objective_;
  int max_iterations_;
  VectorArray step_;
};

}  // namespace

std::unique_ptr<ElasticSolver> make_local_global_solver(System& system, double factor,
                                                        const IntegratorOptions& options) {
  return std::make_unique<LocalGlobalSolver>(system, factor, options);
}

}  // namespace electret
