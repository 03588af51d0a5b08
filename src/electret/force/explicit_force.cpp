#include <electret/core/errors.hpp>
#include <electret/force/explicit_force.hpp>

namespace electret {

void ExplicitForce::add_products(const ForcePoint& at, VectorView z, const ForceProducts& out) {
  require(out.parameters.empty() || out.parameters.size() == parameters().size(),
          "force products: not one span per parameter");
  if (!out.positions.empty()) add_transposed_jacobian_x(at, z, out.positions);
  if (!out.velocities.empty()) add_transposed_jacobian_v(at, z, out.velocities);
  if (!out.masses.empty()) add_mass_gradient(at, z, out.masses);
  for (std::size_t p = 0; p < out.parameters.size(); ++p)
    if (!out.parameters[p].empty()) add_parameter_gradient(at, p, z, out.parameters[p]);
}

}  // namespace electret
