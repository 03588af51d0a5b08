#include <electret/dynamics/elastic_inputs.hpp>

namespace electret {

void set_elastic_inputs(System& system, const Inputs& inputs) {
  for (auto& energy : system.elastic)
    if (energy->reads_activations()) energy->set_activations(inputs.activations);
}

void ElasticProducts::add(VectorView x, VectorView z, InputGradients& by_inputs,
                          ParameterGradients& by_parameters) {
  for (std::size_t k = 0; k < system_.elastic.size(); ++k) {
    ElasticEnergy& energy = *system_.elastic[k];
    auto& gradients = by_parameters.elastic[k];
    spans_.assign(gradients.begin(), gradients.end());
    energy.add_gradient_parameter_products(x, z, spans_);
    if (!by_parameters.rest_positions.empty() && energy.has_rest_shape())
      energy.add_gradient_rest_products(x, z, by_parameters.rest_positions);
    if (energy.reads_activations()) energy.add_gradient_activation_products(x, z, by_inputs.activations);
  }
}

}  // namespace electret
