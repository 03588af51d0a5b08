#include <cmath>
#include <numbers>

#include <electret/geometry/placing.hpp>

namespace electret {
namespace {

struct Turn {
  double cosine, sine;
};

Turn turn_by(double degrees) {
  const double reduced = std::fmod(degrees, 360.0);
  if (reduced == 0.0) return {1.0, 0.0};
  if (reduced == 90.0 || reduced == -270.0) return {0.0, 1.0};
  if (reduced == 180.0 || reduced == -180.0) return {-1.0, 0.0};
  if (reduced == 270.0 || reduced == -90.0) return {0.0, -1.0};
  const double radians = degrees * (std::numbers::pi / 180.0);
  return {std::cos(radians), std::sin(radians)};
}

/// a·b.
Mat3 product(const Mat3& a, const Mat3& b) {
  Mat3 result;
  for (std::size_t i = 0; i < 3; ++i) result.rows[i] = transposed_product(b, a.rows[i]);
  return result;
}

}  // namespace

Mat3 rotation(const Vec3& degrees) {
  const Turn a = turn_by(degrees.x), b = turn_by(degrees.y), c = turn_by(degrees.z);
  const Mat3 x{{Vec3{1, 0, 0}, Vec3{0, a.cosine, -a.sine}, Vec3{0, a.sine, a.cosine}}};
  const Mat3 y{{Vec3{b.cosine, 0, b.sine}, Vec3{0, 1, 0}, Vec3{-b.sine, 0, b.cosine}}};
  const Mat3 z{{Vec3{c.cosine, -c.sine, 0}, Vec3{c.sine, c.cosine, 0}, Vec3{0, 0, 1}}};
  return product(z, product(y, x));
}

void place(VectorSpan points, double scale, const Vec3& rotate, const Vec3& translate) {
  const bool turns = rotate != Vec3{};
  const bool moves = translate != Vec3{};
  const Mat3 matrix = rotation(rotate);
  for (Vec3& point : points) {
    if (scale != 1.0) point *= scale;
    if (turns) point = matrix * point;
    if (moves) point += translate;  // Adding 0 would turn -0 into 0.
  }
}

}  // namespace electret
