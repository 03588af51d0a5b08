#include <electret/contact/body_contacts.hpp>
#include <electret/dynamics/backward.hpp>

namespace electret {

StepCotangent StepCotangent::zero(const State& state, std::span<const MemoryArray> layout) {
  StepCotangent result;
  for (VectorArray* array : {&result.positions, &result.velocities, &result.position_force})
    array->resize(state.positions.size());
  for (const MemoryArray& array : layout)
    if (array.is_differentiable) result.memory.values(array.name, array.size(state.positions.size()));
  return result;
}

ParameterGradients ParameterGradients::zero(System& system) {
  ParameterGradients result;
  result.masses.resize(static_cast<std::size_t>(system.vertex_count()));
  for (const auto& energy : system.elastic) {
    auto& of_energy = result.elastic.emplace_back();
    for (const ElasticParameter& parameter : energy->parameters())
      of_energy.emplace_back(parameter.values.size());
  }
  for (const auto& force : system.forces) {
    auto& of_force = result.forces.emplace_back();
    for (const ForceParameter& parameter : force->parameters())
      of_force.emplace_back(parameter.owner == ParameterOwner::force ? parameter.size : 0);
  }
  if (system.contacts)
    for (const ContactObstacle& obstacle : system.contacts->obstacles()) {
      auto& of_obstacle = result.contacts.emplace_back();
      of_obstacle.emplace_back(3);
      of_obstacle.emplace_back(obstacle.surface.shape->radius() ? 1 : 0);
      for (std::size_t kind = 0; kind < obstacle.friction.size(); ++kind) of_obstacle.emplace_back(1);
    }
  if (system.body_contacts) {
    result.body_frictions.assign(system.body_contacts->frictions().values.size(), {0.0});
    result.body_scales.resize(result.masses.size());
  }
  result.cameras.resize(system.assembly.cameras.size());
  return result;
}

}  // namespace electret
