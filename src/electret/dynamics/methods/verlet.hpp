#pragma once
/// \file
/// verlet: velocity Verlet (docs/physics.md). Of second order; costs one Coulomb evaluation per step.

#include <electret/dynamics/integrator.hpp>

namespace electret {

///   v½ = v + h/2 M⁻¹f(x, v, t),   x' = x + h v½,   v' = v½ + h/2 M⁻¹f(x', v½, t+h)
///
/// With spring damping or drag it is of first order, because these forces read velocities. Pin reactions use
/// the mean of the two forces. `system` must outlive the integrator.
std::unique_ptr<Integrator> make_verlet(System& system);

}  // namespace electret
