#pragma once
/// \file
/// One implicit stage, as a method hands it to a solver.

#include <electret/dynamics/system.hpp>

namespace electret {

/// argmin over the free vertices of g(x) = ½ (x-y)ᵀM(x-y) + a E(x). The views must stay valid, and their
/// values the same, during the solve.
struct StageProblem {
  VectorView start;                ///< x_t, where the step starts (n×3, m): it sets the stopping rule.
  VectorView y;                    ///< n×3, m; pinned rows hold the prescribed places.
  double factor = 0.0;             ///< a, s²: h² for imex.
  const Inputs* inputs = nullptr;  ///< At the end of the stage.
  MethodMemory* memory = nullptr;  ///< The method's: what a solver keeps from step to step lives in it.
  VectorView unforced{};           ///< x_t + h v_t, pinned rows as in y: where Newton may start; empty: at x.
};

}  // namespace electret
