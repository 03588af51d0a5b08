#pragma once
/// \file
/// What every method does with pinned vertices (Dirichlet conditions): it prescribes their places and
/// velocities, and computes the force that held or moved them. docs/physics.md, "Time integrators".
///
/// A roller prescribes only the part P x of a vertex's place, P being the projector on the directions that it
/// holds. The rest, (I - P) x, is free. All functions here act on the prescribed part alone.

#include <algorithm>

#include <electret/dynamics/backward.hpp>
#include <electret/dynamics/system.hpp>

namespace electret {

/// One pinned vertex.
struct PinRow {
  std::size_t pin = 0;         ///< Its row among the pins.
  std::size_t vertex = 0;      ///< Its row among the vertices.
  const Mat3* held = nullptr;  ///< P; null: all of it is held.

  /// P v.
  [[nodiscard]] Vec3 share(const Vec3& v) const { return held != nullptr ? *held * v : v; }
  /// (I - P) v.
  [[nodiscard]] Vec3 rest(const Vec3& v) const { return held != nullptr ? v - *held * v : Vec3{}; }
  /// (I - P) v + P p.
  [[nodiscard]] Vec3 prescribed(const Vec3& v, const Vec3& p) const {
    return held != nullptr ? v + *held * (p - v) : p;
  }
};

/// Calls visit(PinRow) for every pin, in their order.
template <class Visit>
void for_pins(const System& system, Visit&& visit) {
  auto roller = system.rollers.begin();
  for (std::size_t k = 0; k < system.pins.size(); ++k) {
    PinRow row{k, static_cast<std::size_t>(system.pins[k]), nullptr};
    if (roller != system.rollers.end() && roller->pin == k) row.held = &(roller++)->held;
    visit(row);
  }
}

/// What holds `vertex` in some directions; null if nothing does.
inline const Roller* roller_of(const System& system, Index vertex) {
  const auto at = std::lower_bound(system.rollers.begin(), system.rollers.end(), vertex,
                                   [](const Roller& r, Index v) { return r.constraint.vertex < v; });
  return at != system.rollers.end() && at->constraint.vertex == vertex ? &*at : nullptr;
}

/// P x ← P p(t_{n+1}); `places` is Inputs::pin_positions.
inline void place_pins(const System& system, VectorView places, VectorSpan positions) {
  for_pins(system, [&](const PinRow& at) {
    positions[at.vertex] = at.prescribed(positions[at.vertex], places[at.pin]);
  });
}

/// Makes the prescribed displacements of pins 0: solvers do not move them.
inline void hold_pins(const System& system, VectorSpan displacements) {
  for_pins(system, [&](const PinRow& at) { displacements[at.vertex] = at.rest(displacements[at.vertex]); });
}

/// P v ← P (p(t_{n+1}) - p(t_n))/h, m/s.
inline void move_pins(const System& system, const VectorArray& before, const VectorArray& after, double h,
                      VectorSpan velocities) {
  for_pins(system, [&](const PinRow& at) {
    const Vec3 d = after[at.pin] - before[at.pin];
    velocities[at.vertex] = at.prescribed(velocities[at.vertex], {d.x / h, d.y / h, d.z / h});
  });
}

/// The transpose of `place_pins` at a step's end: ∂ℒ/∂x of pinned vertices goes to the pins' places.
inline void release_pin_places(const System& system, VectorSpan by_positions, InputGradients& by_end) {
  for_pins(system, [&](const PinRow& at) {
    Vec3& by_position = by_positions[at.vertex];
    by_end.pin_positions[at.pin] += at.share(by_position);
    by_position = at.rest(by_position);
  });
}

/// The transpose of `move_pins`: ∂ℒ/∂v of pinned vertices goes to the pins' places at both ends of the step.
inline void release_pin_velocities(const System& system, double h, VectorSpan by_velocities,
                                   StepInputGradients& by_inputs) {
  for_pins(system, [&](const PinRow& at) {
    Vec3& by_velocity = by_velocities[at.vertex];
    const Vec3 by_place = (1.0 / h) * at.share(by_velocity);
    by_inputs.end.pin_positions[at.pin] += by_place;
    by_inputs.start.pin_positions[at.pin] -= by_place;
    by_velocity = at.rest(by_velocity);
  });
}

/// reaction = P (m (v' - v)/h - f) at each pin, N. Added to f (n×3, N), the force that the method let act
/// during the step, it accounts for the pin's motion.
inline void pin_reactions(const System& system, VectorView before, VectorView after, VectorView f,
                          VectorSpan reactions) {
  const double h = system.time_step;
  for_pins(system, [&](const PinRow& at) {
    const std::size_t i = at.vertex;
    reactions[at.pin] = at.share((system.masses()[i] / h) * (after[i] - before[i]) - f[i]);
  });
}

}  // namespace electret
