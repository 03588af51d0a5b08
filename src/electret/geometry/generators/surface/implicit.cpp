#include <algorithm>
#include <cmath>
#include <numbers>

#include <electret/geometry/generators/surface/implicit.hpp>

namespace electret::surface {

namespace {

/// ∇distance at a point, where the distance is `here`, by forward differences.
Vec3 slope(const ImplicitSurface& surface, const Vec3& point, double here) {
  const double step = 1e-5 * surface.detail;
  Vec3 result;
  for (int axis = 0; axis < 3; ++axis) {
    Vec3 ahead = point;
    ahead[axis] += step;
    result[axis] = (surface.distance(ahead) - here) / step;
  }
  return result;
}

}  // namespace

ImplicitSurface::Placed ImplicitSurface::nearer(const Vec3& point) const {
  const double off = distance(point);
  const Vec3 along = slope(*this, point, off);
  const double steep = std::max(norm(along), 1e-3);
  const Vec3 normal = (1.0 / std::max(norm(along), 1e-300)) * along;
  // No step is longer than a detail, because the function may be far from a distance there.
  return {point - std::clamp(off / steep, -detail, detail) * normal, normal};
}

Vec3 ImplicitSurface::projected(Vec3 point, double tolerance) const {
  constexpr int most_steps = 12;
  for (int k = 0; k < most_steps && std::abs(distance(point)) > tolerance; ++k) point = nearer(point).point;
  return point;
}

Ellipsoid Ellipsoid::at_least(double least) const {
  return {centre, {std::max(radii.x, least), std::max(radii.y, least), std::max(radii.z, least)}, axes};
}

std::vector<Part> thickened(std::vector<Part> parts, double least) {
  for (Part& part : parts) {
    part.ellipsoid = part.ellipsoid.at_least(least);
    part.blend = std::max(part.blend, 1.2 * least);
  }
  return parts;
}

double even_edge(double area, Count vertices) {
  return std::sqrt(2.0 * area / (std::numbers::sqrt3 * static_cast<double>(vertices)));
}

double Ellipsoid::distance(const Vec3& point) const {
  const Vec3 local = axes * (point - centre);
  const Vec3 once{local.x / radii.x, local.y / radii.y, local.z / radii.z};
  const Vec3 twice{once.x / radii.x, once.y / radii.y, once.z / radii.z};
  // With k = |x/r|, k - 1 is 0 on the surface and has the gradient (x/r²)/k there.
  const double k = norm(once), slope = norm(twice);
  return slope > 0.0 ? k * (k - 1.0) / slope : -std::min({radii.x, radii.y, radii.z});
}

Mat3 turned(double pitch, double roll) {
  const double cp = std::cos(pitch), sp = std::sin(pitch), cr = std::cos(roll), sr = std::sin(roll);
  return {{Vec3{cp, 0.0, -sp}, Vec3{-sr * sp, cr, -sr * cp}, Vec3{cr * sp, sr, cr * cp}}};
}

double blended(double a, double b, double radius) {
  const double near = std::max(radius - std::abs(a - b), 0.0);
  return std::min(a, b) - (radius > 0.0 ? near * near / (4.0 * radius) : 0.0);
}

double distance(const std::vector<Part>& parts, const Vec3& point) {
  double result = parts.front().ellipsoid.distance(point);
  for (std::size_t k = 1; k < parts.size(); ++k)
    result = blended(result, parts[k].ellipsoid.distance(point), parts[k].blend);
  return result;
}

}  // namespace electret::surface
