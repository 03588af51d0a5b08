#include <electret/core/errors.hpp>
#include <electret/dynamics/body_scales.hpp>
#include <electret/dynamics/compile_gradient.hpp>
#include <electret/dynamics/pins.hpp>
#include <electret/elastic/rest_shape.hpp>
#include <electret/scene/lumped_masses.hpp>

namespace electret {
namespace {

/// Adds each parameter's derivatives to those of its sources. Parameters that are fields of Inputs have no
/// source and no derivatives here.
void add_to_sources(const std::vector<std::vector<double>>& by_parameter,
                    const std::vector<ParameterSource>& sources, AssemblyGradient& gradient) {
  std::size_t own = 0;
  for (const std::vector<double>& derivatives : by_parameter) {
    if (derivatives.empty()) continue;
    require(own < sources.size(), "compile: a parameter without a source in the assembly");
    const auto [source, first] = sources[own++];
    const Numbers<double> target = numbers(gradient, source);
    require(first + derivatives.size() <= target.count, "compile: a parameter and its source differ in size");
    for (std::size_t k = 0; k < derivatives.size(); ++k) target[first + k] += derivatives[k];
  }
}

}  // namespace

namespace {

/// In bodies with a density, rest positions determine the masses: m_v = ρ Σ V_e/(vertices of e), ∂V_e/∂X_a =
/// Σ_q w_q G_a.
template <class Elements>
void add_lumped_masses(const System& system, const Elements& elements, ScalarView by_masses, VectorSpan out) {
  if (elements.empty()) return;
  const Assembly& assembly = system.assembly;
  std::vector<Index> corners;
  for (const auto& element : elements) corners.insert(corners.end(), element.begin(), element.end());
  const RestShape shape(ElementBlock(static_cast<int>(elements[0].size()), system.vertex_count(), corners),
                        assembly.rest_positions);
  for (std::size_t e = 0; e < elements.size(); ++e) {
    const auto density = density_of(assembly, elements[e][0]);
    if (!density) continue;
    double by_volume = 0.0;
    for (const Index v : elements[e])
      by_volume +=
          *density / static_cast<double>(elements[e].size()) * by_masses[static_cast<std::size_t>(v)];
    for (std::size_t q = 0; q < shape.points(); ++q)
      for (std::size_t a = 0; a < elements[e].size(); ++a)
        out[static_cast<std::size_t>(elements[e][a])] +=
            (by_volume * shape.weight(static_cast<Count>(e), q)) *
            transposed_product(shape.inverse(static_cast<Count>(e), q), shape.slopes(q)[a]);
  }
}

}  // namespace

void add_parameter_gradients(const System& system, const ParameterGradients& given,
                             AssemblyGradient& gradient) {
  ParameterGradients with_scales;
  if (!given.body_scales.empty()) {
    with_scales = given;
    add_body_scale_gradient(system, given.body_scales, with_scales);
  }
  const ParameterGradients& by_parameters = given.body_scales.empty() ? given : with_scales;
  const ScalarSpan masses = gradient.scalars(number::masses);
  const VectorSpan rest_positions = gradient.vectors(number::rest_positions);
  for (std::size_t i = 0; i < by_parameters.masses.size(); ++i) masses[i] += by_parameters.masses[i];
  const Assembly& assembly = system.assembly;
  if (!by_parameters.rest_positions.empty()) {
    add_lumped_masses(system, assembly.tetrahedra, by_parameters.masses, rest_positions);
    add_lumped_masses(system, assembly.hexahedra, by_parameters.masses, rest_positions);
  }
  for (std::size_t i = 0; i < by_parameters.rest_positions.size(); ++i)
    rest_positions[i] += by_parameters.rest_positions[i];
  for (std::size_t k = 0; k < by_parameters.elastic.size(); ++k)
    add_to_sources(by_parameters.elastic[k], system.elastic_sources[k], gradient);
  for (std::size_t k = 0; k < by_parameters.forces.size(); ++k)
    add_to_sources(by_parameters.forces[k], system.force_sources[k], gradient);
  for (std::size_t k = 0; k < by_parameters.contacts.size(); ++k)
    add_to_sources(by_parameters.contacts[k], system.contact_sources[k], gradient);
  if (!system.body_friction_sources.empty())
    add_to_sources(by_parameters.body_frictions, system.body_friction_sources, gradient);
  for (std::size_t k = 0; k < by_parameters.cameras.size(); ++k) {
    const PinholeGradient& by = by_parameters.cameras[k];
    gradient.vectors({number::camera_rotate, k})[0] += by.rotate;
    gradient.vectors({number::camera_translate, k})[0] += by.translate;
    gradient.scalars({number::camera_zoom, k})[0] += by.zoom;
  }
}

void add_initial_state_gradient(const System& system, const StepCotangent& by_state,
                                AssemblyGradient& gradient) {
  StepCotangent c = by_state;
  Inputs now, next;
  system.schedule.evaluate(0.0, now);
  system.schedule.evaluate(system.time_step, next);
  StepInputGradients by_inputs{InputGradients::zero(now), InputGradients::zero(next), {}};
  release_pin_places(system, c.positions, by_inputs.start);
  release_pin_velocities(system, system.time_step, c.velocities, by_inputs);
  system.schedule.add_gradient(now.time, by_inputs.start, gradient);
  system.schedule.add_gradient(next.time, by_inputs.end, gradient);
  const VectorSpan positions = gradient.vectors(number::initial_positions);
  const VectorSpan velocities = gradient.vectors(number::initial_velocities);
  for (std::size_t i = 0; i < c.positions.size(); ++i) {
    positions[i] += c.positions[i];
    velocities[i] += c.velocities[i];
  }
}

}  // namespace electret
