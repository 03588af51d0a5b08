#include <algorithm>
#include <cmath>
#include <limits>

#include <electret/scene/body_contact.hpp>
#include <electret/scene/obstacle.hpp>
#include <electret/scene/obstacle_warnings.hpp>
#include <electret/scene/rounded_text.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

/// The softening at which the largest force between two charges is that of a charged sheet on a vertex, as a
/// part of √(area of a vertex).
constexpr double softening_per_length = 0.25;

/// Of a mesh with hollows: a thickness that is advised, as a part of its size.
constexpr double thickness_per_size = 1e-3;

/// Of a vertex' free fall onto an obstacle. One that goes along it so long does not come to it.
constexpr int most_trace_steps = 1000;
/// Of the extent of an obstacle: nearer to it, a vertex has come.
constexpr double near_part = 1e-3;

class ContactCheck {
 public:
  explicit ContactCheck(const Assembly& assembly)
      : assembly_(assembly), scene_(assembly.scene), touching_(touching_vertices(assembly)) {}

  std::vector<ObstacleWarning> run() {
    bool& is_any = has_exact_;
    for (std::size_t o = 0; o < assembly_.obstacles.size(); ++o) {
      if (!assembly_.obstacles[o].is_exact) continue;
      is_any = true;
      reach(o);
      sharp_hollows(o);
      thin(o);
    }
    if (is_any || touches_bodies(scene_)) soften();
    unused_groups();
    if (scene_.contact) unused_settings(*scene_.contact);
    if (scene_.contact) unused_pairs(*scene_.contact);
    return std::move(found_);
  }

 private:
  void reach(std::size_t o) {
    const std::string key = "obstacle." + std::to_string(o) + ".name",
                      named = "obstacle " + in_quotes(scene_.obstacles[o].name);
    if (touching_.empty())
      found_.push_back(
          {key, "nothing can reach " + named + ", because no free vertex may touch it",
           "leave the obstacle out, or see [contact] bodies, [[body.contact]] and [[body.pin]]"});
    else if (const double missing = missing_way(assembly_.obstacles[o]); missing > 0.0)
      found_.push_back({key,
                        "nothing can reach " + named + " within the run: it stays at least " +
                            brief_text_below(missing) + " m away",
                        "make the run longer, or move the obstacle nearer"});
  }

  /// Where ridges and hollow edges of a mesh meet, a vertex on the mesh itself sees one wall of several.
  void sharp_hollows(std::size_t o) {
    if (scene_.obstacles[o].shape != "mesh" || (scene_.contact && scene_.contact->thickness > 0.0)) return;
    const RigidSurface surface = assembly_.obstacles[o].sized();
    if (!surface.shape->has_corners()) return;
    found_.push_back({"obstacle." + std::to_string(o) + ".mesh",
                      "the mesh of obstacle " + in_quotes(scene_.obstacles[o].name) +
                          " has hollows and no thickness: at its edges many steps may not converge",
                      "write thickness in [contact], such as " +
                          brief_text(thickness_per_size * surface.shape->reach()) +
                          " m, which makes the edges round"});
  }

  /// The least extent of a closed shape, m; infinite for others, and for those that are known by meshes.
  [[nodiscard]] double least_extent(std::size_t o) const {
    const Obstacle& written = scene_.obstacles[o];
    if (written.inside) return std::numeric_limits<double>::infinity();
    const double across = 2.0 * assembly_.obstacles[o].radius;
    if (written.shape == "box" && written.size)
      return std::min({written.size->x, written.size->y, written.size->z});
    if (written.shape == "sphere" || written.shape == "capsule") return across;
    if (written.shape == "cylinder" && written.length) return std::min(across, *written.length);
    return std::numeric_limits<double>::infinity();
  }

  /// How fast a vertex comes nearer than `near` (m) to the surface in free fall within `time` (s), m/s; 0 if
  /// it does not. It is looked for by steps in which it cannot go farther than the surface is away.
  [[nodiscard]] double speed_on_arrival(const RigidSurface& surface, std::size_t v, double near,
                                        double time) const {
    const Vec3 pull = scene_.gravity ? *scene_.gravity : Vec3{};
    const Vec3 &from = assembly_.initial_positions[v], &start = assembly_.initial_velocities[v];
    const double g = norm(pull);
    double t = 0.0;
    for (int step = 0; step < most_trace_steps && t <= time; ++step) {
      const double distance = view(surface, from + t * start + (0.5 * t * t) * pull).distance;
      const double speed = norm(start + t * pull);
      if (distance < near) return t > 0.0 ? speed : 0.0;
      t += 2.0 * distance / (std::sqrt(speed * speed + 2.0 * g * distance) + speed);
    }
    return 0.0;
  }

  /// Without a thickness nothing looks at ways: a vertex that goes farther in a step than the shape is thick
  /// may be beyond it at once.
  void thin(std::size_t o) {
    const ObstacleTrack& track = assembly_.obstacles[o];
    if ((scene_.contact && scene_.contact->thickness > 0.0) || track.moves() || scene_.damping.drag > 0.0)
      return;
    const double extent = least_extent(o), h = scene_.time.step, time = scene_.time.at(scene_.time.steps);
    const double gained = scene_.gravity ? norm(*scene_.gravity) * time : 0.0;
    const RigidSurface surface = track.sized();
    for (const Index vertex : touching_) {
      const auto v = static_cast<std::size_t>(vertex);
      if (!((norm(assembly_.initial_velocities[v]) + gained) * h > extent)) continue;
      const double speed = speed_on_arrival(surface, v, near_part * extent, time);
      if (!(speed * h > extent)) continue;
      found_.push_back(
          {"obstacle." + std::to_string(o) + ".shape",
           "vertex " + std::to_string(vertex) + " comes to obstacle " + in_quotes(scene_.obstacles[o].name) +
               " at " + brief_text(speed) + " m/s, and goes " + brief_text(speed * h) +
               " m in a step, farther than the obstacle is thick, " + brief_text(extent) +
               " m: it may pass through unseen",
           "use a step below " + brief_text_below(extent / speed) +
               " s, or thickness in [contact], with which a way through the obstacle ends the run"});
      return;
    }
  }

  /// How far everything stays away, if nothing but gravity and its velocities moves it; 0 if it may come.
  /// Nothing is known of bodies that others may hit, and of what changes bring.
  [[nodiscard]] double missing_way(const ObstacleTrack& track) const {
    const bool is_driven = scene_.coulomb || !scene_.external_charges.empty() ||
                           !scene_.electric_fields.empty() || !scene_.hydrodynamics.empty() ||
                           !scene_.ball_contacts.empty() || !assembly_.load_tracks.empty() ||
                           !assembly_.muscles.empty() || track.moves() || !assembly_.grabs.empty() ||
                           !scene_.changes.empty() || bodies_.is_other_allowed() ||
                           std::any_of(assembly_.pin_tracks.begin(), assembly_.pin_tracks.end(),
                                       [](const PinTrack& pin) { return !pin.offsets.empty(); });
    if (is_driven) return 0.0;
    const double time = scene_.time.at(scene_.time.steps);
    const double fall = scene_.gravity ? 0.5 * norm(*scene_.gravity) * time * time : 0.0;
    const RigidSurface surface = track.sized();
    double least = std::numeric_limits<double>::infinity();
    Vec3 low = assembly_.initial_positions.front(), high = low;
    for (const Index vertex : touching_) {
      const auto v = static_cast<std::size_t>(vertex);
      const Vec3& x = assembly_.initial_positions[v];
      for (int axis = 0; axis < 3; ++axis) {
        low[axis] = std::min(low[axis], x[axis]);
        high[axis] = std::max(high[axis], x[axis]);
      }
      least =
          std::min(least, view(surface, x).distance - norm(assembly_.initial_velocities[v]) * time - fall);
    }
    const double thickness = scene_.contact ? scene_.contact->thickness : 0.0;
    return std::max(0.0, least - thickness - 2.0 * norm(high - low));  // Bodies may stretch and turn.
  }

  /// Charged bodies with faces that may touch, whose softening is below what their vertices' areas ask for.
  void soften() {
    if (!scene_.coulomb) return;
    for (std::size_t b = 0; b < scene_.bodies.size(); ++b) {
      const Count first = assembly_.body_offsets[b], end = assembly_.body_offsets[b + 1];
      const auto is_own = [&](Index v) { return v >= first && v < end; };
      const bool touches_obstacles = has_exact_ && std::any_of(touching_.begin(), touching_.end(), is_own);
      const bool touches = touches_obstacles || is_any_pair_of(b);
      const bool is_charged =
          std::any_of(assembly_.charges.begin() + first, assembly_.charges.begin() + end,
                      [](double q) { return q != 0.0; }) ||
          std::any_of(assembly_.charge_tracks.begin(), assembly_.charge_tracks.end(),
                      [&](const ChargeTrack& track) {
                        return std::any_of(track.vertices.begin(), track.vertices.end(), is_own);
                      });
      if (!touches || !is_charged) continue;
      const double advised = softening_per_length * std::sqrt(area_of_vertex(b));
      if (!(scene_.coulomb->softening < 0.999 * advised)) continue;
      found_.push_back(
          {"coulomb.softening",
           "charged body " + in_quotes(scene_.bodies[b].name) +
               (touches_obstacles ? " may touch obstacles" : " may touch other bodies or itself") +
               ", and its charges may then come closer than the softening, " +
               number_text(scene_.coulomb->softening) + " m, is made for",
           "a softening of " + brief_text(advised) +
               " m, a quarter of √(area of a vertex), gives two vertices at most the force of a "
               "charged sheet"});
    }
  }

  /// The mean area of the vertices of a body's faces, m²; 0 without faces.
  [[nodiscard]] double area_of_vertex(std::size_t body) const {
    double area = 0.0;
    std::vector<Index> vertices;
    for (const Triangle& t : assembly_.faces) {
      if (t[0] < assembly_.body_offsets[body] || t[0] >= assembly_.body_offsets[body + 1]) continue;
      const auto at = [&](std::size_t k) { return assembly_.rest_positions[static_cast<std::size_t>(t[k])]; };
      area += 0.5 * norm(cross(at(1) - at(0), at(2) - at(0)));
      vertices.insert(vertices.end(), t.begin(), t.end());
    }
    std::sort(vertices.begin(), vertices.end());
    const auto count = std::unique(vertices.begin(), vertices.end()) - vertices.begin();
    return count > 0 ? area / static_cast<double>(count) : 0.0;
  }

  /// Whether the body may touch another one or itself.
  [[nodiscard]] bool is_any_pair_of(std::size_t body) const {
    for (std::size_t b = 0; b < bodies_.bodies(); ++b)
      if (bodies_.may_touch(body, b)) return true;
    return false;
  }

  [[nodiscard]] bool has_law(const std::string& law) const {
    return std::any_of(scene_.obstacles.begin(), scene_.obstacles.end(),
                       [&](const Obstacle& obstacle) { return law_of(scene_, obstacle) == law; });
  }

  /// A penalty pushes all vertices of all bodies.
  void unused_groups() {
    const bool is_for_some = has_law("exact") || has_law("sticking");
    if (assembly_.contact_groups.empty() || (is_for_some && !has_law("penalty"))) return;
    std::size_t b = 0;
    while (scene_.bodies[b].contacts.empty()) ++b;
    const std::string key = "body." + std::to_string(b) + ".contact.0.group";
    if (is_for_some)
      found_.push_back({key, "[[body.contact]] has no effect on obstacles with law = \"penalty\"",
                        "law = \"penalty\" pushes every vertex"});
    else
      found_.push_back({key,
                        "[[body.contact]] has no effect: no obstacle has law = \"exact\" or \"sticking\"",
                        "leave it out; law = \"penalty\" pushes every vertex"});
  }

  /// Keys of [contact] that no obstacle reads.
  void unused_settings(const ContactOptions& contact) {
    const bool bodies_touch = touches_bodies(scene_);
    if (scene_.obstacles.empty() && !bodies_touch) {
      found_.push_back({"contact", "[contact] has no effect: the scene has no obstacle",
                        "write [[obstacle]], or leave [contact] out"});
      return;
    }
    const bool is_exact = has_law("exact"), touches = is_exact || has_law("sticking");
    const std::string none = " in [contact] has no effect: no obstacle has law = \"exact\"";
    if (contact.friction && !is_exact && !bodies_touch)
      found_.push_back({"contact.friction", "\"friction\"" + none,
                        touches ? "what touches an obstacle with law = \"sticking\" does not slide"
                                : "with law = \"penalty\" write friction and friction_stiffness in "
                                  "[[obstacle]]"});
    if (contact.thickness > 0.0 && !touches && !bodies_touch)
      found_.push_back({"contact.thickness", "\"thickness\"" + none + " or \"sticking\"",
                        "leave it out; obstacles with law = \"penalty\" have no thickness"});
    if (!contact.bodies.empty() && (!touches || has_law("penalty")))
      found_.push_back({"contact.bodies",
                        touches ? "\"bodies\" in [contact] has no effect on obstacles with law = \"penalty\""
                                : "\"bodies\"" + none + " or \"sticking\"",
                        "law = \"penalty\" pushes every vertex of every body"});
  }

  /// Pairs of a body and an obstacle that nothing of the body touches.
  void unused_pairs(const ContactOptions& contact) {
    for (std::size_t i = 0; i < assembly_.contact_pairs.size(); ++i) {
      const ContactPairTrack& pair = assembly_.contact_pairs[i];
      if (pair.other != ContactPairTrack::none) continue;
      const Count first = assembly_.body_offsets[pair.body], end = assembly_.body_offsets[pair.body + 1];
      if (std::any_of(touching_.begin(), touching_.end(), [&](Index v) { return v >= first && v < end; }))
        continue;
      const std::string& name = scene_.bodies[pair.body].name;
      const bool is_named = contact.bodies.empty() || std::find(contact.bodies.begin(), contact.bodies.end(),
                                                                name) != contact.bodies.end();
      found_.push_back({"contact.pair." + std::to_string(i),
                        "[[contact.pair]] of body " + in_quotes(name) + " and obstacle " +
                            in_quotes(scene_.obstacles[pair.obstacle].name) + " has no effect: " +
                            (is_named ? "no free vertex of the body may touch obstacles"
                                      : "[contact] bodies does not name the body"),
                        is_named ? "leave it out, or see [[body.contact]] and [[body.pin]]"
                                 : "leave it out, or name the body in [contact] bodies"});
    }
  }

  const Assembly& assembly_;
  const Scene& scene_;
  std::vector<Index> touching_;
  BodyPairs bodies_ = body_pairs(assembly_);
  bool has_exact_ = false;
  std::vector<ObstacleWarning> found_;
};

}  // namespace

std::vector<ObstacleWarning> contact_warnings(const Assembly& assembly) {
  return ContactCheck(assembly).run();
}

}  // namespace electret
