#include <algorithm>

#include <electret/core/errors.hpp>
#include <electret/dynamics/descent.hpp>
#include <electret/dynamics/elastic_solver.hpp>
#include <electret/dynamics/free_parts.hpp>
#include <electret/dynamics/hessian_solver.hpp>
#include <electret/dynamics/stage_hessian.hpp>
#include <electret/dynamics/stage_loop.hpp>
#include <electret/dynamics/stage_objective.hpp>
#include <electret/dynamics/stopping_rule.hpp>

namespace electret {
namespace {

/// Newton's method with inexact directions: conjugate gradients on the exact Hessian, stopped at negative
/// curvature. No matrix is factored.
class NewtonSolver final : public ElasticSolver {
 public:
  NewtonSolver(System& system, double factor, const IntegratorOptions& options)
      : objective_(system),
        rule_(system, options.tolerance),
        hessian_(system, factor),
        parts_(system),
        descent_(objective_.vertex_count()),
        factor_(factor),
        max_iterations_(options.max_iterations) {
    objective_.set_factor(factor);
    downhill_.resize(objective_.vertex_count());
  }

  StepReport minimise(const StageProblem& problem, VectorSpan x) override {
    require(problem.factor == factor_, "a stage of another factor than the elastic solver was made for");
    objective_.begin(problem);
    rule_.begin(objective_, problem);
    begin_memory(problem.memory);
    descent_.begin(start(problem, x));
    double before = 0.0;
    const StepReport report = iterate_stage(objective_, rule_, max_iterations_, [&](int done) {
      descent_.mark(objective_);
      if (done == 0) before = descent_.gradient_norm();
      find_direction(x, before);
      parts_.conserve_momentum(x, problem.y, descent_.direction());
      before = descent_.gradient_norm();
      if (descent_.search(objective_, rule_, x)) return true;
      descent_.restore(objective_, x);
      return false;
    });
    end_memory(problem.memory);
    return report;
  }

  VectorView elastic_gradient() const override { return objective_.elastic_gradient(); }

  HessianSolve solve_hessian(VectorView x, VectorView rhs, double tolerance, VectorSpan z) override {
    objective_.set_factor(factor_);
    hessian_.begin_step();
    hessian_.linearise(x);
    SolveOptions options;
    options.tolerance = tolerance;
    const SolveReport report = hessian_.solve(rhs, options, z);
    if (report.converged)
      return {report.iterations, report.residual, report.method, true, report.negative_curvature};
    return fallback_.solve_directly(objective_, x, rhs, tolerance, z);
  }

  void hessian_product_unmasked(VectorView d, VectorSpan product) override {
    objective_.hessian_product_unmasked(d, product);
  }

  double memory_needed() const override {
    constexpr double vertex = 12.0 * sizeof(Vec3);  // The stage's arrays and the descent's.
    return hessian_.memory_needed() + vertex * static_cast<double>(objective_.vertex_count());
  }

 private:
  static constexpr std::string_view memory_name = "elastic_solver";

  void begin_memory(MethodMemory* memory) {
    StageHessianMemory last;
    if (memory != nullptr) {
      const std::vector<double>& values = memory->values(memory_name, 2);
      last = {values[0] != 0.0, values[1] != 0.0};
    }
    hessian_.begin_step(last);
  }
  void end_memory(MethodMemory* memory) {
    if (memory == nullptr) return;
    const StageHessianMemory now = hessian_.memory();
    std::vector<double>& values = memory->values(memory_name, 2);
    values[0] = now.multigrid ? 1.0 : 0.0;
    values[1] = now.clamped ? 1.0 : 0.0;
  }

  /// Where g is lower: where the step would end without forces, or where it starts. Explicit forces are a
  /// shock that stiff springs spread at once, so that y itself is far from the minimiser. Returns g there.
  double start(const StageProblem& problem, VectorSpan x) {
    if (problem.unforced.empty()) return objective_.evaluate_start(problem.start, x);
    const double at_rest = objective_.value_at_start(problem);
    std::copy(problem.unforced.begin(), problem.unforced.end(), x.begin());
    const double value = objective_.evaluate_start(problem.start, x);
    // Where no g is finite, y tells what is wrong.
    if (!objective_.is_finite()) std::copy(problem.y.begin(), problem.y.end(), x.begin());
    if (!(value > at_rest)) return value;
    for (std::size_t i = 0; i < x.size(); ++i)
      if (objective_.free()[i] != 0.0) x[i] = problem.start[i];
    return objective_.evaluate(x);
  }

  /// Solves more and more exactly as ‖∇g‖ falls (Eisenstat and Walker 1996), not beyond what the target asks
  /// for.
  void find_direction(VectorView x, double before) {
    const double norm = descent_.gradient_norm(), ratio = norm / before;
    SolveOptions options;
    options.tolerance = std::clamp(0.9 * ratio * ratio, 0.3 * rule_.target() / norm, 0.1);
    options.stop_at_negative_curvature = true;
    std::transform(descent_.gradient().begin(), descent_.gradient().end(), downhill_.begin(),
                   [](const Vec3& g) { return -g; });
    hessian_.linearise(x);
    hessian_.solve(downhill_, options, descent_.direction());
  }

  StageObjective objective_;
  StoppingRule rule_;
  StageHessian hessian_;
  FreeParts parts_;
  Descent descent_;
  HessianSolver fallback_;
  VectorArray downhill_;  ///< -∇g.
  double factor_;
  int max_iterations_;
};

}  // namespace

std::unique_ptr<ElasticSolver> make_newton_solver(System& system, double factor,
                                                  const IntegratorOptions& options) {
  return std::make_unique<NewtonSolver>(system, factor, options);
}

}  // namespace electret
