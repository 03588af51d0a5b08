#pragma once
/// \file
/// `method = "auto"`: which integrator a scene gets, and why.

#include <string>

#include <electret/dynamics/system.hpp>

namespace electret {

struct IntegratorChoice {
  std::string method;  ///< One of integrator_methods, never "auto".
  std::string why;
};

/// Chooses by h ω of springs and charges (`fastest_oscillations`). The choice depends on the scene alone:
///
///   * verlet if the step resolves everything (h ω ≤ 0.5) or there are no springs, because it is the cheapest
///     method of its order;
///   * imex if charges may move faster than the step (h ω > 1), because kicks would feed their oscillations;
///   * kick_midpoint if the springs are moderately faster (h ω ≤ π), because it keeps their energy;
///   * kick_trbdf2 if the springs are faster than that, because it damps what no step of this length can
///     show.
IntegratorChoice choose_integrator(System& system);

/// The method that `options.method` stands for: itself or, for "auto", the one that
/// `system.integrator_choice` names. If that is empty, this function chooses and fills it.
std::string chosen_method(System& system, const IntegratorOptions& options);

}  // namespace electret
