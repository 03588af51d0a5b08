#pragma once
/// \file
/// Whether a solver's device holds the positions that the solver knows.

#include <stdexcept>

namespace electret::gpu {

/// A prepare that throws, as where the device's memory is too small, leaves the device without a part of the
/// positions. Throws std::invalid_argument unless the last one came to its end.
inline void check_placed(bool placed) {
  if (!placed)
    throw std::invalid_argument("the device has no positions: prepare() sets them first, and must not fail");
}

}  // namespace electret::gpu
