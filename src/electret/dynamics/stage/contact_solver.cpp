#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <electret/core/transverse.hpp>
#include <electret/core/vertex_loops.hpp>
#include <electret/dynamics/pins.hpp>
#include <electret/dynamics/stage/contact_solver.hpp>
#include <electret/dynamics/stage/diagonal_sink.hpp>
#include <electret/dynamics/vector_sums.hpp>

namespace electret {
namespace {

/// Inner iterations, and the first that may shorten its step: states that alternate need it.
constexpr int most_rounds = 16, first_short_round = 3;
constexpr std::array step_lengths{1.0, 0.7, 0.5, 0.3, 0.15, 0.07, 0.03};
constexpr int most_shortenings = 10, most_ways_of_parts = 4;
/// Of the extent of a stiff part: nearer to an obstacle, its vertices are about to touch it.
constexpr double near_part = 0.01;
/// Of the springs in an obstacle's place, by a vertex' own stiffness.
constexpr double spring_stiffness = 10.0;
/// Vertices may yield from that round on, so often in one outer iteration.
constexpr int first_yielding_round = 6, most_yields = 8;
/// Of the largest friction on a slide.
double friction_work_of(const ContactPoint& p) {
  if (p.sticks) return 0.0;
  if (p.bound >= 0.0) return p.bound * norm(transverse(p.normal, p.slide));
  return p.friction * std::max(0.0, dot(p.normal, p.force)) * norm(transverse(p.normal, p.slide));
}

double squared(double x) {
  return x * x;
}

/// C, longer by what is beyond a wall.
Vec3 whole_value(const CornerResidual& residual, double scale, const Vec3& normal) {
  if (residual.excess == 0.0) return residual.value;
  const double length = norm(residual.value), excess = scale * residual.excess;
  return length > 0.0 ? ((length + excess) / length) * residual.value : -excess * normal;
}

/// As if each wall were the only one but for the force, of which each has what its normal takes.
double friction_work_of(const CornerPoint& corner) {
  double work = 0.0;
  for (std::size_t k = 0; k < static_cast<std::size_t>(corner.count); ++k) {
    ContactPoint wall = corner.walls[k];
    const Vec3 way = corner.way_from(k);
    if (wall.distance > wall.rounding || way == Vec3{}) continue;
    if (corner.held_count > 0) wall.force = (dot(way, wall.force) / squared_norm(way)) * wall.normal;
    work += friction_work_of(wall);
  }
  return work;
}

}  // namespace

ContactSolver::ContactSolver(System& system, StageObjective& objective, StageHessian& hessian,
                             StoppingRule& rule, ContactSet& contacts, double factor, int max_iterations,
                             SurfacePotential* surfaces)
    : system_(system),
      objective_(objective),
      hessian_(hessian),
      rule_(rule),
      contacts_(contacts),
      parts_(system),
      factor_(factor),
      max_iterations_(max_iterations),
      surfaces_(surfaces) {
  const std::size_t n = objective.vertex_count(), count = contacts.vertices().size();
  std::vector<double> diagonal(system.masses().begin(), system.masses().end());
  DiagonalSink sink(diagonal, factor);
  for (const auto& energy : system.elastic) energy->add_majoriser(sink);
  const std::vector<double> stiffness = diagonal;
  for (const Index i : contacts.vertices()) scales_.push_back(diagonal[static_cast<std::size_t>(i)]);
  if (!hessian.rigid_motions().is_empty()) {
    own_scales_ = scales_;
    hessian.rigid_motions().limit_to_masses(diagonal);
    const std::vector<double> extents = hessian.rigid_motions().extents(system.assembly.rest_positions);
    for (const Index i : contacts.vertices()) {
      part_scales_.push_back(diagonal[static_cast<std::size_t>(i)]);
      near_.push_back(near_part * extents[static_cast<std::size_t>(i)]);
    }
  }
  for (auto* array : {&place_, &kept_, &best_, &move_, &direction_, &force_, &step_, &step_force_,
                      &right_hand_side_, &solution_, &law_})
    array->resize(n);
  points_.resize(count);
  residuals_.resize(count);
  forces_.resize(count);
  modes_.resize(count);
  corner_of_.resize(count, -1);
  bounds_.resize(count);
  depths_.resize(count, 0.0);
  had_no_room_.resize(count, 0);
  constraints_.reserve(count);
  const bool any_sticks = std::any_of(
      contacts.obstacles().begin(), contacts.obstacles().end(), [](const ContactObstacle& obstacle) {
        return std::any_of(obstacle.friction.begin(), obstacle.friction.end(),
                           [](double friction) { return std::isinf(friction); });
      });
  if (any_sticks) yields_.resize(count), changes_.resize(count), states_before_.resize(count);
  if (surfaces_ == nullptr) return;
  bounds_before_.resize(count);
  std::vector<double> springs;
  for (const Index i : contacts.vertices())
    springs.push_back(spring_stiffness / factor * stiffness[static_cast<std::size_t>(i)]);
  springs_ = std::make_unique<ContactSprings>(contacts, std::move(springs));
  descent_ = std::make_unique<SurfaceSearch>(objective, hessian, rule, *surfaces, factor, max_iterations);
  for (auto* array : {&from_, &way_, &target_, &law_before_, &pin_ways_, &outside_, &led_, &clear_})
    array->resize(n);
  for (auto* array : {&pins_, &pins_before_}) array->resize(system.pins.size());
  distances_.resize(n);
}

/// ‖C‖ at `displacement`; sets what each vertex sees, its residual and g.
double ContactSolver::evaluate(VectorView displacement) {
  if (surfaces_ != nullptr) {
    put(displacement, target_);
    surfaces_->cover(target_, target_);
  }
  value_ = objective_.evaluate(displacement);
  contacts_.look(objective_.place());
  std::copy(objective_.place().begin(), objective_.place().end(), place_.begin());
  std::copy(objective_.gradient().begin(), objective_.gradient().end(), force_.begin());
  std::fill(move_.begin(), move_.end(), Vec3{});
  find_corners();
  const double norm = law_after(0.0);
  if (!keeps_room_ || !takes_room()) return norm;
  has_kept_room_ = true;
  return std::numeric_limits<double>::infinity();
}

bool ContactSolver::has_room(std::size_t k) const {
  return corner_of_[k] < 0 || !(corner_residuals_[static_cast<std::size_t>(corner_of_[k])].excess > 0.0);
}

/// Whether walls leave no place to a vertex that had one where the step begins.
bool ContactSolver::takes_room() const {
  for (std::size_t k = 0; k < corner_of_.size(); ++k)
    if (had_no_room_[k] == 0 && !has_room(k)) return true;
  return false;
}

/// From a place in a slot between two walls that are too near to each other, the walls' edges are not seen,
/// where the vertex would rest. Such places are not gone to. Call it where the step begins.
void ContactSolver::keep_room() {
  for (std::size_t k = 0; k < corner_of_.size(); ++k) had_no_room_[k] = has_room(k) ? 0 : 1;
  keeps_room_ = true;
  has_kept_room_ = false;
}

/// Goes anywhere from now on. False if that opens no way.
bool ContactSolver::give_up_room() {
  if (!keeps_room_ || !has_kept_room_) return false;
  keeps_room_ = false;
  return true;
}

/// Tells the rule what contact pushes with, and takes its target.
void ContactSolver::meet(StepReport& report, StallWatch& watch) {
  double squares = squared(objective_.potential_gradient_norm()), roundings = 0.0;
  for (std::size_t k = 0; k < points_.size(); ++k) {
    if (state(k) == ContactState::free) continue;
    const ContactPoint& wall =
        corner_of_[k] < 0 ? points_[k] : corners_[static_cast<std::size_t>(corner_of_[k])].walls[0];
    squares += squared_norm(wall.force);
    rule_.push(static_cast<std::size_t>(contacts_.vertices()[k]), wall.force);
    roundings += squared(scales_[k] * wall.rounding);
  }
  const double pairs = surfaces_ != nullptr ? factor_ * surfaces_->rounding(objective_.place()) : 0.0;
  rule_.push_by_potential(objective_);
  rule_.meet(std::sqrt(squares), std::sqrt(roundings + squared(pairs)));
  report.residual_target = rule_.target();
  watch.allow(rule_.unsolved(law_, law_size_).rounding);
}

/// Numbers the vertices that see several walls or are held.
void ContactSolver::find_corners() {
  std::size_t count = 0;
  for (std::size_t k = 0; k < corner_of_.size(); ++k)
    corner_of_[k] = contacts_.is_in_corner(k) ? static_cast<Index>(count++) : -1;
  if (corners_.size() < count) corners_.resize(count), corner_residuals_.resize(count);
}

/// ‖C‖ of the linearised problem after `length` of the Newton step; sets points and residuals.
double ContactSolver::law_after(double length) {
  Threads& threads = objective_.threads();
  if (length == 0.0)
    std::copy(force_.begin(), force_.end(), law_.begin());
  else
    add_scaled(threads, force_, length, step_force_, law_);
  const std::span<const Index> vertices = contacts_.vertices();
  for_vertices(threads, vertices.size(), [&](std::size_t k) {
    const auto i = static_cast<std::size_t>(vertices[k]);
    const Vec3 move = length == 0.0 ? move_[i] : move_[i] + length * step_[i];
    if (corner_of_[k] >= 0) {
      const auto c = static_cast<std::size_t>(corner_of_[k]);
      corners_[c] = contacts_.corner(k, place_[i], move, law_[i], scales_[k], true);
      for (ContactPoint& wall : corners_[c].walls) weaken(k, wall);
      corner_residuals_[c] = corner_residual(corners_[c]);
      law_[i] = whole_value(corner_residuals_[c], scales_[k], corners_[c].walls[0].normal);
      return;
    }
    points_[k] = contacts_.point(k, place_[i], move, law_[i], scales_[k], true);
    weaken(k, points_[k]);
    if (is_bounded_) points_[k].bound = bounds_[k];
    residuals_[k] = contact_residual(points_[k]);
    law_[i] = residuals_[k].value;
  });
  law_size_ = norm(threads, law_);
  return rule_.unsolved(law_, law_size_).norm;
}

/// To the present share of friction.
void ContactSolver::weaken(std::size_t k, ContactPoint& wall) const {
  if (friction_share_ < 1.0 || (!yields_.empty() && yields_[k] != 0)) let_slide(wall);
  wall.friction *= friction_share_;
}

ContactState ContactSolver::state(std::size_t k) const {
  return corner_of_[k] < 0 ? residuals_[k].state
                           : corner_residuals_[static_cast<std::size_t>(corner_of_[k])].mode.state;
}

/// The constraints, the prescribed displacements in `step_` and the right-hand sides of free vertices and
/// those that touch.
bool ContactSolver::reduce() {
  std::transform(force_.begin(), force_.end(), right_hand_side_.begin(), [](const Vec3& f) { return -f; });
  std::fill(step_.begin(), step_.end(), Vec3{});
  constraints_.clear();
  bool prescribes = false;
  for (std::size_t k = 0; k < points_.size(); ++k) {
    if (state(k) == ContactState::free) continue;
    const Index vertex = contacts_.vertices()[k];
    const auto i = static_cast<std::size_t>(vertex);
    const auto c = static_cast<std::size_t>(std::max<Index>(corner_of_[k], 0));
    const ReducedContact reduced =
        corner_of_[k] >= 0
            ? reduce_corner(vertex, corners_[c], corner_residuals_[c])
            : reduce_contact(vertex, points_[k], residuals_[k], contact_jacobian(points_[k], residuals_[k]));
    constraints_.push_back(reduced.constraint);
    step_[i] = reduced.prescribed;
    prescribes = prescribes || !(step_[i] == Vec3{});
    const auto& r = reduced.right_hand_side;
    right_hand_side_[i] = {r[0], r[1], r[2]};
  }
  if (!brings_pins_) return prescribes;
  for_pins(system_,
           [&](const PinRow& at) { step_[at.vertex] += pin_ways_[at.vertex] - at.share(move_[at.vertex]); });
  return true;
}

/// A semismooth Newton step of the linearised problem, into `step_` and `step_force_`. Returns Krylov
/// iterations.
int ContactSolver::find_step(double tolerance) {
  if (reduce()) {
    hessian_.expect(constraints_);
    hessian_.product(step_, step_force_);
    std::size_t next = 0;
    for (std::size_t i = 0; i < step_.size(); ++i) {
      const Vec3& pull = step_force_[i];
      if (next < constraints_.size() && constraints_[next].vertex == static_cast<Index>(i)) {
        const VertexConstraint& constraint = constraints_[next++];
        for (int c = 0; c < constraint.columns; ++c)
          right_hand_side_[i][c] -= dot(constraint.test[static_cast<std::size_t>(c)], pull);
      } else {
        right_hand_side_[i] -= objective_.free()[i] * pull;
      }
    }
  }
  SolveOptions options;
  options.tolerance = tolerance;
  options.stop_at_negative_curvature = true;
  const SolveReport report = hessian_.solve(right_hand_side_, constraints_, options, solution_);
  hessian_.expand(solution_);
  add_scaled(objective_.threads(), step_, 1.0, solution_, step_);
  hessian_.product(step_, step_force_);
  hold_pins(system_, step_force_);
  // GMRES does not tell of negative curvature.
  if (surfaces_ != nullptr)
    is_indefinite_ = report.negative_curvature || report.bad_preconditioner ||
                     dot(objective_.threads(), step_, step_force_) < 0.0;
  return report.iterations;
}

/// The step length of least ‖C‖, which becomes `norm`. Points and residuals are those after it.
double ContactSolver::best_length(double& norm) {
  double best = step_lengths.front();
  norm = law_after(best);
  for (std::size_t k = 1; k < step_lengths.size(); ++k)
    if (const double other = law_after(step_lengths[k]); other < norm) norm = other, best = step_lengths[k];
  if (best != step_lengths.back()) law_after(best);
  return best;
}

/// Solves the linearised problem by semismooth Newton steps until ‖C‖ ≤ `target`; the sum of the steps is
/// `move_`.
int ContactSolver::solve_linearised(double norm, double target) {
  int iterations = 0, yields = 0;
  forget_changes();
  for (int round = 0; round < most_rounds && norm > target; ++round) {
    const double share = norm < law_size_ ? norm / law_size_ : 1.0;
    iterations += find_step(share * std::clamp(0.3 * target / norm, 1e-8, 0.1));
    if (is_indefinite_ && kind_ == HessianKind::exact) break;
    double length = 1.0;
    if (round < first_short_round)
      norm = law_after(length);
    else
      length = best_length(norm);
    add_scaled(objective_.threads(), move_, length, step_, move_);
    add_scaled(objective_.threads(), force_, length, step_force_, force_);
    note_changes();
    if (round >= first_yielding_round && norm > target && yields < most_yields && yield())
      norm = law_after(0.0), round = -1, ++yields;
    if (!std::isfinite(norm)) break;
  }
  return iterations;
}

/// g and the work of the largest friction, which a step must not increase. If `bounds` are given, they are
/// the largest frictions of vertices at one wall.
double ContactSolver::merit(ScalarView bounds) const {
  return value_ + sum_over_vertices(objective_.threads(), points_.size(), [&](std::size_t k) {
           if (corner_of_[k] >= 0) return friction_work_of(corners_[static_cast<std::size_t>(corner_of_[k])]);
           if (bounds.empty()) return friction_work_of(points_[k]);
           ContactPoint point = points_[k];
           point.bound = bounds[k];
           return friction_work_of(point);
         });
}

/// The vertices' places after `displacement`.
void ContactSolver::put(VectorView displacement, VectorSpan place) const {
  for_vertices(objective_.threads(), displacement.size(),
               [&](std::size_t i) { place[i] = start_[i] + displacement[i]; });
  if (!pin_places_.empty()) place_pins(system_, pin_places_, place);
}

/// Moves vertices that are deeper inside an obstacle than `depths_` to its surface. False if there are none.
bool ContactSolver::project(VectorSpan displacement) {
  put(displacement, place_);
  contacts_.look(place_);
  const double moved = sum_over_vertices(objective_.threads(), points_.size(), [&](std::size_t k) {
    const auto i = static_cast<std::size_t>(contacts_.vertices()[k]);
    if (contacts_.is_in_corner(k)) {
      CornerPoint corner = contacts_.corner(k, place_[i], {}, {}, 1.0, true);
      for (ContactPoint& wall : corner.walls) wall.friction = 0.0, wall.sticks = false;
      if (depths_[k] > 0.0 && corner.walls[0].distance >= -depths_[k]) return 0.0;
      const Vec3 out = corner_residual(corner).value;
      displacement[i] -= out;
      return out == Vec3{} ? 0.0 : 1.0;
    }
    const ContactPoint p = contacts_.point(k, place_[i], {}, {}, 1.0, true);
    const bool is_inside = p.distance < -depths_[k];
    if (is_inside) displacement[i] -= p.distance * p.normal;
    return is_inside ? 1.0 : 0.0;
  });
  return moved > 0.0;
}

/// δ ← `kept_` and `length` of `direction_`, out of the obstacles.
void ContactSolver::go(double length, VectorSpan displacement) {
  add_scaled(objective_.threads(), kept_, length, direction_, displacement);
  if (!hessian_.rigid_motions().is_empty()) {
    put(kept_, place_);
    hessian_.rigid_motions().turn(place_, direction_, length, displacement);
    bring_out_stiff_parts(displacement);
  }
  project(displacement);
}

/// Each as a whole, by its deepest vertex: vertices alone would be pressed into it. Some tries are enough for
/// walls that meet at right angles.
void ContactSolver::bring_out_stiff_parts(VectorSpan displacement) {
  const RigidMotions& motions = hessian_.rigid_motions();
  shifts_.resize(motions.count());
  deepest_.resize(motions.count());
  for (int trial = 0; trial < most_ways_of_parts; ++trial) {
    put(displacement, place_);
    contacts_.look(place_);
    std::fill(shifts_.begin(), shifts_.end(), Vec3{});
    std::fill(deepest_.begin(), deepest_.end(), 0.0);
    bool is_any = false;
    for (std::size_t k = 0; k < points_.size(); ++k) {
      const Index vertex = contacts_.vertices()[k], part = motions.free_part_of(vertex);
      if (part < 0) continue;
      const ContactPoint p = contacts_.point(k, place_[static_cast<std::size_t>(vertex)], {}, {}, 1.0, true);
      double& deepest = deepest_[static_cast<std::size_t>(part)];
      if (-p.distance <= std::max(deepest, depths_[k])) continue;
      deepest = -p.distance;
      shifts_[static_cast<std::size_t>(part)] = deepest * p.normal;
      is_any = true;
    }
    if (!is_any) return;
    motions.shift(shifts_, displacement);
  }
}

/// Goes along `move_` until the merit does not grow or the residual halves. False if no step does.
bool ContactSolver::search(VectorSpan displacement, double& norm) {
  if (surfaces_ != nullptr) return search_among_bodies(displacement, norm);
  const double merit_before = merit_, norm_before = norm;
  std::copy(displacement.begin(), displacement.end(), kept_.begin());
  std::copy(move_.begin(), move_.end(), direction_.begin());
  has_kept_room_ = false;
  do {
    double length = 1.0;
    for (int halving = 0; halving <= most_shortenings; ++halving, length *= 0.5) {
      go(length, displacement);
      norm = evaluate(displacement);
      merit_ = merit();
      if (!std::isfinite(norm)) continue;
      if (norm <= 0.5 * norm_before || merit_ <= merit_before + rule_.value_rounding(merit_before))
        return true;
    }
  } while (give_up_room());
  std::copy(kept_.begin(), kept_.end(), displacement.begin());
  norm = evaluate(displacement);
  merit_ = merit();
  return false;
}

double ContactSolver::begin(const StageProblem& problem, VectorSpan displacement) {
  start_ = problem.start;
  pin_places_ = problem.pin_places;
  hessian_.rigid_motions().begin_step(start_, pin_places_);
  std::fill(displacement.begin(), displacement.end(), Vec3{});
  project(displacement);
  keeps_room_ = false;
  const double at_rest = evaluate(displacement);
  keep_room();
  std::copy(displacement.begin(), displacement.end(), kept_.begin());
  const VectorView guess = problem.unforced.empty() ? problem.inertial : problem.unforced;
  std::copy(guess.begin(), guess.end(), displacement.begin());
  if (!hessian_.rigid_motions().is_empty()) {
    hessian_.rigid_motions().turn(start_, guess, 1.0, displacement);
    bring_out_stiff_parts(displacement);
  }
  project(displacement);
  const double onwards = evaluate(displacement);
  if (std::isfinite(onwards) && !(onwards > at_rest)) return onwards;
  std::copy(kept_.begin(), kept_.end(), displacement.begin());
  return evaluate(displacement);
}

/// The law weighs a vertex' place against the force on it by c. Beside how a push on it moves its part, a
/// stiff vertex' own stiffness is so large that inner iterations alternate between states. Far from obstacles
/// it has to be: where a part is still stretched, its forces would count as pushes by an obstacle far away.
void ContactSolver::choose_scales() {
  for (std::size_t k = 0; k < near_.size(); ++k) {
    const double distance = corner_of_[k] < 0
                                ? points_[k].distance
                                : corners_[static_cast<std::size_t>(corner_of_[k])].walls[0].distance;
    scales_[k] = distance <= near_[k] ? part_scales_[k] : own_scales_[k];
  }
}

/// The move of an outer iteration, into `move_`.
void ContactSolver::find_move(VectorView inertial, VectorView displacement, double norm, StepReport& report) {
  ++report.elastic_iterations;
  choose_scales();
  const double target = std::max(0.02 * norm, 0.3 * report.residual_target);
  if (surfaces_ != nullptr) return find_move_among_bodies(norm, target, report);
  hessian_.linearise(objective_.place());
  report.counts.add("linear_iterations", solve_linearised(norm, target));
  parts_.conserve_momentum(displacement, inertial, move_, constraints_);
}

StepReport ContactSolver::solve(const StageProblem& problem, VectorSpan displacement,
                                std::span<const PairAnchor> anchors) {
  StepReport report;
  report.residual_target = rule_.target();
  StallWatch watch(0.0);
  std::fill(depths_.begin(), depths_.end(), 0.0);
  is_led_ = false;
  std::fill(yields_.begin(), yields_.end(), char{0});
  double norm = surfaces_ != nullptr ? begin_among_bodies(problem, anchors, displacement, report)
                                     : begin(problem, displacement);
  merit_ = merit();
  if (surfaces_ != nullptr) std::copy(displacement.begin(), displacement.end(), outside_.begin());
  least_norm_ = norm;
  idle_ = 0;
  meet(report, watch);
  while (std::isfinite(norm) && norm > report.residual_target && !watch.stalled(norm)) {
    if (report.elastic_iterations == max_iterations_) {
      report.capped = true;
      break;
    }
    find_move(problem.inertial, displacement, norm, report);
    const bool found = search(displacement, norm);
    meet(report, watch);
    if (is_led_ && norm < clear_norm_ && !is_deep()) keep_clear(displacement, norm);
    if (found && !crawls(norm)) continue;
    const bool leads = find_way(problem.inertial, displacement, norm, report);
    meet(report, watch);
    if (leads) continue;
    // No better place was found: more iterations would not help.
    report.capped = surfaces_ == nullptr || norm > rule_.unsolved(law_, law_size_).rounding;
    break;
  }
  if (is_led_) end_outside(displacement, norm, report);
  report.residual = norm;
  report.failed = !std::isfinite(norm);
  report.contact.is_unconverged = report.failed || report.capped;
  if (const auto yielding = std::count(yields_.begin(), yields_.end(), char{1}); yielding > 0)
    report.counts.add("yielding_contacts", yielding);
  finish(report.contact);
  return report;
}

namespace {

/// What a vertex in a corner does: it slides if it slides on a wall that pushes it, even if another one takes
/// it along.
ContactState motion_in(const CornerPoint& corner, const CornerMode& mode) {
  if (mode.state == ContactState::free) return ContactState::free;
  const std::array<Vec3, most_walls> parts = corner_forces(corner, mode);
  ContactState motion = ContactState::stick;
  for (std::size_t w = 0; w < static_cast<std::size_t>(corner.count); ++w)
    motion = std::max(motion, state_on_wall(corner, w, parts[w]));
  return motion;
}

/// A step that does not meet the law may end with a wall that would pull. None does.
bool pulls(const Vec3& normal, const Vec3& force) {
  return dot(normal, force) < 0.0;
}

}  // namespace

void ContactSolver::finish(ContactCounts& counts) {
  for (std::size_t k = 0; k < points_.size(); ++k) {
    const bool is_corner = corner_of_[k] >= 0;
    const auto c = static_cast<std::size_t>(std::max<Index>(corner_of_[k], 0));
    const std::span<const ContactPoint> walls =
        is_corner ? corners_[c].all() : std::span<const ContactPoint>(&points_[k], 1);
    forces_[k] = walls[0].force;
    modes_[k] = is_corner ? corner_residuals_[c].mode : CornerMode{residuals_[k].state, 1U, 0};
    const ContactState state = is_corner ? motion_in(corners_[c], modes_[k]) : modes_[k].state;
    counts.sticking += state == ContactState::stick ? 1 : 0;
    counts.slipping += state == ContactState::slip ? 1 : 0;
    for (const ContactPoint& wall : walls) counts.penetration = std::max(counts.penetration, -wall.distance);
  }
}

void ContactSolver::tell(double factor) const {
  contacts_.forget_parts();
  for (std::size_t k = 0; k < forces_.size(); ++k) {
    const bool is_pulled = corner_of_[k] < 0 && pulls(points_[k].normal, forces_[k]);
    contacts_.states()[k] = is_pulled ? ContactState::free : modes_[k].state;
    contacts_.forces()[k] =
        contacts_.states()[k] == ContactState::free ? Vec3{} : (1.0 / factor) * forces_[k];
    if (corner_of_[k] < 0 || modes_[k].state == ContactState::free) continue;
    const CornerPoint& corner = corners_[static_cast<std::size_t>(corner_of_[k])];
    std::array<Vec3, most_walls> parts = corner_forces(corner, modes_[k]);
    std::array<ContactState, most_walls> states{};
    for (std::size_t w = 0; w < static_cast<std::size_t>(corner.count); ++w) {
      if (pulls(corner.walls[w].normal, parts[w])) parts[w] = {};
      states[w] = state_on_wall(corner, w, parts[w]);
      parts[w] = (1.0 / factor) * parts[w];
    }
    contacts_.set_parts(k, parts, states);
  }
}

}  // namespace electret
