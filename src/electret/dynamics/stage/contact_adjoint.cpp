#include <algorithm>

#include <electret/core/arguments.hpp>
#include <electret/dynamics/stage/contact_adjoint.hpp>
#include <electret/dynamics/stage/surface_gradient.hpp>

namespace electret {
namespace {

constexpr std::string_view force_name = "contact_forces", state_name = "contact_states";

/// Of an obstacle's parameters, after its origin and its radius.
constexpr std::size_t first_friction = 2;

}  // namespace

void ContactAdjoint::keep(VectorView forces, std::span<const ContactState> states, std::size_t vertices,
                          StepTape& tape) const {
  std::vector<double>& kept = tape.values(force_name, 3 * vertices);
  std::vector<double>& kept_states = tape.values(state_name, vertices);
  for (std::size_t k = 0; k < forces.size(); ++k) {
    const auto i = static_cast<std::size_t>(contacts_.vertices()[k]);
    set_row(kept, i, forces[k]);
    kept_states[i] = static_cast<double>(states[k]);
  }
}

void ContactAdjoint::read(VectorView x, const StageRecord& record) {
  const std::size_t count = contacts_.vertices().size();
  const bool is_there = record.tape != nullptr && record.start != nullptr && record.inputs != nullptr;
  require_argument(is_there && record.tape->find(force_name).size() == 3 * x.size() &&
                       record.tape->find(state_name).size() == x.size(),
                   "steps with contacts need the tape that the step has filled: give one to Simulator::step");
  contacts_.begin_step(record.inputs->start.placements, record.inputs->end.placements,
                       record.start->positions);
  contacts_.look(x);
  touching_.clear();
  constraints_.clear();
  for (std::size_t k = 0; k < count; ++k) {
    const auto i = static_cast<std::size_t>(contacts_.vertices()[k]);
    const auto state = static_cast<ContactState>(record.tape->find(state_name)[i]);
    if (state == ContactState::free) continue;
    Touching& t = touching_.emplace_back();
    t.vertex = i;
    t.kind = contacts_.kind(k);
    t.obstacle = contacts_.sights()[k].obstacle;
    t.place = x[t.vertex];
    t.point = contacts_.point(k, t.place, {}, row_of(record.tape->find(force_name), i), scales_[k], false);
    t.residual = contact_residual(t.point, state);
    t.jacobian = contact_jacobian(t.point, t.residual);
    constraints_.push_back(
        reduce_contact(contacts_.vertices()[k], t.point, t.residual, t.jacobian).constraint);
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
  for (Touching& t : touching_)
    t.adjoint =
        adjoint_of_contact(t.point, t.residual, t.jacobian, z[t.vertex], rhs[t.vertex] - product_[t.vertex]);
  return {report.iterations, report.residual, hessian.preconditioner(), report.converged, false};
}

void ContactAdjoint::add(VectorView start, VectorSpan by_start, const StepGradients& out) {
  for (std::size_t o = 0; o < contacts_.obstacles().size(); ++o) {
    const PlacedSurface &before = contacts_.at_start(o), &after = contacts_.at_end(o);
    SurfaceCotangent at_start, at_end;
    auto& own = out.parameters.contacts[o];
    for (const Touching& t : touching_) {
      if (t.obstacle != o) continue;
      const Vec3& w = t.adjoint;
      own[first_friction + t.kind][0] -= dot(w, t.jacobian.by_friction);
      SurfaceView view;
      view.normal = t.point.normal;
      view.curvature = t.point.curvature;
      after.add(t.place, view,
                {-dot(w, t.jacobian.by_distance), -transposed_product(t.jacobian.by_normal, w), {}}, at_end);
      const Vec3 by_carried = -transposed_product(t.jacobian.by_start, w);
      by_start[t.vertex] += after.add_carried(before, start[t.vertex], by_carried, at_start, at_end);
    }
    add_surface_gradient(contacts_, o, at_start, at_end, out);
    if (!own[1].empty()) own[1][0] += at_end.by_radius;
  }
}

}  // namespace electret
