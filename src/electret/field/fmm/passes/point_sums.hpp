#pragma once
/// \file
/// The sums at one target.

#include <electret/core/types.hpp>

namespace electret::fmm {

/// In scaled units.
struct PointSums {
  Vec3 field;
  double potential = 0.0;
  Vec3 product;                 ///< Σ_j q_j K'(r_ij)(z_i - u_j)
  double charge_product = 0.0;  ///< Σ_j q_j K(r_ij)·(z_i - u_j)

  PointSums& operator+=(const PointSums& other) {
    field += other.field;
    potential += other.potential;
    product += other.product;
    charge_product += other.charge_product;
    return *this;
  }
};

}  // namespace electret::fmm
