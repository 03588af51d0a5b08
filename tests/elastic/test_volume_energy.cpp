#include "elastic/solid_boxes.hpp"

namespace electret::test {
namespace {

/// One cell for few vertices; of many so many that several threads have work.
Solid solid_of(int kind, Index vertices) {
  if (vertices < 100) return solid_box(kind, {1, 1, 1});
  return kind == hexahedron ? solid_box(kind, {16, 16, 16}) : solid_box(kind, {9, 9, 9});
}

ElasticCase volume_case(int kind, MaterialModel model, MakeVolumeEnergy make) {
  ElasticCase tested;
  tested.name = std::string(material_models[static_cast<std::size_t>(model)]) +
                (kind == hexahedron ? "_hex" : "_tet") + (make == &make_volume_energy ? "" : "_reference");
  tested.elements = [kind](Index n) { return solid_block(kind, solid_of(kind, n).mesh); };
  tested.positions = [kind](Index n) { return deformed(solid_of(kind, n).mesh.vertices); };
  const auto maker = [kind, model](MakeVolumeEnergy factory) {
    return [=](std::shared_ptr<ElementBlock> block, Index vertices, Threads& threads,
               const ParameterChange& change) {
      Solid solid = solid_of(kind, vertices);
      (change.parameter == 0 ? solid.youngs_modulus : solid.poissons_ratio)[change.number] += change.by;
      return solid_energy(factory, std::move(block), solid, model, threads);
    };
  };
  tested.make = maker(make);
  tested.of_rest_shape = [=](Threads& threads, const VectorArray& moves) {
    Solid solid = solid_of(kind, 9);
    for (std::size_t v = 0; v < moves.size(); ++v) solid.mesh.vertices[v] += moves[v];
    return solid_energy(make, solid_block(kind, solid.mesh), solid, model, threads);
  };
  if (make != &make_reference_volume_energy) tested.reference = maker(&make_reference_volume_energy);
  tested.several_chunks = 4096;
  tested.majorised = model == MaterialModel::projective;
  tested.objective = model != MaterialModel::linear;
  tested.indefinite = model != MaterialModel::linear;
  return tested;
}

std::vector<ElasticCase> all_cases() {
  std::vector<ElasticCase> cases;
  for (const int kind : {tetrahedron, hexahedron})
    for (std::size_t m = 0; m < material_models.size(); ++m)
      for (const MakeVolumeEnergy make : {&make_volume_energy, &make_reference_volume_energy})
        cases.push_back(volume_case(kind, static_cast<MaterialModel>(m), make));
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Volume, ElasticConformance, testing::ValuesIn(all_cases()), case_name);

}  // namespace
}  // namespace electret::test
