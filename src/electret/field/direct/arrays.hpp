#pragma once
/// \file
/// The direct solver's arrays: coordinates apart, padded, scaled by powers of two.

#include <electret/field/direct/kernels.hpp>

namespace electret::direct {

/// The frame of float32 coordinates and the scale of all: x' = (x - centre)·scale. `scale` is a power of two
/// (exact) that brings the larger of half the box and the softening to (1/2, 1]: no pair can leave the range
/// of either arithmetic by being large, and relative errors do not depend on the unit of length.
struct Frame {
  Vec3 centre;
  double scale = 1.0;
};
Frame frame_of(VectorView sources, VectorView targets, double softening);
/// The same of a box.
Frame frame_of(const Vec3& low, const Vec3& high, double softening);

/// The power of two that brings max |values| to (1/2, 1]; 1 where all are 0.
double power_of_two_scale(ScalarView values);
/// The same of the largest component.
double power_of_two_scale(VectorView values);

/// Whether the first `count` sums of vectors and scalars are finite: where not, a pair at distance 0 or
/// beyond the arithmetic's range is among them.
bool all_finite(const GroupSums& sums, int count);

/// n×3 values as three arrays of T, and what rounding lost in three more (`with_low`).
template <class T>
class CoordinateArrays {
 public:
  /// Takes (values - centre)·scale; `padded` ≥ n entries, the last ones `padding`.
  void assign(VectorView values, const Vec3& centre, double scale, std::size_t padded, T padding,
              bool with_low = false);
  [[nodiscard]] Coordinates<T> view() const;

 private:
  std::vector<T> axis_[3], low_[3];
};

extern template class CoordinateArrays<float>;
extern template class CoordinateArrays<double>;

}  // namespace electret::direct
