#include <cmath>

#include <electret/core/transverse.hpp>
#include <electret/linear/vertex_constraint.hpp>

namespace electret {
namespace {

/// The unit vector on which a projector of rank 1 projects, up to its sign.
Vec3 direction_of(const Mat3& projector) {
  Vec3 largest;
  for (const Vec3& row : projector.rows)
    if (squared_norm(row) > squared_norm(largest)) largest = row;
  return (1.0 / norm(largest)) * largest;
}

/// A unit vector perpendicular to `unit`, made from the axis that is farthest from it.
Vec3 perpendicular_to(const Vec3& unit) {
  const double x = std::abs(unit.x), y = std::abs(unit.y), z = std::abs(unit.z);
  const Vec3 axis = x <= y && x <= z ? Vec3{1, 0, 0} : y <= z ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
  const Vec3 t = transverse(unit, axis);
  return (1.0 / norm(t)) * t;
}

}  // namespace

std::optional<VertexConstraint> constraint_within(Index vertex, const Mat3& held) {
  const double rank = held.rows[0].x + held.rows[1].y + held.rows[2].z;
  if (rank > 2.5) return std::nullopt;
  VertexConstraint constraint;
  constraint.vertex = vertex;
  if (rank > 1.5) {
    constraint.columns = 1;
    constraint.trial[0] = direction_of(Mat3::identity() + -1.0 * held);
  } else {
    constraint.columns = 2;
    const Vec3 normal = direction_of(held);
    constraint.trial[0] = perpendicular_to(normal);
    constraint.trial[1] = cross(normal, constraint.trial[0]);
  }
  constraint.test = constraint.trial;
  return constraint;
}

}  // namespace electret
