#include <algorithm>
#include <map>

#include <electret/geometry/dry_faces.hpp>
#include <electret/scene/tables/hydrodynamics.hpp>
#include <electret/scene/tables/table_file.hpp>

namespace electret {

namespace number {
constinit const NumberKind water_density = numbers_of_tracks<&Assembly::waters, &WaterTrack::density>();
constinit const NumberKind water_velocity = numbers_of_tracks<&Assembly::waters, &WaterTrack::velocity>();
constinit const NumberKind water_drag = numbers_of_tracks<&Assembly::waters, &WaterTrack::drag>();
constinit const NumberKind water_thrust = numbers_of_tracks<&Assembly::waters, &WaterTrack::thrust>();
}  // namespace number

namespace {

constexpr const char* list_key = "hydrodynamics";

void check_ordinates(SceneChecking& checking, const std::vector<double>& values, const std::string& key) {
  if (values.size() == 4 || checking.report.is_bad(key)) return;
  checking.add(
      key, in_quotes(key.substr(key.rfind('.') + 1)) + " has " + counted(values.size(), "number", "numbers"),
      "allowed: 4, the ordinates of a cubic Bézier curve");
}

void check_water(SceneChecking& checking, const Hydrodynamics& water, const std::string& key) {
  check_ordinates(checking, water.drag, key + ".drag");
  check_ordinates(checking, water.thrust, key + ".thrust");
  std::vector<std::string> bodies;
  for (const Body& body : checking.scene.bodies) bodies.push_back(body.name);
  if (checking.report.is_bad(key + ".bodies")) return;
  for (const std::string& name : water.bodies)
    if (std::find(bodies.begin(), bodies.end(), name) == bodies.end())
      checking.add(key + ".bodies", "the scene has no body " + in_quotes(name), suggestion(name, bodies));
}

/// Finds bodies that are in the water twice: in two tables, or twice in one.
void check_waters(const SceneTable& table, SceneChecking& checking, const std::string& key, void* scene) {
  check_each<&Scene::hydrodynamics, check_water>(table, checking, key, scene);
  const auto& waters = static_cast<Scene*>(scene)->hydrodynamics;
  std::map<std::string, std::size_t> first;
  std::optional<std::size_t> for_all;
  for (std::size_t i = 0; i < waters.size(); ++i) {
    const std::string own = std::string(list_key) + "." + std::to_string(i);
    const auto twice = [&](const std::string& what, std::size_t other) {
      checking.add(own + ".bodies",
                   what + (other == i ? " twice in this water"
                                      : " in the water of hydrodynamics." + std::to_string(other) + ", too"),
                   "allowed: each body in one water; a table without \"bodies\" is for all that have faces");
    };
    if (for_all) {
      twice("its bodies are", *for_all);
      continue;
    }
    if (waters[i].bodies.empty()) {
      if (i > 0) twice("its bodies are", 0);
      for_all = i;
    }
    for (const std::string& name : waters[i].bodies)
      if (const auto [known, is_new] = first.emplace(name, i); !is_new)
        twice("body " + in_quotes(name) + " is", known->second);
  }
}

/// The faces of body `b` that water acts on. Nothing, and a finding, if they point inwards.
std::vector<WetFace> faces_of_body(Assembling& assembling, std::size_t b, const std::string& key) {
  const Assembly& a = assembling.result;
  const Count first = a.body_offsets[b], end = a.body_offsets[b + 1];
  const auto own = [&](const auto& all) {
    auto mine = all;
    std::erase_if(mine, [&](const auto& element) { return element[0] < first || element[0] >= end; });
    return mine;
  };
  const auto tetrahedra = own(a.tetrahedra);
  const auto hexahedra = own(a.hexahedra);
  if (!tetrahedra.empty() || !hexahedra.empty())
    return without_dry(wet_boundary(tetrahedra, hexahedra), a.rest_positions);
  Polygons polygons;
  for (const Triangle& triangle : own(a.faces)) polygons.add(triangle);
  WetSurface surface = wet_surface(polygons, a.rest_positions);
  if (surface.is_turned_inside)
    assembling.report.add(
        a.scene.source, key + ".bodies",
        "the closed surface of body " + in_quotes(a.scene.bodies[b].name) + " faces inwards",
        "allowed: faces whose corners run counterclockwise as seen from the water; write "
        "those of each face of the mesh in reverse order");
  if (surface.turned_edge)
    assembling.report.add(a.scene.source, key + ".bodies",
                          "faces of the surface of body " + in_quotes(a.scene.bodies[b].name) +
                              ", which has no rim, face different ways, the first two at its vertices " +
                              std::to_string((*surface.turned_edge)[0] - first) + " and " +
                              std::to_string((*surface.turned_edge)[1] - first),
                          "allowed: faces whose corners all run counterclockwise as seen from the water");
  return std::move(surface.faces);
}

std::optional<WaterTrack> water_track(Assembling& assembling, const Hydrodynamics& water,
                                      const std::string& key) {
  const Scene& scene = assembling.result.scene;
  // Without all bodies nobody knows whose faces are whose.
  if (assembling.result.body_offsets.size() != scene.bodies.size() + 1) return std::nullopt;
  bool all_known = true;
  WaterTrack track{water.density, water.velocity, water.drag, water.thrust, water.max_force, {}};
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    const bool is_named =
        std::find(water.bodies.begin(), water.bodies.end(), scene.bodies[b].name) != water.bodies.end();
    if (!water.bodies.empty() && !is_named) continue;
    const std::vector<WetFace> faces = faces_of_body(assembling, b, key);
    const bool is_known = assembling.result.body_offsets[b] < assembling.result.body_offsets[b + 1];
    all_known &= is_known;  // A body whose mesh is missing may have faces.
    if (faces.empty() && is_named && is_known)
      assembling.report.add(
          scene.source, key + ".bodies",
          "body " + in_quotes(scene.bodies[b].name) + " has no faces for the water to act on",
          "allowed: bodies of elements, and meshes with faces");
    track.faces.insert(track.faces.end(), faces.begin(), faces.end());
  }
  if (track.faces.empty() && water.bodies.empty() && all_known)
    assembling.report.add(scene.source, key, "no body of the scene has faces for the water to act on",
                          "allowed: scenes with bodies of elements, or meshes with faces");
  return track;
}

void check_water_track(const Assembly& a, const WaterTrack& track) {
  const bool is_inside = std::all_of(track.faces.begin(), track.faces.end(), [&](const WetFace& face) {
    return std::all_of(face.corners.begin(), face.corners.begin() + face.corner_count(),
                       [&](Index v) { return v >= 0 && static_cast<std::size_t>(v) < a.masses.size(); });
  });
  require_argument(track.drag.size() == 4 && track.thrust.size() == 4 && is_inside,
                   "assembly: a water has not four ordinates, or faces without vertices");
}

/// The numbers are the assembly's: a fit changes them there.
void identify_waters(const SceneTable& table, const Assembly& assembly, Identity& to) {
  Hash& hash = to.part("water");
  for (std::size_t w = 0; w < assembly.waters.size(); ++w) {
    Hydrodynamics water = assembly.scene.hydrodynamics[w];
    const WaterTrack& track = assembly.waters[w];
    water.density = track.density;
    water.velocity = track.velocity;
    water.drag = track.drag;
    water.thrust = track.thrust;
    hash.add_rows(table.schema, &water);
  }
}

std::vector<SchemaRow> water_rows() {
  using namespace schema;
  return {
      row<&Hydrodynamics::density>("density").unit("kg/m³").above(0).says("Density of the water."),
      row<&Hydrodynamics::velocity>("velocity").unit("m/s").says("Velocity of the water."),
      row<&Hydrodynamics::drag>("drag")
          .standard("[0.05, 0.05, 1.85, 2.05]")
          .says(
              "Four ordinates of the cubic Bézier curve of the coefficient of drag, from water along a face "
              "to water onto it."),
      row<&Hydrodynamics::thrust>("thrust")
          .standard("[-0.8, -0.5, 0.1, 2.5]")
          .says("The same of the coefficient of thrust, from water out of a face to water onto it."),
      row<&Hydrodynamics::max_force>("max_force")
          .unit("N")
          .above(0)
          .says("Most of each component of the force on a vertex. Default: no limit."),
      row<&Hydrodynamics::bodies>("bodies").says(
          "Names of the bodies in this water. Default: all that have faces.")};
}

}  // namespace

SceneTable hydrodynamics_table() {
  SceneTable table;
  table.schema = {
      .name = list_key,
      .is_repeated = true,
      .description =
          "Water that drags bodies and pushes them, face by face. It acts on the outside of solids and "
          "closed surfaces, not in their hollows, and on both sides of open ones.",
      .rows = water_rows()};
  table.called = "hydrodynamics.I";
  table.numbers = {
      {&number::water_density, Per::own, {{"density", "Density of the water."}}},
      {&number::water_velocity, Per::own, {{"velocity", "Velocity of the water."}}},
      {&number::water_drag, Per::own, {{"drag", "Ordinates of the water's curve of drag."}}},
      {&number::water_thrust, Per::own, {{"thrust", "Ordinates of the water's curve of thrust."}}}};
  table.read = read_each<&Scene::hydrodynamics>;
  table.check = check_waters;
  table.assemble = add_each<&Scene::hydrodynamics, &Assembly::waters, water_track>;
  table.check_assembly = check_tracks<&Assembly::waters, check_water_track>;
  table.identify = identify_waters;
  return table;
}

}  // namespace electret
