#pragma once
/// \file
/// Sums over the variables of an optimiser.

#include <cmath>
#include <cstddef>
#include <vector>

namespace electret::detail {

using Vector = std::vector<double>;

inline double dot(const Vector& a, const Vector& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

inline double length(const Vector& a) {
  return std::sqrt(dot(a, a));
}

/// v += factor · direction.
inline void add(Vector& v, double factor, const Vector& direction) {
  for (std::size_t i = 0; i < v.size(); ++i) v[i] += factor * direction[i];
}

/// a - b.
inline Vector difference(const Vector& a, const Vector& b) {
  Vector result = a;
  add(result, -1.0, b);
  return result;
}

}  // namespace electret::detail
