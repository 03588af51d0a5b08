#pragma once
/// \file
/// The transpose of ForceSum: derivative products of the total force at a point, for backward steps.

#include <vector>

#include <electret/dynamics/backward.hpp>
#include <electret/dynamics/elastic_inputs.hpp>
#include <electret/dynamics/force_parameter_slots.hpp>
#include <electret/dynamics/force_sum.hpp>
#include <electret/dynamics/system.hpp>

namespace electret {

/// Where products at one point are added: ∂ℒ/∂x and ∂ℒ/∂v there, ∂ℒ/∂inputs of its time, ∂ℒ/∂θ.
struct PointGradients {
  VectorSpan positions;   ///< n×3.
  VectorSpan velocities;  ///< n×3; empty for the position part, which reads none.
  InputGradients& inputs;
  ParameterGradients& parameters;
};

/// With z = ∂ℒ/∂f, f a part of the total force that `ForceSum` with the same `set` gives: adds (∂f/∂x)ᵀz,
/// (∂f/∂v)ᵀz, z·∂f/∂inputs and z·∂f/∂θ. Masses count here only as factors of a force (gravity, drag).
/// Allocates nothing after the first call.
class ForceSumProducts {
 public:
  /// `system` must outlive this.
  ForceSumProducts(System& system, ForceSet set);

  /// Of the part that depends on positions and inputs alone: -∇E (ForceSet::all) and forces.
  void add_position_part(VectorView positions, const Inputs& inputs, VectorView z, const PointGradients& out);
  /// Of the part that reads velocities: drag, spring damping.
  void add_velocity_part(VectorView positions, VectorView velocities, const Inputs& inputs, VectorView z,
                         const PointGradients& out);

 private:
  void add_elastic(VectorView positions, const Inputs& inputs, VectorView z, const PointGradients& out);
  void add_force(std::size_t k, const ForcePoint& at, VectorView z, const PointGradients& out);

  System& system_;
  ForceSet set_;
  VectorArray negative_, scratch_;  ///< -z; what linearise's gradient goes to; n×3.
  ForceParameterSlots slots_;
  ElasticProducts elastic_;
};

}  // namespace electret
