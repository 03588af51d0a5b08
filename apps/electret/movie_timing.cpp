#include "movie_timing.hpp"

#include <cmath>

#include <fmt/format.h>

namespace electret::app {

double movie_pictures(double length, int rate, double speed) {
  return 1.0 + std::round(length * rate / speed);
}

std::vector<Count> times_shown(const std::vector<double>& times, int rate, double speed) {
  constexpr double rounding = 1e-9;
  std::vector<Count> shown(times.size(), 0);
  const auto pictures = static_cast<Count>(movie_pictures(times.back() - times.front(), rate, speed));
  std::size_t frame = 0;
  for (Count picture = 0; picture < pictures; ++picture) {
    const double time = times.front() + static_cast<double>(picture) * speed / rate;
    const auto is_nearer = [&](std::size_t next) {
      return std::abs(times[next] - time) <= std::abs(times[next - 1] - time) * (1.0 + rounding);
    };
    while (frame + 1 < times.size() && is_nearer(frame + 1)) ++frame;
    ++shown[frame];
  }
  return shown;
}

std::string speed_words(double speed) {
  if (speed == 1.0) return "plays in real time";
  return speed < 1.0 ? fmt::format("plays {:.4g} times slower than real time", 1.0 / speed)
                     : fmt::format("plays {:.4g} times faster than real time", speed);
}

}  // namespace electret::app
