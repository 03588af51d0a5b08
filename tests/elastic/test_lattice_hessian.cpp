// Element matrices summed on a lattice against those summed in compressed rows.

#include <gtest/gtest.h>

#include <electret/linear/lattice_matrix.hpp>

#include "elastic/solid_boxes.hpp"

namespace electret::test {
namespace {

struct Case {
  ElementType type;
  std::array<Count, 3> cells;  ///< Lines of eight cells, or none.
  MakeVolumeEnergy make;
};

class LatticeHessian : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(
    All, LatticeHessian,
    testing::Values(Case{ElementType::hexahedron, {3, 2, 16}, &make_volume_energy},
                    Case{ElementType::hexahedron, {3, 4, 5}, &make_volume_energy},
                    Case{ElementType::tetrahedron, {16, 3, 2}, &make_volume_energy},
                    Case{ElementType::tetrahedron, {3, 4, 5}, &make_volume_energy},
                    Case{ElementType::hexahedron, {16, 16, 16}, &make_volume_energy},
                    Case{ElementType::tetrahedron, {2, 3, 4}, &make_reference_volume_energy}));

TEST_P(LatticeHessian, IsThatOfTheBlocks) {
  const auto& [type, cells, make] = GetParam();
  Solid solid{
      box({.cells = cells,
           .cell_size = 1.0,
           .element = type == ElementType::hexahedron ? BoxElement::hexahedron : BoxElement::tetrahedron}),
      {},
      {}};
  solid.youngs_modulus = random_numbers(solid.mesh.element_count(), 62, 5.0, 20.0);
  solid.poissons_ratio = random_numbers(solid.mesh.element_count(), 63, 0.1, 0.45);
  const VectorArray x = deformed(solid.mesh.vertices);
  std::vector<float> first;
  for (const int count : {1, 2, 7}) {
    Threads threads(count);
    const auto block = solid_block(type, solid.mesh);
    const std::vector<ElementList> lists = {{block->vertices_per_element(), block->connectivity()}};
    const auto lattice = find_lattice(solid.mesh.vertices, lists);
    ASSERT_TRUE(lattice);
    const BlockPattern pattern = BlockPattern::of_elements(block->vertex_count(), lists);
    const auto energy = solid_energy(make, block, solid, MaterialModel::corotated, threads);
    energy->attach(pattern);
    energy->linearise(x, HessianKind::exact, {});
    BlockMatrix expected(pattern);
    energy->add_hessian_blocks(1.5F, expected);
    LatticeMatrix h(lattice->shape);
    energy->add_hessian_to_lattice(1.0F, *lattice, h);
    energy->add_hessian_to_lattice(0.5F, *lattice, h);  // adds to what is there
    double size = 0.0;
    for (const float value : expected.values()) size = std::max<double>(size, std::abs(value));
    std::vector<float> found;
    for (Index row = 0; row < pattern.rows(); ++row)
      for (Count slot = pattern.offsets()[row]; slot < pattern.offsets()[row + 1]; ++slot) {
        const Index from = lattice->numbers[row], to = lattice->numbers[pattern.columns()[slot]];
        const int code = lattice->shape.code(from, to);
        for (int r = 0; code >= 0 && r < 3; ++r)
          for (int c = 0; c < 3; ++c) {
            found.push_back(h.entry(code, 3 * r + c)[from]);
            ASSERT_NEAR(found.back(), expected.block(slot)[3 * c + r], 2e-6 * size) << row << " " << code;
          }
      }
    if (first.empty()) first = found;
    EXPECT_EQ(found, first) << count << " threads";
  }
}

}  // namespace
}  // namespace electret::test
