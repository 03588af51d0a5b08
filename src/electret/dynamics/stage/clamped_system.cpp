#include <algorithm>
#include <cmath>
#include <limits>

#include <electret/core/errors.hpp>
#include <electret/core/vertex_loops.hpp>
#include <electret/dynamics/stage/clamped_system.hpp>
#include <electret/dynamics/vector_arrays.hpp>
#include <electret/dynamics/vector_sums.hpp>

namespace electret {
namespace {

/// Since λ_max(D⁻¹A) is at most 6.
constexpr double part_rounding = 8.0 * std::numeric_limits<double>::epsilon();

}  // namespace

ClampedSystem::ClampedSystem(System& system, double factor)
    : system_(system), factor_(factor), parts_(system) {
  part_targets_.resize(parts_.count());
  squares_.resize(parts_.count());
  roundings_.resize(parts_.count());
  const auto n = static_cast<std::size_t>(system.vertex_count());
  free_.assign(n, 1.0);
  for (const Index pin : system.fixed) free_[static_cast<std::size_t>(pin)] = 0.0;
  for (auto* array : {&place_, &scratch_, &diagonal_, &residual_, &preconditioned_, &search_, &product_})
    array->resize(n);
  for (const auto& energy : system.elastic)
    require(energy->clamped_form() != nullptr, "linear_implicit: an energy without a clamped form");
}

void ClampedSystem::linearise(VectorView x) {
  copy_rows(*system_.threads, x, place_);
  diagonal_known_ = false;
  set_zero(*system_.threads, scratch_);  // a gradient nobody reads
  for (auto& energy : system_.elastic) energy->linearise(place_, HessianKind::clamped, scratch_);
}

void ClampedSystem::multiply(VectorView d, VectorSpan out) {
  set_zero(*system_.threads, scratch_);
  for (auto& energy : system_.elastic) energy->add_hessian_product(d, scratch_);
  for_vertices(*system_.threads, d.size(), [&](std::size_t i) {
    out[i] = (free_[i] * system_.masses()[i]) * d[i] + factor_ * scratch_[i];
  });
  for (const Roller& roller : system_.rollers) {
    const auto i = static_cast<std::size_t>(roller.constraint.vertex);
    out[i] -= system_.masses()[i] * (roller.held * d[i]);
  }
}

void ClampedSystem::hold_rollers(VectorSpan d) const {
  for (const Roller& roller : system_.rollers) {
    const auto i = static_cast<std::size_t>(roller.constraint.vertex);
    d[i] -= roller.held * d[i];
  }
}

double ClampedSystem::residual(VectorView rhs, VectorView u) {
  multiply(u, residual_);
  for_vertices(*system_.threads, u.size(),
               [&](std::size_t i) { residual_[i] = free_[i] * (rhs[i] - residual_[i]); });
  hold_rollers(residual_);
  return norm(*system_.threads, residual_);
}

/// The rounding of A u.
double ClampedSystem::rounding(VectorView u) {
  find_diagonal();
  const double squares = system_.threads->sum(static_cast<Count>(u.size()), [&](Count begin, Count end) {
    double sum = 0.0;
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
      for (int k = 0; k < 3; ++k) sum += (diagonal_[i][k] * u[i][k]) * (diagonal_[i][k] * u[i][k]);
    return sum;
  });
  return part_rounding * std::sqrt(squares);
}

void ClampedSystem::share_target(VectorView rhs, const ClampedTarget& target) {
  parts_.find_squares(free_, rhs, part_targets_);
  parts_.find_squares(free_, target.size, squares_);
  double squares = 0.0;
  for (std::size_t p = 0; p < parts_.count(); ++p) {
    const double smaller = std::min(part_targets_[p], squares_[p]);
    part_targets_[p] = target.tolerance * std::sqrt(smaller);
    squares += smaller;
  }
  target_ = target.tolerance * std::sqrt(squares);
}

bool ClampedSystem::is_solved(double residual, VectorView u) {
  if (!parts_.is_divided() || !std::isfinite(residual)) return residual <= std::max(target_, rounding(u));
  find_diagonal();
  parts_.find_squares(residual_, squares_);
  std::fill(roundings_.begin(), roundings_.end(), 0.0);
  for (std::size_t i = 0; i < u.size(); ++i)
    if (const Index part = parts_.part_of(i); part >= 0)
      for (int k = 0; k < 3; ++k)
        roundings_[static_cast<std::size_t>(part)] +=
            (diagonal_[i][k] * u[i][k]) * (diagonal_[i][k] * u[i][k]);
  for (std::size_t p = 0; p < parts_.count(); ++p)
    if (std::sqrt(squares_[p]) > std::max(part_targets_[p], part_rounding * std::sqrt(roundings_[p])))
      return false;
  return true;
}

void ClampedSystem::find_diagonal() {
  if (diagonal_known_) return;
  set_zero(*system_.threads, diagonal_);
  for (auto& energy : system_.elastic) energy->clamped_form()->add_diagonal(place_, diagonal_);
  for_vertices(*system_.threads, diagonal_.size(), [&](std::size_t i) {
    const double m = system_.masses()[i];
    diagonal_[i] = Vec3{m, m, m} + factor_ * diagonal_[i];
  });
  diagonal_known_ = true;
}

ClampedSolve ClampedSystem::solve_by_cg(VectorView rhs, const ClampedTarget& target, int max_iterations,
                                        VectorSpan u) {
  Threads& threads = *system_.threads;
  find_diagonal();
  ClampedSolve report;
  report.residual = residual(rhs, u);
  share_target(rhs, target);
  report.target = target_;
  const auto is_done = [&] { return is_solved(report.residual, u); };
  double before = 0.0;
  set_zero(*system_.threads, search_);
  while (!is_done() && report.iterations < max_iterations) {
    for_vertices(*system_.threads, u.size(), [&](std::size_t i) {
      for (int k = 0; k < 3; ++k) preconditioned_[i][k] = residual_[i][k] / diagonal_[i][k];
    });
    hold_rollers(preconditioned_);
    const double now = dot(threads, residual_, preconditioned_);
    add_scaled(threads, preconditioned_, before > 0.0 ? now / before : 0.0, search_, search_);
    before = now;
    multiply(search_, product_);
    const double curvature = dot(threads, search_, product_);
    if (!(curvature > 0.0)) break;
    add_scaled(threads, u, now / curvature, search_, u);
    ++report.iterations;
    // The recurrence drifts, so that the residual itself is computed every fifty iterations and when the
    // target seems to be reached.
    for_vertices(*system_.threads, u.size(),
                 [&](std::size_t i) { residual_[i] -= (free_[i] * now / curvature) * product_[i]; });
    hold_rollers(residual_);
    report.residual = norm(threads, residual_);
    if (report.iterations % 50 == 0 || is_done()) report.residual = residual(rhs, u);
  }
  report.converged = is_done();
  return report;
}

ClampedSolve ClampedSystem::solve_by_jacobi(VectorView rhs, double weight, const ClampedTarget& target,
                                            int max_iterations, VectorSpan u) {
  find_diagonal();
  ClampedSolve report;
  report.residual = residual(rhs, u);
  const double first = report.residual;
  share_target(rhs, target);
  report.target = target_;
  const auto is_done = [&] { return is_solved(report.residual, u); };
  while (!is_done() && report.residual <= 100.0 * first && report.iterations < max_iterations) {
    for_vertices(*system_.threads, u.size(), [&](std::size_t i) {
      for (int k = 0; k < 3; ++k) preconditioned_[i][k] = residual_[i][k] / diagonal_[i][k];
    });
    hold_rollers(preconditioned_);
    for_vertices(*system_.threads, u.size(), [&](std::size_t i) { u[i] += weight * preconditioned_[i]; });
    ++report.iterations;
    report.residual = residual(rhs, u);
  }
  report.converged = is_done();
  return report;
}

}  // namespace electret
