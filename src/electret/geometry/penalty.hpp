#pragma once
/// \file
/// The law of a penalty: a push that depends on the depth in a rigid surface.

#include <cmath>

#include <electret/geometry/rigid_shape.hpp>

namespace electret {

/// A penalty on the depth D = max(0, -φ) in `surface`, where φ is the signed distance. The energy is E = k/p
/// D^p, and the push is f_n = k D^(p-1). With p = 3 the push is the contact force in [DiffPD]'s code.
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

  /// The depth (m) at which the push is `force` (N).
  [[nodiscard]] double depth_under(double force) const {
    return std::pow(force / stiffness, 1.0 / (exponent - 1.0));
  }
  /// The depth (m) at which E is `energy` (J).
  [[nodiscard]] double depth_after(double energy) const {
    return std::pow(exponent * energy / stiffness, 1.0 / exponent);
  }
  /// The longest step (s) that resolves the push at `depth` on a vertex of `mass` (kg): h ω = 2. The push is
  /// an explicit force in every method, so longer steps throw the vertex out.
  [[nodiscard]] double longest_step(double depth, double mass) const {
    return 2.0 * std::sqrt(mass / slope(depth));
  }
};

}  // namespace electret
