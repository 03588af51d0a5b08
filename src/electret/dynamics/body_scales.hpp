#pragma once
/// \file
/// How stiff vertices are against being moved alone within a step, from which contact between bodies takes
/// its stiffness.

#include <vector>

#include <electret/dynamics/backward.hpp>
#include <electret/dynamics/system.hpp>

namespace electret {

/// c_i = m_i/h² + the mean diagonal of ∇²E_i at rest, N/m, for every vertex; a negative mean counts as 0.
/// Energies that inputs activate do not count, so that c is constant during a run.
std::vector<double> body_scales(const System& system);

/// Adds to `out` the derivatives of Σ_i `by_scales`_i c_i by masses, the energies' parameters and, if `out`
/// has them, places at rest. Differences of first derivatives give those of second ones to about nine digits.
void add_body_scale_gradient(const System& system, ScalarView by_scales, ParameterGradients& out);

}  // namespace electret
