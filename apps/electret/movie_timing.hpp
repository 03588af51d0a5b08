#pragma once
/// \file
/// Which frames of a run a movie shows, and how often, so that it plays at a given speed.

#include <string>
#include <vector>

#include <electret/core/types.hpp>

namespace electret::app {

/// The number of pictures of a movie of `length` seconds of a run: one at its start, and one for each
/// 1/`rate` seconds that the movie lasts. At `speed` 1 it plays in real time, at 0.25 four times slower. A
/// whole number, which may be too large for an integer.
[[nodiscard]] double movie_pictures(double length, int rate, double speed);

/// How often the movie shows each of the frames at `times` (s, ascending): every picture shows the frame
/// nearest to its time, the later of two that are as near.
[[nodiscard]] std::vector<Count> times_shown(const std::vector<double>& times, int rate, double speed);

/// "plays in real time", "plays 4 times slower than real time".
[[nodiscard]] std::string speed_words(double speed);

}  // namespace electret::app
