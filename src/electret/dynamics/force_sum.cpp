
#include <electret/core/stopwatch.hpp>
#include <electret/core/vertex_loops.hpp>
#include <electret/dynamics/elastic_inputs.hpp>
#include <electret/dynamics/force_sum.hpp>
#include <electret/dynamics/vector_arrays.hpp>

namespace electret {

ForceSum::ForceSum(System& system, ForceSet set) : system_(system), set_(set) {
  const auto n = static_cast<std::size_t>(system.vertex_count());
  positions_.resize(n);
  position_part_.resize(n);
}

bool ForceSum::remembers(VectorView positions, const Inputs& inputs) const {
  // Pins' places are left out, because forces read them only through the positions.
  return known_ && same_bits(*system_.threads, positions, positions_) &&
         same_inputs(inputs, inputs_, read_by_forces + read_by_elastic);
}

void ForceSum::evaluate_position_part(const ForcePoint& at) {
  known_ = false;
  set_zero(*system_.threads, position_part_);
  if (set_ == ForceSet::all) {
    const Stopwatch watch(system_.timings.elastic);
    set_elastic_inputs(system_, at.inputs);
    for (auto& energy : system_.elastic) energy->add_gradient(at.positions, position_part_);
    for_vertices(*system_.threads, position_part_.size(),
                 [&](std::size_t i) { position_part_[i] = -position_part_[i]; });
  }
  double other = 0.0;
  for (auto& force : system_.forces) {
    if (force->dependence() != Dependence::position) continue;
    const Stopwatch watch(force->column() == EnergyColumn::coulomb ? system_.timings.field : other);
    force->add_force(at, position_part_);
  }
  copy_rows(*system_.threads, at.positions, positions_);
  inputs_ = at.inputs;
  known_ = true;
}

void ForceSum::evaluate(VectorView positions, VectorView velocities, const Inputs& inputs, VectorSpan f) {
  const ForcePoint at{positions, velocities, system_.masses(), inputs};
  if (!remembers(positions, inputs)) evaluate_position_part(at);
  copy_rows(*system_.threads, position_part_, f);
  for (auto& force : system_.forces)
    if (force->dependence() == Dependence::velocity && is_in(set_, *force)) force->add_force(at, f);
}

}  // namespace electret
