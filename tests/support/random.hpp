#pragma once
/// \file
/// Random numbers, the same for the same arguments on every machine. Tests of fields have their own beside
/// the clouds (point_clouds.hpp): their errors are statistics of just those numbers.

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include <electret/core/types.hpp>

namespace electret::test {

/// The standard says every bit of the engine, but not of its distributions.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  /// In [from, to).
  double uniform(double from, double to) {
    return from + (to - from) * (static_cast<double>(engine_() >> 11) * 0x1p-53);
  }
  /// Components in [-size, size).
  Vec3 in_cube(double size) {
    const double x = uniform(-size, size), y = uniform(-size, size), z = uniform(-size, size);
    return {x, y, z};
  }

 private:
  std::mt19937_64 engine_;
};

/// n vectors with components in [-size, size).
inline VectorArray random_vectors(std::size_t n, unsigned seed, double size = 1.0) {
  Random random(seed);
  VectorArray vectors(n);
  for (Vec3& v : vectors) v = random.in_cube(size);
  return vectors;
}

/// n numbers in [from, to).
inline std::vector<double> random_numbers(std::size_t n, unsigned seed, double from, double to) {
  Random random(seed);
  std::vector<double> numbers(n);
  for (double& number : numbers) number = random.uniform(from, to);
  return numbers;
}

}  // namespace electret::test
