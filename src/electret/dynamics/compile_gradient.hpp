#pragma once
/// \file
/// The transposes of `compile` and `initial_state`: they turn derivatives with respect to a System's numbers
/// and its first state into derivatives with respect to the assembly's numbers.

#include <electret/dynamics/backward.hpp>
#include <electret/dynamics/system.hpp>
#include <electret/scene/numbers.hpp>

namespace electret {

/// Adds the derivatives with respect to masses and to parameters of energies and forces to those of the
/// assembly's numbers from which `compile` made them. `gradient` has the shape of `system.assembly`.
void add_parameter_gradients(const System& system, const ParameterGradients& by_parameters,
                             AssemblyGradient& gradient);

/// Adds ∂ℒ/∂x_0 and ∂ℒ/∂v_0 to the derivatives with respect to initial positions and velocities; those of
/// pins go to the pins' places.
void add_initial_state_gradient(const System& system, const StepCotangent& by_state,
                                AssemblyGradient& gradient);

}  // namespace electret
