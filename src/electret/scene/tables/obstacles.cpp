#include <electret/scene/obstacle.hpp>
#include <electret/scene/tables/obstacles.hpp>
#include <electret/scene/tables/table_file.hpp>

namespace electret {

namespace number {
constinit const NumberKind obstacle_stiffness =
    numbers_of_tracks<&Assembly::obstacles, &ObstacleTrack::stiffness>();
constinit const NumberKind obstacle_friction =
    numbers_of_tracks<&Assembly::obstacles, &ObstacleTrack::friction>();
constinit const NumberKind obstacle_friction_stiffness =
    numbers_of_tracks<&Assembly::obstacles, &ObstacleTrack::friction_stiffness>();
}  // namespace number

namespace {

bool has_friction(const Assembly& a, std::size_t index) {
  return a.obstacles[index].friction_stiffness > 0.0;
}

void check_named(SceneChecking& checking, const Obstacle& obstacle, const std::string& key) {
  checking.name(obstacle.name, key, "an obstacle", "two obstacles", "names of obstacles are unique");
  check_obstacle(checking.scene, obstacle, key, checking.report);
}

std::optional<ObstacleTrack> obstacle_of(Assembling&, const Obstacle& obstacle, const std::string&) {
  return obstacle_track(obstacle);
}

/// The numbers are the assembly's: a fit changes them there.
void identify_obstacles(const SceneTable& table, const Assembly& assembly, Identity& to) {
  Hash& hash = to.part("obstacles");
  for (std::size_t o = 0; o < assembly.obstacles.size(); ++o) {
    Obstacle obstacle = assembly.scene.obstacles[o];
    const ObstacleTrack& track = assembly.obstacles[o];
    obstacle.stiffness = track.stiffness;
    obstacle.friction = track.friction;
    obstacle.friction_stiffness = track.friction_stiffness;
    hash.add_rows(table.schema, &obstacle);
  }
}

}  // namespace

SceneTable obstacle_table() {
  using namespace schema;
  SceneTable table;
  table.schema = {
      .name = "obstacle",
      .is_repeated = true,
      .description =
          "A rigid surface that vertices are pushed out of. A plane bounds the half space behind it.",
      .rows = {row<&Obstacle::name>("name").required().says("Unique among obstacles."),
               row<&Obstacle::shape>("shape")
                   .one_of(obstacle_shapes)
                   .later(later_obstacle_shapes)
                   .required()
                   .says("A plane needs `point` and `normal`, a sphere `centre` and `radius`."),
               row<&Obstacle::point>("point").unit("m").says("Plane: a point on it."),
               row<&Obstacle::normal>("normal").says(
                   "Plane: points to the side where bodies are. Any length but 0."),
               row<&Obstacle::centre>("centre").unit("m").says("Sphere: its centre."),
               row<&Obstacle::radius>("radius").unit("m").above(0).says("Sphere: its radius."),
               row<&Obstacle::law>("law")
                   .one_of(obstacle_laws)
                   .later(later_obstacle_laws)
                   .required()
                   .says("How the obstacle pushes: `penalty` with the force stiffness · depth^(exponent - 1) "
                         "along the "
                         "normal."),
               row<&Obstacle::stiffness>("stiffness")
                   .unit("N/m^(exponent - 1)")
                   .at_least(0)
                   .required()
                   .says("Stiffness of the push on each vertex."),
               row<&Obstacle::exponent>("exponent")
                   .at_least(2)
                   .standard("3.0")
                   .says("Exponent of the push's energy, stiffness/exponent · depth^exponent."),
               row<&Obstacle::friction>("friction")
                   .at_least(0)
                   .standard("0.0")
                   .says("Coulomb's coefficient: friction divided by push, for a sliding vertex."),
               row<&Obstacle::friction_stiffness>("friction_stiffness")
                   .unit("N s/m")
                   .above(0)
                   .says("Friction divided by speed, for slow vertices. The smaller one acts: this friction, "
                         "or `friction` times the push. Required with `friction`.")}};
  table.called = "obstacle.NAME";
  table.numbers = {
      {&number::obstacle_stiffness, Per::own, {{"stiffness", "Stiffness of the obstacle's push."}}},
      {&number::obstacle_friction,
       Per::own,
       {NumberKey("friction", "The obstacle's coefficient of friction, if it has a friction_stiffness.")
            .when(has_friction)}},
      {&number::obstacle_friction_stiffness,
       Per::own,
       {NumberKey("friction_stiffness", "The obstacle's friction divided by speed, for slow vertices.")
            .when(has_friction)}}};
  table.name_of = name_of_track<&Assembly::obstacles>;
  table.read = read_each<&Scene::obstacles>;
  table.check = check_each<&Scene::obstacles, check_named>;
  table.assemble = add_each<&Scene::obstacles, &Assembly::obstacles, obstacle_of>;
  table.identify = identify_obstacles;
  return table;
}

}  // namespace electret
