#include <electret/scene/tables/table_file.hpp>

namespace electret {

namespace number {
constinit const NumberKind gravity = [] {
  NumberKind kind = numbers_of<&Assembly::scene, &Scene::gravity>();
  kind.make = [](Assembly& a) { a.scene.gravity.emplace(a.scene.gravity.value_or(Vec3{})); };
  return kind;
}();
constinit const NumberKind drag = numbers_of<&Assembly::scene, &Scene::damping, &DampingOptions::drag>();
constinit const NumberKind spring_damping =
    numbers_of<&Assembly::scene, &Scene::damping, &DampingOptions::spring>();
}  // namespace number

namespace {

/// "How the field is summed: `auto` …, `direct` …."
std::string what_field_solvers_do() {
  std::string text;
  for (const FieldSolverValue& solver : field_solver_values)
    text.append(text.empty() ? "How the field is summed: `" : ", `")
        .append(solver.name)
        .append("` ")
        .append(solver.does);
  return text + ".";
}

void read_coulomb(const SceneTable&, SceneReading& reading, const std::string&, const Node& root, void*) {
  const Node::Member* member = root.member("coulomb");
  if (member == nullptr) return;
  FieldOptions options;
  reading.tables.one("", root, "coulomb", options);
  if (member->node.kind == Node::Kind::table)
    reading.tables.one("coulomb", member->node, "coulomb.ddef", options);
  reading.scene.coulomb = options;
}

void check_coulomb(const SceneTable& table, SceneChecking& checking, const std::string&, void* scene) {
  std::optional<FieldOptions>& coulomb = static_cast<Scene*>(scene)->coulomb;
  if (!coulomb) return;
  checking.rows(table.schema, "coulomb", &*coulomb);
  checking.rows(schema_table("coulomb.ddef"), "coulomb.ddef", &*coulomb);
  if (coulomb->solver == "fmm" && coulomb->accuracy.value_or(1.0) < best_fmm_accuracy)
    checking.add("coulomb.accuracy", "solver \"fmm\" does not reach \"accuracy\"",
                 "allowed with it: 1e-10 or more; \"direct\" sums in float64");
}

void identify_coulomb(const SceneTable&, const Assembly& a, Identity& to) {
  Hash& hash = to.part("[coulomb]").add(a.scene.coulomb ? 1 : 0);
  if (!a.scene.coulomb) return;
  FieldOptions options = *a.scene.coulomb;
  for (const char* table : {"coulomb", "coulomb.ddef"}) hash.add_rows(schema_table(table), &options);
}

void check_gravity(const SceneTable& table, SceneChecking& checking, const std::string&, void* scene) {
  if (checking.scene.gravity) checking.rows(table.schema, "gravity", scene);
}

/// A table of settings, each of which determines a run.
template <auto settings>
void identify_setting(const SceneTable& table, const Assembly& a, Identity& to) {
  auto values = a.scene.*settings;
  to.part(table.schema.title()).add_rows(table.schema, &values);
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
  SceneTable table;
  table.schema = {
      .name = "integrator",
      .description = "How a time step is computed.",
      .rows = {
          row<&IntegratorOptions::method>("method")
              .one_of(integrator_methods)
              .later(later_integrator_methods)
              .standard("\"imex\"")
              .says("Time integrator. `auto` chooses one of the others to suit the scene, and says why."),
          row<&IntegratorOptions::tolerance>("tolerance")
              .above(0)
              .below(1)
              .standard("1e-6")
              .says("Implicit methods: the solve of a step stops at this relative gradient norm."),
          row<&IntegratorOptions::max_iterations>("max_iterations")
              .at_least(1)
              .standard("200")
              .says("Implicit methods: most iterations per step. The summary counts the steps that "
                    "reached it."),
          row<&IntegratorOptions::elastic_solver>("elastic_solver")
              .one_of(elastic_solvers)
              .standard("\"auto\"")
              .says("Implicit methods: how the elastic part is minimised."),
          row<&IntegratorOptions::linear_solver>("linear_solver")
              .one_of(linear_solvers)
              .standard("\"cg\"")
              .says("`linear_implicit`: conjugate gradients, or the damped Jacobi iteration."),
          row<&IntegratorOptions::jacobi_weight>("jacobi_weight")
              .above(0)
              .at_most(0.5)
              .standard("0.3")
              .says("`linear_implicit`: ω of the Jacobi iteration. Beyond 1/3 it may not converge; then "
                    "conjugate "
                    "gradients solve the step.")}};
  table.read = read_setting<&Scene::integrator>;
  table.check = check_setting<&Scene::integrator>;
  table.identify = identify_setting<&Scene::integrator>;
  return table;
}

SceneTable coulomb_table() {
  using namespace schema;
  SceneTable table;
  table.schema = {
      .name = "coulomb",
      .description = "The force between the bodies' charges. Without this table there is none.",
      .rows = {
          row<&FieldOptions::solver>("solver")
              .one_of(field_solvers)
              .later(later_field_solvers)
              .standard("\"auto\"")
              .says(what_field_solvers_do()),
          row<&FieldOptions::accuracy>("accuracy")
              .above(0)
              .at_most(1)
              .says("Requested relative L2 error of the field. If absent, `direct` computes in double "
                    "precision "
                    "and "
                    "`fmm` aims at 1e-3; the smallest value for `fmm` is 1e-10. `ddef` has its own error, "
                    "typically up to 0.2, without a bound."),
          row<&FieldOptions::constant>("constant")
              .unit("N m²/C²")
              .above(0)
              .standard("8.9875517923e9")
              .says("Coulomb's constant, also for external charges."),
          row<&FieldOptions::softening>("softening")
              .unit("m")
              .at_least(0)
              .standard("0.0")
              .says("Plummer softening ε between the bodies' charges."),
          row<&FieldOptions::device>("device")
              .one_of(field_devices)
              .later(later_field_devices)
              .standard("\"auto\"")
              .says("Where the field is computed.")}};
  table.read = read_coulomb;
  table.check = check_coulomb;
  table.identify = identify_coulomb;
  return table;
}

SceneTable ddef_table() {
  using namespace schema;
  SceneTable table;
  table.schema = {
      .name = "coulomb.ddef",
      .description =
          "Settings of the solver `ddef`. With another solver they have no effect, and a "
          "warning says so.",
      .rows = {row<&FieldOptions::ddef_grid_points>("grid_points")
                   .at_least(1)
                   .at_most(static_cast<double>(most_ddef_grid_points))
                   .says("Points of the solver's grid, not counting the box's corners. If absent, about a "
                         "hundredth of "
                         "the number of charges."),
               row<&FieldOptions::ddef_half_taylor>("half_taylor")
                   .standard("false")
                   .says("Interpolate with half a Taylor term. The error is then about half, and the time "
                         "one and a half times as long.")}};
  return table;
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

SceneTable damping_table() {
  using namespace schema;
  SceneTable table;
  table.schema = {
      .name = "damping",
      .description = "Friction.",
      .rows = {row<&DampingOptions::drag>("drag").unit("1/s").at_least(0).standard("0.0").says(
                   "Force -drag·m·v on every vertex."),
               row<&DampingOptions::spring>("spring").unit("N s/m").at_least(0).standard("0.0").says(
                   "Force along each spring against the relative velocity of its ends.")}};
  table.called = "damping";
  table.numbers = {{&number::drag, Per::own, {{"drag", "Drag."}}},
                   {&number::spring_damping,
                    Per::own,
                    {NumberKey("spring", "Damping along springs, if there are any.")
                         .when([](const Assembly& a, std::size_t) { return !a.springs.empty(); })}}};
  table.read = read_setting<&Scene::damping>;
  table.check = check_setting<&Scene::damping>;
  table.identify = identify_setting<&Scene::damping>;
  return table;
}

SceneTable output_table() {
  using namespace schema;
  SceneTable table;
  table.schema = {
      .name = "output",
      .description = "What a run writes.",
      .rows = {
          row<&OutputOptions::every>("every").at_least(1).standard("1").says(
              "Write every k-th step; the initial state is always frame 0."),
          row<&OutputOptions::velocities>("velocities").standard("true").says("Write the velocities too."),
          row<&OutputOptions::precision>("precision")
              .one_of({"double", "single"})
              .standard("\"double\"")
              .says("How positions and velocities are stored."),
          row<&OutputOptions::compression>("compression")
              .at_least(0)
              .at_most(9)
              .standard("0")
              .says("Deflate level of the trajectory; 0: none.")}};
  table.read = read_setting<&Scene::output>;
  table.check = check_setting<&Scene::output>;
  table.identify = identify_setting<&Scene::output>;
  return table;
}

}  // namespace electret
