#pragma once
/// \file
/// Velocity Verlet (docs/physics.md): second order, one Coulomb evaluation a step.

#include <electret/dynamics/integrator.hpp>

namespace electret {

///   v½ = v + h/2 M⁻¹f(x, v, t),   x' = x + h v½,   v' = v½ + h/2 M⁻¹f(x', v½, t+h)
///
/// With spring damping or drag, which read velocities, it is first order. Pin reactions use the mean of the
/// two forces. `system` must outlive the integrator.
std::unique_ptr<Integrator> make_verlet(System& system);

}  // namespace electret
