// What is wrong with the contact of bodies with each other and with themselves.

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <electret/geometry/surface_tree.hpp>
#include <electret/scene/body_contact_start.hpp>
#include <electret/scene/body_parts.hpp>
#include <electret/scene/rounded_text.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

/// Bodies that are nearer than this part of the thickness begin with a push that throws them apart.
constexpr double least_start_in_thicknesses = 0.1;
/// The thickness as a part of the largest coordinate below which rounding decides where bodies rest.
constexpr double least_thickness_in_places = 1e-9;
/// The height of a triangle as a part of its longest edge below which it has no direction of its own.
constexpr double flat_in_edges = 1e-6;

std::string place_text(const Vec3& v) {
  return "[" + brief_text(v.x) + ", " + brief_text(v.y) + ", " + brief_text(v.z) + "] m";
}

class BodyContactFindings {
 public:
  BodyContactFindings(const Assembly& assembly, Report& report)
      : assembly_(assembly),
        scene_(assembly.scene),
        report_(report),
        surfaces_(assembly),
        thickness_(scene_.contact->thickness),
        touching_(surfaces_.intersections(assembly.initial_positions)) {}

  void flat_triangles() {
    std::vector<std::size_t> counts(scene_.bodies.size(), 0);
    std::vector<Triangle> first(counts.size());
    for (const Triangle& t : surfaces_.surface().triangles()) {
      const std::size_t b = body_of(t[0]);
      if (!surfaces_.may_touch(b)) continue;
      const Vec3 u = rest(t[1]) - rest(t[0]), v = rest(t[2]) - rest(t[0]);
      const double longest = std::max({squared_norm(u), squared_norm(v), squared_norm(v - u)});
      if (norm(cross(u, v)) > flat_in_edges * longest) continue;
      if (counts[b]++ == 0) first[b] = t;
    }
    for (std::size_t b = 0; b < counts.size(); ++b)
      if (counts[b] > 0)
        add(mesh_key(b),
            counted(counts[b], "triangle", "triangles") + " of body " + named(b) +
                (counts[b] == 1 ? " has" : " have") + " no area, the first of vertices " +
                vertices_text(first[b]),
            "allowed: surfaces of triangles with an area, for bodies that touch bodies");
  }

  /// Gaps far below the places' last digits are nothing but rounding.
  void lost_thickness() {
    double farthest = 0.0;
    for (const Index v : surfaces_.surface().vertices()) {
      const Vec3& x = assembly_.initial_positions[static_cast<std::size_t>(v)];
      if (surfaces_.may_touch(body_of(v)))
        farthest = std::max({farthest, std::abs(x.x), std::abs(x.y), std::abs(x.z)});
    }
    const double least = least_thickness_in_places * farthest;
    if (!(thickness_ < least)) return;
    add("contact.thickness",
        "\"thickness\" = " + number_text(thickness_) + " m is lost in the rounding of places up to " +
            brief_text(farthest) + " m from the origin",
        "allowed: at least " + brief_text_above(least) + " m");
  }

  void short_edges() {
    double shortest = std::numeric_limits<double>::infinity();
    Edge at{};
    for (const Edge& edge : surfaces_.surface().edges()) {
      if (!surfaces_.may_touch(body_of(edge[0]))) continue;
      const double length = norm(rest(edge[1]) - rest(edge[0]));
      if (length < shortest) shortest = length, at = edge;
    }
    if (!(thickness_ > 0.5 * shortest * (1.0 + 1e-9))) return;
    add("contact.thickness",
        "\"thickness\" = " + number_text(thickness_) +
            " m is more than half of the shortest edge of what may touch, " + brief_text(shortest) +
            " m, of vertices " + vertices_text(at) + " of body " + named(body_of(at[0])),
        shortest > 0.0
            ? "allowed: at most " + brief_text_below(0.5 * shortest) + " m, or a mesh with longer edges"
            : "allowed: a mesh whose edges have a length");
  }

  /// Parts of one body that would push each other in the shape that its springs and elements hold.
  void near_at_rest() {
    for (const NearestPair& near :
         surfaces_.nearest(surfaces_.selves(), assembly_.rest_positions, thickness_)) {
      if (intersects(near.bodies)) continue;
      pushes_at_rest_.insert(near.bodies);
      add("contact.thickness",
          parts_text(near.pair) + " of body " + named(near.bodies[0]) + ", which share no vertex, are " +
              brief_text(near.distance) +
              " m apart at rest, less than thickness = " + number_text(thickness_) + " m",
          (near.distance > 0.0 ? "allowed: a thickness of at most " + brief_text_below(near.distance) + " m"
                               : std::string("allowed: parts that are apart at rest")) +
              ", or a [[contact.pair]] of the body with itself that is ignored");
    }
  }

  void intersections() {
    for (const BodyIntersection& each : touching_) {
      const SurfaceIntersection& at = each.first;
      const bool is_self = each.bodies[0] == each.bodies[1];
      add(start_key(each.bodies[1]),
          (is_self ? "body " + named(each.bodies[0]) + " goes through itself"
                   : "bodies " + named(each.bodies[0]) + " and " + named(each.bodies[1]) +
                         " go through each other") +
              " at the start, in " + counted(each.count, "place", "places") +
              (each.count == 1 ? ": edge " : ", the first: edge ") + vertices_text(at.edge) +
              (is_self ? "" : " of " + named(body_of(at.edge[0]))) + " and triangle " +
              vertices_text(at.triangle) + (is_self ? "" : " of " + named(body_of(at.triangle[0]))) +
              ", near " + place_text(at.place),
          is_self ? "allowed: a start at which the body does not cut itself, or a [[contact.pair]] of it "
                    "with itself "
                    "that is ignored"
                  : "allowed: bodies apart from each other, or a [[contact.pair]] of them that is ignored");
    }
  }

  void too_near() {
    const double least = least_start_in_thicknesses * thickness_;
    for (const NearestPair& near : surfaces_.nearest(surfaces_.pairs(), assembly_.initial_positions, least)) {
      if (intersects(near.bodies) || pushes_at_rest_.contains(near.bodies)) continue;
      const bool is_self = near.bodies[0] == near.bodies[1];
      add(start_key(near.bodies[1]),
          (is_self ? "parts of body " + named(near.bodies[0])
                   : "bodies " + named(near.bodies[0]) + " and " + named(near.bodies[1])) +
              " are " + brief_text(near.distance) + " m apart at the start (" + parts_text(near.pair) +
              "), less than a tenth of thickness = " + number_text(thickness_) + " m",
          "allowed: at least " + brief_text_above(least) + " m, and best the thickness");
    }
  }

  /// Bodies that begin inside of a solid without cutting its surface.
  void inside_of_solids() {
    for (std::size_t b = 0; b < scene_.bodies.size(); ++b)
      if (is_solid(b) && surfaces_.may_touch(b)) inside_of(b);
  }

 private:
  [[nodiscard]] std::size_t body_of(Index v) const { return surfaces_.surface().body(v); }
  [[nodiscard]] Vec3 rest(Index v) const { return assembly_.rest_positions[static_cast<std::size_t>(v)]; }
  [[nodiscard]] std::string named(std::size_t body) const { return in_quotes(scene_.bodies[body].name); }
  void add(const std::string& key, std::string message, std::string allowed) {
    report_.add(scene_.source, key, std::move(message), std::move(allowed));
  }

  /// The numbers of vertices in their body: "3, 4, 5".
  template <class Vertices>
  [[nodiscard]] std::string vertices_text(const Vertices& vertices) const {
    std::string text;
    for (const Index v : vertices)
      text += (text.empty() ? "" : ", ") + std::to_string(v - assembly_.body_offsets[body_of(v)]);
    return text;
  }
  [[nodiscard]] std::string parts_text(const SurfacePair& pair) const {
    const auto& v = pair.vertices;
    if (pair.kind == PairKind::edge_edge)
      return "edges " + vertices_text(Edge{v[0], v[1]}) + " and " + vertices_text(Edge{v[2], v[3]});
    return "vertex " + vertices_text(std::array{v[0]}) + " and triangle " +
           vertices_text(Triangle{v[1], v[2], v[3]});
  }

  [[nodiscard]] std::string mesh_key(std::size_t body) const {
    return "body." + std::to_string(body) + (scene_.bodies[body].generate ? ".generate" : ".mesh");
  }
  [[nodiscard]] std::string start_key(std::size_t body) const {
    const std::string key = "body." + std::to_string(body);
    if (scene_.bodies[body].initial_positions.given()) return key + ".initial_positions";
    return scene_.source.contains(key + ".translate") ? key + ".translate" : mesh_key(body);
  }

  [[nodiscard]] bool intersects(const std::array<std::size_t, 2>& bodies) const {
    return std::any_of(touching_.begin(), touching_.end(),
                       [&](const BodyIntersection& each) { return each.bodies == bodies; });
  }

  [[nodiscard]] bool is_solid(std::size_t body) const {
    const Count first = assembly_.body_offsets[body], end = assembly_.body_offsets[body + 1];
    const auto is_own = [&](const auto& element) { return element[0] >= first && element[0] < end; };
    return std::any_of(assembly_.tetrahedra.begin(), assembly_.tetrahedra.end(), is_own) ||
           std::any_of(assembly_.hexahedra.begin(), assembly_.hexahedra.end(), is_own);
  }

  void inside_of(std::size_t solid) {
    const auto first = static_cast<std::size_t>(assembly_.body_offsets[solid]),
               end = static_cast<std::size_t>(assembly_.body_offsets[solid + 1]);
    const auto& x = assembly_.initial_positions;
    Mesh mesh;
    mesh.vertices.assign(x.begin() + assembly_.body_offsets[solid],
                         x.begin() + assembly_.body_offsets[solid + 1]);
    for (Triangle t : surfaces_.surface().triangles()) {
      if (static_cast<std::size_t>(t[0]) < first || static_cast<std::size_t>(t[0]) >= end) continue;
      for (Index& v : t) v -= static_cast<Index>(first);
      mesh.polygons.add(t);
    }
    if (mesh.polygons.size() == 0) return;
    const SurfaceTree tree(mesh);
    const auto is_in_box = [&](const Vec3& p) {
      for (int axis = 0; axis < 3; ++axis)
        if (p[axis] < tree.box().low[axis] || p[axis] > tree.box().high[axis]) return false;
      return true;
    };
    std::vector<std::size_t> counts(scene_.bodies.size(), 0);
    std::vector<Index> first_inside(counts.size());
    for (const Index v : surfaces_.surface().vertices()) {
      const std::size_t b = body_of(v);
      if (b == solid || !surfaces_.pairs().may_touch(b, solid) ||
          intersects({std::min(b, solid), std::max(b, solid)}))
        continue;
      const Vec3& p = x[static_cast<std::size_t>(v)];
      if (!is_in_box(p) || !tree.is_inside(p)) continue;
      if (counts[b]++ == 0) first_inside[b] = v;
    }
    for (std::size_t b = 0; b < counts.size(); ++b)
      if (counts[b] > 0)
        add(start_key(b),
            counted(counts[b], "vertex", "vertices") + " of body " + named(b) +
                (counts[b] == 1 ? " starts" : " start") + " inside body " + named(solid) +
                ", the first, vertex " + vertices_text(std::array{first_inside[b]}) + ", at " +
                place_text(x[static_cast<std::size_t>(first_inside[b])]),
            "allowed: bodies outside of each other, or a [[contact.pair]] of them that is ignored");
  }

  const Assembly& assembly_;
  const Scene& scene_;
  Report& report_;
  BodySurfaces surfaces_;
  double thickness_;
  std::vector<BodyIntersection> touching_;
  std::set<std::array<std::size_t, 2>> pushes_at_rest_;
};

}  // namespace

void check_body_contact(const Assembly& assembly, Report& report) {
  if (!touches_bodies(assembly.scene) || report.is_bad("contact")) return;
  BodyContactFindings findings(assembly, report);
  findings.flat_triangles();
  findings.lost_thickness();
  findings.short_edges();
  findings.near_at_rest();
  findings.intersections();
  findings.too_near();
  findings.inside_of_solids();
}

}  // namespace electret
