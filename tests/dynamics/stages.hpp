#pragma once
/// \file
/// Stages that tests state by places, though solvers work with displacements.

#include <electret/dynamics/stage/stage_solver.hpp>

namespace electret::test {

/// argmin ½ (x-y)ᵀM(x-y) + a E(x); pins are held where y has them.
struct PlacedStage {
  const VectorArray& start;  ///< n×3, m.
  const VectorArray& y;      ///< n×3, m.
  double factor;             ///< a, s².
};

inline VectorArray displacements(VectorView from, VectorView to) {
  VectorArray d(to.begin(), to.end());
  for (std::size_t i = 0; i < d.size(); ++i) d[i] -= from[i];
  return d;
}

/// Goes downhill from the place `x` and leaves the minimiser there.
inline StepReport solve_at(StageSolver& solver, const System& system, const PlacedStage& stage,
                           VectorArray& x) {
  const VectorArray inertial = displacements(stage.start, stage.y);
  VectorArray pins, moved = displacements(stage.start, x);
  for (const Index pin : system.pins) pins.push_back(stage.y[static_cast<std::size_t>(pin)]);
  const StepReport report =
      solver.solve({stage.start, inertial, stage.factor, nullptr, nullptr, {}, pins}, moved);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = stage.start[i] + moved[i];
  for (std::size_t k = 0; k < pins.size(); ++k) x[static_cast<std::size_t>(system.pins[k])] = pins[k];
  return report;
}

}  // namespace electret::test
