#pragma once
/// \file
/// The transpose of ForceSum: derivative products of the total force at one point (x, v, t), for backward
/// steps.

#include <vector>

#include <electret/dynamics/backward.hpp>
#include <electret/dynamics/elastic_inputs.hpp>
#include <electret/dynamics/force_parameter_slots.hpp>
#include <electret/dynamics/force_sum.hpp>
#include <electret/dynamics/system.hpp>

namespace electret {

/// Where the products at one point are added: ∂ℒ/∂x, ∂ℒ/∂v, ∂ℒ/∂inputs at its time, and ∂ℒ/∂θ.
struct PointGradients {
  VectorSpan positions;   ///< n×3.
  VectorSpan velocities;  ///< n×3; empty for the position part, which reads none.
  InputGradients& inputs;
  ParameterGradients& parameters;
};

/// For z = ∂ℒ/∂f, where f is a part of the total force of `ForceSum` with the same `set`: adds (∂f/∂x)ᵀz,
/// (∂f/∂v)ᵀz, z·∂f/∂inputs and z·∂f/∂θ. Masses count here only as factors of a force (gravity, drag).
/// Allocates nothing after the first call.
class ForceSumProducts {
 public:
  /// `system` must outlive this.
  ForceSumProducts(System& system, ForceSet set);

  /// For the part that depends on positions and inputs alone: -∇E (if the set is ForceSet::all) and forces.
  void add_position_part(VectorView positions, const Inputs& inputs, VectorView z, const PointGradients& out);
  /// For the part that reads velocities: drag and spring damping.
  void add_velocity_part(VectorView positions, VectorView velocities, const Inputs& inputs, VectorView z,
                         const PointGradients& out);

 private:
  void add_elastic(VectorView positions, const Inputs& inputs, VectorView z, const PointGradients& out);
  void add_force(std::size_t k, const ForcePoint& at, VectorView z, const PointGradients& out);

  System& system_;
  ForceSet set_;
  VectorArray negative_, scratch_;  ///< -z; and where `linearise` writes its gradient; n×3.
  ForceParameterSlots slots_;
  ElasticProducts elastic_;
};

}  // namespace electret
