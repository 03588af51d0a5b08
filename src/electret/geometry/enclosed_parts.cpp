#include <algorithm>
#include <cmath>
#include <optional>

#include <electret/geometry/box_tree.hpp>
#include <electret/geometry/enclosed_parts.hpp>
#include <electret/geometry/surface_tree.hpp>

namespace electret {
namespace {

/// A winding number is 1 or -1 inside, 0 outside, and ±½ on a face.
constexpr double inside = 0.75;

bool holds_box(const BoundingBox& outer, const BoundingBox& inner) {
  for (int axis = 0; axis < 3; ++axis)
    if (inner.low[axis] < outer.low[axis] || inner.high[axis] > outer.high[axis]) return false;
  return true;
}

class Enclosures {
 public:
  Enclosures(const Polygons& polygons, const std::vector<Index>& part, const std::vector<char>& is_closed,
             VectorView vertices)
      : polygons_(polygons), vertices_(vertices) {
    std::vector<std::size_t> number(polygons.size(), polygons.size());
    for (std::size_t p = 0; p < polygons.size(); ++p) {
      const auto name = static_cast<std::size_t>(part[p]);
      if (number[name] == polygons.size()) {
        number[name] = parts_.size();
        parts_.push_back({{}, {}, is_closed[name] != 0, std::nullopt});
      }
      parts_[number[name]].members.push_back(p);
    }
  }

  [[nodiscard]] std::vector<char> found() {
    std::vector<char> result(polygons_.size(), 0);
    if (parts_.size() < 2) return result;
    std::vector<BoundingBox> boxes;
    for (Part& part : parts_) {
      part.box = box_of(part);
      if (!part.is_closed) continue;
      closed_.push_back(static_cast<std::size_t>(&part - parts_.data()));
      boxes.push_back(part.box);
    }
    if (closed_.empty()) return result;
    const BoxTree tree(boxes);
    for (const Part& part : parts_)
      if (is_enclosed(part, tree))
        for (const std::size_t p : part.members) result[p] = 1;
    return result;
  }

 private:
  struct Part {
    std::vector<std::size_t> members;
    BoundingBox box;
    bool is_closed;
    std::optional<SurfaceTree> tree;  ///< Made when it is asked for.
  };

  [[nodiscard]] const Vec3& at(Index v) const { return vertices_[static_cast<std::size_t>(v)]; }

  [[nodiscard]] BoundingBox box_of(const Part& part) const {
    VectorArray corners;
    for (const std::size_t p : part.members)
      for (const Index v : polygons_[p]) corners.push_back(at(v));
    return bounding_box(corners);
  }

  [[nodiscard]] bool is_enclosed(const Part& part, const BoxTree& tree) {
    bool is_found = false;
    tree.search(part.box.low, [&](std::size_t item) {
      Part& other = parts_[closed_[item]];
      if (!is_found && &other != &part && holds_box(other.box, part.box)) is_found = lies_within(part, other);
      return 0.0;  // All boxes that hold the point are of interest.
    });
    return is_found;
  }

  [[nodiscard]] bool lies_within(const Part& part, Part& other) const {
    if (!other.tree) other.tree.emplace(surface_of(other));
    return std::all_of(part.members.begin(), part.members.end(), [&](std::size_t p) {
      Vec3 mean;
      for (const Index v : polygons_[p]) mean += at(v);
      mean *= 1.0 / static_cast<double>(polygons_[p].size());
      return std::abs(other.tree->winding_number(mean)) > inside;
    });
  }

  /// The part alone, with its vertices.
  [[nodiscard]] Mesh surface_of(const Part& part) const {
    std::vector<Index> own;
    for (const std::size_t p : part.members) own.insert(own.end(), polygons_[p].begin(), polygons_[p].end());
    std::sort(own.begin(), own.end());
    own.erase(std::unique(own.begin(), own.end()), own.end());
    Mesh mesh;
    for (const Index v : own) mesh.vertices.push_back(at(v));
    for (const std::size_t p : part.members) {
      std::vector<Index> corners;
      for (const Index v : polygons_[p])
        corners.push_back(static_cast<Index>(std::lower_bound(own.begin(), own.end(), v) - own.begin()));
      mesh.polygons.add(corners);
    }
    return mesh;
  }

  const Polygons& polygons_;
  VectorView vertices_;
  std::vector<Part> parts_;
  std::vector<std::size_t> closed_;  ///< The numbers of the closed parts.
};

}  // namespace

std::vector<char> enclosed_polygons(const Polygons& polygons, const std::vector<Index>& part,
                                    const std::vector<char>& is_closed, VectorView vertices) {
  return Enclosures(polygons, part, is_closed, vertices).found();
}

}  // namespace electret
