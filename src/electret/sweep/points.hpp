#pragma once
/// \file
/// Points in the unit cube for sampled keys. A point depends on its number, the seed and the keys alone, so
/// that more points keep the first ones.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <electret/core/types.hpp>

namespace electret {

/// Makes the points 0, 1, … in this order.
class UnitPoints {
 public:
  virtual ~UnitPoints() = default;
  /// The next point: each coordinate lies strictly between 0 and 1.
  virtual std::vector<double> next() = 0;
};

/// Independent points. A coordinate is a hash of the seed, the point's number and the key, so that a further
/// key changes no other one.
[[nodiscard]] std::unique_ptr<UnitPoints> random_points(const std::vector<std::string>& keys, Count seed);

/// Whether this build has Sobol' points. They need the headers of Boost.Random.
[[nodiscard]] bool has_sobol_points();
/// Sobol' points, shifted digit by digit by numbers that follow from the seed and the keys. Every 2^k
/// successive points from a multiple of 2^k on divide each axis evenly. Throws std::invalid_argument if this
/// build has none, or not for so many keys.
[[nodiscard]] std::unique_ptr<UnitPoints> sobol_points(const std::vector<std::string>& keys, Count seed);

/// The value below which a share `part` of a standard normal distribution lies, to 14 digits; `part` is
/// strictly between 0 and 1.
[[nodiscard]] double normal_quantile(double part);

}  // namespace electret
