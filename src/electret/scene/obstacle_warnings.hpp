#pragma once
/// \file
/// What of a scene's obstacles is perhaps not meant: a push or friction that the step does not resolve,
/// bodies that start inside.

#include <string>
#include <vector>

#include <electret/scene/assembly.hpp>

namespace electret {

struct ObstacleWarning {
  std::string key;  ///< "obstacle.0.stiffness".
  std::string what, advice;
};

/// Of free vertices: what is pinned stays where it is, however it is pushed.
std::vector<ObstacleWarning> obstacle_warnings(const Assembly& assembly);

}  // namespace electret
