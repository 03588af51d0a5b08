#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include <electret/record/closest_charges.hpp>

namespace electret {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::uint64_t coordinate_mask = (std::uint64_t{1} << 21) - 1;

std::uint64_t cell_key(std::int64_t x, std::int64_t y, std::int64_t z) {
  const auto part = [](std::int64_t c) { return static_cast<std::uint64_t>(c) & coordinate_mask; };
  return part(x) << 42 | part(y) << 21 | part(z);
}

}  // namespace

double ClosestPair::distance(VectorView points) {
  if (points.size() < 2) return infinity;
  for (const Vec3& point : points)
    if (!is_finite(point)) return infinity;
  double bound = first_bound(points);
  while (bound > 0.0 && !sweep(points, bound)) {
  }
  return bound;
}

/// A distance that occurs: that of the last closest pair, or of neighbours in the order of the points, which
/// tend to be close in a mesh.
double ClosestPair::first_bound(VectorView points) const {
  double squared = infinity;
  if (last_.second < points.size()) squared = squared_norm(points[last_.first] - points[last_.second]);
  for (std::size_t i = 1; i < points.size(); ++i)
    squared = std::min(squared, squared_norm(points[i] - points[i - 1]));
  return std::sqrt(squared);
}

std::size_t ClosestPair::slot(std::uint64_t cell) const {
  const std::size_t mask = table_.size() - 1;
  std::size_t at = static_cast<std::size_t>((cell * 0x9E3779B97F4A7C15u) >> 20) & mask;
  while (table_[at].first >= 0 && table_[at].key != cell) at = (at + 1) & mask;
  return at;
}

void ClosestPair::insert(std::uint64_t cell, Index point) {
  Cell& entry = table_[slot(cell)];
  next_[static_cast<std::size_t>(point)] = entry.first;
  entry = {cell, point};
}

/// Compares each point with those before it in its own cell and in the nearer neighbouring cells. Cells are
/// twice as wide as the bound, so that eight of them reach as far as the bound. If a distance under half the
/// bound is found, the grid is too coarse, because its cells may be crowded: it then returns false with the
/// better bound, and the caller starts again.
bool ClosestPair::sweep(VectorView points, double& bound) {
  Vec3 low = points[0], high = points[0];
  for (const Vec3& p : points)
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], p[axis]);
      high[axis] = std::max(high[axis], p[axis]);
    }
  const Vec3 extent = high - low;
  // No more cells along an axis than its part of a key can tell apart.
  const double width = std::max(2.0 * bound, std::max({extent.x, extent.y, extent.z}) / 1e6);
  table_.assign(std::bit_ceil(2 * points.size()), {});
  next_.assign(points.size(), -1);
  const double start = bound;
  double squared = bound * bound;
  for (std::size_t i = 0; i < points.size(); ++i) {
    std::int64_t cell[3], side[3];
    for (int axis = 0; axis < 3; ++axis) {
      const double place = (points[i][axis] - low[axis]) / width;
      cell[axis] = static_cast<std::int64_t>(place);
      side[axis] = place - static_cast<double>(cell[axis]) < 0.5 ? -1 : 1;
    }
    for (int corner = 0; corner < 8; ++corner) {
      const std::uint64_t key =
          cell_key(cell[0] + (corner & 1) * side[0], cell[1] + ((corner >> 1) & 1) * side[1],
                   cell[2] + ((corner >> 2) & 1) * side[2]);
      for (Index j = table_[slot(key)].first; j >= 0; j = next_[static_cast<std::size_t>(j)]) {
        const double d = squared_norm(points[i] - points[static_cast<std::size_t>(j)]);
        if (d >= squared) continue;
        squared = d;
        last_ = {static_cast<std::size_t>(j), i};
      }
    }
    bound = std::min(start, std::sqrt(squared));
    if (bound < 0.5 * start && width > 2.0 * bound && start > width / 4) return false;
    insert(cell_key(cell[0], cell[1], cell[2]), static_cast<Index>(i));
  }
  return true;
}

}  // namespace electret
