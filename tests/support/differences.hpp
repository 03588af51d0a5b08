#pragma once
/// \file
/// Derivatives by differences, and what conformance suites compare by.

#include <cmath>
#include <utility>

#include <support/random.hpp>

#include <electret/core/types.hpp>

namespace electret::test {

/// d function(s)/ds at s = 0 by the five-point rule: error O(step⁴) and rounding of about 1e-15/step times
/// the function's size.
template <class Function>
double derivative(Function&& function, double step) {
  return (8.0 * (function(step) - function(-step)) - (function(2 * step) - function(-2 * step))) /
         (12.0 * step);
}

inline double dot(const VectorArray& a, const VectorArray& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += electret::dot(a[i], b[i]);
  return sum;
}

inline double norm(const VectorArray& a) {
  return std::sqrt(dot(a, a));
}

inline double distance(const VectorArray& a, const VectorArray& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += squared_norm(a[i] - b[i]);
  return std::sqrt(sum);
}

/// A rotation about (1, 2, 3)/√14 by 1 radian.
inline Vec3 rotated(const Vec3& v) {
  const Vec3 axis = (1.0 / std::sqrt(14.0)) * Vec3{1, 2, 3};
  return std::cos(1.0) * v + std::sin(1.0) * cross(axis, v) +
         ((1.0 - std::cos(1.0)) * electret::dot(axis, v)) * axis;
}

inline VectorArray rotated(VectorArray a) {
  for (Vec3& v : a) v = rotated(v);
  return a;
}

}  // namespace electret::test
