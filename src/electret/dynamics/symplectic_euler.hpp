#pragma once
/// \file
/// Symplectic Euler (physics.md §2): first order, one Coulomb evaluation a step.

#include <electret/dynamics/integrator.hpp>

namespace electret {

///   v' = v + h M⁻¹f(x, v, t),   x' = x + h v'
///
/// `system` must outlive the integrator.
std::unique_ptr<Integrator> make_symplectic_euler(System& system);

}  // namespace electret
