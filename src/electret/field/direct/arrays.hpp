#pragma once
/// \file
/// The direct solver's arrays: one array per coordinate, padded, scaled by powers of two.

#include <electret/field/direct/kernels.hpp>

namespace electret::direct {

/// The frame of the float32 coordinates, and the scale of all coordinates: x' = (x - centre)·scale. `scale`
/// is a power of two, so scaling is exact. It brings the larger of half the box and the softening to (1/2,
/// 1]. No pair can then overflow either arithmetic, and relative errors do not depend on the unit of length.
struct Frame {
  Vec3 centre;
  double scale = 1.0;
};
Frame frame_of(VectorView sources, VectorView targets, double softening);
/// The same for a box.
Frame frame_of(const Vec3& low, const Vec3& high, double softening);

/// The power of two that brings max |values| to (1/2, 1]; 1 if all values are 0.
double power_of_two_scale(ScalarView values);
/// The same for the largest component of all vectors.
double power_of_two_scale(VectorView values);

/// The ρ² below which two points may be closer than |r|² = `closest`. Float32 kernels know only ρ² = |r|² +
/// ε², rounded a few times. A softening ε must not hide close pairs: it takes nothing from the relative error
/// of K = r/ρ³, which is that of r.
float closest_with_softening(float closest, float softening_squared);

/// Whether the first `count` sums of vectors and scalars are finite. If not, one of the pairs is at distance
/// 0 or beyond the range of the arithmetic.
bool all_finite(const GroupSums& sums, int count);

/// n×3 values as three arrays of T. With `with_low`, three more arrays hold what rounding lost.
template <class T>
class CoordinateArrays {
 public:
  /// Stores (values - centre)·scale in `padded` ≥ n entries; the entries after the n-th are `padding`.
  void assign(VectorView values, const Vec3& centre, double scale, std::size_t padded, T padding,
              bool with_low = false);
  [[nodiscard]] Coordinates<T> view() const;

 private:
  std::vector<T> axis_[3], low_[3];
};

extern template class CoordinateArrays<float>;
extern template class CoordinateArrays<double>;

}  // namespace electret::direct
