#include <algorithm>

#include <electret/core/arguments.hpp>
#include <electret/dynamics/pins.hpp>
#include <electret/dynamics/stage/contact_adjoint.hpp>
#include <electret/dynamics/stage/surface_gradient.hpp>

namespace electret {
namespace {

constexpr std::string_view force_name = "contact_forces", mode_name = "contact_modes";

/// Of an obstacle's parameters, after its origin and its radius.
constexpr std::size_t first_friction = 2;

}  // namespace

void ContactAdjoint::keep(VectorView forces, std::span<const CornerMode> modes, std::size_t vertices,
                          StepTape& tape) const {
  const ScalarSpan kept = tape.values(force_name, 3 * vertices);
  const ScalarSpan kept_modes = tape.values(mode_name, vertices);
  for (std::size_t k = 0; k < forces.size(); ++k) {
    const auto i = static_cast<std::size_t>(contacts_.vertices()[k]);
    set_row(kept, i, forces[k]);
    kept_modes[i] = modes[k].code();
  }
}

void ContactAdjoint::read(VectorView x, const StageRecord& record) {
  const std::size_t count = contacts_.vertices().size();
  const bool is_there = record.tape != nullptr && record.start != nullptr && record.inputs != nullptr;
  require_argument(is_there && record.tape->find(force_name).size() == 3 * x.size() &&
                       record.tape->find(mode_name).size() == x.size(),
                   "steps with contacts need the tape that the step has filled: give one to Simulator::step");
  contacts_.begin_step(record.inputs->start.placements, record.inputs->end.placements,
                       record.start->positions);
  contacts_.look(x);
  touching_.clear();
  constraints_.clear();
  for (std::size_t k = 0; k < count; ++k) {
    const auto i = static_cast<std::size_t>(contacts_.vertices()[k]);
    const CornerMode mode = CornerMode::of(record.tape->find(mode_name)[i]);
    if (mode.state == ContactState::free) continue;
    Touching& t = touching_.emplace_back();
    t.vertex = i;
    t.kind = contacts_.kind(k);
    t.mode = mode;
    t.place = x[t.vertex];
    t.roller = roller_of(system_, contacts_.vertices()[k]);
    t.point = contacts_.corner(k, t.place, {}, row_of(record.tape->find(force_name), i), scales_[k], false);
    if (mode.state == ContactState::slip)
      for (ContactPoint& wall : t.point.walls) let_slide(wall);
    for (std::size_t w = 0; w < contacts_.sight_count(k); ++w)
      t.obstacles[w] = contacts_.sight(k, w).obstacle;
    constraints_.push_back(corner_constraint(contacts_.vertices()[k], t.point, t.mode));
  }
}

HessianSolve ContactAdjoint::solve(StageHessian& hessian, VectorView x, VectorView rhs, double tolerance,
                                   const StageRecord& record, VectorSpan z) {
  read(x, record);
  reduced_.assign(rhs.begin(), rhs.end());
  product_.resize(rhs.size());
  for (const VertexConstraint& c : constraints_) {
    const auto i = static_cast<std::size_t>(c.vertex);
    Vec3 numbers;
    for (int k = 0; k < c.columns; ++k) numbers[k] = dot(c.trial[static_cast<std::size_t>(k)], rhs[i]);
    reduced_[i] = numbers;
  }
  SolveOptions options;
  options.tolerance = tolerance;
  const SolveReport report = hessian.solve_transposed(reduced_, constraints_, options, z);
  hessian.expand_transposed(z);
  hessian.product(z, product_);
  for (Touching& t : touching_) {
    t.remainder = rhs[t.vertex] - product_[t.vertex];
    t.by = corner_adjoint(t.point, t.mode, z[t.vertex], t.remainder);
  }
  const std::string_view which = report.method == "gmres" ? report.method : hessian.preconditioner();
  return {report.iterations, report.residual, which, report.converged, false};
}

/// Without contacts a roller passes on P times the remainder, which the method does.
void ContactAdjoint::add(VectorView start, VectorSpan by_start, const StepGradients& out) {
  for (const Touching& t : touching_)
    if (t.roller != nullptr)
      out.inputs.end.pin_positions[t.roller->pin] += t.by.held - t.roller->held * t.remainder;
  for (std::size_t o = 0; o < contacts_.obstacles().size(); ++o) {
    const PlacedSurface &before = contacts_.at_start(o), &after = contacts_.at_end(o);
    SurfaceCotangent at_start, at_end;
    auto& own = out.parameters.contacts[o];
    for (const Touching& t : touching_) {
      for (std::size_t k = 0; k < static_cast<std::size_t>(t.point.count); ++k) {
        if (t.obstacles[k] != o || (t.mode.closed >> k & 1U) == 0) continue;
        const ContactPoint& wall = t.point.walls[k];
        const WallCotangent& by = t.by.walls[k];
        own[first_friction + t.kind][0] += by.friction;
        SurfaceView view;
        view.normal = wall.normal;
        view.curvature = wall.curvature;
        after.add(t.place, view, {by.distance, by.normal, {}}, at_end);
        by_start[t.vertex] += after.add_carried(before, start[t.vertex], by.carried, at_start, at_end);
      }
    }
    add_surface_gradient(contacts_, o, at_start, at_end, out);
    if (!own[1].empty()) own[1][0] += at_end.by_radius;
  }
}

}  // namespace electret
