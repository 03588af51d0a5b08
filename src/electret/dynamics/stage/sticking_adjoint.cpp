#include <electret/core/arguments.hpp>
#include <electret/dynamics/stage/sticking_adjoint.hpp>
#include <electret/dynamics/stage/surface_gradient.hpp>

namespace electret {
namespace {

constexpr std::string_view tape_name = "sticking_states";

}  // namespace

void StickingAdjoint::keep(std::span<const char> held, std::size_t vertices, StepTape& tape) const {
  const ScalarSpan kept = tape.values(tape_name, vertices);
  for (std::size_t k = 0; k < held.size(); ++k)
    kept[static_cast<std::size_t>(contacts_.vertices()[k])] = held[k] != 0 ? 1.0 : 0.0;
}

void StickingAdjoint::read(VectorView x, const StageRecord& record) {
  const bool is_there = record.tape != nullptr && record.start != nullptr && record.inputs != nullptr;
  require_argument(is_there && record.tape->find(tape_name).size() == x.size(),
                   "steps with contacts need the tape that the step has filled: give one to Simulator::step");
  start_ = record.start->positions;
  contacts_.begin_step(record.inputs->start.placements, record.inputs->end.placements, start_);
  contacts_.look(x);
  held_.clear();
  constraints_.clear();
  for (std::size_t k = 0; k < contacts_.vertices().size(); ++k) {
    const Index vertex = contacts_.vertices()[k];
    const auto i = static_cast<std::size_t>(vertex);
    if (record.tape->find(tape_name)[i] == 0.0) continue;
    held_.push_back({i, contacts_.sights()[k].obstacle, k, {}});
    constraints_.push_back(pin(vertex));
  }
}

HessianSolve StickingAdjoint::solve(StageHessian& hessian, VectorView x, VectorView rhs, double tolerance,
                                    const StageRecord& record, VectorSpan z) {
  read(x, record);
  product_.resize(rhs.size());
  SolveOptions options;
  options.tolerance = tolerance;
  const SolveReport report = hessian.solve_transposed(rhs, constraints_, options, z);
  hessian.expand_transposed(z);
  hessian.product(z, product_);
  for (Held& held : held_)
    held.adjoint = contacts_.free_part(held.number, rhs[held.vertex] - product_[held.vertex]);
  return {report.iterations, report.residual, hessian.preconditioner(), report.converged, false};
}

void StickingAdjoint::add(VectorSpan by_start, const StepGradients& out) {
  for (std::size_t o = 0; o < contacts_.obstacles().size(); ++o) {
    const PlacedSurface &before = contacts_.at_start(o), &after = contacts_.at_end(o);
    SurfaceCotangent at_start, at_end;
    for (const Held& held : held_)
      if (held.obstacle == o)
        by_start[held.vertex] +=
            after.add_carried(before, start_[held.vertex], held.adjoint, at_start, at_end);
    add_surface_gradient(contacts_, o, at_start, at_end, out);
  }
}

}  // namespace electret
