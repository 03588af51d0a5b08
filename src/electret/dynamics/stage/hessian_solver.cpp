#include <algorithm>
#include <cmath>

#include <electret/core/vertex_loops.hpp>
#include <electret/dynamics/pins.hpp>
#include <electret/dynamics/stage/hessian_factor.hpp>
#include <electret/dynamics/stage/hessian_solver.hpp>
#include <electret/dynamics/vector_arrays.hpp>
#include <electret/dynamics/vector_sums.hpp>

namespace electret {
namespace {

// Some tens of iterations are usual. Beyond this many, other methods are likely to be cheaper.
constexpr int most_iterations = 500;
constexpr int most_refinements = 5;

}  // namespace

bool HessianSolver::begin(StageObjective& objective, const HessianSystem& system, VectorSpan z) {
  const std::size_t n = system.rhs.size();
  for (auto* array : {&rhs_, &residual_, &search_, &product_}) array->resize(n);
  for_vertices(objective.threads(), n,
               [&](std::size_t i) { rhs_[i] = objective.free()[i] != 0.0 ? system.rhs[i] : Vec3{}; });
  hold_pins(objective.system(), rhs_);
  set_zero(objective.threads(), z);
  size_ = norm(objective.threads(), rhs_);
  tolerance_ = system.tolerance;
  objective.linearise(system.x);
  return size_ != 0.0;
}

/// residual_ ← rhs - ∇²g z, and the report on it.
void HessianSolver::measure(StageObjective& objective, VectorView z, HessianSolve& report) {
  objective.hessian_product(z, product_);
  add_scaled(objective.threads(), rhs_, -1.0, product_, residual_);
  report.residual = norm(objective.threads(), residual_) / size_;
  report.converged = report.residual <= tolerance_;
}

HessianSolve HessianSolver::solve(StageObjective& objective, StageHessian& hessian,
                                  const HessianSystem& system, VectorSpan z) {
  hessian.linearise(system.x);
  SolveOptions options;
  options.tolerance = system.tolerance;
  const SolveReport report = hessian.solve(system.rhs, options, z);
  if (report.converged)
    return {report.iterations, report.residual, hessian.preconditioner(), true, report.negative_curvature};
  return solve_directly(objective, system, z);
}

HessianSolve HessianSolver::solve_by_quasi_newton(StageObjective& objective, ConstantHessian& constant,
                                                  const HessianSystem& system, VectorSpan z) {
  HessianSolve report;
  report.which = "quasi_newton";
  report.converged = !begin(objective, system, z);
  if (report.converged) return report;
  iterate_quasi_newton(objective, constant, z, report);
  if (report.converged) return report;
  if (!hessian_) hessian_ = std::make_unique<StageHessian>(objective.system(), objective.factor());
  hessian_->begin_step();
  return solve(objective, *hessian_, system, z);
}

/// Minimises ½ zᵀ∇²g z - rhsᵀz, whose gradient is -residual_, with the exact step along each direction.
void HessianSolver::iterate_quasi_newton(StageObjective& objective, ConstantHessian& constant, VectorSpan z,
                                         HessianSolve& report) {
  Threads& threads = objective.threads();
  if (!history_) history_.emplace(z.size());
  history_->clear();
  work_.resize(z.size());
  for (measure(objective, z, report); !report.converged && report.iterations < most_iterations;) {
    ++report.iterations;
    history_->direction(threads, constant, residual_, work_, search_);  // Uphill: of the residual's sign.
    objective.hessian_product(search_, product_);
    const double curvature = dot(threads, search_, product_);
    report.negative_curvature = !(curvature > 0.0);
    if (report.negative_curvature) return;
    const double length = dot(threads, residual_, search_) / curvature;
    add_scaled(threads, z, length, search_, z);
    std::transform(search_.begin(), search_.end(), history_->next_s().begin(),
                   [&](const Vec3& d) { return length * d; });
    std::transform(product_.begin(), product_.end(), history_->next_t().begin(),
                   [&](const Vec3& d) { return length * d; });
    history_->keep(threads);
    measure(objective, z, report);
  }
}

HessianSolve HessianSolver::solve_directly(StageObjective& objective, const HessianSystem& system,
                                           VectorSpan z) {
  HessianSolve report;
  report.which = "direct";
  report.converged = !begin(objective, system, z);
  if (!report.converged) factor(objective, z, report);
  return report;
}

void HessianSolver::factor(StageObjective& objective, VectorSpan z, HessianSolve& report) {
  const HessianFactor exact(objective);
  report.negative_curvature = !exact.is_positive_definite();
  measure(objective, z, report);
  for (int refinement = 0; refinement < most_refinements && !report.converged; ++refinement) {
    const double before = report.residual;
    exact.solve(residual_, search_);
    add_scaled(objective.threads(), z, 1.0, search_, z);
    measure(objective, z, report);
    if (!(report.residual < 0.5 * before)) return;
  }
}

}  // namespace electret
