#pragma once
/// \file
/// The obstacle that a force comes from.

#include <cstddef>

#include <electret/geometry/penalty.hpp>

namespace electret {

/// An obstacle, and which of the `count` placements in Inputs is its own.
struct ForceObstacle {
  Penalty penalty;
  std::size_t number = 0, count = 1;
};

}  // namespace electret
