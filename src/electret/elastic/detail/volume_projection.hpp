#pragma once
/// \file
/// The projection of singular values to the nearest ones with product 1.

#include <algorithm>
#include <array>
#include <cmath>

namespace electret::detail {

/// t and the multiplier τ of s = t + τ/t.
struct VolumeProjection {
  std::array<double, 3> values{};
  double multiplier = 0.0;
};

/// The t > 0 nearest to s (s_0 ≥ s_1 ≥ |s_2|) with t_0 t_1 t_2 = 1. t_i = ½(s_i + √(s_i² - 4τ)), where τ is
/// found by bisection of the product, followed by Newton's method. If s_2 exceeds about 2, the nearest t is
/// not unique and may be on the other branch of t_2.
inline VolumeProjection project_to_unit_volume(const std::array<double, 3>& s) {
  const auto at = [&](double tau, bool is_lower) {
    VolumeProjection p{{}, tau};
    for (std::size_t i = 0; i < 3; ++i) {
      const double root = std::sqrt(std::max(0.0, s[i] * s[i] - 4.0 * tau));
      const bool plus = !is_lower || i < 2;
      // This form avoids cancellation where the two terms have opposite signs.
      p.values[i] =
          plus ? (s[i] >= 0.0 ? 0.5 * (s[i] + root) : -2.0 * tau / (root - s[i])) : 2.0 * tau / (s[i] + root);
    }
    return p;
  };
  const auto product = [&](double tau, bool is_lower) {
    const auto t = at(tau, is_lower).values;
    return t[0] * t[1] * t[2];
  };
  const double j = s[0] * s[1] * s[2];
  const double smallest = std::min(s[2], std::min(s[0], s[1]));
  double above = j < 1.0 ? -1.0 : 0.0, below = j < 1.0 ? 0.0 : 0.25 * smallest * smallest;
  // On the upper branch the product falls as τ grows; on the lower branch it grows with τ.
  const bool is_lower = j >= 1.0 && product(below, false) > 1.0;
  if (is_lower) below = 0.0, above = 0.25 * smallest * smallest;
  for (int k = 0; k < 200; ++k) {
    const double middle = 0.5 * (above + below);
    if (middle == above || middle == below) break;
    (product(middle, is_lower) > 1.0 ? above : below) = middle;
  }
  VolumeProjection p = at(0.5 * (above + below), is_lower);
  // Near a double root t is less accurate than τ. Newton's steps on s_i = t_i + τ/t_i and Σ ln t_i = 0
  // improve it.
  for (int k = 0; k < 3; ++k) {
    double q = 0.0, residual = std::log(p.values[0] * p.values[1] * p.values[2]);
    std::array<double, 3> d{}, r{};
    for (std::size_t i = 0; i < 3; ++i) {
      const double t = p.values[i];
      d[i] = 1.0 - p.multiplier / (t * t);
      r[i] = s[i] - t - p.multiplier / t;
      q += 1.0 / (t * t * d[i]);
      residual += r[i] / (t * d[i]);
    }
    const double step = residual / q;
    if (!std::isfinite(step)) break;
    std::array<double, 3> next = p.values;
    for (std::size_t i = 0; i < 3; ++i) next[i] += (r[i] - step / p.values[i]) / d[i];
    if (!(next[0] > 0.0 && next[1] > 0.0 && next[2] > 0.0)) break;
    p.values = next;
    p.multiplier += step;
  }
  return p;
}

}  // namespace electret::detail
