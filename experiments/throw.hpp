#pragma once
/// \file
/// How a body is thrown: turned about its middle, put to a place and given a velocity ([DiffPD] §7.2).

#include <array>

#include <electret/core/types.hpp>

namespace electret::experiments {

/// Nine numbers: roll, pitch and yaw (rad), the middle (m), the velocity (m/s).
using Throw = std::array<double, 9>;

/// Where a throw puts the vertices of `rest` (n×3): x = Rz(yaw) Ry(pitch) Rx(roll) (X - c) + middle, c the
/// mean of X.
[[nodiscard]] VectorArray thrown(VectorView rest, const Throw& how);

/// Derivatives of a loss by the throw's numbers, from those by the start's positions and velocities (n×3).
/// `positions` (n×3) are those of the start.
[[nodiscard]] Throw by_throw(VectorView positions, const Throw& how, VectorView by_positions,
                             VectorView by_velocities);

}  // namespace electret::experiments
