#pragma once
/// \file
/// The random numbers of NumPy's `RandomState`: published experiments drew theirs from it.

#include <cmath>
#include <cstdint>
#include <optional>
#include <random>

namespace electret::experiments {

/// MT19937 begun as `numpy.random.seed(seed)` begins it.
///
/// \code
///   NumpyRandom random(42);
///   const double first = random.uniform(0.0, 1.0);  // numpy.random.uniform(0, 1)
/// \endcode
class NumpyRandom {
 public:
  explicit NumpyRandom(std::uint32_t seed) : bits_(seed) {}

  /// Uniform in [low, high), of 53 random bits.
  double uniform(double low, double high) {
    const auto high_bits = static_cast<double>(bits_() >> 5U), low_bits = static_cast<double>(bits_() >> 6U);
    return low + (high - low) * (high_bits * 67108864.0 + low_bits) / 9007199254740992.0;
  }

  /// Normal with mean 0 and deviation 1, by the polar method of Marsaglia and Bray: a pair at a time.
  double normal() {
    if (second_) {
      const double result = *second_;
      second_.reset();
      return result;
    }
    for (;;) {
      const double x = uniform(-1.0, 1.0), y = uniform(-1.0, 1.0), square = x * x + y * y;
      if (square >= 1.0 || square == 0.0) continue;
      const double factor = std::sqrt(-2.0 * std::log(square) / square);
      second_ = factor * x;
      return factor * y;
    }
  }

 private:
  std::mt19937 bits_;
  std::optional<double> second_;
};

}  // namespace electret::experiments
