#include <algorithm>
#include <cmath>
#include <numbers>

#include <electret/geometry/shapes/detail/outlines.hpp>

namespace electret::detail {
namespace {

constexpr int sides = 64;
constexpr double most_lowered = 0.1;

double angle(int side) {
  return 2.0 * std::numbers::pi * (side % sides) / sides;
}

}  // namespace

double lowered(double size, double by) {
  return size - std::min(by, most_lowered * size);
}

std::array<Vec3, 2> frame_of(const Vec3& axis) {
  const Vec3 other = std::abs(axis.x) < 0.5 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
  const Vec3 across = cross(other, axis);
  const Vec3 second = (1.0 / norm(across)) * across;
  return {cross(second, axis), second};
}

void add_circle(std::vector<std::array<Vec3, 2>>& lines, const Vec3& centre, const Vec3& normal,
                double radius) {
  // Clang 14 lets no lambda capture a structured binding.
  const std::array<Vec3, 2> frame = frame_of(normal);
  const Vec3 &a = frame[0], &b = frame[1];
  const auto at = [&](int side) {
    return centre + (radius * std::cos(angle(side))) * a + (radius * std::sin(angle(side))) * b;
  };
  for (int side = 0; side < sides; ++side) lines.push_back({at(side), at(side + 1)});
}

void add_revolution(ShapeDrawing& drawing, const Vec3& axis, const std::vector<Ring>& rings) {
  const auto [a, b] = frame_of(axis);
  const auto first_of = [&](std::size_t ring) { return static_cast<Index>(ring * sides); };
  const auto base = static_cast<Index>(drawing.vertices.size());
  for (const Ring& ring : rings)
    for (int side = 0; side < sides; ++side)
      drawing.vertices.push_back(ring.height * axis + (ring.radius * std::cos(angle(side))) * a +
                                 (ring.radius * std::sin(angle(side))) * b);
  for (std::size_t ring = 0; ring + 1 < rings.size(); ++ring)
    for (int side = 0; side < sides; ++side) {
      const Index low = base + first_of(ring), high = base + first_of(ring + 1), next = (side + 1) % sides;
      if (rings[ring].radius > 0.0) drawing.faces.push_back({low + side, low + next, high + next});
      if (rings[ring + 1].radius > 0.0) drawing.faces.push_back({low + side, high + next, high + side});
    }
}

}  // namespace electret::detail
