#include <algorithm>
#include <cmath>

#include <electret/dynamics/hessian_factor.hpp>
#include <electret/dynamics/hessian_solver.hpp>
#include <electret/dynamics/vector_sums.hpp>

namespace electret {
namespace {

// 2 to 6 are usual; beyond this many, factoring is likely to be cheaper.
constexpr int most_iterations = 500;
constexpr int most_refinements = 5;

}  // namespace

HessianSolver::Goal HessianSolver::begin(StageObjective& objective, VectorView x, VectorView rhs,
                                         double tolerance, VectorSpan z) {
  for (auto* array : {&rhs_, &residual_, &preconditioned_, &search_, &product_}) array->resize(rhs.size());
  for (std::size_t i = 0; i < rhs.size(); ++i) rhs_[i] = objective.free()[i] != 0.0 ? rhs[i] : Vec3{};
  std::fill(z.begin(), z.end(), Vec3{});
  objective.linearise(x);
  return {norm(objective.threads(), rhs_), tolerance};
}

HessianSolve HessianSolver::solve(StageObjective& objective, ConstantHessian& preconditioner, VectorView x,
                                  VectorView rhs, double tolerance, VectorSpan z) {
  const Goal goal = begin(objective, x, rhs, tolerance, z);
  HessianSolve report;
  report.which = "cg";
  report.converged = goal.size == 0.0;
  if (report.converged) return report;
  iterate(objective, preconditioner, goal, z, report);
  if (!report.converged) factor(objective, goal, z, report);
  return report;
}

HessianSolve HessianSolver::solve_directly(StageObjective& objective, VectorView x, VectorView rhs,
                                           double tolerance, VectorSpan z) {
  const Goal goal = begin(objective, x, rhs, tolerance, z);
  HessianSolve report;
  report.which = "direct";
  report.converged = goal.size == 0.0;
  if (!report.converged) factor(objective, goal, z, report);
  return report;
}

/// residual_ ← rhs - ∇²g z, and what it says of z.
void HessianSolver::measure(StageObjective& objective, const Goal& goal, VectorView z, HessianSolve& report) {
  objective.hessian_product(z, product_);
  add_scaled(objective.threads(), rhs_, -1.0, product_, residual_);
  report.residual = norm(objective.threads(), residual_) / goal.size;
  report.converged = report.residual <= goal.tolerance;
}

void HessianSolver::iterate(StageObjective& objective, ConstantHessian& preconditioner, const Goal& goal,
                            VectorSpan z, HessianSolve& report) {
  measure(objective, goal, z, report);
  for (int refinement = 0; refinement < most_refinements && !report.converged; ++refinement) {
    const double before = report.residual;
    run_conjugate_gradients(objective, preconditioner, goal, z, report);
    measure(objective, goal, z, report);
    if (report.negative_curvature || !(report.residual < 0.5 * before)) return;
  }
}

/// z += about (∇²g)⁻¹ residual_, until the recurrence's residual is within half the tolerance.
void HessianSolver::run_conjugate_gradients(StageObjective& objective, ConstantHessian& preconditioner,
                                            const Goal& goal, VectorSpan z, HessianSolve& report) {
  Threads& threads = objective.threads();
  const double enough = 0.5 * goal.tolerance * goal.size;
  preconditioner.solve(residual_, preconditioned_);
  std::copy(preconditioned_.begin(), preconditioned_.end(), search_.begin());
  double product = dot(threads, residual_, preconditioned_);
  while (norm(threads, residual_) > enough && report.iterations < most_iterations) {
    ++report.iterations;
    objective.hessian_product(search_, product_);
    const double curvature = dot(threads, search_, product_);
    if (!(curvature > 0.0)) {
      report.negative_curvature = true;
      return;
    }
    const double length = product / curvature;
    add_scaled(threads, z, length, search_, z);
    add_scaled(threads, residual_, -length, product_, residual_);
    preconditioner.solve(residual_, preconditioned_);
    const double next = dot(threads, residual_, preconditioned_);
    add_scaled(threads, preconditioned_, next / product, search_, search_);
    product = next;
  }
}

void HessianSolver::factor(StageObjective& objective, const Goal& goal, VectorSpan z, HessianSolve& report) {
  report.which = "direct";
  const HessianFactor exact(objective);
  report.negative_curvature = !exact.is_positive_definite();
  std::fill(z.begin(), z.end(), Vec3{});
  measure(objective, goal, z, report);
  for (int refinement = 0; refinement < most_refinements && !report.converged; ++refinement) {
    const double before = report.residual;
    exact.solve(residual_, search_);
    add_scaled(objective.threads(), z, 1.0, search_, z);
    measure(objective, goal, z, report);
    if (!(report.residual < 0.5 * before)) return;
  }
}

}  // namespace electret
