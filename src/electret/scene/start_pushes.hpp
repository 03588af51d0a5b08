#pragma once
/// \file
/// How hard bodies that start within the thickness of contact push each other. Who has compiled the scene
/// knows; the scene alone does not, because the stiffness of contact comes from masses, step and elasticity.

#include <array>
#include <cstddef>
#include <functional>
#include <vector>

namespace electret {

/// Two bodies, or a body and itself.
struct BodyPush {
  std::array<std::size_t, 2> bodies{};  ///< The smaller number first.
  double force = 0.0;                   ///< The sum of the pushes of their pairs of parts, N.
};

/// Finds the pushes at the start. It is called where a warning names them alone.
using StartPushes = std::function<std::vector<BodyPush>()>;

}  // namespace electret
