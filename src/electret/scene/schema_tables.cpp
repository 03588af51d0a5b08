#include <utility>

#include <electret/scene/schema_rows.hpp>
#include <electret/scene/schema_tables.hpp>

namespace electret {
namespace {

using schema::row;
using schema::RowBuilder;

SchemaRow later_row(std::string key, std::string description) {
  SchemaRow row = RowBuilder(std::move(key)).says(std::move(description));
  row.is_later = true;
  return row;
}

SchemaTable later_table(std::string name, bool is_repeated, std::string description) {
  SchemaTable table;
  table.name = std::move(name), table.description = std::move(description);
  table.is_repeated = is_repeated, table.is_later = true;
  return table;
}

template <auto member>
SchemaRow interpolation_row() {
  return row<member>("interpolation")
      .one_of({"linear", "step", "cubic"})
      .standard("\"linear\"")
      .says(
          "Between the keys; constant outside them. `step` takes the last key at or before the time, `cubic` "
          "is the non-uniform Catmull-Rom spline with one-sided end tangents.");
}

std::vector<SchemaTable> run_tables() {
  return {
      {"scene",
       false,
       false,
       false,
       "What the scene is.",
       {row<&Scene::name>("name").standard("\"\"").says("Free text.")},
       {}},
      {"time",
       false,
       true,
       false,
       "The time step and the length of the run.",
       {row<&TimeTable::step>("step").unit("s").above(0).required().says("Time step h."),
        row<&TimeTable::duration>("duration")
            .unit("s")
            .at_least(0)
            .says("Length of the run: a whole number of steps (to 1e-6 of a step)."),
        row<&TimeTable::steps>("steps").at_least(0).says("Number of steps.")},
       {{{"steps", "duration"}, true}}},
      {"integrator",
       false,
       false,
       false,
       "How a step is made.",
       {row<&IntegratorOptions::method>("method")
            .one_of({"imex", "verlet", "symplectic_euler", "explicit_euler"})
            .later({"newton", "linear_implicit", "kick_midpoint", "kick_trbdf2", "multirate"})
            .standard("\"imex\"")
            .says("Time integrator."),
        row<&IntegratorOptions::tolerance>("tolerance")
            .above(0)
            .below(1)
            .standard("1e-6")
            .says("Implicit methods: relative gradient norm at which a step's solve stops."),
        row<&IntegratorOptions::max_iterations>("max_iterations")
            .at_least(1)
            .standard("200")
            .says("Implicit methods: most iterations a step; the summary counts the steps that reached it."),
        row<&IntegratorOptions::elastic_solver>("elastic_solver")
            .one_of({"auto", "lbfgs", "local_global"})
            .later({"newton_cg"})
            .standard("\"auto\"")
            .says("Implicit methods: how the elastic part is minimised.")},
       {}},
      {"coulomb",
       false,
       false,
       false,
       "The force between the bodies' charges. Without this table there is none.",
       {row<&FieldOptions::solver>("solver")
            .one_of({"auto", "direct", "ddef", "fmm"})
            .later({"cuda"})
            .standard("\"auto\"")
            .says("How the field is summed; `auto` takes `direct` or `fmm` by the number of charges."),
        row<&FieldOptions::accuracy>("accuracy")
            .above(0)
            .at_most(1)
            .says("Asked relative L2 error of the field. `direct` computes in double precision unless it is "
                  "written; `fmm` aims at 1e-3 then, and meets 1e-10 at best; `ddef` has its own error, "
                  "typically up to 0.2, without a bound."),
        row<&FieldOptions::constant>("constant")
            .unit("N m²/C²")
            .above(0)
            .standard("8.9875517923e9")
            .says("Coulomb's constant; external charges use it too."),
        row<&FieldOptions::softening>("softening")
            .unit("m")
            .at_least(0)
            .standard("0.0")
            .says("Plummer softening ε between the bodies' charges."),
        row<&FieldOptions::device>("device")
            .one_of({"auto", "cpu"})
            .later({"cuda"})
            .standard("\"auto\"")
            .says("Where the field is computed.")},
       {}},
      {"coulomb.ddef",
       false,
       false,
       false,
       "Settings of the solver `ddef`. With another solver they have no effect, which is warned of.",
       {row<&FieldOptions::ddef_grid_points>("grid_points")
            .at_least(1)
            .at_most(static_cast<double>(most_ddef_grid_points))
            .says("Points of the solver's grid, the box's corners not counted. By itself about a hundredth "
                  "of the charges."),
        row<&FieldOptions::ddef_half_taylor>("half_taylor")
            .standard("false")
            .says("Interpolate with half a Taylor term: about half the error for half as much time again.")},
       {}},
      {"gravity",
       false,
       false,
       false,
       "Uniform gravity. Without this table there is none.",
       {row<&Scene::gravity>("acceleration").unit("m/s²").required().says("Acceleration of every vertex.")},
       {}},
      {"damping",
       false,
       false,
       false,
       "Friction.",
       {row<&DampingOptions::drag>("drag").unit("1/s").at_least(0).standard("0.0").says(
            "Force -drag·m·v on every vertex."),
        row<&DampingOptions::spring>("spring").unit("N s/m").at_least(0).standard("0.0").says(
            "Force along each spring against the relative velocity of its ends.")},
       {}},
      {"output",
       false,
       false,
       false,
       "What a run writes.",
       {row<&OutputOptions::every>("every").at_least(1).standard("1").says(
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
            .says("Deflate level of the trajectory; 0: none.")},
       {}},
  };
}

SchemaTable body_table() {
  return {
      "body",
      true,
      true,
      false,
      "One deformable body: a mesh, its place, masses and charges.",
      {row<&Body::name>("name").says("Unique; `body1`, `body2`, … by default."),
       row<&Body::mesh>("mesh").says("OBJ or PLY file, relative to the scene file."),
       row<&Body::generate>("generate")
           .says("`{ shape = \"torus\", … }`: a mesh made from parameters (see Shapes)."),
       row<&Body::scale>("scale").above(0).standard("1.0").says("Factor on the mesh's coordinates."),
       row<&Body::rotate>("rotate")
           .unit("degrees")
           .standard("[0.0, 0.0, 0.0]")
           .says("Rotation about the fixed x axis, then y, then z, through the origin, after scaling."),
       row<&Body::translate>("translate")
           .unit("m")
           .standard("[0.0, 0.0, 0.0]")
           .says("Shift, after the rotation."),
       row<&Body::velocity>("velocity")
           .unit("m/s")
           .standard("[0.0, 0.0, 0.0]")
           .says("Initial velocity of every vertex, world axes."),
       row<&Body::velocities>("velocities").unit("m/s").says("Initial velocity of each vertex, world axes."),
       row<&Body::initial_positions>("initial_positions")
           .unit("m")
           .says("Where each vertex starts, world axes. Rest lengths, boxes and groups are those of the mesh "
                 "as placed."),
       row<&Body::mass>("mass").unit("kg").above(0).says("Mass of each vertex."),
       row<&Body::total_mass>("total_mass").unit("kg").above(0).says("Mass of the body, split evenly."),
       row<&Body::masses>("masses").unit("kg").above(0).says("Mass of each vertex, one by one."),
       row<&Body::charge>("charge").unit("C").standard("0.0").says("Charge of each vertex."),
       row<&Body::total_charge>("total_charge").unit("C").says("Charge of the body, split evenly."),
       row<&Body::charges>("charges").unit("C").says("Charge of each vertex, one by one."),
       later_row("density", "Mass from the elements' volumes.")},
      {{{"mesh", "generate"}, true},
       {{"mass", "total_mass", "masses"}, false, true},
       {{"charge", "total_charge", "charges"}, false},
       {{"velocity", "velocities"}, false}}};
}

std::vector<SchemaTable> parts_of_bodies() {
  return {
      {"body.springs",
       true,
       false,
       false,
       "Springs of the body.",
       {row<&SpringTable::from>("from")
            .one_of({"edges", "diagonals", "bending", "nearest", "pairs"})
            .later({"volume"})
            .standard("\"edges\"")
            .says("Which vertices are joined: each polygon edge and line segment; both diagonals of each "
                  "quad; the vertices opposite an edge of two triangles, or beyond it in two quads; each "
                  "vertex's nearest; the pairs written."),
        row<&SpringTable::stiffness>("stiffness").unit("N/m").at_least(0).says("Of each spring."),
        row<&SpringTable::modulus>("modulus").unit("N").at_least(0).says(
            "Stiffness times rest length of each spring."),
        row<&SpringTable::stiffnesses>("stiffnesses")
            .unit("N/m")
            .at_least(0)
            .says(
                "Of each spring, in the run's order: by (smaller, larger) vertex index; `pairs` as written."),
        row<&SpringTable::rest_length_scale>("rest_length_scale")
            .at_least(0)
            .standard("1.0")
            .says("Rest length = length in the placed mesh times this."),
        row<&SpringTable::rest_lengths>("rest_lengths")
            .unit("m")
            .at_least(0)
            .says("Of each spring, in the same order."),
        row<&SpringTable::neighbours>("neighbours")
            .at_least(1)
            .standard("6")
            .says("`nearest` only: how many neighbours each vertex chooses."),
        row<&SpringTable::pairs>("pairs").at_least(0).says(
            "`pairs` only: `[[0, 1], [1, 2]]`, vertices of the body, from 0.")},
       {{{"stiffness", "modulus", "stiffnesses"}, true}, {{"rest_length_scale", "rest_lengths"}, false}}},
      {"body.group",
       true,
       false,
       false,
       "A named set of the body's vertices.",
       {row<&VertexGroup::name>("name").required().says("Unique within the body."),
        row<&VertexGroup::box>("box").unit("m").says("The vertices within `[[x, y, z], [x, y, z]]`, bounds "
                                                     "included, world axes, in the mesh as placed."),
        row<&VertexGroup::indices>("indices").at_least(0).says("The vertices by number, from 0."),
        row<&VertexGroup::attribute>("attribute")
            .says("A group of the OBJ file or of the shape, or a property of the PLY file (where it is not "
                  "0).")},
       {{{"box", "indices", "attribute"}, true}}},
      {"body.group_charge",
       true,
       false,
       false,
       "The charge of a group, over the body's own. Later entries win.",
       {row<&GroupChargeTable::group>("group").required().says("Name of the group."),
        row<&GroupChargeTable::value>("value").unit("C").says("Charge of each vertex of the group."),
        row<&GroupChargeTable::times>("times").unit("s").says("Key-frames: strictly increasing times."),
        row<&GroupChargeTable::values>("values").unit("C").says("Key-frames: a charge a time."),
        interpolation_row<&GroupChargeTable::interpolation>()},
       {{{"value", "values"}, true}}},
      {"body.pin",
       true,
       false,
       false,
       "A group held at its initial place, or moved from it by key-frames.",
       {row<&PinTable::group>("group").required().says("Name of the group."),
        row<&PinTable::times>("times").unit("s").says("Key-frames: strictly increasing times."),
        row<&PinTable::offsets>("offsets").unit("m").says(
            "Key-frames: displacement from the initial place, world axes; 0 at time 0."),
        interpolation_row<&PinTable::interpolation>()},
       {}},
      later_table("body.material", true, "Material of the body's elements."),
      later_table("body.element_group", true, "A named set of the body's elements."),
      later_table("body.muscle", true, "Elements that contract."),
      later_table("body.load", true, "Forces on a group."),
  };
}

std::vector<SchemaTable> external_tables() {
  return {
      {"external_charge",
       true,
       false,
       false,
       "A charge that is not part of a body: fixed, or moved by key-frames.",
       {row<&ExternalChargeTable::charge>("charge").unit("C").says(
            "Charge; with a mesh the whole, split evenly."),
        row<&ExternalChargeTable::position>("position")
            .unit("m")
            .standard("[0.0, 0.0, 0.0]")
            .says("Where it is; added to a mesh's coordinates."),
        row<&ExternalChargeTable::times>("times").unit("s").says("Key-frames: strictly increasing times."),
        row<&ExternalChargeTable::charges>("charges").unit("C").says("Key-frames: a charge a time."),
        row<&ExternalChargeTable::positions>("positions").unit("m").says("Key-frames: a position a time."),
        interpolation_row<&ExternalChargeTable::interpolation>(),
        row<&ExternalChargeTable::mesh>("mesh").says("OBJ or PLY file: a charge at each of its vertices."),
        row<&ExternalChargeTable::width>("width").unit("m").at_least(0).standard("0.0").says(
            "0: a point; > 0: σ of a Gaussian ball.")},
       {{{"charge", "charges"}, true}, {{"position", "positions"}, false}}},
      {"electric_field",
       true,
       false,
       false,
       "A field given by formulas (see Expressions).",
       {row<&ElectricField::expression>("expression")
            .unit("N/C")
            .required()
            .says("The components, in x, y, z (m), t (s) and the constants."),
        row<&ElectricField::constants>("constants").says("Named numbers: `{ a = 2.0 }`.")},
       {}},
  };
}

}  // namespace

std::vector<SchemaTable> schema_tables() {
  std::vector<SchemaTable> tables = run_tables();
  // The reference reads as a scene does: settings, bodies, what acts on them, output.
  const SchemaTable output = tables.back();
  tables.pop_back();
  tables.push_back(body_table());
  for (auto& table : parts_of_bodies()) tables.push_back(std::move(table));
  for (auto& table : external_tables()) tables.push_back(std::move(table));
  tables.push_back(output);
  return tables;
}

}  // namespace electret
