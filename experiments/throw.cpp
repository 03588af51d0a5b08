#include "throw.hpp"

#include <cmath>

namespace electret::experiments {
namespace {

Vec3 middle_of(const Throw& how) {
  return {how[3], how[4], how[5]};
}

/// The columns Rz Ry e_x and Rz e_y, about which roll and pitch turn a body that is turned already.
struct Axes {
  Vec3 roll, pitch;
};
Axes axes_of(const Throw& how) {
  const double cy = std::cos(how[2]), sy = std::sin(how[2]);
  return {{cy * std::cos(how[1]), sy * std::cos(how[1]), -std::sin(how[1])}, {-sy, cy, 0.0}};
}

}  // namespace

VectorArray thrown(VectorView rest, const Throw& how) {
  Vec3 mean;
  for (const Vec3& x : rest) mean += (1.0 / static_cast<double>(rest.size())) * x;
  const double cr = std::cos(how[0]), sr = std::sin(how[0]), cp = std::cos(how[1]), sp = std::sin(how[1]),
               cy = std::cos(how[2]), sy = std::sin(how[2]);
  const Mat3 rotation{{Vec3{cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr},
                       Vec3{sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr},
                       Vec3{-sp, cp * sr, cp * cr}}};
  VectorArray positions;
  positions.reserve(rest.size());
  for (const Vec3& x : rest) positions.push_back(rotation * (x - mean) + middle_of(how));
  return positions;
}

Throw by_throw(VectorView positions, const Throw& how, VectorView by_positions, VectorView by_velocities) {
  Vec3 torque, force, impulse;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    torque += cross(positions[i] - middle_of(how), by_positions[i]);
    force += by_positions[i];
    impulse += by_velocities[i];
  }
  const Axes axes = axes_of(how);
  return {dot(axes.roll, torque),
          dot(axes.pitch, torque),
          torque.z,
          force.x,
          force.y,
          force.z,
          impulse.x,
          impulse.y,
          impulse.z};
}

}  // namespace electret::experiments
