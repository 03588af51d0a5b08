#pragma once
/// \file
/// The energies of bodies that touch each other: that by which they repel each other, and that which the
/// slips of their friction store.

#include <vector>

#include <electret/dynamics/system.hpp>
#include <electret/scene/start_pushes.hpp>

namespace electret {

/// E_c at `x` (n×3, m), J; 0 if no bodies may touch.
double body_contact_energy(System& system, VectorView x);

/// What bodies push each other with at `x` (n×3, m), Σ κ m p over their pairs, ascending by bodies.
std::vector<BodyPush> body_pushes(const System& system, VectorView x);

/// Adds ∂E_c/∂x to `by_places` (n×3, N), and ∂E_c/∂c of each vertex (body_scales.hpp) to `by_scales` (n).
void add_body_contact_gradient(System& system, VectorView x, VectorSpan by_places, ScalarSpan by_scales);

/// Σ ½ κ|a|² of the slips a that the last step has left in `state`, J: friction gives it back, or takes it
/// when a pair comes apart or slips.
double slip_energy(const System& system, const State& state);

/// Adds ∂(Σ ½ κ|a|²)/∂c of each vertex to `by_scales` (n) and, if there is one, `factor` times the
/// derivatives by the slips to `by_memory`.
void add_slip_gradient(const System& system, const State& state, double factor, MethodMemory* by_memory,
                       ScalarSpan by_scales);

}  // namespace electret
