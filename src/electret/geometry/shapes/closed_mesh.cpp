#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include <electret/core/errors.hpp>
#include <electret/core/tree_sum.hpp>
#include <electret/geometry/box_tree.hpp>
#include <electret/geometry/shapes/detail/closed_parts.hpp>
#include <electret/geometry/shapes/detail/shape_arguments.hpp>
#include <electret/geometry/shapes/detail/triangle_features.hpp>
#include <electret/geometry/shapes/shapes.hpp>

namespace electret {
namespace {

/// Normals that differ by less belong to one plane: an edge or a vertex between them is none.
constexpr double flat = 1e-12;
/// Of the angle by which a surface bends towards the outside at an edge. Below it, the edge is no corner.
constexpr double least_hollow_sine = 1e-3;
/// Of the size of the mesh: what coordinates lose by rounding.
constexpr double rounding = 1e-13;

[[noreturn]] void refuse(std::string message, std::string allowed) {
  throw InputError(Finding{{}, std::move(message), std::move(allowed)});
}

/// The number of the first vertex at the same point, for each vertex.
std::vector<Index> welded(const VectorArray& vertices) {
  std::vector<Index> order(vertices.size()), first(vertices.size());
  std::iota(order.begin(), order.end(), 0);
  const auto key = [&](Index v) {
    const Vec3& x = vertices[static_cast<std::size_t>(v)];
    return std::array<double, 3>{x.x, x.y, x.z};
  };
  std::sort(order.begin(), order.end(),
            [&](Index a, Index b) { return std::pair(key(a), a) < std::pair(key(b), b); });
  for (std::size_t k = 0; k < order.size(); ++k) {
    const bool is_same = k > 0 && key(order[k]) == key(order[k - 1]);
    first[static_cast<std::size_t>(order[k])] =
        is_same ? first[static_cast<std::size_t>(order[k - 1])] : order[k];
  }
  return first;
}

class ClosedMesh final : public RigidShape {
 public:
  explicit ClosedMesh(const Mesh& mesh) : vertices_(mesh.vertices) {
    const std::vector<Index> first = welded(vertices_);
    for (Triangle t : triangulated(mesh.polygons)) {
      for (Index& corner : t) corner = first[static_cast<std::size_t>(corner)];
      if (t[0] != t[1] && t[1] != t[2] && t[2] != t[0]) faces_.push_back(t);
    }
    check_edges();
    turn_outward();
    if (const detail::PartFault fault = detail::fault_of_parts(vertices_, faces_); !fault.message.empty())
      refuse(fault.message, fault.allowed);
    add_normals();
    std::vector<BoundingBox> boxes;
    for (const Triangle& t : faces_) boxes.push_back(bounding_box(corners(t)));
    tree_ = BoxTree(boxes);
    for (const Vec3& x : vertices_) reach_ = std::max(reach_, norm(x));
  }

  [[nodiscard]] SurfaceView view(const Vec3& x) const override {
    const Found found = nearest(x);
    return seen_from(x, found.face, found.at);
  }

  /// In a hollow or between two parts, the nearest feature, and the planes of faces in front of `x` and the
  /// ridges and peaks that are not farther by more than the nearest face is long. From behind a hollow edge
  /// or vertex, the planes that meet there take its place.
  int walls(const Vec3& x, std::span<SurfaceView, 3> out) const override {
    const Found found = nearest(x);
    out[0] = seen_from(x, found.face, found.at);
    if (!has_corners_) return 1;
    const double reach = std::abs(out[0].distance) + longest_side(found.face);
    const double depth = -out[0].distance;
    int count = is_hollow(found) ? 0 : 1;
    tree_.search(x, [&](std::size_t f) {
      const detail::NearestPoint at = detail::nearest_point(corners(faces_[f]), x);
      const Vec3 off = x - at.point;
      if (squared_norm(off) > reach * reach) return reach * reach;
      if (is_wall(off, {f, at}, depth))
        count = with({dot(off, normals_[f]), normals_[f], {}}, count, out);
      else if (is_ridge(off, {f, at}))
        count = with(seen_from(x, f, at), count, out);
      return reach * reach;
    });
    return std::max(count, 1);
  }
  [[nodiscard]] bool has_corners() const override { return has_corners_; }

  [[nodiscard]] bool may_hold(const Vec3& x) const override {
    return squared_distance(tree_.box(), x) == 0.0;
  }
  [[nodiscard]] double least_distance(const Vec3& x) const override {
    const double squared = squared_distance(tree_.box(), x);
    return squared > 0.0 ? std::sqrt(squared) : -std::numeric_limits<double>::infinity();
  }
  [[nodiscard]] double reach() const override { return reach_; }
  /// A normal at a vertex is a sum Σ aₖ nₖ of those of its faces with aₖ ≥ 0. If all nₖ are within an angle α
  /// of a unit vector, Σ aₖ ≤ 1/cos α.
  [[nodiscard]] double normal_speed(const RigidMotion& motion, double) const override {
    std::vector<double> most(vertices_.size(), 0.0), cosine(vertices_.size(), 1.0);
    for (std::size_t f = 0; f < faces_.size(); ++f)
      for (const Index corner : faces_[f]) {
        const auto v = static_cast<std::size_t>(corner);
        most[v] = std::max(most[v], std::abs(dot(normals_[f], motion.at(vertices_[v]))));
        cosine[v] = std::min(cosine[v], dot(normals_[f], vertex_normals_[v]));
      }
    double largest = 0.0;
    for (std::size_t v = 0; v < vertices_.size(); ++v) {
      const double whole = norm(motion.at(vertices_[v]));
      if (most[v] > 0.0)
        largest = std::max(largest, cosine[v] > 0.0 ? std::min(whole, most[v] / cosine[v]) : whole);
    }
    return largest;
  }

  [[nodiscard]] ShapeDrawing drawing(double by) const override {
    ShapeDrawing drawing;
    drawing.vertices = vertices_;
    for (std::size_t v = 0; v < vertices_.size(); ++v) drawing.vertices[v] -= by * vertex_normals_[v];
    drawing.faces = faces_;
    return drawing;
  }

 private:
  /// A side of a triangle: the sum of the normals of its two triangles, whether these are in one plane, and
  /// whether they face each other.
  struct Side {
    Vec3 normal;
    bool is_flat = false, is_hollow = false;
  };
  /// Where on which face.
  struct Found {
    std::size_t face = 0;
    detail::NearestPoint at;
  };

  [[nodiscard]] Found nearest(const Vec3& x) const {
    double nearest = std::numeric_limits<double>::infinity();
    Found best;
    tree_.search(x, [&](std::size_t f) {
      const detail::NearestPoint at = detail::nearest_point(corners(faces_[f]), x);
      const double squared = squared_norm(x - at.point);
      if (squared < nearest) nearest = squared, best = {f, at};
      return nearest;
    });
    return best;
  }

  [[nodiscard]] double longest_side(std::size_t face) const {
    const auto c = corners(faces_[face]);
    return std::max({norm(c[1] - c[0]), norm(c[2] - c[1]), norm(c[0] - c[2])});
  }
  [[nodiscard]] const Side& side(const Found& found) const {
    return sides_[found.face][static_cast<std::size_t>(found.at.number)];
  }
  [[nodiscard]] Index vertex(const Found& found) const {
    return faces_[found.face][static_cast<std::size_t>(found.at.number)];
  }
  /// Whether it is inside of a face's plane.
  [[nodiscard]] bool is_flat(const Found& found) const {
    if (found.at.feature == detail::Feature::vertex)
      return vertex_is_flat_[static_cast<std::size_t>(vertex(found))] != 0;
    return found.at.feature == detail::Feature::face || side(found).is_flat;
  }
  [[nodiscard]] bool is_hollow(const Found& found) const {
    if (found.at.feature == detail::Feature::vertex) return hollow_vertices_.contains(vertex(found));
    return found.at.feature == detail::Feature::edge && side(found).is_hollow;
  }

  /// Whether a point that is `off` the place that was found on a face may touch the face's plane there: it is
  /// in front of the face or, if it is inside by `depth`, on the shortest way out through the face or behind
  /// what meets the face in a hollow.
  [[nodiscard]] bool is_wall(const Vec3& off, const Found& found, double depth) const {
    const double nothing = rounding * reach_, height = dot(off, normals_[found.face]);
    if (is_flat(found)) {
      const bool is_above = norm(off - height * normals_[found.face]) <= nothing;
      return is_above && (height >= -nothing || (depth > 0.0 && -height <= depth + nothing));
    }
    if (depth < -nothing || !is_hollow(found)) return false;
    const auto is_behind = [&](const Vec3& normal) { return dot(off, normal) <= nothing; };
    const Vec3& own = normals_[found.face];
    if (found.at.feature == detail::Feature::edge) return is_behind(side(found).normal - own);
    const VectorArray& others = hollow_vertices_.at(vertex(found));
    return std::any_of(others.begin(), others.end(),
                       [&](const Vec3& other) { return !are_same(own, other) && is_behind(other); });
  }

  /// Whether a point that is `off` the place that was found on a face is in front of a ridge or peak there,
  /// to which it is nearer than to all of the surface around.
  [[nodiscard]] bool is_ridge(const Vec3& off, const Found& found) const {
    if (is_flat(found) || is_hollow(found) || norm(off) <= rounding * reach_) return false;
    if (found.at.feature == detail::Feature::vertex) {
      const VectorArray& ways = ways_from_.at(vertex(found));
      return dot(off, vertex_normals_[static_cast<std::size_t>(vertex(found))]) > 0.0 &&
             std::all_of(ways.begin(), ways.end(), [&](const Vec3& way) { return dot(off, way) <= 0.0; });
    }
    // From the edge into the other face.
    const auto c = corners(faces_[found.face]);
    const auto k = static_cast<std::size_t>(found.at.number);
    const Vec3 along = c[(k + 1) % 3] - c[k], other = side(found).normal - normals_[found.face];
    return dot(off, side(found).normal) > 0.0 && dot(off, cross(along, other)) <= 0.0;
  }

  static bool are_same(const Vec3& normal, const Vec3& other) { return dot(normal, other) > 1.0 - flat; }

  /// Puts a wall among the `count` nearest that are known. Of those that face the same way the nearest
  /// counts.
  static int with(const SurfaceView& wall, int count, std::span<SurfaceView, 3> out) {
    const auto at = [&](int k) -> SurfaceView& { return out[static_cast<std::size_t>(k)]; };
    for (int k = 0; k < count; ++k)
      if (are_same(at(k).normal, wall.normal)) {
        if (!(wall.distance < at(k).distance)) return count;
        for (--count; k < count; ++k) at(k) = at(k + 1);
      }
    int place = count;
    while (place > 0 && wall.distance < at(place - 1).distance) --place;
    if (place == 3) return count;
    count = std::min(count + 1, 3);
    for (int k = count - 1; k > place; --k) at(k) = at(k - 1);
    at(place) = wall;
    return count;
  }

  [[nodiscard]] std::array<Vec3, 3> corners(const Triangle& t) const {
    return {vertices_[static_cast<std::size_t>(t[0])], vertices_[static_cast<std::size_t>(t[1])],
            vertices_[static_cast<std::size_t>(t[2])]};
  }

  /// Inside or outside is decided by the mean normal of the nearest feature, weighted by the triangles'
  /// angles at a vertex (Bærentzen and Aanæs 2005).
  [[nodiscard]] SurfaceView seen_from(const Vec3& x, std::size_t face, const detail::NearestPoint& at) const {
    const Triangle& t = faces_[face];
    const Vec3 off = x - at.point;
    const double length = norm(off);
    const auto number = static_cast<std::size_t>(at.number);
    const bool is_vertex = at.feature == detail::Feature::vertex;
    const auto vertex = static_cast<std::size_t>(t[number]);
    if (is_flat({face, at})) return {dot(off, normals_[face]), normals_[face], {}};
    const Vec3 mean = is_vertex ? vertex_normals_[vertex] : sides_[face][number].normal;
    if (length == 0.0) return {0.0, (1.0 / norm(mean)) * mean, {}};
    const double distance = dot(off, mean) < 0.0 ? -length : length;
    const Vec3 n = (1.0 / distance) * off;
    Mat3 curvature = detail::across(n);
    if (!is_vertex) {
      const auto c = corners(t);
      const Vec3 along = c[(number + 1) % 3] - c[number];
      curvature += (-1.0 / squared_norm(along)) * outer(along, along);
    }
    return {distance, n, (1.0 / distance) * curvature};
  }

  void check_edges() const {
    struct Passes {
      int forwards = 0, backwards = 0;
    };
    std::map<Edge, Passes> edges;
    for (const Triangle& t : faces_)
      for (std::size_t k = 0; k < 3; ++k) {
        const Index a = t[k], b = t[(k + 1) % 3];
        Passes& passes = edges[{std::min(a, b), std::max(a, b)}];
        ++(a < b ? passes.forwards : passes.backwards);
      }
    if (edges.empty()) refuse("the mesh has no faces", "allowed: a closed surface");
    for (const auto& [edge, passes] : edges) {
      const int count = passes.forwards + passes.backwards;
      if (count == 2 && passes.forwards == 1) continue;
      const std::string between =
          "the edge between vertices " + std::to_string(edge[0]) + " and " + std::to_string(edge[1]);
      if (count == 1)
        refuse("the surface is open: " + between + " has one triangle", "allowed: a closed surface");
      if (count == 2)
        refuse("the surface's faces are not turned the same way: both triangles pass " + between +
                   " in one direction",
               "allowed: a closed surface whose faces all point outwards");
      refuse(between + " has " + std::to_string(count) + " triangles",
             "allowed: a closed surface, each edge of which has two triangles");
    }
  }

  void turn_outward() {
    TreeSum six_volumes;
    for (const Triangle& t : faces_) {
      const auto c = corners(t);
      six_volumes.add(dot(c[0] - vertices_[0], cross(c[1] - vertices_[0], c[2] - vertices_[0])));
    }
    if (six_volumes.total() == 0.0)
      refuse("the surface encloses no volume", "allowed: a closed surface around a volume");
    if (six_volumes.total() < 0.0)
      for (Triangle& t : faces_) std::swap(t[1], t[2]);
  }

  void add_normals() {
    for (const Triangle& t : faces_) {
      const auto c = corners(t);
      const Vec3 across = cross(c[1] - c[0], c[2] - c[0]);
      const double size = norm(across);
      normals_.push_back(size > 0.0 ? (1.0 / size) * across : Vec3{});
    }
    drop_thin_faces();
    std::map<Edge, Side> sides;
    for (std::size_t f = 0; f < faces_.size(); ++f)
      for (std::size_t k = 0; k < 3; ++k) {
        Side& side = sides[edge(f, k)];
        side.is_flat = are_same(side.normal, normals_[f]);
        const auto c = corners(faces_[f]);
        const Vec3 along = c[(k + 1) % 3] - c[k];
        side.is_hollow = dot(cross(normals_[f], side.normal), along) < -least_hollow_sine * norm(along);
        has_corners_ = has_corners_ || side.is_hollow;
        side.normal += normals_[f];
      }
    for (std::size_t f = 0; f < faces_.size(); ++f)
      sides_.push_back({sides[edge(f, 0)], sides[edge(f, 1)], sides[edge(f, 2)]});
    add_vertex_normals();
  }

  /// Triangles without an area have no normal. All their points are on neighbours with one.
  void drop_thin_faces() {
    std::size_t kept = 0;
    for (std::size_t f = 0; f < faces_.size(); ++f)
      if (normals_[f] != Vec3{}) faces_[kept] = faces_[f], normals_[kept++] = normals_[f];
    faces_.resize(kept), normals_.resize(kept);
  }

  void add_vertex_normals() {
    vertex_normals_.resize(vertices_.size());
    vertex_is_flat_.assign(vertices_.size(), 1);
    VectorArray first(vertices_.size());
    for (std::size_t f = 0; f < faces_.size(); ++f) {
      const auto c = corners(faces_[f]);
      for (std::size_t k = 0; k < 3; ++k) {
        const auto v = static_cast<std::size_t>(faces_[f][k]);
        const Vec3 a = c[(k + 1) % 3] - c[k], b = c[(k + 2) % 3] - c[k];
        vertex_normals_[v] += std::atan2(norm(cross(a, b)), dot(a, b)) * normals_[f];
        if (first[v] == Vec3{}) first[v] = normals_[f];
        if (!(dot(first[v], normals_[f]) > 1.0 - flat)) vertex_is_flat_[v] = 0;
      }
    }
    for (Vec3& n : vertex_normals_)
      if (norm(n) > 0.0) n *= 1.0 / norm(n);
    add_hollow_vertices();
  }

  /// Whether there are surfaces that share no vertex.
  [[nodiscard]] bool has_parts() const {
    std::vector<std::size_t> part(vertices_.size());
    std::iota(part.begin(), part.end(), std::size_t{0});
    const auto first = [&](Index v) {
      auto at = static_cast<std::size_t>(v);
      while (part[at] != at) at = part[at] = part[part[at]];
      return at;
    };
    for (const Triangle& t : faces_)
      for (const Index v : t) part[first(v)] = first(t[0]);
    return std::any_of(faces_.begin(), faces_.end(),
                       [&](const Triangle& t) { return first(t[0]) != first(faces_[0][0]); });
  }

  /// Those at which the surface bends towards the outside alone; and of the others where their edges lead.
  void add_hollow_vertices() {
    has_corners_ = has_corners_ || has_parts();
    if (!has_corners_) return;
    std::vector<char> is_hollow(vertices_.size(), 1);
    for (std::size_t f = 0; f < faces_.size(); ++f)
      for (std::size_t k = 0; k < 3; ++k) {
        if (sides_[f][k].is_flat || sides_[f][k].is_hollow) continue;
        for (const Index v : edge(f, k)) is_hollow[static_cast<std::size_t>(v)] = 0;
      }
    for (std::size_t f = 0; f < faces_.size(); ++f)
      for (const Index v : faces_[f])
        if (is_hollow[static_cast<std::size_t>(v)] != 0 && vertex_is_flat_[static_cast<std::size_t>(v)] == 0)
          hollow_vertices_[v].push_back(normals_[f]);
    for (std::size_t f = 0; f < faces_.size(); ++f)
      for (std::size_t k = 0; k < 3; ++k) {
        const Index v = faces_[f][k], next = faces_[f][(k + 1) % 3];
        if (is_hollow[static_cast<std::size_t>(v)] != 0) continue;
        ways_from_[v].push_back(vertices_[static_cast<std::size_t>(next)] -
                                vertices_[static_cast<std::size_t>(v)]);
      }
  }

  [[nodiscard]] Edge edge(std::size_t face, std::size_t k) const {
    const Index a = faces_[face][k], b = faces_[face][(k + 1) % 3];
    return {std::min(a, b), std::max(a, b)};
  }

  VectorArray vertices_;
  std::vector<Triangle> faces_;
  VectorArray normals_;                     ///< Of the faces.
  std::vector<std::array<Side, 3>> sides_;  ///< Of the faces; side k is from corner k to the next.
  VectorArray vertex_normals_;
  std::vector<char> vertex_is_flat_;              ///< 1 if all faces of the vertex are in one plane.
  std::map<Index, VectorArray> hollow_vertices_;  ///< And the normals of their faces.
  std::map<Index, VectorArray> ways_from_;        ///< The other vertices with ridges, along their edges, m.
  bool has_corners_ = false;                      ///< An edge is hollow, or there are several parts.
  BoxTree tree_;
  double reach_ = 0.0;  ///< m.
};

}  // namespace

std::shared_ptr<const RigidShape> make_closed_mesh(const Mesh& mesh) {
  return std::make_shared<ClosedMesh>(mesh);
}

}  // namespace electret
