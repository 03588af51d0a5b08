#include "clouds.hpp"

#include <algorithm>
#include <random>

#include <electret/geometry/generators.hpp>
#include <electret/geometry/npy.hpp>

namespace electret::experiments {
namespace {

constexpr double charge = 8e-6;  // C [MSC, first version, 4.1.1]

/// Standard distributions differ between libraries, the engine does not.
class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  /// Uniform in [0, 1).
  double unit() { return static_cast<double>(engine_() >> 11U) * 0x1p-53; }
  Vec3 in_cube() {
    const double x = unit(), y = unit(), z = unit();
    return {x, y, z};
  }

 private:
  std::mt19937_64 engine_;
};

Cloud charged(VectorArray positions) {
  std::vector<double> charges(positions.size(), charge);
  return {std::move(positions), std::move(charges)};
}

}  // namespace

Cloud random_cloud(Count n, unsigned seed) {
  Random random(seed);
  VectorArray positions(static_cast<std::size_t>(n));
  for (Vec3& x : positions) x = random.in_cube();
  return charged(std::move(positions));
}

Cloud mesh_cloud(const std::string& shape, Count n) {
  return charged(generate({shape, {{"vertices", static_cast<double>(n)}}}).vertices);
}

VectorArray random_points(VectorView positions, Count n, unsigned seed) {
  Vec3 low = positions.front(), high = low;
  for (const Vec3& x : positions)
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], x[axis]);
      high[axis] = std::max(high[axis], x[axis]);
    }
  Random random(seed);
  VectorArray points(static_cast<std::size_t>(n));
  for (Vec3& y : points) {
    const Vec3 u = random.in_cube();
    for (int axis = 0; axis < 3; ++axis) y[axis] = low[axis] + u[axis] * (high[axis] - low[axis]);
  }
  return points;
}

VectorArray moved(VectorView positions, double distance, unsigned seed) {
  Random random(seed);
  VectorArray result(positions.begin(), positions.end());
  for (Vec3& x : result) x += 2.0 * distance * (random.in_cube() - Vec3{0.5, 0.5, 0.5});
  return result;
}

std::string npy_of(const Cloud& cloud) {
  std::vector<double> rows;
  rows.reserve(4 * cloud.size());
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    const Vec3& x = cloud.positions[i];
    rows.insert(rows.end(), {x.x, x.y, x.z, cloud.charges[i]});
  }
  return npy_file(rows, 4);
}

std::string npy_of(VectorView points) {
  std::vector<double> rows;
  rows.reserve(3 * points.size());
  for (const Vec3& x : points) rows.insert(rows.end(), {x.x, x.y, x.z});
  return npy_file(rows, 3);
}

}  // namespace electret::experiments
