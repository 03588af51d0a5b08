#pragma once
/// \file
/// Penalty on the depth in an obstacle: vertices inside are pushed out along its normal.

#include <cmath>
#include <memory>

#include <electret/core/parallel.hpp>
#include <electret/force/explicit_force.hpp>
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
};

/// f_i = f_n n on each vertex inside. A vertex at a sphere's centre is pushed nowhere. Its potential is in
/// the column `external`. Parameter 0: "stiffness" (1). `threads` must outlive the force.
std::unique_ptr<ExplicitForce> make_penalty_force(const Penalty& penalty, Threads& threads);

}  // namespace electret
