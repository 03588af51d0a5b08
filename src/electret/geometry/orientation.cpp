#include <algorithm>
#include <cmath>
#include <cstddef>

#include <electret/geometry/orientation.hpp>

namespace electret {
namespace {

/// Half the distance from 1 to the next number.
constexpr double half_ulp = 0x1p-53;

/// A sum of numbers whose digits do not overlap, the smallest first: what float64 rounds away stands in a
/// number of its own. `n` numbers at most.
template <std::size_t n>
class Expansion {
 public:
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] double operator[](std::size_t k) const { return terms_[k]; }
  [[nodiscard]] int sign() const {
    const double largest = size_ > 0 ? terms_[size_ - 1] : 0.0;
    return largest > 0.0 ? 1 : largest < 0.0 ? -1 : 0;
  }
  /// Adds one number (Shewchuk's GROW-EXPANSION, without zeros).
  void add(double value) {
    std::size_t kept = 0;
    for (std::size_t k = 0; k < size_; ++k) {
      const double sum = value + terms_[k], part = sum - value;
      const double error = (value - (sum - part)) + (terms_[k] - part);
      if (error != 0.0) terms_[kept++] = error;
      value = sum;
    }
    size_ = kept;
    if (value != 0.0) terms_[size_++] = value;
  }
  void add_product(double a, double b) {
    const double product = a * b;
    add(std::fma(a, b, -product));
    add(product);
  }
  /// Adds the product of two expansions, with a sign.
  template <std::size_t m, std::size_t l>
  void add_product(const Expansion<m>& a, const Expansion<l>& b, double sign = 1.0) {
    for (std::size_t i = 0; i < a.size(); ++i)
      for (std::size_t j = 0; j < b.size(); ++j) add_product(sign * a[i], b[j]);
  }

 private:
  std::array<double, n> terms_{};
  std::size_t size_ = 0;
};

using Difference = Expansion<2>;

Difference exact_difference(double a, double b) {
  Difference difference;
  difference.add(a);
  difference.add(-b);
  return difference;
}

int exact_orientation(const std::array<Vec3, 3>& ends, const Vec3& a) {
  std::array<std::array<Difference, 3>, 3> rows;
  for (std::size_t i = 0; i < 3; ++i)
    for (int axis = 0; axis < 3; ++axis)
      rows[i][static_cast<std::size_t>(axis)] = exact_difference(ends[i][axis], a[axis]);
  Expansion<192> sum;
  for (std::size_t k = 0; k < 3; ++k) {
    Expansion<16> minor;
    minor.add_product(rows[1][(k + 1) % 3], rows[2][(k + 2) % 3]);
    minor.add_product(rows[1][(k + 2) % 3], rows[2][(k + 1) % 3], -1.0);
    sum.add_product(rows[0][k], minor);
  }
  return sum.sign();
}

int sign_of(double value) {
  return value > 0.0 ? 1 : value < 0.0 ? -1 : 0;
}

/// The point without one of its coordinates.
PlanePoint without(int axis, const Vec3& p) {
  return {p[(axis + 1) % 3], p[(axis + 2) % 3]};
}

/// Whether the triangle with the given sense has the point, sides included.
bool has_point(const std::array<PlanePoint, 3>& triangle, int sense, const PlanePoint& p) {
  for (std::size_t k = 0; k < 3; ++k)
    if (orientation(triangle[k], triangle[(k + 1) % 3], p) == -sense) return false;
  return true;
}

/// Whether two segments of a plane meet, where not both are on one line.
bool segments_cross(const PlanePoint& a, const PlanePoint& b, const PlanePoint& c, const PlanePoint& d) {
  const int on_ab_c = orientation(a, b, c), on_ab_d = orientation(a, b, d);
  if (on_ab_c == 0 && on_ab_d == 0) return false;
  return on_ab_c * on_ab_d <= 0 && orientation(c, d, a) * orientation(c, d, b) <= 0;
}

/// In one plane, a segment meets a triangle if an end is in it or if it crosses a side. A segment along a
/// side has an end in it or goes through a corner, where it crosses another side.
bool meets_in_plane(const Vec3& from, const Vec3& to, const std::array<Vec3, 3>& corners) {
  for (int axis = 0; axis < 3; ++axis) {
    const std::array<PlanePoint, 3> triangle{without(axis, corners[0]), without(axis, corners[1]),
                                             without(axis, corners[2])};
    const int sense = orientation(triangle[0], triangle[1], triangle[2]);
    if (sense == 0) continue;
    const PlanePoint a = without(axis, from), b = without(axis, to);
    if (has_point(triangle, sense, a) || has_point(triangle, sense, b)) return true;
    for (std::size_t k = 0; k < 3; ++k)
      if (segments_cross(a, b, triangle[k], triangle[(k + 1) % 3])) return true;
    return false;
  }
  return false;
}

}  // namespace

int orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Vec3 u = b - a, v = c - a, w = d - a;
  double sum = 0.0, size = 0.0;
  for (int k = 0; k < 3; ++k) {
    const double first = v[(k + 1) % 3] * w[(k + 2) % 3], second = v[(k + 2) % 3] * w[(k + 1) % 3];
    sum += u[k] * (first - second);
    size += std::abs(u[k]) * (std::abs(first) + std::abs(second));
  }
  // Each product has three rounded differences and at most five roundings of its own.
  if (std::abs(sum) > 10.0 * half_ulp * size) return sign_of(sum);
  return exact_orientation({b, c, d}, a);
}

int orientation(const PlanePoint& a, const PlanePoint& b, const PlanePoint& c) {
  const double first = (b[0] - a[0]) * (c[1] - a[1]), second = (b[1] - a[1]) * (c[0] - a[0]);
  const double sum = first - second;
  if (std::abs(sum) > 5.0 * half_ulp * (std::abs(first) + std::abs(second))) return sign_of(sum);
  Expansion<16> exact;
  exact.add_product(exact_difference(b[0], a[0]), exact_difference(c[1], a[1]));
  exact.add_product(exact_difference(b[1], a[1]), exact_difference(c[0], a[0]), -1.0);
  return exact.sign();
}

bool segment_meets_triangle(const Vec3& from, const Vec3& to, const std::array<Vec3, 3>& triangle) {
  const auto& [a, b, c] = triangle;
  const int at_from = orientation(a, b, c, from), at_to = orientation(a, b, c, to);
  if (at_from * at_to > 0) return false;
  if (at_from == 0 && at_to == 0) return meets_in_plane(from, to, triangle);
  // Seen along the segment, the triangle's sides pass it on the same hand, or one of them meets it.
  const std::array<int, 3> hands{orientation(from, to, a, b), orientation(from, to, b, c),
                                 orientation(from, to, c, a)};
  const auto [least, most] = std::minmax_element(hands.begin(), hands.end());
  return *least * *most >= 0;
}

}  // namespace electret
