#include <algorithm>

#include <electret/scene/charge_tracks.hpp>
#include <electret/scene/tables/bodies.hpp>
#include <electret/scene/tables/table_file.hpp>

namespace electret {

namespace number {
constinit const NumberKind rest_positions = numbers_of<&Assembly::rest_positions>();
constinit const NumberKind initial_positions = numbers_of<&Assembly::initial_positions>();
constinit const NumberKind initial_velocities = numbers_of<&Assembly::initial_velocities>();
constinit const NumberKind masses = numbers_of<&Assembly::masses>();
constinit const NumberKind charges = numbers_of<&Assembly::charges>();
}  // namespace number

namespace {

/// The charge of the vertices that no group charge overrides.
void keep_own_charges(const Assembly& a, std::vector<Parameter>& found) {
  const std::vector<int> winner = winning_charge_tracks(a);
  for (Parameter& p : found)
    std::erase_if(p.members, [&](Index i) { return winner[static_cast<std::size_t>(i)] >= 0; });
}

/// The bodies that have volume elements.
void keep_solids(const Assembly& a, std::vector<Parameter>& found) {
  std::erase_if(found, [&](const Parameter& p) {
    return std::all_of(p.members.begin(), p.members.end(), [&](Index i) {
      return a.volumes.empty() || a.volumes[static_cast<std::size_t>(i)] == 0.0;
    });
  });
}

/// The bodies that have a density. Their masses are its `shares`.
void keep_densities(const Assembly& a, std::vector<Parameter>& found) {
  std::vector<Parameter> kept;
  for (std::size_t b = 0; b < a.scene.bodies.size(); ++b) {
    if (!a.scene.bodies[b].density) continue;
    kept.push_back(std::move(found[b]));
    kept.back().shares.assign(a.volumes.begin() + a.body_offsets[b],
                              a.volumes.begin() + a.body_offsets[b + 1]);
  }
  found = std::move(kept);
}

void read_body(SceneReading& reading, Body& body, const Node& node, const std::string& key) {
  if (body.name.empty()) body.name = "body" + std::to_string(reading.scene.bodies.size() + 1);
  for (const SceneTable* table : tables_within("body")) table->read(*table, reading, key, node, &body);
}

void check_generator(SceneChecking& checking, const GeneratorSpec& spec, const std::string& key) {
  if (checking.report.is_bad(key)) return;
  std::vector<std::string> names;
  for (const Shape& shape : shapes()) names.emplace_back(shape.name);
  if (find_shape(spec.shape) == nullptr) {
    const std::string close = closest_name(spec.shape, names);
    return checking.add(
        key + ".shape", "unknown shape " + in_quotes(spec.shape),
        (close.empty() ? "" : "did you mean " + in_quotes(close) + "? ") + "allowed: " + joined(names));
  }
  for (const ParameterFinding& finding : generator_findings(spec))
    checking.add(key + "." + finding.parameter, finding.message, finding.allowed);
}

void check_body(SceneChecking& checking, Body& body, const std::string& key) {
  checking.name(body.name, key, "a body", "two bodies", "names of bodies are unique");
  if (!body.mesh.empty() && !checking.report.is_bad(key + ".mesh"))
    checking.mesh_format(body.mesh, key + ".mesh");
  if (body.generate) check_generator(checking, *body.generate, key + ".generate");
  checking.body = &body;
  for (const SceneTable* table : tables_within("body")) table->check(*table, checking, key, &body);
}

void check_bodies(const SceneTable& table, SceneChecking& checking, const std::string& key, void* scene) {
  if (checking.scene.bodies.empty() && !checking.report.is_bad("body"))
    checking.add("body", "the scene has no body", "one [[body]] is required");
  check_each<&Scene::bodies, check_body>(table, checking, key, scene);
}

void check_vertices(const Assembly& a) {
  const std::size_t n = a.masses.size();
  for (const VectorArray* rows : {&a.rest_positions, &a.initial_positions, &a.initial_velocities})
    require_argument(rows->size() == n, "assembly: positions or velocities are not as many as masses");
  require_argument(a.charges.size() == n, "assembly: charges are not as many as masses");
  for (const Tetrahedron& cell : a.tetrahedra)
    require_argument(are_below(cell, n), "assembly: a tetrahedron's corner is no vertex");
  for (const Hexahedron& cell : a.hexahedra)
    require_argument(are_below(cell, n), "assembly: a hexahedron's corner is no vertex");
}

void identify_bodies(const SceneTable&, const Assembly& a, Identity& to) {
  to.part("initial positions").add(a.initial_positions);
  to.part("initial velocities").add(a.initial_velocities);
  to.part("charges").add(a.charges);
}

void drive_bodies(const SceneTable&, const Assembly& a, std::vector<DrivenInput>& to) {
  for (std::size_t b = 0; b < a.scene.bodies.size(); ++b) {
    const std::string name = body_key(a, b);
    const auto first = static_cast<std::size_t>(a.body_offsets[b]);
    const auto vertices = consecutive(first, static_cast<std::size_t>(a.body_offsets[b + 1]) - first);
    to.push_back(DrivenInput(name + ".charge", "C", input::charges, vertices));
    to.push_back(DrivenInput(name + ".charges", "C", input::charges, vertices).each());
    to.push_back(DrivenInput(name + ".forces", "N", input::loads, vertices).each());
  }
}

/// The keys of the mesh and of where it starts.
std::vector<SchemaRow> place_rows() {
  using namespace schema;
  return {
      row<&Body::name>("name").says("Unique. Default: `body1`, `body2`, …"),
      row<&Body::mesh>("mesh").path().says("Mesh file, relative to the scene file."),
      row<&Body::generate>("generate")
          .says("`{ shape = \"torus\", … }`: a mesh made from parameters (see Shapes)."),
      row<&Body::scale>("scale").above(0).says("Factor on the mesh's coordinates."),
      row<&Body::rotate>("rotate").unit("degrees").says(
          "Rotation about the fixed x axis, then y, then z, through the origin, after scaling."),
      row<&Body::translate>("translate").unit("m").says("Shift, after the rotation."),
      row<&Body::velocity>("velocity")
          .unit("m/s")
          .standard("[0.0, 0.0, 0.0]")
          .says("Initial velocity of every vertex, world axes."),
      row<&Body::velocities>("velocities").unit("m/s").says("Initial velocity of each vertex, world axes."),
      row<&Body::initial_positions>("initial_positions")
          .unit("m")
          .says("Where each vertex starts, world axes. Rest lengths, boxes and groups are still those "
                "of the mesh as placed.")};
}

/// Those of masses and charges.
std::vector<SchemaRow> amount_rows() {
  using namespace schema;
  return {row<&Body::mass>("mass").unit("kg").above(0).says("Mass of each vertex."),
          row<&Body::total_mass>("total_mass").unit("kg").above(0).says("Mass of the body, split evenly."),
          row<&Body::masses>("masses").unit("kg").above(0).says("Mass of each vertex, one by one."),
          row<&Body::charge>("charge").unit("C").standard("0.0").says("Charge of each vertex."),
          row<&Body::total_charge>("total_charge").unit("C").says("Charge of the body, split evenly."),
          row<&Body::charges>("charges").unit("C").says("Charge of each vertex, one by one."),
          row<&Body::density>("density").unit("kg/m³").above(0).says(
              "Density of the elements. Each element's mass is split evenly over its vertices.")};
}

std::vector<NumberRow> body_numbers() {
  return {
      {&number::masses,
       Per::vertex,
       {{"mass", "Mass common to the body's vertices."},
        {"masses", "Mass, vertex by vertex."},
        NumberKey("density", "Density, if the body's masses come from it.").then(keep_densities)}},
      {&number::charges,
       Per::vertex,
       {NumberKey("charge", "Charge of each vertex that no group charge overrides.").then(keep_own_charges),
        {"charges", "The body's own charge, vertex by vertex."}}},
      {&number::rest_positions,
       Per::vertex,
       {NumberKey("",
                  "Rest positions of a solid body, which also change its masses if it has a density. Initial "
                  "positions and the rest lengths of springs stay. Not for fits.")
            .as("rest_positions")
            .in("m")
            .then(keep_solids)}},
      {&number::initial_positions,
       Per::vertex,
       {NumberKey("initial_positions", "Initial positions; rest lengths stay.").as("positions")}},
      {&number::initial_velocities,
       Per::vertex,
       {{"velocity", "Initial velocity common to the body's vertices."},
        {"velocities", "Initial velocities, vertex by vertex."}}}};
}

}  // namespace

SceneTable body_table() {
  SceneTable table;
  table.schema = {
      .name = "body",
      .is_repeated = true,
      .is_required = true,
      .description = "One deformable body: a mesh, its place, masses and charges.",
      .rows = place_rows(),
      .alternatives = {{.keys = {"mesh", "generate"}, .one_is_required = true},
                       {.keys = {"mass", "total_mass", "masses", "density"}, .mesh_may_provide_one = true},
                       {.keys = {"charge", "total_charge", "charges"}},
                       {.keys = {"velocity", "velocities"}}}};
  for (const SchemaRow& row : amount_rows()) table.schema.rows.push_back(row);
  table.called = "body.NAME";
  table.numbers = body_numbers();
  table.read = read_each<&Scene::bodies, read_body>;
  table.check = check_bodies;
  table.check_assembly = check_vertices;
  table.identify = identify_bodies;
  table.drive = drive_bodies;
  return table;
}

}  // namespace electret
