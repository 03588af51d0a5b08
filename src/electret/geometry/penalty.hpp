#pragma once
/// \file
/// The law of a penalty on the depth in a rigid surface.

#include <cmath>

#include <electret/geometry/rigid_surface.hpp>

namespace electret {

/// Of the depth D = max(0, -φ) in `surface`, φ the signed distance: E = k/p D^p, the push f_n = k D^(p-1).
/// With p = 3 this is the contact force of [DiffPD]'s code.
struct Penalty {
  RigidSurface surface;
  double stiffness = 0.0;  ///< k, N/m^(p-1), ≥ 0.
  double exponent = 3.0;   ///< p ≥ 2.

  /// f_n/k at a depth > 0.
  [[nodiscard]] double push_per_stiffness(double depth) const { return std::pow(depth, exponent - 1.0); }
  [[nodiscard]] double push(double depth) const { return stiffness * push_per_stiffness(depth); }
  /// df_n/dD, N/m.
  [[nodiscard]] double slope(double depth) const {
    return stiffness * (exponent - 1.0) * std::pow(depth, exponent - 2.0);
  }
  /// E/k.
  [[nodiscard]] double energy_per_stiffness(double depth) const {
    return std::pow(depth, exponent) / exponent;
  }

  /// The depth at which the push is `force` (N), m.
  [[nodiscard]] double depth_under(double force) const {
    return std::pow(force / stiffness, 1.0 / (exponent - 1.0));
  }
  /// The depth at which E is `energy` (J), m.
  [[nodiscard]] double depth_after(double energy) const {
    return std::pow(exponent * energy / stiffness, 1.0 / exponent);
  }
  /// The push is an explicit force in every method: steps longer than this (s), h ω = 2, throw a vertex of
  /// `mass` (kg) out from this depth.
  [[nodiscard]] double longest_step(double depth, double mass) const {
    return 2.0 * std::sqrt(mass / slope(depth));
  }
};

}  // namespace electret
