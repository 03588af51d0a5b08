#pragma once
/// \file
/// Reproducible noise for estimates.

#include <cstdint>

#include <electret/core/types.hpp>

namespace electret {

/// Reproducible numbers in [-1, 1) that contain every frequency, from a linear congruence.
class Noise {
 public:
  double next() {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<double>(state_ >> 11) / 4503599627370496.0 - 1.0;
  }
  Vec3 next_vector() {
    const double x = next(), y = next();
    return {x, y, next()};
  }

 private:
  std::uint64_t state_ = 1;
};

}  // namespace electret
