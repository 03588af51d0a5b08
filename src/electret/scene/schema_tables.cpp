#include <electret/scene/obstacle.hpp>
#include <electret/scene/schema_rows.hpp>
#include <electret/scene/schema_tables.hpp>

namespace electret {
namespace {

using schema::interpolation_row;
using schema::row;

SchemaTable scene_table() {
  return {.name = "scene",
          .description = "The scene as a whole.",
          .rows = {row<&Scene::name>("name").standard("\"\"").says("Free text.")}};
}

SchemaTable time_table() {
  return {.name = "time",
          .is_required = true,
          .description = "The time step and the length of the run.",
          .rows = {row<&TimeTable::step>("step").unit("s").above(0).required().says("Time step h."),
                   row<&TimeTable::duration>("duration")
                       .unit("s")
                       .at_least(0)
                       .says("Length of the run: a whole number of steps (to 1e-6 of a step)."),
                   row<&TimeTable::steps>("steps").at_least(0).says("Number of steps.")},
          .alternatives = {{.keys = {"steps", "duration"}, .one_is_required = true}}};
}

SchemaTable integrator_table() {
  return {.name = "integrator",
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
}

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

SchemaTable coulomb_table() {
  return {
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
}

SchemaTable ddef_table() {
  return {
      .name = "coulomb.ddef",
      .description =
          "Settings of the solver `ddef`. With another solver they have no effect, and a warning says so.",
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
}

SchemaTable gravity_table() {
  return {.name = "gravity",
          .description = "Uniform gravity. Without this table there is none.",
          .rows = {row<&Scene::gravity>("acceleration")
                       .unit("m/s²")
                       .required()
                       .says("Acceleration of every vertex.")}};
}

SchemaTable damping_table() {
  return {.name = "damping",
          .description = "Friction.",
          .rows = {row<&DampingOptions::drag>("drag").unit("1/s").at_least(0).standard("0.0").says(
                       "Force -drag·m·v on every vertex."),
                   row<&DampingOptions::spring>("spring").unit("N s/m").at_least(0).standard("0.0").says(
                       "Force along each spring against the relative velocity of its ends.")}};
}

SchemaTable external_charge_table() {
  return {
      .name = "external_charge",
      .is_repeated = true,
      .description = "A charge that is not part of a body: fixed, or moved by key-frames.",
      .rows =
          {row<&ExternalChargeTable::charge>("charge").unit("C").says(
               "Charge. With a mesh it is the whole charge, split evenly over the vertices."),
           row<&ExternalChargeTable::position>("position")
               .unit("m")
               .standard("[0.0, 0.0, 0.0]")
               .says("Place of the charge. With a mesh, this is added to the mesh's coordinates."),
           row<&ExternalChargeTable::times>("times").unit("s").says("Key-frames: strictly increasing times."),
           row<&ExternalChargeTable::charges>("charges").unit("C").says("Key-frames: one charge per time."),
           row<&ExternalChargeTable::positions>("positions")
               .unit("m")
               .says("Key-frames: one position per time."),
           interpolation_row<&ExternalChargeTable::interpolation>(),
           row<&ExternalChargeTable::mesh>("mesh").says("Mesh file: a charge at each of its vertices."),
           row<&ExternalChargeTable::width>("width").unit("m").at_least(0).standard("0.0").says(
               "σ of a Gaussian ball; 0: a point.")},
      .alternatives = {{.keys = {"charge", "charges"}, .one_is_required = true},
                       {.keys = {"position", "positions"}}}};
}

SchemaTable electric_field_table() {
  return {.name = "electric_field",
          .is_repeated = true,
          .description = "A field given by formulas (see Expressions).",
          .rows = {row<&ElectricField::expression>("expression")
                       .unit("N/C")
                       .required()
                       .says("The components, in x, y, z (m), t (s) and the constants."),
                   row<&ElectricField::constants>("constants").says("Named numbers: `{ a = 2.0 }`.")}};
}

SchemaTable obstacle_table() {
  return {
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
}

SchemaTable output_table() {
  return {
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
}

}  // namespace

std::vector<SchemaTable> schema_tables() {
  std::vector<SchemaTable> tables = {scene_table(), time_table(),    integrator_table(), coulomb_table(),
                                     ddef_table(),  gravity_table(), damping_table()};
  for (const SchemaTable& table : body_tables()) tables.push_back(table);
  for (const SchemaTable& table :
       {external_charge_table(), electric_field_table(), obstacle_table(), output_table()})
    tables.push_back(table);
  return tables;
}

}  // namespace electret
