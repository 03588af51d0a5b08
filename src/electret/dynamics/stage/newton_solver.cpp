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
    double before = 0.0;
    const double cost_before = hessian_.cost();
    int linear_iterations = 0;
    const double value = start(problem, displacement);
    StepReport report = search_down(value, problem.inertial, displacement, [&](int done) {
      const double norm = descent_.gradient_norm();
      linear_iterations += find_direction(objective_.place(), done == 0 ? norm : before);
      before = norm;
    });
    report.counts.add("linear_iterations", linear_iterations);
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
  /// Returns the iterations of conjugate gradients.
  int find_direction(VectorView x, double before) {
    SolveOptions options;
    options.tolerance = direction_tolerance(before);
    options.stop_at_negative_curvature = true;
    std::transform(descent_.gradient().begin(), descent_.gradient().end(), downhill_.begin(),
                   [](const Vec3& g) { return -g; });
    hessian_.linearise(x);
    return hessian_.solve(downhill_, options, descent_.direction()).iterations;
  }

  StageHessian hessian_;
  HessianSolver adjoint_;
  VectorArray downhill_;  ///< -∇g.
};

}  // namespace

std::unique_ptr<StageSolver> make_newton_solver(System& system, double factor,
                                                const IntegratorOptions& options,
                                                PreconditionerPolicy policy) {
  return std::make_unique<NewtonSolver>(system, factor, options, policy);
}

}  // namespace electret
