#pragma once
/// \file
/// One implicit stage, as a method passes it to a solver.

#include <electret/dynamics/system.hpp>

namespace electret {

/// argmin over the free vertices of g(x) = ½ (x-y)ᵀM(x-y) + a E(x). The views must stay valid and their
/// values unchanged during the solve.
struct StageProblem {
  VectorView start;                ///< x_t, where the step starts (n×3, m); sets the stopping rule.
  VectorView y;                    ///< n×3, m; pinned rows hold the prescribed places.
  double factor = 0.0;             ///< a, s²: h² for imex.
  const Inputs* inputs = nullptr;  ///< At the end of the stage.
  MethodMemory* memory = nullptr;  ///< The method's; a solver keeps here what it needs from step to step.
  /// x_t + h v_t with pinned rows as in y, where Newton's method may start; if empty, it starts at x.
  VectorView unforced{};
};

}  // namespace electret
