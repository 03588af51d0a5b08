#include <algorithm>
#include <cmath>

#include <electret/dynamics/stage/contact_solver.hpp>

namespace electret {
namespace {

/// Whole steps and bounds of friction that are tried, and parts in which friction is raised.
constexpr int most_chances = 6, most_bounds = 8, friction_parts = 4;
/// A place whose residual is less than this part of the present one is worth going to.
constexpr double better = 0.9;

}  // namespace

/// Three ways on from a place from which no length of a step leads down. False if none is better.
bool ContactSolver::find_way(VectorView inertial, VectorSpan displacement, double& norm, StepReport& report) {
  if (!take_chances(inertial, displacement, norm, report) &&
      !fix_friction(inertial, displacement, norm, report) &&
      !raise_friction(inertial, displacement, norm, report))
    return false;
  merit_ = merit();
  return true;
}

/// Goes `most` times by go(), until a place is better than where this began. Else goes back.
template <class Go>
bool ContactSolver::go_until_better(int most, VectorSpan displacement, double& norm, const StepReport& report,
                                    Go&& go) {
  const double norm_before = norm;
  std::copy(displacement.begin(), displacement.end(), best_.begin());
  for (int k = 0; k < most && report.elastic_iterations < max_iterations_; ++k) {
    go();
    norm = evaluate(displacement);
    if (!std::isfinite(norm)) break;
    if (norm < better * norm_before) return true;
  }
  std::copy(best_.begin(), best_.end(), displacement.begin());
  norm = evaluate(displacement);
  return false;
}

/// Whole steps, wherever they lead.
bool ContactSolver::take_chances(VectorView inertial, VectorSpan displacement, double& norm,
                                 StepReport& report) {
  return go_until_better(most_chances, displacement, norm, report, [&] {
    find_move(inertial, displacement, norm, report);
    std::copy(displacement.begin(), displacement.end(), kept_.begin());
    std::copy(move_.begin(), move_.end(), direction_.begin());
    double length = 1.0;
    if (!go_clear(length, displacement)) std::copy(kept_.begin(), kept_.end(), displacement.begin());
  });
}

/// Solves for Tresca's friction, whose bounds are those of the present pressures and which is a minimum, with
/// bounds made anew, until the law's own residual is less.
bool ContactSolver::fix_friction(VectorView inertial, VectorSpan displacement, double& norm,
                                 StepReport& report) {
  return go_until_better(most_bounds, displacement, norm, report, [&] {
    for (std::size_t k = 0; k < points_.size(); ++k) {
      const ContactPoint& p = points_[k];
      bounds_[k] = corner_of_[k] < 0 ? p.friction * std::max(0.0, dot(p.normal, p.force)) : 0.0;
    }
    is_bounded_ = true;
    descend(inertial, displacement, 0.1, report);
    is_bounded_ = false;
  });
}

/// Solves with more and more of the friction, from none.
bool ContactSolver::raise_friction(VectorView inertial, VectorSpan displacement, double& norm,
                                   StepReport& report) {
  const double norm_before = norm;
  std::copy(displacement.begin(), displacement.end(), best_.begin());
  for (int part = 0; part <= friction_parts; ++part) {
    friction_share_ = static_cast<double>(part) / friction_parts;
    descend(inertial, displacement, 0.01, report);
  }
  friction_share_ = 1.0;
  norm = evaluate(displacement);
  if (norm < better * norm_before) return true;
  std::copy(best_.begin(), best_.end(), displacement.begin());
  norm = evaluate(displacement);
  return false;
}

/// Goes on from `displacement` until the residual is `part` of what it is there.
void ContactSolver::descend(VectorView inertial, VectorSpan displacement, double part, StepReport& report) {
  double norm = evaluate(displacement);
  merit_ = merit();
  const double least = std::max(part * norm, report.residual_target);
  while (std::isfinite(norm) && norm > least && report.elastic_iterations < max_iterations_) {
    find_move(inertial, displacement, norm, report);
    if (!search(displacement, norm)) return;
  }
}

}  // namespace electret
