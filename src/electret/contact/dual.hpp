#pragma once
/// \file
/// Numbers with their first derivatives by a few variables, for formulas whose derivatives are long.

#include <array>
#include <cmath>
#include <cstddef>

namespace electret {

template <std::size_t n>
struct Dual {
  double value = 0.0;
  std::array<double, n> slopes{};

  Dual() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): numbers are constants.
  Dual(double v) : value(v) {}
  /// Variable number `k` at `v`.
  static Dual variable(double v, std::size_t k) {
    Dual d(v);
    d.slopes[k] = 1.0;
    return d;
  }

  friend Dual operator+(const Dual& a, const Dual& b) { return chained(a.value + b.value, 1.0, a, 1.0, b); }
  friend Dual operator-(const Dual& a, const Dual& b) { return chained(a.value - b.value, 1.0, a, -1.0, b); }
  friend Dual operator*(const Dual& a, const Dual& b) {
    return chained(a.value * b.value, b.value, a, a.value, b);
  }
  friend Dual operator/(const Dual& a, const Dual& b) {
    const double quotient = a.value / b.value;
    return chained(quotient, 1.0 / b.value, a, -quotient / b.value, b);
  }
  friend Dual operator-(const Dual& a) { return 0.0 - a; }
  friend Dual sqrt(const Dual& a) {
    const double root = std::sqrt(a.value);
    return chained(root, 0.5 / root, a, 0.0, a);
  }

 private:
  static Dual chained(double value, double by_a, const Dual& a, double by_b, const Dual& b) {
    Dual d(value);
    for (std::size_t k = 0; k < n; ++k) d.slopes[k] = by_a * a.slopes[k] + by_b * b.slopes[k];
    return d;
  }
};

/// A vector of them.
template <std::size_t n>
struct DualVec3 {
  Dual<n> x, y, z;

  friend DualVec3 operator+(const DualVec3& a, const DualVec3& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
  }
  friend DualVec3 operator-(const DualVec3& a, const DualVec3& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
  }
  friend DualVec3 operator*(const Dual<n>& s, const DualVec3& a) { return {s * a.x, s * a.y, s * a.z}; }
};
template <std::size_t n>
Dual<n> dot(const DualVec3<n>& a, const DualVec3<n>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <std::size_t n>
DualVec3<n> cross(const DualVec3<n>& a, const DualVec3<n>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

}  // namespace electret
