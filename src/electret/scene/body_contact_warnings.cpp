// What may not be meant in the contact of bodies with each other and with themselves.

#include <algorithm>
#include <cmath>
#include <limits>

#include <electret/scene/body_contact_start.hpp>
#include <electret/scene/obstacle_warnings.hpp>
#include <electret/scene/rounded_text.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

/// Bodies with at most so many edges are looked through for two parts without a common vertex. Larger ones
/// have some.
constexpr std::size_t most_edges_looked_through = 64;
/// So many couples of bodies are named at most.
constexpr std::size_t most_named = 6;
/// The thickness as a part of the shortest edge below which impacts press parts together so hard that steps
/// may not converge.
constexpr double thin_in_edges = 1e-4;

class BodyContactCheck {
 public:
  BodyContactCheck(const Assembly& assembly, const StartPushes& pushes)
      : assembly_(assembly), scene_(assembly.scene), pushes_(pushes), surfaces_(assembly) {}

  std::vector<ObstacleWarning> run() {
    apart();
    selves();
    near();
    thin();
    return std::move(found_);
  }

 private:
  [[nodiscard]] std::string named(std::size_t body) const { return in_quotes(scene_.bodies[body].name); }

  /// Bodies that shall touch, although no pair of parts can join them.
  void apart() {
    const BodyPairs wanted = wanted_body_pairs(assembly_);
    std::string named_ones;
    std::size_t count = 0;
    for (std::size_t a = 0; a < wanted.bodies(); ++a)
      for (std::size_t b = 0; b <= a; ++b) {
        if (!wanted.may_touch(a, b) || surfaces_.pairs().may_touch(a, b)) continue;
        if (++count <= most_named)
          named_ones +=
              (count > 1 ? ", " : "") + (a == b ? named(a) + " and itself" : named(b) + " and " + named(a));
      }
    if (count == 0) return;
    if (count > most_named) named_ones += " and " + std::to_string(count - most_named) + " more";
    found_.push_back({"contact.against",
                      "bodies pass through each other although [contact] against names them: " + named_ones +
                          "; vertices without edges touch faces alone",
                      "give one of two bodies faces, or both lines, or write a [[contact.pair]] of them that "
                      "is ignored"});
  }

  /// Whether two parts of the body without a common vertex may come together.
  [[nodiscard]] bool can_meet_itself(std::size_t body) const {
    const ContactSurface& surface = surfaces_.surface();
    std::vector<Edge> edges;
    for (const Edge& edge : surface.edges())
      if (surface.body(edge[0]) == body) edges.push_back(edge);
    if (edges.size() > most_edges_looked_through) return true;
    const auto meet = [&](const auto& a, const auto& b) {
      const auto is_free = [&](Index v) { return surface.is_free(v); };
      return std::find_first_of(a.begin(), a.end(), b.begin(), b.end()) == a.end() &&
             (std::any_of(a.begin(), a.end(), is_free) || std::any_of(b.begin(), b.end(), is_free));
    };
    for (const Edge& edge : edges)
      for (const Edge& other : edges)
        if (meet(edge, other)) return true;
    for (const Triangle& t : surface.triangles())
      for (const Index v : surface.vertices())
        if (surface.body(v) == body && surface.body(t[0]) == body && meet(t, std::array{v})) return true;
    return false;
  }

  void selves() {
    bool is_any = false, can_any = false;
    for (std::size_t b = 0; b < scene_.bodies.size(); ++b) {
      if (!surfaces_.pairs().may_touch(b, b)) continue;
      is_any = true;
      can_any = can_any || can_meet_itself(b);
    }
    if (is_any && !can_any)
      found_.push_back(
          {"contact.against",
           "\"self\" in [contact] against has no effect: no part of a body can meet another of the body",
           "leave it out"});
  }

  /// " with 3 N", or nothing where that is not known.
  [[nodiscard]] static std::string force_text(const std::vector<BodyPush>& pushes,
                                              const std::array<std::size_t, 2>& bodies) {
    const auto found = std::find_if(pushes.begin(), pushes.end(),
                                    [&](const BodyPush& push) { return push.bodies == bodies; });
    return found == pushes.end() ? "" : " with " + brief_text(found->force) + " N";
  }

  void near() {
    const double thickness = scene_.contact->thickness;
    const std::vector<NearestPair> all =
        surfaces_.nearest(surfaces_.pairs(), assembly_.initial_positions, thickness);
    const std::vector<BodyPush> pushes = all.empty() || !pushes_ ? std::vector<BodyPush>{} : pushes_();
    for (const NearestPair& near : all) {
      const bool is_self = near.bodies[0] == near.bodies[1];
      found_.push_back(
          {"contact.thickness",
           (is_self ? "parts of body " + named(near.bodies[0])
                    : "bodies " + named(near.bodies[0]) + " and " + named(near.bodies[1])) +
               " start " + brief_text(near.distance) +
               " m apart, within thickness = " + number_text(thickness) + " m, and push each other" +
               force_text(pushes, near.bodies) + " from the first step on",
           "start them at least the thickness apart, unless they are meant to be pressed together"});
    }
  }

  /// Gaps far below the edges.
  void thin() {
    double shortest = std::numeric_limits<double>::infinity();
    for (const Edge& edge : surfaces_.surface().edges())
      if (surfaces_.may_touch(surfaces_.surface().body(edge[0])))
        shortest = std::min(shortest, norm(assembly_.rest_positions[static_cast<std::size_t>(edge[1])] -
                                           assembly_.rest_positions[static_cast<std::size_t>(edge[0])]));
    const double advised = thin_in_edges * shortest, thickness = scene_.contact->thickness;
    if (!std::isfinite(shortest) || !(thickness < 0.999 * advised)) return;
    found_.push_back({"contact.thickness",
                      "\"thickness\" = " + number_text(thickness) +
                          " m is less than a ten-thousandth of the shortest edge of what may touch: steps of "
                          "impacts may not converge, and then energy and momentum are not kept",
                      "use at least " + brief_text_above(advised) + " m"});
  }

  const Assembly& assembly_;
  const Scene& scene_;
  const StartPushes& pushes_;
  BodySurfaces surfaces_;
  std::vector<ObstacleWarning> found_;
};

}  // namespace

std::vector<ObstacleWarning> body_contact_warnings(const Assembly& assembly, const StartPushes& pushes) {
  if (!touches_bodies(assembly.scene)) return {};
  return BodyContactCheck(assembly, pushes).run();
}

}  // namespace electret
