#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

#include <electret/geometry/seams.hpp>
#include <electret/scene/activation_check.hpp>
#include <electret/scene/body_of.hpp>
#include <electret/scene/keyframes.hpp>
#include <electret/scene/obstacle_warnings.hpp>
#include <electret/scene/report.hpp>
#include <electret/scene/resolution_warnings.hpp>
#include <electret/scene/tables/hydrodynamics.hpp>
#include <electret/scene/tables/table.hpp>
#include <electret/scene/warnings.hpp>
#include <electret/scene/water_limit.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

/// Gathers warnings, each at the place of a key. A scene that was made in C++ has only the key.
class Warnings {
 public:
  explicit Warnings(const Scene& scene) : scene_(scene) {}
  void add(WarningKind kind, const std::string& key, std::string what, std::string advice) {
    found_.push_back({kind, place_of(scene_.source, key), std::move(what), std::move(advice)});
  }
  std::vector<Warning> take() { return std::move(found_); }

 private:
  const Scene& scene_;
  std::vector<Warning> found_;
};

std::string key_of(std::size_t body) {
  return "body." + std::to_string(body);
}

/// The key that names the mesh of a body.
std::string mesh_key(const Scene& scene, std::size_t body) {
  return key_of(body) + (scene.bodies[body].generate ? ".generate" : ".mesh");
}

void ddef_alone(const Scene& scene, Warnings& found) {
  // These are no errors: `--set` may run a scene for ddef with another solver.
  if (!scene.coulomb || scene.coulomb->solver == "ddef") return;
  const auto unused = [&](const std::string& key) {
    found.add(WarningKind::unused_setting, "coulomb." + key,
              used_only_by_ddef(in_quotes(key), scene.coulomb->solver),
              "write solver = \"ddef\", or leave " + key + " out");
  };
  if (scene.coulomb->ddef_grid_points) unused("ddef.grid_points");
  if (scene.coulomb->ddef_half_taylor) unused("ddef.half_taylor");
}

/// Velocities of a mesh are in world axes, whatever places it: a body that is turned may fly off sideways.
void unturned_velocities(const Assembly& assembly, Warnings& found) {
  for (std::size_t b = 0; b < assembly.scene.bodies.size(); ++b) {
    const Body& body = assembly.scene.bodies[b];
    if (body.rotate == Vec3{} || body.velocity || body.velocities.given()) continue;
    const auto begin = assembly.initial_velocities.begin();
    if (std::all_of(begin + assembly.body_offsets[b], begin + assembly.body_offsets[b + 1],
                    [](const Vec3& v) { return v == Vec3{}; }))
      continue;
    found.add(WarningKind::unused_setting, key_of(b) + ".rotate",
              "the velocities of the mesh of body " + in_quotes(body.name) +
                  " are in world axes: \"rotate\" does not turn them",
              "give velocity or velocities in [[body]]");
  }
}

/// "3, 7, 12, …".
std::string first_ones(const std::vector<Count>& numbers) {
  constexpr std::size_t most = 5;
  std::string text;
  for (std::size_t k = 0; k < std::min(most, numbers.size()); ++k)
    text += (k > 0 ? ", " : "") + std::to_string(numbers[k]);
  return text + (numbers.size() > most ? ", …" : "");
}

/// Whether one of the vertices first … end - 1 is marked.
bool is_any(const std::vector<bool>& marked, Count first, Count end) {
  return std::find(marked.begin() + first, marked.begin() + end, true) != marked.begin() + end;
}

void loose_vertices(const Assembly& assembly, Warnings& found) {
  const std::vector<bool> joined = joined_vertices(assembly);
  std::vector<bool> is_kept = joined;
  for (const Index vertex : pinned_vertices(assembly)) is_kept[static_cast<std::size_t>(vertex)] = true;
  for (std::size_t b = 0; b < assembly.scene.bodies.size(); ++b) {
    const Body& body = assembly.scene.bodies[b];
    const Count first = assembly.body_offsets[b], end = assembly.body_offsets[b + 1];
    std::vector<Count> loose;
    for (Count v = first; v < end; ++v)
      if (!is_kept[static_cast<std::size_t>(v)]) loose.push_back(v - first);
    if (loose.empty() || !is_any(joined, first, end)) continue;
    const bool one = loose.size() == 1;
    found.add(WarningKind::loose_vertices, mesh_key(assembly.scene, b),
              "of the " + std::to_string(end - first) + " vertices of body " + in_quotes(body.name) + ", " +
                  std::to_string(loose.size()) + (one ? " is" : " are") + " joined by no spring" +
                  (body.materials.empty() ? "" : " or element") + " (" + first_ones(loose) +
                  "): " + (one ? "it moves" : "they move") + " apart from the body",
              "join them by springs from nearest or pairs, pin them, or take them out of the mesh");
  }
}

/// Free particles are meant where a mesh is only points, or where nothing pulls at the body.
void bodies_without_springs(const Assembly& assembly, Warnings& found) {
  const Scene& scene = assembly.scene;
  if (!scene.gravity || *scene.gravity == Vec3{}) return;
  const std::vector<bool> joined = joined_vertices(assembly);
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    const Body& body = scene.bodies[b];
    const Count first = assembly.body_offsets[b], end = assembly.body_offsets[b + 1];
    if (is_any(joined, first, end) || !body.pins.empty()) continue;
    const bool has_faces = std::any_of(assembly.faces.begin(), assembly.faces.end(),
                                       [&](const Triangle& t) { return t[0] >= first && t[0] < end; });
    if (has_faces)
      found.add(WarningKind::free_vertices, mesh_key(scene, b),
                "the " + std::to_string(end - first) + " vertices of body " + in_quotes(body.name) +
                    " are joined by no spring or element: each falls and moves on its own",
                "write [[body.springs]], or [[body.material]] for a mesh of elements, or pin them");
  }
}

bool acts_on_charges(const Scene& scene) {
  return scene.coulomb || !scene.external_charges.empty() || !scene.electric_fields.empty();
}

void charges_without_effect(const Assembly& assembly, Warnings& found) {
  const Scene& scene = assembly.scene;
  if (acts_on_charges(scene)) return;
  std::vector<bool> is_charged(assembly.charges.size());
  for (std::size_t v = 0; v < is_charged.size(); ++v) is_charged[v] = assembly.charges[v] != 0.0;
  for (const ChargeTrack& track : assembly.charge_tracks)
    if (std::any_of(track.charge.values.begin(), track.charge.values.end(),
                    [](double q) { return q != 0.0; }))
      for (const Index vertex : track.vertices) is_charged[static_cast<std::size_t>(vertex)] = true;
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    const auto count = std::count(is_charged.begin() + assembly.body_offsets[b],
                                  is_charged.begin() + assembly.body_offsets[b + 1], true);
    if (count == 0) continue;
    const Body& body = scene.bodies[b];
    found.add(WarningKind::unused_charges,
              key_of(b) + (body.charge                   ? ".charge"
                           : body.total_charge           ? ".total_charge"
                           : body.charges.given()        ? ".charges"
                           : !body.group_charges.empty() ? ".group_charge.0"
                                                         : ".mesh"),
              "the charges of " + counted(static_cast<std::size_t>(count), "vertex", "vertices") +
                  " of body " + in_quotes(body.name) + " have no effect: there is no [coulomb]",
              "write [coulomb] for the force between charges, or leave the charges out");
  }
}

void unused_groups(const Scene& scene, const std::vector<std::string>& used_groups, Warnings& found) {
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    const Body& body = scene.bodies[b];
    std::set<std::string> used;
    for (const GroupCharge& entry : body.group_charges) used.insert(entry.group);
    for (const Pin& pin : body.pins) used.insert(pin.group);
    for (const Load& load : body.loads) used.insert(load.group);
    for (const ContactVertices& contact : body.contacts) used.insert(contact.group);
    for (std::size_t g = 0; g < body.groups.size(); ++g)
      if (!used.contains(body.groups[g].name) &&
          std::find(used_groups.begin(), used_groups.end(), body.name + "." + body.groups[g].name) ==
              used_groups.end())
        found.add(
            WarningKind::unused_group, key_of(b) + ".group." + std::to_string(g) + ".name",
            "group " + in_quotes(body.groups[g].name) + " of body " + in_quotes(body.name) + " is not used",
            "name it in [[body.group_charge]], [[body.pin]], [[body.load]], [[body.contact]] or a loss, or "
            "leave it out");
  }
}

class LateKeyFrames {
 public:
  LateKeyFrames(const Scene& scene, Warnings& found) : end_(scene.time.at(scene.time.steps)), found_(found) {}

  template <class T>
  void look_at(const KeyFrames<T>& keys, const std::string& key, const std::string& of) {
    const auto late = std::count_if(keys.times.begin(), keys.times.end(),
                                    [&](double time) { return time > end_ * (1.0 + 1e-9); });
    if (late == 0) return;
    found_.add(WarningKind::late_key_frames, key + ".times",
               std::to_string(late) + " of the " + std::to_string(keys.times.size()) + " key-frames of " +
                   of + (late == 1 ? " is" : " are") + " after the end of the run: the last at " +
                   number_text(keys.times.back()) + " s, the run lasts " + brief_text(end_) + " s",
               "make the run longer, or the key-frames earlier");
  }

 private:
  double end_;
  Warnings& found_;
};

void late_key_frames(const Scene& scene, Warnings& found) {
  LateKeyFrames late(scene, found);
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    const Body& body = scene.bodies[b];
    const std::string of_body = " of body " + in_quotes(body.name);
    for (std::size_t g = 0; g < body.group_charges.size(); ++g)
      late.look_at(body.group_charges[g].charge, key_of(b) + ".group_charge." + std::to_string(g),
                   "the charge of group " + in_quotes(body.group_charges[g].group) + of_body);
    for (std::size_t l = 0; l < body.loads.size(); ++l)
      late.look_at(body.loads[l].factor, key_of(b) + ".load." + std::to_string(l), "a load" + of_body);
    for (std::size_t m = 0; m < body.muscles.size(); ++m)
      late.look_at(body.muscles[m].keys, key_of(b) + ".muscle." + std::to_string(m), "a muscle" + of_body);
    for (std::size_t p = 0; p < body.pins.size(); ++p)
      late.look_at(body.pins[p].offsets, key_of(b) + ".pin." + std::to_string(p),
                   "the pin of group " + in_quotes(body.pins[p].group) + of_body);
  }
  for (std::size_t e = 0; e < scene.external_charges.size(); ++e) {
    const ExternalCharge& charge = scene.external_charges[e];
    const std::string key = "external_charge." + std::to_string(e),
                      of = "external charge " + std::to_string(e);
    if (charge.charge.times.size() > 1)
      late.look_at(charge.charge, key, of);
    else
      late.look_at(charge.position, key, of);
  }
  for (std::size_t g = 0; g < scene.grabs.size(); ++g)
    late.look_at(scene.grabs[g].targets, "grab." + std::to_string(g), "grab " + std::to_string(g));
  for (std::size_t o = 0; o < scene.obstacles.size(); ++o) {
    const Obstacle& obstacle = scene.obstacles[o];
    const KeyFrames<Vec3> keys{obstacle.times, obstacle.offsets, obstacle.interpolation};
    late.look_at(keys, "obstacle." + std::to_string(o), "obstacle " + in_quotes(obstacle.name));
  }
}

void too_many_neighbours(const Assembly& assembly, Warnings& found) {
  for (std::size_t b = 0; b < assembly.scene.bodies.size(); ++b) {
    const Body& body = assembly.scene.bodies[b];
    const Count others = assembly.body_offsets[b + 1] - assembly.body_offsets[b] - 1;
    for (std::size_t t = 0; t < body.springs.size(); ++t)
      if (body.springs[t].from == "nearest" && body.springs[t].neighbours > others)
        found.add(WarningKind::too_many_neighbours,
                  key_of(b) + ".springs." + std::to_string(t) + ".neighbours",
                  "neighbours = " + std::to_string(body.springs[t].neighbours) +
                      ", but each vertex of body " + in_quotes(body.name) + " has " + std::to_string(others) +
                      " others, so that all are joined with each other",
                  "6 to 24 neighbours are usual");
  }
}

/// Linear elements under nearly incompressible materials bend too little. docs/finite-elements.md, "Limits".
void locking_materials(const Scene& scene, Warnings& found) {
  constexpr double locks_above = 0.49;
  for (std::size_t b = 0; b < scene.bodies.size(); ++b)
    for (std::size_t m = 0; m < scene.bodies[b].materials.size(); ++m) {
      const double ratio = scene.bodies[b].materials[m].poissons_ratio;
      if (!(ratio > locks_above)) continue;
      found.add(
          WarningKind::locking_material, key_of(b) + ".material." + std::to_string(m) + ".poissons_ratio",
          "poissons_ratio = " + number_text(ratio) + " of body " + in_quotes(scene.bodies[b].name) +
              ": linear tetrahedra and hexahedra lock, so that the body is far too stiff",
          "use at most " + number_text(locks_above) + ", or 0.45 where the volume need not be kept exactly");
    }
}

/// An activation below 0 of a muscle: its key within the table, and words about it.
struct BelowZero {
  std::string key, words;
};

std::string words_at(const NoActivation& found) {
  return number_text(found.value) + " at t = " + number_text(found.time) + " s";
}

/// Keys of at least 0 may have values below 0 between them, where a cubic curve swings beyond them.
std::optional<BelowZero> key_below_zero(const Scene& scene, const KeyFrames<double>& keys) {
  const auto key =
      std::find_if(keys.values.begin(), keys.values.end(), [](double value) { return value < 0.0; });
  if (key != keys.values.end()) return BelowZero{".values", number_text(*key) + " in a key-frame"};
  if (keys.interpolation != Interpolation::cubic) return std::nullopt;
  const auto between = first_without_activation(
      [&keys](double time, double time_step) { return evaluate(keys, time, time_step); }, scene, 0.0);
  if (!between) return std::nullopt;
  return BelowZero{".values", words_at(*between) + ", between key-frames"};
}

/// The first activation below 0 of a muscle, which is `given` in the scene; nothing if there is none.
std::optional<BelowZero> first_below_zero(const Scene& scene, const Muscle& given, const MuscleTrack& track) {
  if (!track.formula.empty()) {
    const auto found = first_without_activation(track.formula, scene, 0.0);
    if (!found) return std::nullopt;
    return BelowZero{".expression", words_at(*found)};
  }
  if (track.changes()) return key_below_zero(scene, track.keys);
  const auto element = std::find_if(track.activations.begin(), track.activations.end(),
                                    [](double value) { return value < 0.0; });
  if (element == track.activations.end()) return std::nullopt;
  return BelowZero{given.activation ? ".activation" : ".activations", number_text(*element)};
}

void negative_activations(const Assembly& assembly, Warnings& found) {
  const bool uses_majoriser = assembly.scene.integrator.elastic_solver == "local_global";
  std::vector<std::size_t> counts(assembly.scene.bodies.size());  // of the muscles before, body by body
  for (const MuscleTrack& track : assembly.muscles) {
    const auto body = static_cast<std::size_t>(track.body);
    const std::size_t own = counts[body]++;
    const auto below = first_below_zero(assembly.scene, assembly.scene.bodies[body].muscles[own], track);
    if (!below) continue;
    found.add(WarningKind::negative_activation, key_of(body) + ".muscle." + std::to_string(own) + below->key,
              "the activation of " + track.name + " is " + below->words +
                  ": no stretch is below 0, so that the muscle pulls at any length",
              uses_majoriser
                  ? "use at least 0, or an elastic_solver other than \"local_global\", which may not "
                    "converge with it"
                  : "use at least 0 unless that is meant");
  }
}

/// At the start; what a run reaches later is told by the recorder.
void water_beyond_the_step(const Assembly& assembly, Warnings& found) {
  for (std::size_t w = 0; w < assembly.waters.size(); ++w) {
    const WaterTurning fastest =
        WaterLimit(assembly, assembly.waters[w]).fastest(assembly.initial_velocities);
    if (fastest.is_resolved()) continue;
    WaterWarning warning = water_warning(assembly, fastest);
    found.add(WarningKind::water, "hydrodynamics." + std::to_string(w), std::move(warning.text),
              std::move(warning.advice));
  }
}

/// Faces that have the places of their vertices in common, but not the vertices, leave a surface open.
void seams_in_water(const Assembly& assembly, Warnings& found) {
  const std::vector<Count>& offsets = assembly.body_offsets;
  std::set<std::size_t> open;
  for (const WaterTrack& water : assembly.waters)
    for (const WetFace& face : water.faces)
      if (face.has_two_sides) open.insert(body_of(offsets, face.corners[0]));
  for (const std::size_t b : open) {
    Polygons polygons;
    for (const Triangle& t : assembly.faces)
      if (t[0] >= offsets[b] && t[0] < offsets[b + 1]) polygons.add(t);
    if (!closes_by_place(polygons, assembly.rest_positions)) continue;
    found.add(
        WarningKind::water, mesh_key(assembly.scene, b),
        "faces of body " + in_quotes(assembly.scene.bodies[b].name) +
            " meet at seams, but have vertices of their own there, so that their surface is not closed: "
            "the water acts on both of its sides",
        "let faces share the vertices at which they meet");
  }
}

/// Whether the triangles of a range of vertices are a closed surface: each side occurs once in each
/// direction.
bool is_closed(const Assembly& assembly, Count first, Count end) {
  std::vector<Edge> sides;
  for (const Triangle& t : assembly.faces)
    if (t[0] >= first && t[0] < end)
      for (std::size_t k = 0; k < 3; ++k) sides.push_back({t[k], t[(k + 1) % 3]});
  std::sort(sides.begin(), sides.end());
  if (sides.empty() || std::adjacent_find(sides.begin(), sides.end()) != sides.end()) return false;
  return std::all_of(sides.begin(), sides.end(), [&](const Edge& side) {
    return std::binary_search(sides.begin(), sides.end(), Edge{side[1], side[0]});
  });
}

}  // namespace

std::string used_only_by_ddef(const std::string& setting, const std::string& solver) {
  return setting + " is used only by the solver ddef; the solver here is " +
         (solver == "auto" ? "auto, which never takes ddef" : in_quotes(solver));
}

std::vector<Warning> scene_warnings(const Assembly& assembly, const std::vector<std::string>& used_groups,
                                    const StartPushes& pushes) {
  Warnings found(assembly.scene);
  ddef_alone(assembly.scene, found);
  unturned_velocities(assembly, found);
  loose_vertices(assembly, found);
  bodies_without_springs(assembly, found);
  charges_without_effect(assembly, found);
  unused_groups(assembly.scene, used_groups, found);
  late_key_frames(assembly.scene, found);
  too_many_neighbours(assembly, found);
  locking_materials(assembly.scene, found);
  negative_activations(assembly, found);
  for (const ObstacleWarning& each : obstacle_warnings(assembly, pushes))
    found.add(WarningKind::obstacle, each.key, each.what, each.advice);
  for (const ResolutionWarning& each : resolution_warnings(assembly))
    found.add(WarningKind::resolution, each.key, each.what, each.advice);
  water_beyond_the_step(assembly, found);
  seams_in_water(assembly, found);
  return found.take();
}

std::vector<Warning> scene_notes(const Assembly& assembly) {
  const Scene& scene = assembly.scene;
  Warnings found(scene);
  if (!scene.gravity || *scene.gravity == Vec3{}) return {};
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    const auto& tables = scene.bodies[b].springs;
    const bool edges_alone =
        !tables.empty() &&
        std::all_of(tables.begin(), tables.end(), [](const auto& table) { return table.from == "edges"; });
    if (edges_alone && is_closed(assembly, assembly.body_offsets[b], assembly.body_offsets[b + 1]))
      found.add(
          WarningKind::shapeless, key_of(b) + ".springs",
          "body " + in_quotes(scene.bodies[b].name) +
              " is a closed surface whose only springs are its edges: under gravity it keeps no shape of "
              "its own",
          "springs from nearest with 12 to 24 neighbours give it one");
  }
  return found.take();
}

}  // namespace electret
