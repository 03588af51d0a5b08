#include <electret/core/errors.hpp>
#include <electret/dynamics/compile_gradient.hpp>
#include <electret/dynamics/pins.hpp>

namespace electret {
namespace {

/// Adds each parameter's derivatives to where its numbers came from; parameters without derivatives here are
/// fields of Inputs, and have no source.
void add_to_sources(const std::vector<std::vector<double>>& by_parameter,
                    const std::vector<ParameterSource>& sources, AssemblyGradient& gradient) {
  std::size_t own = 0;
  for (const std::vector<double>& derivatives : by_parameter) {
    if (derivatives.empty()) continue;
    require(own < sources.size(), "compile: a parameter without a source in the assembly");
    const auto [source, first] = sources[own++];
    const Numbers<double> target = numbers(gradient, source);
    require(first + derivatives.size() <= target.count,
            "compile: a parameter of another size than its source");
    for (std::size_t k = 0; k < derivatives.size(); ++k) target[first + k] += derivatives[k];
  }
}

}  // namespace

void add_parameter_gradients(const System& system, const ParameterGradients& by_parameters,
                             AssemblyGradient& gradient) {
  for (std::size_t i = 0; i < by_parameters.masses.size(); ++i) gradient.masses[i] += by_parameters.masses[i];
  for (std::size_t k = 0; k < by_parameters.elastic.size(); ++k)
    add_to_sources(by_parameters.elastic[k], system.elastic_sources[k], gradient);
  for (std::size_t k = 0; k < by_parameters.forces.size(); ++k)
    add_to_sources(by_parameters.forces[k], system.force_sources[k], gradient);
}

void add_initial_state_gradient(const System& system, const StepCotangent& by_state,
                                AssemblyGradient& gradient) {
  StepCotangent c = by_state;
  Inputs now, next;
  system.schedule.evaluate(system.time(0), now);
  system.schedule.evaluate(system.time(1), next);
  StepInputGradients by_inputs{InputGradients::zero(now), InputGradients::zero(next), {}};
  release_pin_places(system.pins, c.positions, by_inputs.start);
  release_pin_velocities(system.pins, system.time_step, c.velocities, by_inputs);
  system.schedule.add_gradient(now.time, by_inputs.start, gradient);
  system.schedule.add_gradient(next.time, by_inputs.end, gradient);
  for (std::size_t i = 0; i < c.positions.size(); ++i) {
    gradient.initial_positions[i] += c.positions[i];
    gradient.initial_velocities[i] += c.velocities[i];
  }
}

}  // namespace electret
