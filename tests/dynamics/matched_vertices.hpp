#pragma once
/// \file
/// Parts of bodies against the whole bodies.

#include <algorithm>

#include <gtest/gtest.h>

#include <electret/dynamics/simulator.hpp>

namespace electret::test {

/// The largest distance between vertices of a part and those of the whole that began in the same places.
inline double largest_distance(const Simulator& part, const Simulator& whole) {
  double largest = 0.0;
  const VectorArray &from = part.system().assembly.initial_positions,
                    &all = whole.system().assembly.initial_positions;
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::size_t j = 0;
    while (j < all.size() && norm(all[j] - from[i]) > 1e-9) ++j;
    EXPECT_LT(j, all.size());
    if (j < all.size())
      largest = std::max(largest, norm(part.state().positions[i] - whole.state().positions[j]));
  }
  return largest;
}

}  // namespace electret::test
