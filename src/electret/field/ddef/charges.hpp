#pragma once
/// \file
/// The charges of one evaluation (sorted and scaled) and the settings of its sums.

#include <electret/field/ddef/discretisation.hpp>

namespace electret::ddef {

/// Charges in the sources' sorted order, multiplied by a power of two that brings the largest to (1/2, 1].
struct SortedCharges {
  std::vector<double> float64;  ///< n, padded with zeros.
  std::vector<float> float32;   ///< The same; empty unless requested.
  double scale = 1.0;

  void assign(const SortedPoints& sources, ScalarView charges, bool with_float32);
};

/// Everything that an evaluation reads.
struct SumTask {
  const Discretisation& discretisation;
  const SortedCharges& charges;
  const direct::Kernels& direct_kernels;
  const Kernels& kernels;
  bool gradients = false;  ///< Half-Taylor: sums the far field's gradients too.
  bool near_only = false;  ///< The far field counts as 0.
};

/// The far field at a grid vertex, in scaled units: Σ q K(u_v - x), Σ q/ρ and Σ q K'(u_v - x).
struct VertexSums {
  Vec3 vector;
  double scalar = 0.0;
  double gradient[symmetric_size] = {};

  VertexSums& operator+=(const VertexSums& b) {
    vector += b.vector;
    scalar += b.scalar;
    for (int k = 0; k < symmetric_size; ++k) gradient[k] += b.gradient[k];
    return *this;
  }
};

/// The product of a symmetric matrix (xx, yy, zz, xy, xz, yz) and a vector.
inline Vec3 symmetric_product(const double (&m)[symmetric_size], const Vec3& v) {
  return {m[0] * v.x + m[3] * v.y + m[4] * v.z, m[3] * v.x + m[1] * v.y + m[5] * v.z,
          m[4] * v.x + m[5] * v.y + m[2] * v.z};
}

}  // namespace electret::ddef
