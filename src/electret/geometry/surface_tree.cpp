#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <electret/core/tree_sum.hpp>
#include <electret/geometry/surface_tree.hpp>

namespace electret {
namespace {

constexpr std::size_t leaf_size = 8;
/// More than the depth of any tree of halves over 2³¹ triangles.
constexpr std::size_t deepest = 64;

/// Half the signed solid angle of a triangle (van Oosterom and Strackee 1983); positive if seen from behind.
double half_solid_angle(const std::array<Vec3, 3>& t, const Vec3& point) {
  const Vec3 a = t[0] - point, b = t[1] - point, c = t[2] - point;
  const double la = norm(a), lb = norm(b), lc = norm(c);
  const double above = dot(a, cross(b, c));
  return std::atan2(above, la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
}

bool holds(const BoundingBox& box, const Vec3& p) {
  return p.x >= box.low.x && p.x <= box.high.x && p.y >= box.low.y && p.y <= box.high.y && p.z >= box.low.z &&
         p.z <= box.high.z;
}

double squared_distance(const BoundingBox& box, const Vec3& p) {
  double sum = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    const double off = std::max({box.low[axis] - p[axis], 0.0, p[axis] - box.high[axis]});
    sum += off * off;
  }
  return sum;
}

double squared_distance_to_segment(const Vec3& a, const Vec3& b, const Vec3& p) {
  const Vec3 along = b - a;
  const double length = squared_norm(along);
  const double t = length > 0.0 ? std::clamp(dot(p - a, along) / length, 0.0, 1.0) : 0.0;
  return squared_norm(p - (a + t * along));
}

double squared_distance(const std::array<Vec3, 3>& t, const Vec3& p) {
  const Vec3 normal = cross(t[1] - t[0], t[2] - t[0]);
  const double area = squared_norm(normal);
  bool is_above = area > 0.0;
  for (std::size_t k = 0; k < 3 && is_above; ++k)
    is_above = dot(cross(t[(k + 1) % 3] - t[k], p - t[k]), normal) >= 0.0;
  if (is_above) {
    const double height = dot(p - t[0], normal);
    return height * height / area;
  }
  return std::min({squared_distance_to_segment(t[0], t[1], p), squared_distance_to_segment(t[1], t[2], p),
                   squared_distance_to_segment(t[2], t[0], p)});
}

/// Finds where the segment meets the box, in the segment's parameter. Returns false if it does not.
bool meets(const BoundingBox& box, const Vec3& from, const Vec3& along, double most) {
  double first = 0.0, last = most;
  for (int axis = 0; axis < 3; ++axis) {
    if (along[axis] == 0.0) {
      if (from[axis] < box.low[axis] || from[axis] > box.high[axis]) return false;
      continue;
    }
    const double a = (box.low[axis] - from[axis]) / along[axis],
                 b = (box.high[axis] - from[axis]) / along[axis];
    first = std::max(first, std::min(a, b) - 1e-12);
    last = std::min(last, std::max(a, b) + 1e-12);
  }
  return first <= last;
}

/// The segment's parameter where it meets the triangle (Möller and Trumbore 1997), edges included.
std::optional<double> crossing_of(const std::array<Vec3, 3>& t, const Vec3& from, const Vec3& along) {
  const Vec3 u = t[1] - t[0], v = t[2] - t[0], n = cross(along, v);
  const double determinant = dot(u, n);
  if (determinant == 0.0) return std::nullopt;
  const Vec3 off = from - t[0], m = cross(off, u);
  const double a = dot(off, n) / determinant, b = dot(along, m) / determinant, s = dot(v, m) / determinant;
  constexpr double rounding = 1e-12;
  if (a < -rounding || b < -rounding || a + b > 1.0 + rounding || s < 0.0 || s > 1.0) return std::nullopt;
  return s;
}

}  // namespace

SurfaceTree::SurfaceTree(const Mesh& surface)
    : vertices_(surface.vertices), triangles_(triangulated(surface.polygons)) {
  nodes_.reserve(2 * triangles_.size() / leaf_size + 2);
  build(0, triangles_.size());
  for (const Triangle& t : triangles_) {
    Corners& corners = corners_.emplace_back();
    for (std::size_t k = 0; k < 3; ++k) corners[k] = vertices_[static_cast<std::size_t>(t[k])];
  }
}

std::size_t SurfaceTree::build(std::size_t begin, std::size_t end) {
  const std::size_t own = nodes_.size();
  VectorArray points;
  for (std::size_t k = begin; k < end; ++k)
    for (const Index v : triangles_[k]) points.push_back(vertices_[static_cast<std::size_t>(v)]);
  nodes_.push_back({bounding_box(points), begin, end, 0, 0, rim_of(begin, end)});
  if (end - begin <= leaf_size) return own;
  const Vec3 size = nodes_[own].box.high - nodes_[own].box.low;
  const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
  const auto middle = [&](const Triangle& t) {
    double sum = 0.0;
    for (const Index v : t) sum += vertices_[static_cast<std::size_t>(v)][axis];
    return sum;
  };
  const std::size_t half = begin + (end - begin) / 2;
  std::sort(triangles_.begin() + static_cast<std::ptrdiff_t>(begin),
            triangles_.begin() + static_cast<std::ptrdiff_t>(end), [&](const Triangle& a, const Triangle& b) {
              const double x = middle(a), y = middle(b);
              return x != y ? x < y : a < b;
            });
  const std::size_t left = build(begin, half), right = build(half, end);
  nodes_[own].left = left, nodes_[own].right = right;
  return own;
}

std::vector<SurfaceTree::Corners> SurfaceTree::rim_of(std::size_t begin, std::size_t end) const {
  struct Pass {
    Edge edge;
    int direction;
  };
  std::vector<Pass> passes;
  for (std::size_t k = begin; k < end; ++k)
    for (std::size_t c = 0; c < 3; ++c) {
      const Index a = triangles_[k][c], b = triangles_[k][(c + 1) % 3];
      passes.push_back({{std::min(a, b), std::max(a, b)}, a < b ? 1 : -1});
    }
  std::sort(passes.begin(), passes.end(), [](const Pass& a, const Pass& b) { return a.edge < b.edge; });
  std::vector<Corners> fan;
  std::optional<Vec3> apex;
  for (std::size_t first = 0, last = 0; first < passes.size(); first = last) {
    int count = 0;
    for (; last < passes.size() && passes[last].edge == passes[first].edge; ++last)
      count += passes[last].direction;
    const auto [i, j] = passes[first].edge;
    const Vec3 a = vertices_[static_cast<std::size_t>(i)], b = vertices_[static_cast<std::size_t>(j)];
    if (count != 0 && !apex) apex = a;
    for (int k = 0; k < std::abs(count); ++k) fan.push_back({*apex, count > 0 ? a : b, count > 0 ? b : a});
  }
  return fan;
}

double SurfaceTree::winding_number(const Vec3& point) const {
  TreeSum sum;
  std::array<std::size_t, deepest> stack{};
  std::size_t waiting = 1;
  while (waiting > 0) {
    const Node& node = nodes_[stack[--waiting]];
    const bool is_leaf = node.left == 0;
    if (!holds(node.box, point) && node.rim.size() <= node.end - node.begin) {
      for (const Corners& t : node.rim) sum.add(half_solid_angle(t, point));
    } else if (is_leaf) {
      for (std::size_t k = node.begin; k < node.end; ++k) sum.add(half_solid_angle(corners_[k], point));
    } else {
      stack[waiting++] = node.left;
      stack[waiting++] = node.right;
    }
  }
  return sum.total() / (2.0 * std::numbers::pi);
}

double SurfaceTree::distance(const Vec3& point) const {
  double nearest = std::numeric_limits<double>::infinity();
  std::array<std::size_t, deepest> stack{};
  std::size_t waiting = 1;
  while (waiting > 0) {
    const Node& node = nodes_[stack[--waiting]];
    if (squared_distance(node.box, point) >= nearest) continue;
    if (node.left == 0) {
      for (std::size_t k = node.begin; k < node.end; ++k)
        nearest = std::min(nearest, squared_distance(corners_[k], point));
      continue;
    }
    const bool is_left_nearer =
        squared_distance(nodes_[node.left].box, point) <= squared_distance(nodes_[node.right].box, point);
    stack[waiting++] = is_left_nearer ? node.right : node.left;
    stack[waiting++] = is_left_nearer ? node.left : node.right;
  }
  return std::sqrt(nearest);
}

std::optional<double> SurfaceTree::crossing(const Vec3& from, const Vec3& to) const {
  const Vec3 along = to - from;
  std::optional<double> first;
  std::array<std::size_t, deepest> stack{};
  std::size_t waiting = 1;
  while (waiting > 0) {
    const Node& node = nodes_[stack[--waiting]];
    if (!meets(node.box, from, along, first.value_or(1.0))) continue;
    if (node.left != 0) {
      stack[waiting++] = node.left;
      stack[waiting++] = node.right;
      continue;
    }
    for (std::size_t k = node.begin; k < node.end; ++k)
      if (const auto t = crossing_of(corners_[k], from, along); t && (!first || *t < *first)) first = t;
  }
  return first;
}

double SurfaceTree::volume() const {
  TreeSum six_volumes;
  const Vec3 origin = box().low;
  for (const Corners& t : corners_) six_volumes.add(dot(t[0] - origin, cross(t[1] - origin, t[2] - origin)));
  return six_volumes.total() / 6.0;
}

}  // namespace electret
