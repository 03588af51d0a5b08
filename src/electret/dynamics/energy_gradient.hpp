#pragma once
/// \file
/// Derivatives of the total energy with respect to a state and to everything else that it depends on.

#include <electret/dynamics/loss.hpp>

namespace electret {

/// out += factor · ∂(kinetic + elastic + coulomb + external + gravity)/∂(x, v, inputs, masses, parameters) at
/// `state` with `inputs` at its time (energies.hpp).
void add_energy_gradient(System& system, const State& state, const Inputs& inputs, double factor,
                         const LossGradients& out);

}  // namespace electret
