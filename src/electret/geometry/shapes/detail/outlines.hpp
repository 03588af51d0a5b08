#pragma once
// Surfaces and edges of drawn shapes.

#include <array>
#include <vector>

#include <electret/geometry/rigid_shape.hpp>

namespace electret::detail {

/// `size` (m) made smaller by `by` (m), but at most by a tenth, so that a body deep inside is seen to be so.
double lowered(double size, double by);

/// Two unit vectors that form a right-handed frame with `axis`: (first, second, axis).
std::array<Vec3, 2> frame_of(const Vec3& axis);

/// A circle about `centre` (m) in the plane across `normal`, as segments.
void add_circle(std::vector<std::array<Vec3, 2>>& lines, const Vec3& centre, const Vec3& normal,
                double radius);

/// A ring of a surface of revolution about the z axis: its radius and height, m.
struct Ring {
  double radius = 0.0, height = 0.0;
};
/// The surface whose profile is `rings`, from the lowest to the highest, about `axis` through the origin. The
/// first and the last ring have radius 0.
void add_revolution(ShapeDrawing& drawing, const Vec3& axis, const std::vector<Ring>& rings);

}  // namespace electret::detail
