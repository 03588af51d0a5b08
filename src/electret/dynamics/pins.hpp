#pragma once
/// \file
/// What every method does with pinned vertices (Dirichlet conditions): it prescribes their places and
/// velocities, and computes the force that held or moved them. docs/physics.md, "Time integrators".

#include <electret/dynamics/backward.hpp>
#include <electret/dynamics/system.hpp>

namespace electret {

/// x_P ← p(t_{n+1}); `places` is Inputs::pin_positions.
inline void place_pins(const std::vector<Index>& pins, VectorView places, VectorSpan positions) {
  for (std::size_t k = 0; k < pins.size(); ++k) positions[static_cast<std::size_t>(pins[k])] = places[k];
}

/// Makes the displacements of pins 0: solvers do not move them.
inline void hold_pins(const std::vector<Index>& pins, VectorSpan displacements) {
  for (const Index pin : pins) displacements[static_cast<std::size_t>(pin)] = {};
}

/// v_P ← (p(t_{n+1}) - p(t_n))/h, m/s.
inline void move_pins(const std::vector<Index>& pins, const VectorArray& before, const VectorArray& after,
                      double h, VectorSpan velocities) {
  for (std::size_t k = 0; k < pins.size(); ++k) {
    const Vec3 d = after[k] - before[k];
    velocities[static_cast<std::size_t>(pins[k])] = {d.x / h, d.y / h, d.z / h};
  }
}

/// The transpose of `place_pins` at a step's end: ∂ℒ/∂x of pinned vertices goes to the pins' places.
inline void release_pin_places(const std::vector<Index>& pins, VectorSpan by_positions,
                               InputGradients& by_end) {
  for (std::size_t k = 0; k < pins.size(); ++k) {
    Vec3& by_position = by_positions[static_cast<std::size_t>(pins[k])];
    by_end.pin_positions[k] += by_position;
    by_position = {};
  }
}

/// The transpose of `move_pins`: ∂ℒ/∂v of pinned vertices goes to the pins' places at both ends of the step.
inline void release_pin_velocities(const std::vector<Index>& pins, double h, VectorSpan by_velocities,
                                   StepInputGradients& by_inputs) {
  for (std::size_t k = 0; k < pins.size(); ++k) {
    Vec3& by_velocity = by_velocities[static_cast<std::size_t>(pins[k])];
    by_inputs.end.pin_positions[k] += (1.0 / h) * by_velocity;
    by_inputs.start.pin_positions[k] -= (1.0 / h) * by_velocity;
    by_velocity = {};
  }
}

/// reaction = m (v' - v)/h - f at each pin, N. Added to f (n×3, N), the force that the method let act during
/// the step, it accounts for the pin's motion.
inline void pin_reactions(const System& system, VectorView before, VectorView after, VectorView f,
                          VectorSpan reactions) {
  const double h = system.time_step;
  for (std::size_t k = 0; k < system.pins.size(); ++k) {
    const auto i = static_cast<std::size_t>(system.pins[k]);
    reactions[k] = (system.masses()[i] / h) * (after[i] - before[i]) - f[i];
  }
}

}  // namespace electret
