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

/// By h ω of springs and charges (`fastest_oscillations`), a pure function of the scene:
///
///   * verlet where the step resolves everything (h ω ≤ 0.5) or no springs are: the cheapest of its order;
///   * imex where charges may move faster than the step (h ω > 1): kicks would feed their oscillations;
///   * kick_midpoint where the springs are moderately faster (h ω ≤ π): it keeps their energy;
///   * kick_trbdf2 where they are faster than that: it damps what no step of this length can show.
IntegratorChoice choose_integrator(System& system);

/// What `options.method` stands for: itself or, for "auto", what `system.integrator_choice` names, which is
/// chosen here where it is empty.
std::string chosen_method(System& system, const IntegratorOptions& options);

}  // namespace electret
