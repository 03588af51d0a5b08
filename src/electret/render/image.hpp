#pragma once
/// \file
/// A picture's pixels.

#include <array>
#include <cstdint>
#include <vector>

#include <electret/core/types.hpp>

namespace electret {

/// Pixels of eight bits per colour, as a screen takes them (sRGB).
struct Image {
  int width = 0, height = 0;
  std::vector<std::array<std::uint8_t, 3>> pixels = {};  ///< Row by row from the upper left corner.

  [[nodiscard]] const std::array<std::uint8_t, 3>& at(int x, int y) const {
    return pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                  static_cast<std::size_t>(x)];
  }
};

}  // namespace electret
