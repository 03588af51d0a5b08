#pragma once
/// \file
/// A trajectory in memory, and losses of it.

#include <string_view>
#include <vector>

#include <electret/dynamics/system.hpp>

namespace electret {

/// States of steps 0, 1, … of a run, as the adjoint reads them.
struct Trajectory {
  double time_step = 0.0;               ///< s.
  std::vector<VectorArray> positions;   ///< A step: n×3, m.
  std::vector<VectorArray> velocities;  ///< A step: n×3, m/s.
};

/// A scalar function of a trajectory, with its derivatives.
class Loss {
 public:
  virtual ~Loss() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;
  virtual double value(const Trajectory& trajectory) = 0;
  /// Adds ∂ℒ/∂x and ∂ℒ/∂v of step `step` (n×3 each).
  virtual void add_state_gradient(const Trajectory& trajectory, Count step, VectorSpan d_positions,
                                  VectorSpan d_velocities) = 0;
  /// Adds the loss's own dependence on the masses (n).
  virtual void add_mass_gradient(const Trajectory&, ScalarSpan /*out*/) {}
};

}  // namespace electret
