#pragma once
/// \file
/// The `[output]` settings.

#include <string>

#include <electret/core/types.hpp>

namespace electret {

struct OutputOptions {
  Count every = 1;                   ///< Write every k-th step; the initial state is always frame 0.
  bool velocities = true;            ///< Write /velocities.
  std::string precision = "double";  ///< double | single: how positions and velocities are stored.
  int compression = 0;               ///< 0…9, deflate.
};

}  // namespace electret
