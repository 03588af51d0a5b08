#include <algorithm>
#include <array>
#include <cmath>

#include <electret/field/fmm/tree/small_ball.hpp>

namespace electret::fmm {
namespace {

/// A point is an outer point if its distance exceeds this part of the largest distance.
constexpr double outstanding = 0.8;
constexpr std::size_t most_outstanding = 64;
// Found by trial: further steps cost more time than the smaller balls save.
constexpr int steps = 5;
constexpr double first_step = 0.2;

double largest_square(VectorView points, const Vec3& centre) {
  // Several maxima are kept, because each comparison would wait for the one before.
  double square[4] = {};
  std::size_t i = 0;
  for (; i + 4 <= points.size(); i += 4)
    for (std::size_t k = 0; k < 4; ++k) square[k] = std::max(square[k], squared_norm(points[i + k] - centre));
  for (; i < points.size(); ++i) square[0] = std::max(square[0], squared_norm(points[i] - centre));
  return std::max(std::max(square[0], square[1]), std::max(square[2], square[3]));
}

/// The outer points as seen from a centre.
struct Outer {
  std::array<Vec3, most_outstanding + 1>
      point;  ///< One element more, because a point is written before it is known to count.
  std::size_t count = 0;
  bool all = true;  ///< There was room for all. Otherwise the last pass must examine every point.

  Outer(VectorView points, const Vec3& centre, double square) {
    for (const Vec3& p : points) {
      point[count] = p;
      count += squared_norm(p - centre) > square;
      all &= count <= most_outstanding;
      count = std::min(count, most_outstanding);
    }
  }
};

}  // namespace

Ball small_ball(VectorView points, const Vec3& start) {
  const double first = largest_square(points, start);
  const Outer outer(points, start, outstanding * outstanding * first);
  Vec3 centre = start, best = start;
  double least = first;
  for (int k = 1; k <= steps; ++k) {
    double square = -1.0;
    std::size_t farthest = 0;
    for (std::size_t i = 0; i < outer.count; ++i) {
      const double d = squared_norm(outer.point[i] - centre);
      farthest = d > square ? i : farthest;
      square = std::max(square, d);
    }
    if (square < least) least = square, best = centre;
    centre += (first_step / k) * (outer.point[farthest] - centre);
  }
  // Unless the centre has moved far, no other point can have become the farthest.
  const double others = outstanding * std::sqrt(first) + norm(best - start);
  const double square = outer.all && others * others < least ? least : largest_square(points, best);
  return square < first ? Ball{best, std::sqrt(square)} : Ball{start, std::sqrt(first)};
}

}  // namespace electret::fmm
