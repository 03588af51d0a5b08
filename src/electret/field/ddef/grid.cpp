#include <algorithm>
#include <cmath>
#include <limits>

#include <electret/field/ddef/grid.hpp>

namespace electret::ddef {
namespace {

/// 2^(-k/4) for k = 0 … 3.
constexpr double quarter_powers[4] = {1.0, 0.84089641525371454, 0.70710678118654752, 0.59460355750136054};
/// 2^(-1/8): the geometric mean of two neighbouring steps.
constexpr double half_step = 0.91700404320467123;
/// Flatter boxes (the growth allows 2e-3) count as a box with this many steps.
constexpr int most_steps = 48;

double side_of(int steps) {
  return std::ldexp(quarter_powers[steps % 4], -(steps / 4));
}

double radical_inverse(Count index, int base) {
  double inverse = 0.0, digit = 1.0;
  for (; index > 0; index /= base) {
    digit /= base;
    inverse += digit * static_cast<double>(index % base);
  }
  return inverse;
}

}  // namespace

Box bounding_box(VectorView sources, VectorView targets, double scale) {
  if (sources.empty() && targets.empty()) return {};
  Vec3 low = sources.empty() ? targets[0] : sources[0], high = low;
  for (const auto points : {sources, targets})
    for (const Vec3& p : points) {
      low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
  low *= scale, high *= scale;
  const Vec3 size = high - low;
  const double longest = std::max({size.x, size.y, size.z});
  const double furthest = std::max({-low.x, -low.y, -low.z, high.x, high.y, high.z});
  const double growth = std::max(longest > 0.0 ? 1e-3 * longest : scale,
                                 8.0 * std::numeric_limits<double>::epsilon() * furthest);
  const Vec3 grown{growth, growth, growth};
  low -= grown;
  return {low, high + grown - low};
}

Vec3 Aspect::sides() const {
  return {side_of(steps[0]), side_of(steps[1]), side_of(steps[2])};
}

Aspect aspect_of(const Box& box) {
  Aspect aspect;
  const double longest = std::max({box.size.x, box.size.y, box.size.z});
  for (int axis = 0; axis < 3; ++axis) {
    int& steps = aspect.steps[axis];
    while (steps < most_steps && box.size[axis] < half_step * side_of(steps) * longest) ++steps;
  }
  return aspect;
}

Vec3 halton_point(Count index) {
  return {radical_inverse(index, 2), radical_inverse(index, 3), radical_inverse(index, 5)};
}

VectorArray unit_grid(Count grid_points) {
  VectorArray grid;
  grid.reserve(static_cast<std::size_t>(grid_points + 8));
  for (Count index = 1; index <= grid_points; ++index) grid.push_back(halton_point(index));
  for (int corner = 0; corner < 8; ++corner)
    grid.push_back({static_cast<double>(corner & 1), static_cast<double>(corner >> 1 & 1),
                    static_cast<double>(corner >> 2)});
  return grid;
}

}  // namespace electret::ddef
