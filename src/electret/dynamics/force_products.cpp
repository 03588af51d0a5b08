#include <algorithm>

#include <electret/core/errors.hpp>
#include <electret/dynamics/force_products.hpp>

namespace electret {
namespace {

/// The numbers of an n×3 array.
ScalarSpan flat(VectorArray& values) {
  return values.empty() ? ScalarSpan() : ScalarSpan(&values[0].x, 3 * values.size());
}

}  // namespace

ForceSumProducts::ForceSumProducts(System& system, ForceSet set) : system_(system), set_(set) {
  const auto n = static_cast<std::size_t>(system.vertex_count());
  negative_.resize(n);
  scratch_.resize(n);
}

void ForceSumProducts::add_position_part(VectorView positions, const Inputs& inputs, VectorView z,
                                         const PointGradients& out) {
  const ForcePoint at{positions, {}, system_.masses(), inputs};
  if (set_ == ForceSet::all) add_elastic(positions, z, out);
  for (std::size_t k = 0; k < system_.forces.size(); ++k)
    if (system_.forces[k]->dependence() == Dependence::position) add_force(k, at, z, out);
}

void ForceSumProducts::add_velocity_part(VectorView positions, VectorView velocities, const Inputs& inputs,
                                         VectorView z, const PointGradients& out) {
  const ForcePoint at{positions, velocities, system_.masses(), inputs};
  for (std::size_t k = 0; k < system_.forces.size(); ++k)
    if (system_.forces[k]->dependence() == Dependence::velocity) add_force(k, at, z, out);
}

/// f = -∇E: all with -z.
void ForceSumProducts::add_elastic(VectorView positions, VectorView z, const PointGradients& out) {
  std::transform(z.begin(), z.end(), negative_.begin(), [](const Vec3& w) { return -w; });
  for (std::size_t k = 0; k < system_.elastic.size(); ++k) {
    ElasticEnergy& energy = *system_.elastic[k];
    energy.linearise(positions, HessianKind::exact, scratch_);
    energy.add_hessian_product(negative_, out.positions);
    auto& gradients = out.parameters.elastic[k];
    spans_.assign(gradients.begin(), gradients.end());
    energy.add_gradient_parameter_products(positions, negative_, spans_);
  }
}

ScalarSpan ForceSumProducts::target(std::size_t force, std::size_t parameter, const PointGradients& out) {
  const ForceParameter& asked = system_.forces[force]->parameters()[parameter];
  switch (asked.owner) {
    case ParameterOwner::charges:
      return out.inputs.charges;
    case ParameterOwner::external_charges:
      external_charges_.assign(asked.size, 0.0);
      return external_charges_;
    case ParameterOwner::external_positions:
      external_positions_.assign(asked.size, 0.0);
      return external_positions_;
    case ParameterOwner::loads:
      return flat(out.inputs.loads);
    case ParameterOwner::force:
      break;
  }
  return out.parameters.forces[force][parameter];
}

void ForceSumProducts::add_force(std::size_t k, const ForcePoint& at, VectorView z,
                                 const PointGradients& out) {
  ExplicitForce& force = *system_.forces[k];
  external_charges_.clear();
  external_positions_.clear();
  spans_.clear();
  for (std::size_t p = 0; p < force.parameters().size(); ++p) spans_.push_back(target(k, p, out));
  const bool reads_velocities = force.dependence() == Dependence::velocity;
  force.add_products(
      at, z,
      {out.positions, reads_velocities ? out.velocities : VectorSpan(), out.parameters.masses, spans_});
  scatter_external(out.inputs);
}

void ForceSumProducts::scatter_external(InputGradients& inputs) {
  for (std::size_t c = 0; c < external_charges_.size(); ++c) {
    InputGradients::External& external = inputs.external_charges[c];
    external.charge += external_charges_[c];
    for (int axis = 0; axis < 3; ++axis)
      external.position[axis] += external_positions_[3 * c + static_cast<std::size_t>(axis)];
  }
}

}  // namespace electret
