#include <algorithm>
#include <cmath>

#include <electret/contact/collision_bound.hpp>
#include <electret/core/vertex_loops.hpp>
#include <electret/dynamics/pins.hpp>
#include <electret/dynamics/stage/energy_sizes.hpp>
#include <electret/dynamics/stage/stage_loop.hpp>
#include <electret/dynamics/stage/surface_search.hpp>
#include <electret/dynamics/vector_arrays.hpp>
#include <electret/dynamics/vector_sums.hpp>

namespace electret {
namespace {

constexpr int most_halvings = 30, most_pin_moves = 20;
constexpr double armijo = 1e-4;

}  // namespace

SurfaceSearch::SurfaceSearch(StageObjective& objective, StageHessian& hessian, StoppingRule& rule,
                             SurfacePotential& potential, double factor, int max_iterations)
    : objective_(objective),
      hessian_(hessian),
      rule_(rule),
      potential_(potential),
      factor_(factor),
      max_iterations_(max_iterations),
      energy_size_(energy_size(objective.system())),
      distances_(objective.vertex_count()) {
  for (auto* array : {&gradient_, &direction_, &right_hand_side_, &trial_, &target_, &place_, &pin_ways_})
    array->resize(objective.vertex_count());
  pins_.resize(objective.system().pins.size());
}

/// The step starts with what is candidate on the way to y, and goes as far on that way as no parts meet, if
/// that is downhill.
void SurfaceSearch::begin(const StageProblem& problem, std::span<const PairAnchor> anchors,
                          VectorSpan displacement) {
  Threads& threads = objective_.threads();
  copy_rows(threads, problem.inertial, direction_);
  for (const VertexConstraint& c : held_) {
    const auto i = static_cast<std::size_t>(c.vertex);
    direction_[i] = held_ways_[i];
  }
  add_scaled(threads, problem.start, 1.0, direction_, target_);
  if (!problem.pin_places.empty()) place_pins(objective_.system(), problem.pin_places, target_);
  potential_.begin_step(problem.start, target_, anchors);
  objective_.set_potential(&potential_);
  copy_rows(threads, problem.start, place_);
  set_zero(threads, displacement);
  if (find_pin_ways(problem.pin_places, displacement))
    bring_pins(problem, displacement);
  else
    start(problem.start, displacement);
}

/// Each vertex goes a part of its own of the way. Where candidates are incomplete for that, because a body's
/// parts then move against each other, all go the same part.
void SurfaceSearch::start(VectorView from, VectorSpan displacement) {
  Threads& threads = objective_.threads();
  if (const double part = potential_.free_part(from, direction_); part < 1.0) {
    copy_rows(threads, direction_, trial_);
    shorten_ways(potential_.candidates(), from, direction_, distances_, threads);
    add_scaled(threads, from, 1.0, direction_, right_hand_side_);
    if (!potential_.covers(right_hand_side_))
      for_vertices(threads, from.size(), [&](std::size_t i) { direction_[i] = part * trial_[i]; });
  }
  set_zero(threads, displacement);
  value_ = objective_.evaluate(displacement);
  const double at_rest = value_;
  copy_rows(threads, direction_, displacement);
  value_ = objective_.evaluate(displacement);
  if (objective_.is_finite() && value_ < at_rest) return;
  set_zero(threads, displacement);
  value_ = objective_.evaluate(displacement);
}

/// From where the pins are in `place_`, and held vertices after `displacement`. False if they have arrived.
bool SurfaceSearch::find_pin_ways(VectorView pin_places, VectorView displacement) {
  set_zero(objective_.threads(), pin_ways_);
  bool moves = false;
  const auto add = [&](std::size_t vertex, const Vec3& way) {
    pin_ways_[vertex] += way;
    moves = moves || !(way == Vec3{});
  };
  if (!pin_places.empty())
    for_pins(objective_.system(),
             [&](const PinRow& at) { add(at.vertex, at.share(pin_places[at.pin] - place_[at.vertex])); });
  for (const VertexConstraint& c : held_) {
    const auto i = static_cast<std::size_t>(c.vertex);
    add(i, held_ways_[i] - displacement[i]);
  }
  return moves;
}

/// Moves pins and held vertices from the start of the step to their places, all vertices along with them, as
/// far at a time as no parts meet.
void SurfaceSearch::bring_pins(const StageProblem& problem, VectorSpan displacement) {
  for_pins(objective_.system(), [&](const PinRow& at) { pins_[at.pin] = problem.start[at.vertex]; });
  objective_.move_pins(problem.pin_places.empty() ? VectorView{} : VectorView(pins_));
  set_zero(objective_.threads(), displacement);
  value_ = objective_.evaluate(displacement);
  brings_pins_ = true;
  for (int trial = 0; trial < most_pin_moves; ++trial) {
    mark();
    find_pin_ways(problem.pin_places, displacement);
    find_direction(0.1);
    if (bring_pins_on(problem.pin_places, displacement) < 1.0) continue;
    brings_pins_ = false;
    objective_.move_pins(problem.pin_places);
    value_ = objective_.evaluate(displacement);
    return;
  }
  const Index first = held_.empty() ? objective_.system().pins.front() : held_.front().vertex;
  potential_.refuse(held_.empty() ? "pins that move" : "pins or obstacles that move",
                    "move them more slowly or elsewhere, or use a smaller step", first);
}

/// Returns which part of the pins' ways was gone.
double SurfaceSearch::bring_pins_on(VectorView pin_places, VectorSpan displacement) {
  Threads& threads = objective_.threads();
  add_scaled(threads, pin_ways_, 1.0, direction_, pin_ways_);
  keep_candidates(pin_ways_, displacement);
  double length = potential_.free_part(place_, pin_ways_);
  for_pins(objective_.system(), [&](const PinRow& at) { trial_[at.pin] = pins_[at.pin]; });
  copy_rows(threads, displacement, target_);
  for (int halving = 0; halving <= most_halvings; ++halving, length *= 0.5) {
    add_scaled(threads, target_, length, direction_, displacement);
    for (const VertexConstraint& c : held_) {
      const auto i = static_cast<std::size_t>(c.vertex);
      displacement[i] = length < 1.0 ? target_[i] + length * (held_ways_[i] - target_[i]) : held_ways_[i];
    }
    if (!pin_places.empty())
      for_pins(objective_.system(), [&](const PinRow& at) {
        pins_[at.pin] = length < 1.0 ? trial_[at.pin] + length * (pin_places[at.pin] - trial_[at.pin])
                                     : pin_places[at.pin];
      });
    value_ = objective_.evaluate(displacement);
    if (objective_.is_finite()) return length;
  }
  return length;
}

void SurfaceSearch::mark() {
  const double whole = objective_.gradient_norm();
  const StoppingRule::Unsolved left = rule_.unsolved(objective_.gradient(), whole);
  norm_ = left.norm == 0.0 ? whole : left.norm;
  unsolved_share_ = left.norm == 0.0 ? 1.0 : left.share;
  copy_rows(objective_.threads(), objective_.gradient(), gradient_);
  copy_rows(objective_.threads(), objective_.place(), place_);
}

/// As exact as Newton's directions elsewhere (Eisenstat and Walker 1996).
double SurfaceSearch::direction_tolerance(double before) const {
  const double ratio = norm_ / before;
  return unsolved_share_ * std::min(std::max(0.9 * ratio * ratio, 0.3 * rule_.target() / norm_), 0.1);
}

SolveReport SurfaceSearch::solve_for_direction(PairHessian contact, HessianKind elastic, double tolerance) {
  potential_.assemble(contact, factor_, place_.size(), pairs_);
  hessian_.linearise(objective_.place(), elastic);
  for_vertices(objective_.threads(), place_.size(),
               [&](std::size_t i) { right_hand_side_[i] = -gradient_[i]; });
  if (brings_pins_) {
    hessian_.product(pin_ways_, trial_);
    add_scaled(objective_.threads(), right_hand_side_, -1.0, trial_, right_hand_side_);
    hold_pins(objective_.system(), right_hand_side_);
  }
  SolveOptions options;
  options.tolerance = tolerance;
  options.stop_at_negative_curvature = true;
  const SolveReport report = held_.empty() ? hessian_.solve(right_hand_side_, options, direction_)
                                           : hessian_.solve(right_hand_side_, held_, options, direction_);
  if (!held_.empty()) hessian_.expand(direction_);
  counts_.add("linear_iterations", report.iterations);
  return report;
}

/// Newton's direction with the exact Hessian; with the clamped one where that is not positive definite.
void SurfaceSearch::find_direction(double tolerance) {
  const SolveReport exact = solve_for_direction(PairHessian::exact, HessianKind::exact, tolerance);
  if (!exact.negative_curvature && !exact.bad_preconditioner) return;
  counts_.add("clamped_directions", 1);
  solve_for_direction(PairHessian::clamped, HessianKind::clamped, tolerance);
}

/// Makes sure that the candidates are complete at the iterate, after `way`, and between.
void SurfaceSearch::keep_candidates(VectorView way, VectorView displacement) {
  add_scaled(objective_.threads(), place_, 1.0, way, target_);
  if (potential_.cover(place_, target_)) value_ = objective_.evaluate(displacement);
}

/// Armijo's condition on g or, where the expected decrease is lost in the rounding of g, one on the slope.
bool SurfaceSearch::is_better(double value, double length, double slope) const {
  if (!std::isfinite(value) || !objective_.is_finite()) return false;
  if (value <= value_ + armijo * length * slope) return true;
  const double rounding = 1e-9 * std::abs(value_) + 1e-15 * factor_ * energy_size_;
  return std::abs(value - value_) <= rounding &&
         dot(objective_.threads(), objective_.gradient(), direction_) <= -0.9 * slope;
}

bool SurfaceSearch::search(VectorSpan displacement) {
  Threads& threads = objective_.threads();
  const double slope = dot(threads, gradient_, direction_);
  if (!(slope < 0.0)) return false;
  double length = potential_.free_part(place_, direction_);
  for (int halving = 0; halving <= most_halvings; ++halving, length *= 0.5) {
    add_scaled(threads, displacement, length, direction_, trial_);
    const double value = objective_.evaluate(trial_);
    if (!is_better(value, length, slope)) continue;
    copy_rows(threads, trial_, displacement);
    value_ = value;
    return true;
  }
  return false;
}

/// Tells the rule what bodies push each other with.
void SurfaceSearch::meet() {
  rule_.push_by_potential(objective_);
  rule_.meet(objective_.potential_gradient_norm(), factor_ * potential_.rounding(objective_.place()));
}

StepReport SurfaceSearch::solve(const StageProblem& problem, std::span<const PairAnchor> anchors,
                                VectorSpan displacement) {
  counts_ = {};
  hessian_.add(&pairs_);
  begin(problem, anchors, displacement);
  meet();
  double before = 0.0;
  StepReport report = iterate_stage(objective_, rule_, max_iterations_, [&](int done) {
    mark();
    find_direction(direction_tolerance(done == 0 ? norm_ : before));
    before = norm_;
    keep_candidates(direction_, displacement);
    const bool has_moved = search(displacement);
    if (!has_moved) value_ = objective_.evaluate(displacement);
    meet();
    return has_moved;
  });
  report.counts = counts_;
  report.contact.is_unconverged = report.failed || report.capped;
  return report;
}

int SurfaceSearch::descend(double target, int most, VectorSpan displacement, StepCounts& counts) {
  counts_ = {};
  // As in a run that begins here: a Hessian that is refused leaves it.
  set_zero(objective_.threads(), direction_);
  hessian_.add(&pairs_);
  value_ = objective_.evaluate(displacement);
  const auto left = [&] { return rule_.unsolved(objective_.gradient(), objective_.gradient_norm()).norm; };
  double before = left();
  int done = 0;
  while (done < most && objective_.is_finite() && left() > target) {
    ++done;
    mark();
    find_direction(direction_tolerance(before));
    before = norm_;
    keep_candidates(direction_, displacement);
    if (search(displacement)) continue;
    value_ = objective_.evaluate(displacement);
    break;
  }
  counts.add(counts_);
  return done;
}

}  // namespace electret
