#pragma once
/// \file
/// The normal force of a pair as a function of its distance (docs/contact.md): κ m b(d).

#include <cmath>
#include <limits>

namespace electret {

/// b(d) = ½(D - d)² for D/2 ≤ d < D; D²/8 - (D²/4) ln(2d/D) for d < D/2; 0 beyond.
struct PairRepulsion {
  double value = 0.0;     ///< b, m².
  double pressure = 0.0;  ///< p = -b' ≥ 0, m.
  double bend = 0.0;      ///< b''.
};

/// At the distance `d` with the thickness `thickness` D; infinite at d ≤ 0.
inline PairRepulsion pair_repulsion(double d, double thickness) {
  if (d >= thickness) return {};
  if (2.0 * d >= thickness) {
    const double depth = thickness - d;
    return {0.5 * depth * depth, depth, 1.0};
  }
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (!(d > 0.0)) return {infinity, infinity, infinity};
  const double quarter = 0.25 * thickness * thickness;
  return {0.5 * quarter - quarter * std::log(2.0 * d / thickness), quarter / d, quarter / (d * d)};
}

}  // namespace electret
