#include <electret/elastic/options.hpp>
#include <electret/scene/tables/materials.hpp>
#include <electret/scene/tables/table_file.hpp>

namespace electret {

namespace number {
constinit const NumberKind youngs_modulus =
    numbers_of_tracks<&Assembly::materials, &MaterialTrack::youngs_modulus>();
constinit const NumberKind poissons_ratio =
    numbers_of_tracks<&Assembly::materials, &MaterialTrack::poissons_ratio>();
}  // namespace number

namespace {

/// Finds settings that cannot solve for the material.
void check_material(SceneChecking& checking, const Material& material, const std::string& key) {
  checking.known_element_group(material.group, key);
  checking.method_for_elements(key + " is a material");
  if (checking.scene.integrator.elastic_solver == "local_global" && material.model != "projective" &&
      !checking.report.is_bad("integrator.elastic_solver"))
    checking.add("integrator.elastic_solver",
                 "elastic_solver \"local_global\" is for springs and the model \"projective\", and " + key +
                     " is " + in_quotes(material.model),
                 "allowed: " + joined(all_but("local_global", elastic_solvers)));
}

std::optional<MaterialTrack> material_track(Assembling& assembling, const Material& material,
                                            const std::string& key) {
  BodyContext& context = *assembling.body;
  if (!has_elements(context, key + ".model", "a material",
                    "materials are for meshes of tetrahedra or hexahedra; surfaces have springs"))
    return std::nullopt;
  MaterialTrack track;
  track.body = context.number;
  track.model = material.model;
  track.name = context.body.materials.size() > 1 ? context.name_of(key) : "body." + context.body.name;
  track.elements = elements_of(context, material.group);
  track.youngs_modulus.assign(track.elements.size(), material.youngs_modulus);
  track.poissons_ratio.assign(track.elements.size(), material.poissons_ratio);
  return track;
}

void check_material_track(const Assembly& a, const MaterialTrack& track) {
  check_set(a, track.elements);
  const std::size_t count = track.elements.size();
  require_argument(
      std::find(material_models.begin(), material_models.end(), track.model) != material_models.end(),
      "assembly: there is no such material model");
  require_argument(track.youngs_modulus.size() == count && track.poissons_ratio.size() == count,
                   "assembly: a material's constants are not as many as its elements");
}

auto material_identity(const MaterialTrack& track) {
  return std::tie(track.model, track.elements, track.youngs_modulus, track.poissons_ratio);
}

std::vector<SchemaRow> material_rows() {
  using namespace schema;
  return {row<&Material::model>("model")
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
          row<&Material::group>("group").says("Name of an element group; absent: all elements.")};
}

}  // namespace

SceneTable material_table() {
  SceneTable table;
  table.schema = {.name = "body.material",
                  .is_repeated = true,
                  .description = "What the body's volume elements are made of. Several materials add up.",
                  .rows = material_rows()};
  table.called = "body.NAME";
  table.numbers = {{&number::youngs_modulus,
                    Per::element,
                    {{"youngs_modulus",
                      "Young's modulus of the body's material; with several materials "
                      "`body.NAME.material.I.youngs_modulus`."}}},
                   {&number::poissons_ratio,
                    Per::element,
                    {{"poissons_ratio",
                      "Poisson's ratio of the body's material; with several materials "
                      "`body.NAME.material.I.poissons_ratio`."}}}};
  table.name_of = name_of_track<&Assembly::materials>;
  table.read = read_each<&Body::materials>;
  table.check = check_each<&Body::materials, check_material>;
  table.assemble = add_each<&Body::materials, &Assembly::materials, material_track>;
  table.check_assembly = check_tracks<&Assembly::materials, check_material_track>;
  table.join = join_elements<&Assembly::materials>;
  table.part = "materials";
  table.identify = identify_tracks<&Assembly::materials, material_identity>;
  return table;
}

}  // namespace electret
