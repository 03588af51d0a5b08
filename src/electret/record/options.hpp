#pragma once
/// \file
/// The `[output]` settings.

#include <string>

#include <electret/core/types.hpp>

namespace electret {

struct OutputOptions {
  /// Every k-th step becomes a frame; the initial state is always frame 0.
  Count every = 1;
  bool velocities = true;            ///< Whether /velocities is written.
  std::string precision = "double";  ///< double | single: how positions and velocities are stored.
  int compression = 0;               ///< 0…9, deflate.
};

}  // namespace electret
