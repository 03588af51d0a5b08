#pragma once
/// \file
/// The energy by which bodies that touch each other repel each other, at any place.

#include <electret/dynamics/system.hpp>

namespace electret {

/// E_c at `x` (n×3, m), J; 0 if no bodies may touch. The frictions' slips store none of it.
double body_contact_energy(System& system, VectorView x);

/// Adds ∂E_c/∂x to `by_places` (n×3, N), and ∂E_c/∂c of each vertex (body_scales.hpp) to `by_scales` (n).
void add_body_contact_gradient(System& system, VectorView x, VectorSpan by_places, ScalarSpan by_scales);

}  // namespace electret
