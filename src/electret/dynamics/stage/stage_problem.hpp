#pragma once
/// \file
/// One implicit stage, as a method passes it to a solver.

#include <electret/dynamics/system.hpp>

namespace electret {

/// argmin over the free vertices of g = ½ (δ-d)ᵀM(δ-d) + a E(x_t + δ), where δ = x - x_t is the displacement
/// from the start of the step and d = y - x_t. Far from the origin a step may be smaller than the last digits
/// of x_t. Therefore d is computed without x_t, and only E sees the sum x_t + δ. Rows of displacements at
/// pins are 0 and do not count. The views must stay valid and their values unchanged during the solve.
struct StageProblem {
  VectorView start;                ///< x_t, where the step starts (n×3, m).
  VectorView inertial;             ///< d, where the stage would end without elements (n×3, m).
  double factor = 0.0;             ///< a, s²: h² for imex.
  const Inputs* inputs = nullptr;  ///< At the end of the stage.
  MethodMemory* memory = nullptr;  ///< The method's; a solver keeps here what it needs from step to step.
  VectorView unforced{};    ///< h v_t (n×3, m), where Newton's method may start; if empty, it starts at δ.
  VectorView pin_places{};  ///< Of the pins in the stage (pins×3, m); if empty, they stay where they start.
  const Inputs* before =
      nullptr;           ///< At the start of the step: what touches an obstacle moves along with it.
  VectorView carried{};  ///< Where the velocity alone would carry (n×3, m); if empty, `unforced`.
};

}  // namespace electret
