#pragma once
/// \file
/// Warnings about a scene's obstacles: a push or friction that the step does not resolve, and bodies that
/// start inside.

#include <string>
#include <vector>

#include <electret/scene/assembly.hpp>
#include <electret/scene/start_pushes.hpp>

namespace electret {

struct ObstacleWarning {
  std::string key;  ///< "obstacle.0.stiffness".
  std::string what, advice;
};

/// The warnings consider free vertices only, because a push cannot move a pinned one. Those of bodies that
/// start within the thickness name their push if `pushes` is there.
std::vector<ObstacleWarning> obstacle_warnings(const Assembly& assembly, const StartPushes& pushes = {});
/// Those of them about obstacles with the law `exact`: obstacles that nothing can reach, and charges that may
/// come too close on them.
std::vector<ObstacleWarning> contact_warnings(const Assembly& assembly);
/// Those about bodies that touch each other or themselves: bodies that start within the thickness, and a
/// contact with themselves that no body can have.
std::vector<ObstacleWarning> body_contact_warnings(const Assembly& assembly, const StartPushes& pushes = {});

}  // namespace electret
