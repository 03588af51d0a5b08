#include <algorithm>
#include <cmath>

#include <electret/field/direct/arrays.hpp>

namespace electret::direct {
namespace {

/// The power 2^-k for which value·2^-k is in [1/2, 1), or smaller if `value` is subnormal. 1 for 0 and for
/// values that are not finite.
double inverse_power_of_two(double value) {
  if (!(value > 0.0) || !std::isfinite(value)) return 1.0;
  int exponent = 0;
  std::frexp(value, &exponent);
  constexpr int largest = 1022;  // of what 2^k can be; a subnormal value stays below 1/2 then
  return std::ldexp(1.0, std::min(-exponent, largest));
}

}  // namespace

Frame frame_of(VectorView sources, VectorView targets, double softening) {
  if (sources.empty() && targets.empty()) return {};
  Vec3 low = sources.empty() ? targets[0] : sources[0], high = low;
  for (const auto points : {sources, targets})
    for (const Vec3& p : points) {
      low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
  return frame_of(low, high, softening);
}

Frame frame_of(const Vec3& low, const Vec3& high, double softening) {
  const Vec3 half = 0.5 * (high - low);
  return {low + half, inverse_power_of_two(std::max({half.x, half.y, half.z, softening}))};
}

double power_of_two_scale(ScalarView values) {
  double largest = 0.0;
  for (const double v : values) largest = std::max(largest, std::abs(v));
  return inverse_power_of_two(largest);
}

double power_of_two_scale(VectorView values) {
  double largest = 0.0;
  for (const Vec3& v : values) largest = std::max({largest, std::abs(v.x), std::abs(v.y), std::abs(v.z)});
  return inverse_power_of_two(largest);
}

float closest_with_softening(float closest, float softening_squared) {
  if (softening_squared == 0.0F) return closest;
  // At most six roundings by 2⁻²⁴, and one of the result.
  constexpr double rounded_up = 1.0 + 0x1p-21;
  return static_cast<float>(rounded_up *
                            (static_cast<double>(softening_squared) + static_cast<double>(closest)));
}

bool all_finite(const GroupSums& sums, int count) {
  bool finite = true;
  for (int l = 0; l < count; ++l)
    finite &= std::isfinite(sums.vector[0][l] + sums.vector[1][l] + sums.vector[2][l] + sums.scalar[l]);
  return finite;
}

template <class T>
void CoordinateArrays<T>::assign(VectorView values, const Vec3& centre, double scale, std::size_t padded,
                                 T padding, bool with_low) {
  const std::size_t n = values.size();
  for (int axis = 0; axis < 3; ++axis) {
    axis_[axis].resize(padded);
    low_[axis].resize(with_low ? padded : 0);
  }
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 v = scale * (values[i] - centre);
    axis_[0][i] = static_cast<T>(v.x);
    axis_[1][i] = static_cast<T>(v.y);
    axis_[2][i] = static_cast<T>(v.z);
    if (!with_low) continue;
    low_[0][i] = static_cast<T>(v.x - static_cast<double>(axis_[0][i]));
    low_[1][i] = static_cast<T>(v.y - static_cast<double>(axis_[1][i]));
    low_[2][i] = static_cast<T>(v.z - static_cast<double>(axis_[2][i]));
  }
  for (int axis = 0; axis < 3; ++axis) {
    std::fill(axis_[axis].begin() + static_cast<std::ptrdiff_t>(n), axis_[axis].end(), padding);
    if (with_low) std::fill(low_[axis].begin() + static_cast<std::ptrdiff_t>(n), low_[axis].end(), T{0});
  }
}

template <class T>
Coordinates<T> CoordinateArrays<T>::view() const {
  return {axis_[0].data(), axis_[1].data(), axis_[2].data(), low_[0].data(), low_[1].data(), low_[2].data()};
}

template class CoordinateArrays<float>;
template class CoordinateArrays<double>;

}  // namespace electret::direct
