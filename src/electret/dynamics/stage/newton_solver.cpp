#include <algorithm>

#include <electret/dynamics/stage/hessian_solver.hpp>
#include <electret/dynamics/stage/newton_directions_solver.hpp>
#include <electret/dynamics/stage/stage_hessian.hpp>

namespace electret {
namespace {

/// Newton's method with inexact directions: conjugate gradients on the exact Hessian, stopped at negative
/// curvature. No matrix is factored.
class NewtonSolver final : public NewtonDirectionsSolver {
 public:
  NewtonSolver(System& system, double factor, const IntegratorOptions& options, PreconditionerPolicy policy)
      : NewtonDirectionsSolver(system, factor, options), hessian_(system, factor, policy) {
    downhill_.resize(objective_.vertex_count());
  }

  StepReport solve(const StageProblem& problem, VectorSpan displacement) override {
    begin(problem);
    begin_hessian(hessian_, problem);
    const double cost_before = hessian_.cost();
    linear_iterations_ = 0;
    StepReport report = go_down(start(problem, displacement), problem, displacement);
    const bool is_stuck = report.capped && report.elastic_iterations < max_iterations_;
    if (is_stuck) report = from_elsewhere(report, problem, displacement);
    report.counts.add("linear_iterations", linear_iterations_);
    report.linear_cost = hessian_.cost() - cost_before;
    if (problem.memory != nullptr) hessian_.end_step(*problem.memory);
    return report;
  }

  HessianSolve solve_transposed(VectorView x, VectorView rhs, double tolerance, VectorSpan z,
                                const StageRecord& record) override {
    begin_transposed(hessian_, record);
    const double cost_before = hessian_.cost();
    HessianSolve report = adjoint_.solve(objective_, hessian_, {x, rhs, tolerance}, z);
    report.cost = hessian_.cost() - cost_before;
    return report;
  }

  void hessian_product_unmasked(VectorView d, VectorSpan product) override { hessian_.product(d, product); }

  double memory_needed() const override { return hessian_.memory_needed() + arrays_needed(); }
  std::vector<MemoryArray> memory_layout() const override { return layout_of(hessian_); }

 private:
  StepReport go_down(double value, const StageProblem& problem, VectorSpan displacement) {
    double before = 0.0;
    return search_down(value, problem.inertial, displacement, [&](int done) {
      const double norm = descent_.gradient_norm();
      linear_iterations_ +=
          find_direction(HessianKind::exact, direction_tolerance(done == 0 ? norm : before));
      before = norm;
    });
  }

  /// Once more from y, where `lbfgs` starts, after a descent that found no better place: at a kink of the
  /// energy it ends where the next step would begin, and the body would hang there. Leaves the better end.
  StepReport from_elsewhere(const StepReport& first, const StageProblem& problem, VectorSpan displacement) {
    const double value = objective_.evaluate(displacement);
    first_.assign(displacement.begin(), displacement.end());
    std::copy(problem.inertial.begin(), problem.inertial.end(), displacement.begin());
    StepReport report = go_down(objective_.evaluate_start(displacement), problem, displacement);
    const int iterations = first.elastic_iterations + report.elastic_iterations;
    const bool is_solved = !report.failed && !report.capped;
    if (!is_solved && !(objective_.evaluate(displacement) < value)) {
      std::copy(first_.begin(), first_.end(), displacement.begin());
      objective_.evaluate(displacement);
      report = first;
    }
    report.elastic_iterations = iterations;
    return report;
  }

  bool find_definite_direction() override {
    find_direction(HessianKind::clamped, definite_tolerance);
    return true;
  }

  /// Returns the iterations of conjugate gradients.
  int find_direction(HessianKind kind, double tolerance) {
    SolveOptions options;
    options.tolerance = tolerance;
    options.stop_at_negative_curvature = true;
    std::transform(descent_.gradient().begin(), descent_.gradient().end(), downhill_.begin(),
                   [](const Vec3& g) { return -g; });
    hessian_.linearise(objective_.place(), kind);
    return hessian_.solve(downhill_, options, descent_.direction()).iterations;
  }

  StageHessian hessian_;
  HessianSolver adjoint_;
  VectorArray downhill_;  ///< -∇g.
  VectorArray first_;     ///< Where the first descent ended, if there is a second one.
  int linear_iterations_ = 0;
};

}  // namespace

std::unique_ptr<StageSolver> make_newton_solver(System& system, double factor,
                                                const IntegratorOptions& options,
                                                PreconditionerPolicy policy) {
  return std::make_unique<NewtonSolver>(system, factor, options, policy);
}

}  // namespace electret
