#include <algorithm>
#include <cmath>

#include <electret/core/errors.hpp>
#include <electret/scene/obstacle.hpp>
#include <electret/scene/obstacle_shapes.hpp>
#include <electret/scene/tables/contact.hpp>
#include <electret/scene/tables/obstacles.hpp>
#include <electret/scene/tables/table_file.hpp>
#include <electret/scene/words.hpp>

namespace electret {

namespace number {
constinit const NumberKind obstacle_origin =
    numbers_of_tracks<&Assembly::obstacles, &ObstacleTrack::surface, &RigidSurface::origin>();
constinit const NumberKind obstacle_radius =
    numbers_of_tracks<&Assembly::obstacles, &ObstacleTrack::radius>();
constinit const NumberKind obstacle_offsets =
    numbers_of_tracks<&Assembly::obstacles, &ObstacleTrack::offsets, &KeyFrames<Vec3>::values>();
constinit const NumberKind obstacle_rotations =
    numbers_of_tracks<&Assembly::obstacles, &ObstacleTrack::rotations, &KeyFrames<Vec3>::values>();
constinit const NumberKind obstacle_stiffness =
    numbers_of_tracks<&Assembly::obstacles, &ObstacleTrack::stiffness>();
constinit const NumberKind obstacle_friction =
    numbers_of_tracks<&Assembly::obstacles, &ObstacleTrack::friction>();
constinit const NumberKind obstacle_friction_stiffness =
    numbers_of_tracks<&Assembly::obstacles, &ObstacleTrack::friction_stiffness>();
}  // namespace number

namespace {

bool has_friction(const Assembly& a, std::size_t index) {
  const ObstacleTrack& track = a.obstacles[index];
  return track.friction_stiffness > 0.0 || (track.is_exact && !track.takes_common_friction &&
                                            std::isfinite(track.friction) && !obstacles_stick(a.scene));
}

/// A fit may not end at a friction that the law refuses.
void bound_friction(const Assembly& a, std::vector<Parameter>& found) {
  for (Parameter& p : found)
    if (a.obstacles[p.source.index].is_exact) p.range.maximum = most_friction;
}

bool is_penalty(const Assembly& a, std::size_t index) {
  return !a.obstacles[index].is_exact;
}

bool has_creeping_friction(const Assembly& a, std::size_t index) {
  return a.obstacles[index].friction_stiffness > 0.0;
}

bool has_radius(const Assembly& a, std::size_t index) {
  return a.obstacles[index].surface.shape->radius().has_value();
}

const char* const point_key = "point";
const char* const centre_key = "centre";
const char* const translate_key = "translate";

/// Whether the shape's origin is what `key` says.
template <const char* const& key>
bool begins_at(const Assembly& a, std::size_t index) {
  // An assembly that was made without a scene has no words for its shapes.
  if (index >= a.scene.obstacles.size()) return std::string_view(key) == centre_key;
  const ObstacleShape* shape = find_obstacle_shape(a.scene.obstacles[index].shape);
  return shape != nullptr && shape->origin == key;
}

void check_named(SceneChecking& checking, const Obstacle& obstacle, const std::string& key) {
  checking.name(obstacle.name, key, "an obstacle", "two obstacles", "names of obstacles are unique");
  check_obstacle(checking.scene, obstacle, key, checking.report);
  if (!obstacle.mesh.empty() && !checking.report.is_bad(key + ".mesh"))
    checking.mesh_format(obstacle.mesh, key + ".mesh");
  const auto moves_by = [&](const std::vector<Vec3>& values, const char* name) {
    if (!values.empty() && checking.none_bad(key, {"times", name}))
      checking.key_frames(KeyFrames<Vec3>{obstacle.times, values, obstacle.interpolation}, key, name);
  };
  moves_by(obstacle.offsets, "offsets");
  moves_by(obstacle.rotations, "rotations");
}

/// Whether the shape of the obstacle at `key`, its motion and its law are known.
bool can_be_made(const Report& report, const Scene& scene, const Obstacle& obstacle, const std::string& key) {
  const auto is_bad = [&](std::string_view name) { return report.is_bad(key + "." + std::string(name)); };
  for (const char* name : {"shape", "times", "offsets", "rotations", "interpolation"})
    if (is_bad(name)) return false;
  for (const ObstacleShapeKey& each : obstacle_shape_keys())
    if (is_bad(each.key)) return false;
  if (obstacle.law.empty() && (is_bad("law") || report.is_bad("contact.law"))) return false;
  return std::find(obstacle_laws.begin(), obstacle_laws.end(), law_of(scene, obstacle)) !=
         obstacle_laws.end();
}

std::optional<ObstacleTrack> obstacle_of(Assembling& assembling, const Obstacle& obstacle,
                                         const std::string& key) {
  const Scene& scene = assembling.result.scene;
  if (!can_be_made(assembling.report, scene, obstacle, key)) return std::nullopt;
  std::optional<Mesh> mesh = Mesh();
  if (!obstacle.mesh.empty())
    mesh = load_mesh(scene, obstacle.mesh, key + ".mesh", assembling.read_file, assembling.report);
  if (!mesh) return std::nullopt;
  try {
    return obstacle_track(scene, obstacle, *mesh);
  } catch (const InputError& error) {
    for (const Finding& finding : error.findings())
      assembling.report.add(scene.source, key + ".mesh",
                            "obstacle " + in_quotes(obstacle.name) + ": " + finding.message, finding.allowed);
    return std::nullopt;
  }
}

/// An obstacle at fault has a track without a shape, so that the others have their numbers, and what can be
/// said about them is said along with the fault.
void assemble_obstacles(const SceneTable&, Assembling& assembling) {
  const std::vector<Obstacle>& obstacles = assembling.result.scene.obstacles;
  for (std::size_t o = 0; o < obstacles.size(); ++o)
    assembling.result.obstacles.push_back(
        obstacle_of(assembling, obstacles[o], "obstacle." + std::to_string(o)).value_or(ObstacleTrack{}));
}

void check_track(const Assembly&, const ObstacleTrack& track) {
  require_argument(track.surface.shape && are_keys(track.offsets, true) && are_keys(track.rotations, true),
                   "assembly: an obstacle has no shape, or not as many times as places");
}

/// The numbers are the assembly's: a fit changes them there.
void identify_obstacles(const SceneTable& table, const Assembly& assembly, Identity& to) {
  Hash& hash = to.part("obstacles");
  for (std::size_t o = 0; o < assembly.obstacles.size(); ++o) {
    Obstacle obstacle = assembly.scene.obstacles[o];
    const ObstacleTrack& track = assembly.obstacles[o];
    obstacle.law = law_of(assembly.scene, obstacle);
    if (!track.is_exact) obstacle.stiffness = track.stiffness;
    obstacle.friction = friction_between(assembly, assembly.scene.bodies.size(), o).value;
    if (!track.is_exact) obstacle.friction_stiffness = track.friction_stiffness;
    obstacle.offsets = track.offsets.values;
    obstacle.rotations = track.rotations.values;
    // A mesh counts by its vertices, not by its file.
    if (!obstacle.mesh.empty()) hash.add(track.surface.shape->drawing(0.0).vertices);
    obstacle.mesh.clear();
    obstacle.point = obstacle.centre = obstacle.translate = std::nullopt;
    obstacle.radius = std::nullopt;
    hash.add(track.surface.origin).add(track.radius);
    hash.add_rows(table.schema, &obstacle);
  }
}

/// An obstacle's offset (m), rotation (degrees), velocity (m/s) and turning (degrees/s).
void drive_obstacles(const SceneTable&, const Assembly& a, std::vector<DrivenInput>& to) {
  for (std::size_t o = 0; o < a.obstacles.size(); ++o)
    to.push_back(
        DrivenInput(a.obstacles[o].name + ".placement", "", input::placements, {o}).each().shaped(4, 3));
}

/// The keys of the shape and of where it is made.
std::vector<SchemaRow> shape_rows() {
  using namespace schema;
  return {
      row<&Obstacle::name>("name").required().says("Unique among obstacles."),
      row<&Obstacle::shape>("shape")
          .one_of(obstacle_shape_names())
          .required()
          .says(obstacle_shape_reference()),
      row<&Obstacle::point>("point").unit("m").says("Plane: a point on it."),
      row<&Obstacle::normal>("normal").says("Plane: points to the side where bodies are. Any length but 0."),
      row<&Obstacle::centre>("centre").unit("m").says(
          "Sphere, box, cylinder, capsule: its middle. Trough: the middle of its axis."),
      row<&Obstacle::size>("size").unit("m").above(0).says("Box: the lengths of its sides."),
      row<&Obstacle::axis>("axis").says(
          "Cylinder, capsule, trough: the direction of its axis. Any length but 0."),
      row<&Obstacle::radius>("radius").unit("m").above(0).says(
          "Sphere, cylinder, capsule, trough: its radius."),
      row<&Obstacle::length>("length").unit("m").above(0).says(
          "Cylinder, trough: from end to end. Capsule: between the centres of its round ends."),
      row<&Obstacle::towards>("towards").says(
          "Trough: from its axis to the middle of its wall, across the axis. Any length but 0."),
      row<&Obstacle::angle>("angle").unit("degrees").above(0).below(360).says(
          "Trough: how far its wall extends, half of it to either side of `towards`."),
      row<&Obstacle::mesh>("mesh").path().says(
          "Mesh: a file of a closed surface. Its faces may all point inwards. A surface inside another one "
          "bounds a hollow, and is turned the other way."),
      row<&Obstacle::scale>("scale").above(0).says("Mesh: factor on its coordinates; 1 if it is absent."),
      row<&Obstacle::rotate>("rotate").unit("degrees").says(
          "Box, mesh: turn about the world's x, then y, then z axis."),
      row<&Obstacle::translate>("translate").unit("m").says("Mesh: shift after scaling and turning."),
      row<&Obstacle::inside>("inside").standard("false").says(
          "Sphere, box, cylinder, capsule: whether bodies are inside it.")};
}

/// Those of its motion.
std::vector<SchemaRow> motion_rows() {
  using namespace schema;
  return {row<&Obstacle::times>("times").unit("s").says("Key-frames: strictly increasing times."),
          row<&Obstacle::offsets>("offsets").unit("m").framed().says(
              "Key-frames: displacement from the place that the shape's keys say, world axes."),
          row<&Obstacle::rotations>("rotations")
              .unit("degrees")
              .framed()
              .says("Key-frames: turn about the world's x, then y, then z axis through `point`, `centre` or, "
                    "for a mesh, `translate`. Angles may exceed 360."),
          interpolation_row<&Obstacle::interpolation>()};
}

/// Those of how it pushes.
std::vector<SchemaRow> law_rows() {
  using namespace schema;
  return {
      row<&Obstacle::law>("law")
          .one_of(obstacle_laws)
          .says("How the obstacle pushes. Default: the law of `[contact]`, which is `exact` if it names "
                "none. `penalty`: the force stiffness · depth^(exponent - 1) along the normal. `exact`: "
                "as hard as it takes that nothing enters, with Coulomb's friction that sticks; for the "
                "methods imex and newton. `sticking`: what ends a step inside stays where the step began, "
                "and leaves when it would be pulled; for the same methods."),
      row<&Obstacle::stiffness>("stiffness")
          .unit("N/m^(exponent - 1)")
          .at_least(0)
          .says("Law `penalty`: stiffness of the push on each vertex. Required."),
      row<&Obstacle::exponent>("exponent")
          .at_least(2)
          .standard("3.0")
          .says("Exponent of the push's energy, stiffness/exponent · depth^exponent."),
      row<&Obstacle::friction>("friction")
          .at_least(0)
          .one_of({"stick"})
          .says(
              "Coulomb's coefficient: friction divided by push, for a sliding vertex. `stick`: with the law "
              "`exact`, what touches the obstacle does not slide. Default: that of `[contact]` with the law "
              "`exact`, else 0."),
      row<&Obstacle::friction_stiffness>("friction_stiffness")
          .unit("N s/m")
          .above(0)
          .says("Friction divided by speed, for slow vertices. The smaller one acts: this friction, or "
                "`friction` times the push. Required with `friction`.")};
}

std::vector<NumberRow> obstacle_numbers() {
  return {
      {&number::obstacle_origin,
       Per::own,
       {NumberKey("point", "A point on the obstacle's plane.").when(begins_at<point_key>),
        NumberKey("centre", "The obstacle's centre.").when(begins_at<centre_key>),
        NumberKey("translate", "The shift of the obstacle's mesh.").when(begins_at<translate_key>)}},
      {&number::obstacle_radius, Per::own, {NumberKey("radius", "The obstacle's radius.").when(has_radius)}},
      {&number::obstacle_offsets, Per::own, {{"offsets", "Displacement of a moving obstacle, key by key."}}},
      {&number::obstacle_rotations, Per::own, {{"rotations", "Angles of a turning obstacle, key by key."}}},
      {&number::obstacle_stiffness,
       Per::own,
       {NumberKey("stiffness", "Stiffness of the obstacle's push, if its law is penalty.").when(is_penalty)}},
      {&number::obstacle_friction,
       Per::own,
       {NumberKey("friction",
                  "The obstacle's coefficient of friction, if it has a friction_stiffness or its law is "
                  "exact and the friction is its own.")
            .when(has_friction)
            .then(bound_friction)}},
      {&number::obstacle_friction_stiffness,
       Per::own,
       {NumberKey("friction_stiffness", "The obstacle's friction divided by speed, for slow vertices.")
            .when(has_creeping_friction)}}};
}

}  // namespace

SceneTable obstacle_table() {
  SceneTable table;
  table.schema = {.name = "obstacle",
                  .is_repeated = true,
                  .description =
                      "A rigid surface that vertices are pushed out of. A plane bounds the half space behind "
                      "it. Key-frames move and turn it.",
                  .rows = shape_rows()};
  for (const auto& rows : {motion_rows(), law_rows()})
    table.schema.rows.insert(table.schema.rows.end(), rows.begin(), rows.end());
  table.called = "obstacle.NAME";
  table.numbers = obstacle_numbers();
  table.name_of = name_of_track<&Assembly::obstacles>;
  table.read = read_each<&Scene::obstacles>;
  table.check = check_each<&Scene::obstacles, check_named>;
  table.assemble = assemble_obstacles;
  table.check_assembly = check_tracks<&Assembly::obstacles, check_track>;
  table.identify = identify_obstacles;
  table.drive = drive_obstacles;
  return table;
}

}  // namespace electret
