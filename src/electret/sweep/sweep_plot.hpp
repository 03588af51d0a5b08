#pragma once
/// \file
/// Pictures of a sweep.

#include <string>
#include <utility>
#include <vector>

#include <electret/sweep/sweep_merge.hpp>

namespace electret {

/// The pictures of each quantity and of the loss, as file names and SVG texts; the first is sweep.svg. Over
/// one listed key of numbers: curves. Over two: colour maps. Over sampled keys: points against each key; if
/// there is a listed key of numbers too, the median and the range of 5 to 95 % along it.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> sweep_pictures(const SweepPlan& plan,
                                                                              const SweepResults& results);

}  // namespace electret
