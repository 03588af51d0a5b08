#pragma once
/// \file
/// `method = "auto"`: which integrator a scene gets, and why.

#include <electret/dynamics/system.hpp>

namespace electret {

/// The name of one of integrator_methods, and why `auto` stands for it. Chooses by h ω of springs and charges
/// (`fastest_oscillations`). The choice depends on the scene alone:
///
///   * verlet if the step resolves everything (h ω ≤ 0.5) or there are no springs, because it is the cheapest
///     method of its order;
///   * imex if charges may move faster than the step (h ω > 1), because kicks would feed their oscillations;
///   * kick_midpoint if the springs are moderately faster (h ω ≤ π), because it keeps their energy;
///   * kick_trbdf2 if the springs are faster than that, because it damps what no step of this length can
///     show.
Choice choose_integrator(System& system);

}  // namespace electret
