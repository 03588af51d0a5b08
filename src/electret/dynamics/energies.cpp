#include <cmath>

#include <electret/core/stopwatch.hpp>
#include <electret/dynamics/body_energy.hpp>
#include <electret/dynamics/elastic_inputs.hpp>
#include <electret/dynamics/energies.hpp>

namespace electret {

double Energies::magnitude() const {
  return std::abs(kinetic) + std::abs(elastic) + std::abs(coulomb) + std::abs(external) + std::abs(gravity);
}

double kinetic_energy(const System& system, VectorView velocities) {
  const ScalarView masses = system.masses();
  return 0.5 * system.threads->sum(system.vertex_count(), [&](Count begin, Count end) {
    double sum = 0.0;
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
      sum += masses[i] * squared_norm(velocities[i]);
    return sum;
  });
}

Energies energies(System& system, const State& state, const Inputs& inputs) {
  const ForcePoint at{state.positions, state.velocities, system.masses(), inputs};
  Energies result;
  result.kinetic = kinetic_energy(system, state.velocities);
  {
    const Stopwatch watch(system.timings.elastic);
    set_elastic_inputs(system, inputs);
    for (auto& energy : system.elastic) result.elastic += energy->energy(state.positions);
    if (system.body_contacts)
      result.elastic += body_contact_energy(system, state.positions) + slip_energy(system, state);
  }
  for (auto& force : system.forces) {
    switch (force->column()) {
      case EnergyColumn::none:
        break;
      case EnergyColumn::coulomb: {
        // The next step finds this field already known, so that its time is counted here or nowhere.
        const Stopwatch watch(system.timings.field);
        result.coulomb += force->potential_energy(at);
        break;
      }
      case EnergyColumn::external:
        result.external += force->potential_energy(at);
        break;
      case EnergyColumn::gravity:
        result.gravity += force->potential_energy(at);
        break;
    }
  }
  return result;
}

}  // namespace electret
