#include <electret/scene/tables/table_file.hpp>

namespace electret {

namespace number {
constinit const NumberKind gravity = [] {
  NumberKind kind = numbers_of<&Assembly::scene, &Scene::gravity>();
  kind.make = [](Assembly& a) { a.scene.gravity.emplace(a.scene.gravity.value_or(Vec3{})); };
  return kind;
}();
}  // namespace number

namespace {

void check_gravity(const SceneTable& table, SceneChecking& checking, const std::string&, void* scene) {
  if (checking.scene.gravity) checking.rows(table.schema, "gravity", scene);
}

void identify_gravity(const SceneTable& table, const Assembly& a, Identity& to) {
  Scene scene;
  scene.gravity = a.scene.gravity;
  to.part("[gravity]").add_rows(table.schema, &scene);
}

}  // namespace

SceneTable scene_table() {
  using namespace schema;
  SceneTable table;
  table.schema = {.name = "scene",
                  .description = "The scene as a whole.",
                  .rows = {row<&Scene::name>("name").standard("\"\"").says("Free text.")}};
  table.read = read_setting<>;
  return table;
}

SceneTable integrator_table() {
  using namespace schema;
  return settings_table<&Scene::integrator>(
      {.name = "integrator",
       .description = "How a time step is computed.",
       .rows = {
           row<&IntegratorOptions::method>("method")
               .one_of(integrator_methods)
               .later(later_integrator_methods)
               .says("Time integrator. `auto` chooses one of the others to suit the scene, and says why."),
           row<&IntegratorOptions::tolerance>("tolerance")
               .above(0)
               .below(1)
               .says("Implicit methods: the solve of a step stops at this relative gradient norm."),
           row<&IntegratorOptions::max_iterations>("max_iterations")
               .at_least(1)
               .says("Implicit methods: most iterations per step. The summary counts the steps that reached "
                     "it."),
           row<&IntegratorOptions::elastic_solver>("elastic_solver")
               .one_of(elastic_solvers)
               .says("Implicit methods: how the elastic part is minimised."),
           row<&IntegratorOptions::linear_solver>("linear_solver")
               .one_of(linear_solvers)
               .says("`linear_implicit`: conjugate gradients, or the damped Jacobi iteration."),
           row<&IntegratorOptions::jacobi_weight>("jacobi_weight")
               .above(0)
               .at_most(0.5)
               .says("`linear_implicit`: ω of the Jacobi iteration. Beyond 1/3 it may not converge; then "
                     "conjugate gradients solve the step.")}});
}

SceneTable gravity_table() {
  using namespace schema;
  SceneTable table;
  table.schema = {.name = "gravity",
                  .description = "Uniform gravity. Without this table there is none.",
                  .rows = {row<&Scene::gravity>("acceleration")
                               .unit("m/s²")
                               .required()
                               .says("Acceleration of every vertex.")}};
  table.called = "gravity";
  table.numbers = {{&number::gravity, Per::own, {NumberKey("acceleration", "Acceleration.").as("")}}};
  table.read = read_setting<>;
  table.check = check_gravity;
  table.identify = identify_gravity;
  return table;
}

SceneTable output_table() {
  using namespace schema;
  return settings_table<&Scene::output>(
      {.name = "output",
       .description = "What a run writes.",
       .rows = {row<&OutputOptions::every>("every").at_least(1).says(
                    "Write every k-th step; the initial state is always frame 0."),
                row<&OutputOptions::velocities>("velocities").says("Write the velocities too."),
                row<&OutputOptions::precision>("precision")
                    .one_of({"double", "single"})
                    .says("How positions and velocities are stored."),
                row<&OutputOptions::compression>("compression")
                    .at_least(0)
                    .at_most(9)
                    .says("Deflate level of the trajectory; 0: none.")}});
}

}  // namespace electret
