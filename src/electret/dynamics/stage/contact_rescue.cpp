#include <algorithm>
#include <cmath>

#include <electret/dynamics/stage/contact_solver.hpp>

namespace electret {
namespace {

/// Whole steps and bounds of friction that are tried, and parts in which friction is raised.
constexpr int most_chances = 6, most_bounds = 8, friction_parts = 4;
/// By how much springs in the obstacles' place become stiffer, and how much at most.
constexpr double spring_raise = 10.0, most_raise = 1e3;
/// So many iterations of the law's own solve may pass without halving the residual: at first, and where
/// springs have led.
constexpr int most_idle = 40, most_idle_led = 8;
/// States that change so often in the rounds before vertices may yield alternate.
constexpr int most_changes = 3;
/// A place whose residual is less than this part of the present one is worth going to.
constexpr double better = 0.9;

}  // namespace

/// Ways on from a place from which no length of a step leads down: three that begin there and, where bodies
/// touch, springs. These come first where friction acts on both sides of a body, because the three may press
/// parts together until nothing moves. False if none is better.
bool ContactSolver::find_way(VectorView inertial, VectorSpan displacement, double& norm, StepReport& report) {
  if (surfaces_ != nullptr && !is_led_) keep_clear(displacement, norm);
  const bool found = (!rubs_on_both_ && !is_led_ &&
                      (take_chances(inertial, displacement, norm, report) ||
                       fix_friction(inertial, displacement, norm, report) ||
                       raise_friction(inertial, displacement, norm, report))) ||
                     (surfaces_ != nullptr && find_way_on_springs(displacement, norm, report));
  merit_ = merit();
  return found;
}

/// To where a way on was looked for.
void ContactSolver::go_back(VectorSpan displacement, double& norm) {
  std::copy(best_.begin(), best_.end(), displacement.begin());
  norm = evaluate(displacement);
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
  go_back(displacement, norm);
  return false;
}

/// Puts springs in the obstacles' place, around what the law has them push with here.
void ContactSolver::set_springs(double raise) {
  springs_->begin(raise);
  for (std::size_t k = 0; k < points_.size(); ++k) {
    if (state(k) == ContactState::free) continue;
    const bool yields = !yields_.empty() && yields_[k] != 0;
    if (corner_of_[k] < 0) {
      springs_->push(k, 0, (1.0 / factor_) * (points_[k].force - residuals_[k].value), yields);
      continue;
    }
    const auto c = static_cast<std::size_t>(corner_of_[k]);
    const std::array<Vec3, most_walls> forces = corner_forces(corners_[c], corner_residuals_[c].mode);
    for (std::size_t w = 0; w < static_cast<std::size_t>(corners_[c].count); ++w)
      springs_->push(k, w, (1.0 / factor_) * forces[w], yields);
  }
  springs_->settle();
}

void ContactSolver::descend_on_springs(double target, VectorSpan displacement, StepReport& report) {
  surfaces_->add(springs_.get());
  const int most = max_iterations_ - report.elastic_iterations;
  report.elastic_iterations += std::max(1, descent_->descend(target, most, displacement, report.counts));
  surfaces_->add(nullptr);
  hessian_.add(&pairs_);
}

/// Whether the law's own solve hardly gets on, where springs may lead.
bool ContactSolver::crawls(double norm) {
  if (!rubs_on_both_ && !is_led_) return false;
  if (norm < 0.5 * least_norm_) {
    least_norm_ = norm;
    idle_ = 0;
  }
  return ++idle_ > (is_led_ ? most_idle_led : most_idle);
}

void ContactSolver::keep_clear(VectorView displacement, double norm) {
  std::copy(displacement.begin(), displacement.end(), clear_.begin());
  clear_norm_ = norm;
}

/// Puts a step that springs have led, and that got no farther, to the best place that no vertex is deep
/// inside an obstacle in. At worst that is where the law's own solve got no farther, which has gone down from
/// the step's beginning; never that beginning itself, because bodies would hang there, without their
/// velocities.
void ContactSolver::end_outside(VectorSpan displacement, double& norm, StepReport& report) {
  if (!is_deep() && (norm <= report.residual_target || norm <= clear_norm_)) return;
  std::fill(depths_.begin(), depths_.end(), 0.0);
  std::copy(clear_.begin(), clear_.end(), displacement.begin());
  norm = evaluate(displacement);
  report.capped = norm > report.residual_target;
}

/// Minima with springs in the obstacles' place, each around the pushes that the last one has led to, until
/// the law's residual is much less. Every one of them is a descent that cannot get stuck, whereas the way to
/// the law's own solution has no function that falls along it. They begin where the step did, because the
/// law's own solve may have pressed parts together until nothing moves; and go on from where they ended, for
/// the same reason. Where they come nearer slowly, springs are made stiffer.
bool ContactSolver::find_way_on_springs(VectorSpan displacement, double& norm, StepReport& report) {
  std::fill(depths_.begin(), depths_.end(), 0.0);
  if (!is_led_) {
    std::copy(outside_.begin(), outside_.end(), led_.begin());
    springs_->clear();
    raise_ = 1.0;
  }
  std::copy(led_.begin(), led_.end(), displacement.begin());
  norm = evaluate(displacement);
  const double norm_before = norm;
  double least = norm;
  forget_changes();
  while (report.elastic_iterations < max_iterations_) {
    // The first minimum is around no pushes: what the law has them push with here is far from the truth.
    if (is_led_) set_springs(raise_);
    is_led_ = true;
    const double last = norm;
    descend_on_springs(std::max(0.03 * least, 0.3 * report.residual_target), displacement, report);
    norm = evaluate(displacement);
    if (!std::isfinite(norm)) return false;
    if (norm > 0.5 * last) raise_ = std::min(spring_raise * raise_, most_raise);
    least = std::min(least, norm);
    note_changes();
    if (raise_ == most_raise && yield()) norm = evaluate(displacement);
    if (norm > std::max(0.1 * norm_before, report.residual_target)) continue;
    find_depths();
    if (norm <= report.residual_target && is_deep()) continue;
    break;
  }
  find_depths();
  std::copy(displacement.begin(), displacement.end(), led_.begin());
  if (!is_deep() && norm < clear_norm_) keep_clear(displacement, norm);
  least_norm_ = norm;
  idle_ = 0;
  return norm <= report.residual_target || report.elastic_iterations < max_iterations_;
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
  go_back(displacement, norm);
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

void ContactSolver::forget_changes() {
  std::fill(changes_.begin(), changes_.end(), 0);
  for (std::size_t k = 0; k < states_before_.size(); ++k) states_before_[k] = state(k);
}

void ContactSolver::note_changes() {
  for (std::size_t k = 0; k < states_before_.size(); ++k)
    if (const ContactState now = state(k); now != states_before_[k]) states_before_[k] = now, ++changes_[k];
}

/// Lets vertices slide that ought to stick and whose states alternate. False if there is none.
bool ContactSolver::yield() {
  bool is_any = false;
  for (std::size_t k = 0; k < yields_.size(); ++k) {
    if (yields_[k] != 0 || changes_[k] < most_changes || !contacts_.sticks(k)) continue;
    yields_[k] = 1;
    is_any = true;
  }
  if (is_any) forget_changes();
  return is_any;
}

}  // namespace electret
