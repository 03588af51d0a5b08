#pragma once
/// \file
/// The transposes of `compile` and `initial_state`: from derivatives by a System's numbers and by its first
/// state to derivatives by the assembly's.

#include <electret/dynamics/backward.hpp>
#include <electret/dynamics/system.hpp>
#include <electret/scene/assembly_gradient.hpp>

namespace electret {

/// Adds derivatives by masses and by the parameters of energies and forces to the assembly numbers that
/// `compile` made them of. `gradient` has the shape of `system.assembly`.
void add_parameter_gradients(const System& system, const ParameterGradients& by_parameters,
                             AssemblyGradient& gradient);

/// Adds ∂ℒ/∂x_0 and ∂ℒ/∂v_0 to initial positions and velocities, those of pins to the pins' places.
void add_initial_state_gradient(const System& system, const StepCotangent& by_state,
                                AssemblyGradient& gradient);

}  // namespace electret
