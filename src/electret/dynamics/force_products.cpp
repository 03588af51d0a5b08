#include <algorithm>

#include <electret/dynamics/force_products.hpp>

namespace electret {

ForceSumProducts::ForceSumProducts(System& system, ForceSet set)
    : system_(system), set_(set), elastic_(system) {
  if (set != ForceSet::all) return;
  const auto n = static_cast<std::size_t>(system.vertex_count());
  negative_.resize(n);
  scratch_.resize(n);
}

void ForceSumProducts::add_position_part(VectorView positions, const Inputs& inputs, VectorView z,
                                         const PointGradients& out) {
  const ForcePoint at{positions, {}, system_.masses(), inputs};
  if (set_ == ForceSet::all) add_elastic(positions, inputs, z, out);
  for (std::size_t k = 0; k < system_.forces.size(); ++k)
    if (system_.forces[k]->dependence() == Dependence::position) add_force(k, at, z, out);
}

void ForceSumProducts::add_velocity_part(VectorView positions, VectorView velocities, const Inputs& inputs,
                                         VectorView z, const PointGradients& out) {
  const ForcePoint at{positions, velocities, system_.masses(), inputs};
  for (std::size_t k = 0; k < system_.forces.size(); ++k)
    if (system_.forces[k]->dependence() == Dependence::velocity && is_in(set_, *system_.forces[k]))
      add_force(k, at, z, out);
}

/// Because f = -∇E, all products are with -z.
void ForceSumProducts::add_elastic(VectorView positions, const Inputs& inputs, VectorView z,
                                   const PointGradients& out) {
  set_elastic_inputs(system_, inputs);
  std::transform(z.begin(), z.end(), negative_.begin(), [](const Vec3& w) { return -w; });
  for (auto& energy : system_.elastic) {
    energy->linearise(positions, HessianKind::exact, scratch_);
    energy->add_hessian_product(negative_, out.positions);
  }
  elastic_.add(positions, negative_, out.inputs, out.parameters);
}

void ForceSumProducts::add_force(std::size_t k, const ForcePoint& at, VectorView z,
                                 const PointGradients& out) {
  ExplicitForce& force = *system_.forces[k];
  const bool reads_velocities = force.dependence() == Dependence::velocity;
  force.add_products(at, z,
                     {out.positions, reads_velocities ? out.velocities : VectorSpan(), out.parameters.masses,
                      slots_.of(force, k, out.inputs, out.parameters)});
  slots_.finish(out.inputs);
}

}  // namespace electret
