#include <algorithm>
#include <cmath>

#include <electret/contact/collision_bound.hpp>
#include <electret/core/vertex_loops.hpp>
#include <electret/dynamics/pins.hpp>
#include <electret/dynamics/stage/contact_solver.hpp>
#include <electret/dynamics/vector_arrays.hpp>
#include <electret/dynamics/vector_sums.hpp>

namespace electret {
namespace {

constexpr int most_ways_out = 20, most_halvings_of_way = 12, most_halvings_out = 30;
constexpr double armijo = 1e-4;
/// Of its residual, which a whole step that nothing is known of but that should lose at least.
constexpr double fall = 0.1;
/// A decrease of up to so many roundings of the merit may be lost in it.
constexpr double most_roundings = 100.0;

}  // namespace

/// Of the way to `target_`, into `way_`.
double ContactSolver::clear_part(VectorView from) {
  surfaces_->cover(from, target_);
  add_scaled(objective_.threads(), target_, -1.0, from, way_);
  return surfaces_->free_part(from, way_);
}

/// δ ← `kept_` and `length` of `direction_`, out of the obstacles and as far as no parts of bodies meet.
/// `length` becomes shorter with the way. False if what is left of it leads into an obstacle.
bool ContactSolver::go_clear(double& length, VectorSpan displacement) {
  Threads& threads = objective_.threads();
  go(length, displacement);
  if (surfaces_ == nullptr) return true;
  put(kept_, from_);
  put(displacement, target_);
  const double part = clear_part(from_);
  if (part >= 1.0) return true;
  length *= part;
  for_vertices(threads, displacement.size(),
               [&](std::size_t i) { displacement[i] = kept_[i] + part * (displacement[i] - kept_[i]); });
  // The straight way to a place on a round obstacle cuts it.
  if (!project(displacement)) return true;
  put(displacement, target_);
  return clear_part(from_) >= 1.0;
}

/// Armijo's condition on the merit with the bounds of friction held, whose slope is about C·direction; or,
/// where the decrease is lost in its rounding, one on the slope. Friction has no potential, so that a
/// residual that halves will do, too. From beyond a kink the next step would lead back: there the merit must
/// be less with the new bounds as well.
bool ContactSolver::is_downhill(double norm, double norm_before, double length, double slope) const {
  const double after = merit(bounds_before_), rounding = rule_.value_rounding(merit_);
  const bool falls = after <= merit_ + armijo * length * slope;
  if (dot(objective_.threads(), law_, direction_) > -0.9 * slope) return falls && merit() <= merit_;
  return falls || norm <= 0.5 * norm_before ||
         (-slope <= most_roundings * rounding && after <= merit_ + rounding);
}

/// Goes along `move_` until that is downhill or, if no length of it is, until the residual falls.
bool ContactSolver::search_among_bodies(VectorSpan displacement, double& norm) {
  Threads& threads = objective_.threads();
  const double norm_before = norm;
  copy_rows(threads, displacement, kept_);
  copy_rows(threads, move_, direction_);
  const double slope = std::min(0.0, dot(threads, law_before_, direction_));
  const auto go = [&](auto&& is_better) {
    double length = 1.0;
    for (int halving = 0; halving <= most_halvings_of_way; ++halving, length *= 0.5) {
      if (!go_clear(length, displacement)) continue;
      norm = evaluate(displacement);
      if (std::isfinite(norm) && is_better(length)) return true;
    }
    return false;
  };
  const auto go_down = [&] {
    return go([&](double length) { return is_downhill(norm, norm_before, length, slope); }) ||
           go([&](double length) { return norm <= (1.0 - fall * length) * norm_before; });
  };
  has_kept_room_ = false;
  const bool found = go_down() || (give_up_room() && go_down());
  if (!found) {
    copy_rows(threads, kept_, displacement);
    norm = evaluate(displacement);
  }
  merit_ = merit();
  if (is_inside()) find_depths();
  return found;
}

void ContactSolver::linearise(HessianKind kind) {
  kind_ = kind;
  is_indefinite_ = false;
  surfaces_->assemble(kind == HessianKind::exact ? PairHessian::exact : PairHessian::clamped,
                      objective_.factor(), place_.size(), pairs_);
  hessian_.linearise(objective_.place(), kind);
}

/// With the exact Hessian; with the clamped one where that is not positive definite. Bodies pass on momentum
/// to each other, so that none is put right.
void ContactSolver::find_move_among_bodies(double norm, double target, StepReport& report) {
  copy_rows(objective_.threads(), law_, law_before_);
  for (std::size_t k = 0; k < points_.size(); ++k) {
    const ContactPoint& p = points_[k];
    bounds_before_[k] = p.bound >= 0.0 ? p.bound : p.friction * std::max(0.0, dot(p.normal, p.force));
  }
  linearise(HessianKind::exact);
  report.counts.add("linear_iterations", solve_linearised(norm, target));
  if (!is_indefinite_) return;
  report.counts.add("clamped_directions", 1);
  copy_rows(objective_.threads(), objective_.gradient(), force_);
  set_zero(objective_.threads(), move_);
  linearise(HessianKind::clamped);
  report.counts.add("linear_iterations", solve_linearised(law_after(0.0), target));
}

/// As `begin`. The pins go to their places at once if nothing is in their way, and so do vertices that are
/// inside an obstacle when the step begins.
double ContactSolver::begin_among_bodies(const StageProblem& problem, std::span<const PairAnchor> anchors,
                                         VectorSpan displacement, StepReport& report) {
  Threads& threads = objective_.threads();
  hessian_.add(&pairs_);
  keeps_room_ = false;
  start_ = problem.start;
  pin_places_ = problem.pin_places;
  hessian_.rigid_motions().begin_step(start_, pin_places_);
  rubs_on_both_ = rubs_on_both();
  // A Hessian that its preconditioner refuses leaves the last answer, which must be one of this step.
  set_zero(threads, solution_);
  copy_rows(threads, problem.inertial, way_);
  put(way_, target_);
  surfaces_->begin_step(start_, target_, anchors);
  objective_.set_potential(surfaces_);
  set_zero(threads, displacement);
  project(displacement);
  put(displacement, target_);
  if (clear_part(start_) < 1.0 && !may_stay_inside(problem, displacement))
    bring_out(problem, displacement, report);
  double norm = evaluate(displacement);
  merit_ = merit();
  keep_room();
  set_off(problem.unforced.empty() ? problem.inertial : problem.unforced, displacement, norm);
  return norm;
}

/// A step that springs have led (`find_way_on_springs`) may end inside obstacles by as much as the tolerance
/// allows. The next one begins there if it is in the way of other parts to be put out at once.
bool ContactSolver::may_stay_inside(const StageProblem& problem, VectorSpan displacement) {
  set_zero(objective_.threads(), displacement);
  copy_rows(objective_.threads(), start_, from_);
  if (!problem.pin_places.empty() && find_pin_ways(problem.pin_places)) return false;
  evaluate(displacement);
  find_depths();
  if (!is_deep()) return true;
  std::fill(depths_.begin(), depths_.end(), 0.0);
  return false;
}

/// How deep vertices are inside obstacles at the last evaluated place.
void ContactSolver::find_depths() {
  for (std::size_t k = 0; k < points_.size(); ++k) {
    const auto i = static_cast<std::size_t>(contacts_.vertices()[k]);
    depths_[k] = std::max(0.0, -contacts_.point(k, place_[i], {}, {}, 1.0, true).distance);
  }
}

/// Whether bodies rub each other and an obstacle.
bool ContactSolver::rubs_on_both() const {
  const auto& all = contacts_.obstacles();
  return surfaces_->has_friction() && std::any_of(all.begin(), all.end(), [](const ContactObstacle& one) {
           return std::any_of(one.friction.begin(), one.friction.end(),
                              [](double friction) { return friction > 0.0; });
         });
}

bool ContactSolver::is_deep() const {
  const double most = most_contact_depth * surfaces_->repulsion().thickness();
  return std::any_of(depths_.begin(), depths_.end(), [&](double depth) { return depth > most; });
}

bool ContactSolver::is_inside() const {
  return std::any_of(depths_.begin(), depths_.end(), [](double depth) { return depth > 0.0; });
}

/// Goes on to `guess`, as far as no parts meet, if the merit is less there. Each vertex goes a part of its
/// own of the way. Where candidates are incomplete for that, because a body's parts then move against each
/// other, all go the same part.
void ContactSolver::set_off(VectorView guess, VectorSpan displacement, double& norm) {
  Threads& threads = objective_.threads();
  const double at_rest = merit_;
  copy_rows(threads, displacement, kept_);
  copy_rows(threads, guess, displacement);
  hessian_.rigid_motions().turn(start_, guess, 1.0, displacement);
  project(displacement);
  put(kept_, from_);
  put(displacement, target_);
  if (const double part = clear_part(from_); part < 1.0) {
    shorten_ways(surfaces_->candidates(), from_, way_, distances_, threads);
    add_scaled(threads, from_, 1.0, way_, place_);
    if (!surfaces_->covers(place_))
      for_vertices(threads, way_.size(), [&](std::size_t i) { way_[i] = part * (target_[i] - from_[i]); });
    add_scaled(threads, kept_, 1.0, way_, displacement);
    hold_pins(system_, displacement);
  }
  norm = evaluate(displacement);
  merit_ = merit();
  if (std::isfinite(norm) && merit_ < at_rest) return;
  copy_rows(threads, kept_, displacement);
  norm = evaluate(displacement);
  merit_ = merit();
}

/// From where the pins are in `from_`. False if they have arrived.
bool ContactSolver::find_pin_ways(VectorView pin_places) {
  set_zero(objective_.threads(), pin_ways_);
  bool moves = false;
  for_pins(system_, [&](const PinRow& at) {
    Vec3& way = pin_ways_[at.vertex];
    way = at.share(pin_places[at.pin] - from_[at.vertex]);
    moves = moves || !(way == Vec3{});
  });
  return moves;
}

/// Moves the pins to their places and vertices out of obstacles, all others along with them, as far at a time
/// as no parts meet.
void ContactSolver::bring_out(const StageProblem& problem, VectorSpan displacement, StepReport& report) {
  Threads& threads = objective_.threads();
  const VectorView pin_places = problem.pin_places;
  for_pins(system_, [&](const PinRow& at) { pins_[at.pin] = problem.start[at.vertex]; });
  if (!pin_places.empty()) pin_places_ = pins_;
  objective_.move_pins(pin_places_);
  set_zero(threads, displacement);
  for (int trial = 0; trial < most_ways_out; ++trial) {
    evaluate(displacement);
    copy_rows(threads, objective_.place(), from_);
    brings_pins_ = !pin_places.empty() && find_pin_ways(pin_places);
    find_move(problem.inertial, displacement, law_size_, report);
    const double length = bring_on(pin_places, displacement);
    brings_pins_ = false;
    if (length < 1.0) continue;
    pin_places_ = pin_places;
    objective_.move_pins(pin_places_);
    copy_rows(threads, displacement, kept_);
    put(kept_, from_);
    if (!project(displacement)) return;
    put(displacement, target_);
    if (clear_part(from_) >= 1.0) return;
    copy_rows(threads, kept_, displacement);
  }
  evaluate(displacement);
  surfaces_->refuse("pins or obstacles that move",
                    "move them more slowly or elsewhere, or use a smaller step",
                    contacts_.vertices().empty() ? 0 : contacts_.vertices().front());
}

/// Goes along `move_`. Returns which part of it.
double ContactSolver::bring_on(VectorView pin_places, VectorSpan displacement) {
  Threads& threads = objective_.threads();
  copy_rows(threads, displacement, kept_);
  copy_rows(threads, pins_, pins_before_);
  add_scaled(threads, from_, 1.0, move_, target_);
  if (brings_pins_) place_pins(system_, pin_places, target_);
  double length = clear_part(from_);
  copy_rows(threads, move_, direction_);
  hold_pins(system_, direction_);
  for (int halving = 0; halving <= most_halvings_out; ++halving, length *= 0.5) {
    add_scaled(threads, kept_, length, direction_, displacement);
    if (brings_pins_)
      for_pins(system_, [&](const PinRow& at) {
        const Vec3& before = pins_before_[at.pin];
        pins_[at.pin] = length < 1.0 ? before + length * (pin_places[at.pin] - before) : pin_places[at.pin];
      });
    if (std::isfinite(evaluate(displacement))) return length;
  }
  return length;
}

}  // namespace electret
