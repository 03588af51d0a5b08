#pragma once
/// \file
/// Pictures of a sweep.

#include <string>
#include <utility>
#include <vector>

#include <electret/sweep/sweep_merge.hpp>

namespace electret {

struct SweepPictures {
  std::vector<std::pair<std::string, std::string>> files;  ///< Names and SVG texts; the first is sweep.svg.
  std::size_t hidden = 0;                                  ///< Charts for which there is no room.
};

/// The pictures of each quantity and of the loss. Over one listed key of numbers: curves. Over two: colour
/// maps. Over sampled keys: points against each key; if there is a listed key of numbers too, the median and
/// the range of 5 to 95 % along it. Over listed texts alone: points over these texts. Fits show their loss
/// and their values, and tell minima apart. The first 24 charts are made.
[[nodiscard]] SweepPictures sweep_pictures(const SweepPlan& plan, const SweepResults& results);

}  // namespace electret
