#include <algorithm>
#include <cmath>

#include <electret/geometry/measure.hpp>

#include "geometry/mesh_checks.hpp"

namespace electret {
namespace {

/// A triangle's number, corners, places and box.
struct Placed {
  Index number;
  Triangle corners;
  std::array<Vec3, 3> at;
  BoundingBox box;
};

/// Six times the signed volume of a tetrahedron, which says on which side of (a, b, c) d lies.
double side(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  return dot(cross(b - a, c - a), d - a);
}

bool same_sign(double a, double b, double c) {
  return (a >= 0.0 && b >= 0.0 && c >= 0.0) || (a <= 0.0 && b <= 0.0 && c <= 0.0);
}

/// Volumes and areas below this part of the triangles' size, cubed or squared, are rounding.
constexpr double rounding_part = 1e-10;

double longest_side(const std::array<Vec3, 3>& t) {
  return std::sqrt(
      std::max({squared_norm(t[1] - t[0]), squared_norm(t[2] - t[1]), squared_norm(t[0] - t[2])}));
}

/// On which side of the triangle's plane a point lies; 0 if it is on the plane within the rounding of
/// triangles of that size.
double plane_side(const std::array<Vec3, 3>& t, const Vec3& point, double size) {
  const double volume = side(t[0], t[1], t[2], point);
  return std::abs(volume) > rounding_part * size * size * size ? volume : 0.0;
}

/// Whether the segment p-q passes through the triangle. Touching counts, lying in its plane does not.
bool pierces(const Vec3& p, const Vec3& q, const std::array<Vec3, 3>& t) {
  const double size = std::max(longest_side(t), norm(q - p));
  const double above = plane_side(t, p, size), below = plane_side(t, q, size);
  if ((above > 0.0 && below > 0.0) || (above < 0.0 && below < 0.0) || (above == 0.0 && below == 0.0))
    return false;
  return same_sign(side(p, q, t[0], t[1]), side(p, q, t[1], t[2]), side(p, q, t[2], t[0]));
}

/// Twice the signed area of a triangle seen along `axis`.
double flat_side(const Vec3& a, const Vec3& b, const Vec3& c, int axis) {
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  return (b[u] - a[u]) * (c[v] - a[v]) - (b[v] - a[v]) * (c[u] - a[u]);
}

int longest_axis(const Vec3& normal) {
  const Vec3 size{std::abs(normal.x), std::abs(normal.y), std::abs(normal.z)};
  if (size.x >= size.y && size.x >= size.z) return 0;
  return size.y >= size.z ? 1 : 2;
}

/// Whether two triangles in one plane overlap in more than their rims: no side of either separates them.
bool overlap_in_plane(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b) {
  const Vec3 normal = cross(a[1] - a[0], a[2] - a[0]);
  const int axis = longest_axis(normal);
  const double size = std::max(longest_side(a), longest_side(b));
  for (const auto* pair : {&a, &b}) {
    const auto& own = *pair;
    const auto& other = pair == &a ? b : a;
    const double turn = flat_side(own[0], own[1], own[2], axis) > 0.0 ? 1.0 : -1.0;
    for (std::size_t k = 0; k < 3; ++k) {
      const bool separates = std::all_of(other.begin(), other.end(), [&](const Vec3& point) {
        return turn * flat_side(own[k], own[(k + 1) % 3], point, axis) <= rounding_part * size * size;
      });
      if (separates) return false;
    }
  }
  return true;
}

bool coplanar(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b) {
  const double size = std::max(longest_side(a), longest_side(b));
  return std::all_of(b.begin(), b.end(),
                     [&](const Vec3& point) { return plane_side(a, point, size) == 0.0; });
}

int shared_corners(const Placed& a, const Placed& b) {
  int count = 0;
  for (const Index corner : a.corners)
    count += static_cast<int>(std::count(b.corners.begin(), b.corners.end(), corner));
  return count;
}

/// Whether a side of `a` that has no corner in common with `b` pierces `b`.
bool sides_pierce(const Placed& a, const Placed& b) {
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t next = (k + 1) % 3;
    const auto in_b = [&](Index corner) {
      return std::find(b.corners.begin(), b.corners.end(), corner) != b.corners.end();
    };
    if (!in_b(a.corners[k]) && !in_b(a.corners[next]) && pierces(a.at[k], a.at[next], b.at)) return true;
  }
  return false;
}

bool meet(const Placed& a, const Placed& b) {
  const int shared = shared_corners(a, b);
  if (shared == 3) return true;
  if (coplanar(a.at, b.at)) return overlap_in_plane(a.at, b.at);
  // Two triangles that share an edge can only meet elsewhere if they lie in one plane.
  if (shared == 2) return false;
  return sides_pierce(a, b) || sides_pierce(b, a);
}

bool boxes_meet(const BoundingBox& a, const BoundingBox& b) {
  return a.low.y <= b.high.y && b.low.y <= a.high.y && a.low.z <= b.high.z && b.low.z <= a.high.z;
}

std::vector<Placed> placed(const Mesh& mesh) {
  std::vector<Placed> result;
  for (const Triangle& triangle : triangulated(mesh.polygons)) {
    Placed item{static_cast<Index>(result.size()), triangle, {}, {}};
    for (std::size_t k = 0; k < 3; ++k) item.at[k] = mesh.vertices[static_cast<std::size_t>(triangle[k])];
    item.box = bounding_box(item.at);
    result.push_back(item);
  }
  return result;
}

}  // namespace

std::vector<Edge> self_intersections(const Mesh& mesh) {
  std::vector<Placed> triangles = placed(mesh);
  std::sort(triangles.begin(), triangles.end(),
            [](const Placed& a, const Placed& b) { return a.box.low.x < b.box.low.x; });
  std::vector<Edge> pairs;
  for (std::size_t i = 0; i < triangles.size(); ++i)
    for (std::size_t j = i + 1; j < triangles.size() && triangles[j].box.low.x <= triangles[i].box.high.x;
         ++j)
      if (boxes_meet(triangles[i].box, triangles[j].box) && meet(triangles[i], triangles[j])) {
        const auto [low, high] = std::minmax(triangles[i].number, triangles[j].number);
        pairs.push_back({low, high});
      }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

}  // namespace electret
