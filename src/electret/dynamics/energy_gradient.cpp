#include <electret/dynamics/body_energy.hpp>
#include <electret/dynamics/elastic_inputs.hpp>
#include <electret/dynamics/energy_gradient.hpp>
#include <electret/dynamics/force_parameter_slots.hpp>

namespace electret {
namespace {

/// The derivatives themselves, before the factor.
struct Unscaled {
  VectorArray positions;
  InputGradients inputs;
  ParameterGradients parameters;
};

void add_scaled(const std::vector<double>& from, double factor, std::vector<double>& to) {
  for (std::size_t k = 0; k < from.size(); ++k) to[k] += factor * from[k];
}

void add_scaled(VectorView from, double factor, VectorSpan to) {
  for (std::size_t k = 0; k < from.size(); ++k) to[k] += factor * from[k];
}

using Nested = std::vector<std::vector<std::vector<double>>>;
void add_scaled(const Nested& from, double factor, Nested& to) {
  for (std::size_t k = 0; k < from.size(); ++k)
    for (std::size_t p = 0; p < from[k].size(); ++p) add_scaled(from[k][p], factor, to[k][p]);
}

void add_elastic(System& system, const State& state, const Inputs& inputs, Unscaled& out) {
  set_elastic_inputs(system, inputs);
  for (std::size_t k = 0; k < system.elastic.size(); ++k) {
    system.elastic[k]->add_gradient(state.positions, out.positions);
    auto& gradients = out.parameters.elastic[k];
    const std::vector<ScalarSpan> spans(gradients.begin(), gradients.end());
    system.elastic[k]->add_energy_parameter_gradients(state.positions, spans);
    if (!out.parameters.rest_positions.empty())
      system.elastic[k]->add_energy_rest_gradient(state.positions, out.parameters.rest_positions);
    system.elastic[k]->add_energy_activation_gradient(state.positions, out.inputs.activations);
  }
  add_body_contact_gradient(system, state.positions, out.positions, out.parameters.body_scales);
}

void add_potentials(System& system, const State& state, const Inputs& inputs, Unscaled& out) {
  const ForcePoint at{state.positions, state.velocities, system.masses(), inputs};
  ForceParameterSlots slots;
  for (std::size_t k = 0; k < system.forces.size(); ++k) {
    ExplicitForce& force = *system.forces[k];
    if (force.column() == EnergyColumn::none) continue;
    force.add_potential_gradient(at, out.positions);
    force.add_potential_mass_gradient(at, out.parameters.masses);
    const auto spans = slots.of(force, k, out.inputs, out.parameters);
    for (std::size_t p = 0; p < spans.size(); ++p) force.add_potential_parameter_gradient(at, p, spans[p]);
    slots.finish(out.inputs);
  }
}

}  // namespace

void add_energy_gradient(System& system, const State& state, const Inputs& inputs, double factor,
                         const LossGradients& out) {
  Unscaled sum{VectorArray(state.positions.size()), InputGradients::zero(inputs),
               ParameterGradients::zero(system)};
  sum.parameters.rest_positions.resize(out.parameters.rest_positions.size());
  add_elastic(system, state, inputs, sum);
  add_potentials(system, state, inputs, sum);
  add_slip_gradient(system, state, factor, out.memory, sum.parameters.body_scales);
  const ScalarView masses = system.masses();
  for (std::size_t i = 0; i < masses.size(); ++i) {
    const Vec3& v = state.velocities[i];
    out.velocities[i] += (factor * masses[i]) * v;
    sum.parameters.masses[i] += 0.5 * squared_norm(v);
  }
  add_scaled(sum.positions, factor, out.positions);
  add_scaled(sum.inputs, factor, read_by_potentials + read_by_elastic, out.inputs);
  add_scaled(sum.parameters.masses, factor, out.parameters.masses);
  add_scaled(sum.parameters.body_scales, factor, out.parameters.body_scales);
  add_scaled(sum.parameters.rest_positions, factor, out.parameters.rest_positions);
  add_scaled(sum.parameters.elastic, factor, out.parameters.elastic);
  add_scaled(sum.parameters.forces, factor, out.parameters.forces);
}

}  // namespace electret
