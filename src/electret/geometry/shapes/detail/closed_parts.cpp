#include <cmath>
#include <map>
#include <numbers>

#include <electret/core/disjoint_sets.hpp>
#include <electret/core/tree_sum.hpp>
#include <electret/geometry/box_tree.hpp>
#include <electret/geometry/measure.hpp>
#include <electret/geometry/shapes/detail/closed_parts.hpp>

namespace electret::detail {
namespace {

/// One closed surface.
struct Part {
  std::vector<Triangle> faces;
  BoundingBox box;
};

std::vector<Part> parts_of(const std::vector<Triangle>& faces) {
  DisjointSets sets(static_cast<Index>(faces.size()));
  std::map<Edge, Index> first;  // The first face of each edge.
  for (std::size_t f = 0; f < faces.size(); ++f)
    for (std::size_t k = 0; k < 3; ++k) {
      const Index a = faces[f][k], b = faces[f][(k + 1) % 3];
      const auto [at, is_new] = first.insert({{std::min(a, b), std::max(a, b)}, static_cast<Index>(f)});
      if (!is_new) sets.join(static_cast<Index>(f), at->second);
    }
  std::map<Index, std::size_t> number;
  std::vector<Part> parts;
  for (std::size_t f = 0; f < faces.size(); ++f) {
    const auto [at, is_new] = number.insert({sets.of(static_cast<Index>(f)), parts.size()});
    if (is_new) parts.emplace_back();
    parts[at->second].faces.push_back(faces[f]);
  }
  return parts;
}

class Nesting {
 public:
  Nesting(VectorView vertices, const std::vector<Triangle>& faces)
      : vertices_(vertices), parts_(parts_of(faces)) {
    for (Part& part : parts_) {
      VectorArray corners;
      for (const Triangle& t : part.faces)
        for (const Index v : t) corners.push_back(at(v));
      part.box = bounding_box(corners);
    }
  }

  [[nodiscard]] PartFault fault() const {
    if (parts_.size() == 1) return {};
    for (const Part& part : parts_) {
      const double volume = volume_of(part);
      const bool is_hollow = depth_of(part) % 2 == 1;
      if (volume == 0.0 || (volume < 0.0) == is_hollow) continue;
      const Triangle& t = part.faces.front();
      const std::string which = "that of the triangle of vertices " + std::to_string(t[0]) + ", " +
                                std::to_string(t[1]) + " and " + std::to_string(t[2]);
      if (is_hollow)
        return {"a closed surface lies inside another one and is turned as that one is: " + which,
                "allowed: the outer surface alone, or a hollow, whose faces point into it"};
      return {"a closed surface is turned the other way than the others: " + which,
              "allowed: faces that all point outwards; those of a hollow point into it"};
    }
    return {};
  }

 private:
  [[nodiscard]] const Vec3& at(Index v) const { return vertices_[static_cast<std::size_t>(v)]; }

  /// Six times its volume, m³.
  [[nodiscard]] double volume_of(const Part& part) const {
    TreeSum sum;
    const Vec3 origin = at(part.faces.front()[0]);
    for (const Triangle& t : part.faces)
      sum.add(dot(at(t[0]) - origin, cross(at(t[1]) - origin, at(t[2]) - origin)));
    return sum.total();
  }

  /// In how many others it lies.
  [[nodiscard]] std::size_t depth_of(const Part& part) const {
    const Triangle& t = part.faces.front();
    const Vec3 x = (1.0 / 3.0) * (at(t[0]) + at(t[1]) + at(t[2]));
    std::size_t depth = 0;
    for (const Part& other : parts_)
      if (&other != &part && squared_distance(other.box, x) == 0.0 && goes_round(other, x)) ++depth;
    return depth;
  }

  /// Whether the surface winds around `x`: its triangles are seen under solid angles of 4π in all, and of 0
  /// from outside (Van Oosterom and Strackee 1983).
  [[nodiscard]] bool goes_round(const Part& part, const Vec3& x) const {
    TreeSum halves;
    for (const Triangle& t : part.faces) {
      const Vec3 a = at(t[0]) - x, b = at(t[1]) - x, c = at(t[2]) - x;
      const double la = norm(a), lb = norm(b), lc = norm(c);
      halves.add(
          std::atan2(dot(a, cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb));
    }
    return std::abs(halves.total()) > std::numbers::pi;
  }

  VectorView vertices_;
  std::vector<Part> parts_;
};

}  // namespace

PartFault fault_of_parts(VectorView vertices, const std::vector<Triangle>& faces) {
  return Nesting(vertices, faces).fault();
}

}  // namespace electret::detail
