#include <electret/elastic/options.hpp>
#include <electret/scene/schema_rows.hpp>
#include <electret/scene/schema_tables.hpp>

namespace electret {
namespace {

using schema::interpolation_row;
using schema::row;

SchemaTable body_table() {
  return {
      .name = "body",
      .is_repeated = true,
      .is_required = true,
      .description = "One deformable body: a mesh, its place, masses and charges.",
      .rows =
          {row<&Body::name>("name").says("Unique. Default: `body1`, `body2`, …"),
           row<&Body::mesh>("mesh").says("Mesh file, relative to the scene file."),
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
           row<&Body::velocities>("velocities")
               .unit("m/s")
               .says("Initial velocity of each vertex, world axes."),
           row<&Body::initial_positions>("initial_positions")
               .unit("m")
               .says("Where each vertex starts, world axes. Rest lengths, boxes and groups are still those "
                     "of the "
                     "mesh as placed."),
           row<&Body::mass>("mass").unit("kg").above(0).says("Mass of each vertex."),
           row<&Body::total_mass>("total_mass").unit("kg").above(0).says("Mass of the body, split evenly."),
           row<&Body::masses>("masses").unit("kg").above(0).says("Mass of each vertex, one by one."),
           row<&Body::charge>("charge").unit("C").standard("0.0").says("Charge of each vertex."),
           row<&Body::total_charge>("total_charge").unit("C").says("Charge of the body, split evenly."),
           row<&Body::charges>("charges").unit("C").says("Charge of each vertex, one by one."),
           row<&Body::density>("density").unit("kg/m³").above(0).says(
               "Density of the elements. Each element's mass is split evenly over its vertices.")},
      .alternatives = {{.keys = {"mesh", "generate"}, .one_is_required = true},
                       {.keys = {"mass", "total_mass", "masses", "density"}, .mesh_may_provide_one = true},
                       {.keys = {"charge", "total_charge", "charges"}},
                       {.keys = {"velocity", "velocities"}}}};
}

SchemaTable springs_table() {
  return {.name = "body.springs",
          .is_repeated = true,
          .description = "Springs of the body.",
          .rows = {row<&SpringTable::from>("from")
                       .one_of({"edges", "diagonals", "bending", "nearest", "pairs", "volume"})
                       .standard("\"edges\"")
                       .says("Which vertices are joined (see Springs)."),
                   row<&SpringTable::stiffness>("stiffness")
                       .unit("N/m")
                       .at_least(0)
                       .says("Stiffness of every spring."),
                   row<&SpringTable::modulus>("modulus").unit("N").at_least(0).says(
                       "Stiffness times rest length, the same for every spring."),
                   row<&SpringTable::stiffnesses>("stiffnesses")
                       .unit("N/m")
                       .at_least(0)
                       .says("Stiffness of each spring, in the run's order (see Springs)."),
                   row<&SpringTable::rest_length_scale>("rest_length_scale")
                       .at_least(0)
                       .standard("1.0")
                       .says("Rest length = length in the mesh as placed, times this."),
                   row<&SpringTable::rest_lengths>("rest_lengths")
                       .unit("m")
                       .at_least(0)
                       .says("Rest length of each spring, in the run's order (see Springs)."),
                   row<&SpringTable::neighbours>("neighbours")
                       .at_least(1)
                       .standard("6")
                       .says("`nearest` only: how many neighbours each vertex chooses."),
                   row<&SpringTable::pairs>("pairs").at_least(0).says(
                       "`pairs` only: `[[0, 1], [1, 2]]`, vertices of the body, from 0.")},
          .alternatives = {{.keys = {"stiffness", "modulus", "stiffnesses"}, .one_is_required = true},
                           {.keys = {"rest_length_scale", "rest_lengths"}}}};
}

SchemaTable group_table() {
  return {
      .name = "body.group",
      .is_repeated = true,
      .description = "A named set of the body's vertices.",
      .rows =
          {row<&VertexGroup::name>("name").required().says("Unique within the body."),
           row<&VertexGroup::box>("box").unit("m").says(
               "The vertices within `[[x, y, z], [x, y, z]]`, bounds "
               "included, world axes, in the mesh as placed."),
           row<&VertexGroup::indices>("indices").at_least(0).says("The vertices by number, from 0."),
           row<&VertexGroup::attribute>("attribute")
               .says("A group of the OBJ or MSH file or of the shape; or the vertices at which a property of "
                     "the PLY file is not 0.")},
      .alternatives = {{.keys = {"box", "indices", "attribute"}, .one_is_required = true}}};
}

SchemaTable group_charge_table() {
  return {
      .name = "body.group_charge",
      .is_repeated = true,
      .description =
          "The charge of a group, in place of the body's own. Later entries override earlier ones.",
      .rows = {row<&GroupChargeTable::group>("group").required().says("Name of the group."),
               row<&GroupChargeTable::value>("value").unit("C").says("Charge of each vertex of the group."),
               row<&GroupChargeTable::times>("times").unit("s").says(
                   "Key-frames: strictly increasing times."),
               row<&GroupChargeTable::values>("values").unit("C").says("Key-frames: one charge per time."),
               interpolation_row<&GroupChargeTable::interpolation>()},
      .alternatives = {{.keys = {"value", "values"}, .one_is_required = true}}};
}

SchemaTable pin_table() {
  return {.name = "body.pin",
          .is_repeated = true,
          .description = "A group held at its initial place, or moved from it by key-frames.",
          .rows = {row<&PinTable::group>("group").required().says("Name of the group."),
                   row<&PinTable::times>("times").unit("s").says("Key-frames: strictly increasing times."),
                   row<&PinTable::offsets>("offsets").unit("m").says(
                       "Key-frames: displacement from the initial place, world axes; 0 at time 0."),
                   interpolation_row<&PinTable::interpolation>()}};
}

SchemaTable load_table() {
  return {.name = "body.load",
          .is_repeated = true,
          .description = "Forces on vertices, constant or scaled over time. Several loads add up.",
          .rows = {row<&LoadTable::group>("group").says("Name of the group that `force` acts on."),
                   row<&LoadTable::force>("force").unit("N").says(
                       "Force on each vertex of the group, world axes."),
                   row<&LoadTable::forces>("forces").unit("N").says(
                       "Force on each vertex of the body, one by one, world axes."),
                   row<&LoadTable::times>("times").unit("s").says("Key-frames: strictly increasing times."),
                   row<&LoadTable::values>("values").says("Key-frames: one factor on the forces per time."),
                   interpolation_row<&LoadTable::interpolation>()},
          .alternatives = {{.keys = {"group", "forces"}, .one_is_required = true},
                           {.keys = {"force", "forces"}, .one_is_required = true}}};
}

SchemaTable material_table() {
  return {
      .name = "body.material",
      .is_repeated = true,
      .description = "What the body's volume elements are made of. Several materials add up.",
      .rows = {row<&Material::model>("model")
                   .one_of(material_models)
                   .required()
                   .says("See docs/finite-elements.md: `stable_neo_hookean` or `corotated` are recommended."),
               row<&Material::youngs_modulus>("youngs_modulus")
                   .unit("Pa")
                   .above(0)
                   .required()
                   .says("Young's modulus."),
               row<&Material::poissons_ratio>("poissons_ratio")
                   .above(-1)
                   .below(0.5)
                   .required()
                   .says("Poisson's ratio."),
               row<&Material::group>("group").says("Name of an element group; absent: all elements.")}};
}

SchemaTable element_group_table() {
  SchemaTable table = {
      .name = "body.element_group",
      .is_repeated = true,
      .description = "A named set of the body's volume elements.",
      .rows =
          {row<&ElementGroup::name>("name").required().says("Unique within the body."),
           row<&ElementGroup::box>("box").unit("m").says(
               "The elements whose mean vertex is within `[[x, y, z], [x, y, z]]`, bounds included, world "
               "axes, in the mesh as placed."),
           row<&ElementGroup::indices>("indices").at_least(0).says(
               "The elements by number, from 0: tetrahedra first, each kind in the file's order."),
           row<&ElementGroup::attribute>("attribute").says("A physical group of the MSH file.")},
      .alternatives = {{.keys = {"box", "indices", "attribute"}, .one_is_required = true}}};
  table.rows[2].type = "list of element indices";
  return table;
}

SchemaTable muscle_table() {
  return {
      .name = "body.muscle",
      .is_repeated = true,
      .description =
          "Volume elements that pull towards a given stretch along a fibre, in addition to their materials.",
      .rows = {row<&MuscleTable::group>("group").says("Name of an element group; absent: all elements."),
               row<&MuscleTable::fibre>("fibre").required().says(
                   "Direction of the fibre at rest, world axes; its length does not matter."),
               row<&MuscleTable::stiffness>("stiffness")
                   .unit("Pa")
                   .above(0)
                   .required()
                   .says("Stiffness along the fibre."),
               row<&MuscleTable::activation>("activation")
                   .at_least(0)
                   .says("The stretch along the fibre that the muscle pulls towards. 1: the rest length; "
                         "less: shorter."),
               row<&MuscleTable::activations>("activations")
                   .at_least(0)
                   .says("Activation of each element, in the group's order."),
               row<&MuscleTable::times>("times").unit("s").says("Key-frames: strictly increasing times."),
               row<&MuscleTable::values>("values").at_least(0).says("Key-frames: one activation per time."),
               interpolation_row<&MuscleTable::interpolation>()},
      .alternatives = {{.keys = {"activation", "activations", "values"}, .one_is_required = true}}};
}

}  // namespace

std::vector<SchemaTable> body_tables() {
  return {body_table(), springs_table(),  group_table(),         group_charge_table(), pin_table(),
          load_table(), material_table(), element_group_table(), muscle_table()};
}

}  // namespace electret
