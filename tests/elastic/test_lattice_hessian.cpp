// Element matrices summed on a lattice against those summed in compressed rows.

#include <set>

#include <gtest/gtest.h>

#include <electret/elastic/muscle_energy.hpp>
#include <electret/elastic/spring_energy.hpp>
#include <electret/linear/lattice_matrix.hpp>

#include "elastic/solid_boxes.hpp"

namespace electret::test {
namespace {

using MakeEnergy = std::unique_ptr<ElasticEnergy> (*)(int, const Solid&, Threads&);

template <MakeVolumeEnergy make>
std::unique_ptr<ElasticEnergy> corotated(int kind, const Solid& solid, Threads& threads) {
  return solid_energy(make, solid_block(kind, solid.mesh), solid, MaterialModel::corotated, threads);
}

/// Of the elements of one side, whole lines of them; some are shorter than they aim at.
template <decltype(&make_muscle_energy) make>
std::unique_ptr<ElasticEnergy> muscle(int kind, const Solid& solid, Threads& threads) {
  std::vector<Index> corners;
  double side = 0.0;
  for (const Vec3& x : solid.mesh.vertices) side = std::max(side, x.y);
  for (std::size_t e = 0; e < solid.mesh.element_count(); ++e) {
    const auto element = solid.mesh.element(e);
    const bool is_there = std::any_of(element.begin(), element.end(), [&](Index v) {
      return solid.mesh.vertices[static_cast<std::size_t>(v)].y > side - 0.5;
    });
    if (is_there) corners.insert(corners.end(), element.begin(), element.end());
  }
  const auto vertices = static_cast<Index>(solid.mesh.vertices.size());
  const auto block = std::make_shared<ElementBlock>(kind, vertices, std::move(corners));
  const auto shape = std::make_shared<const RestShape>(*block, solid.mesh.vertices);
  const auto count = static_cast<std::size_t>(block->size());
  EXPECT_LT(count, solid.mesh.element_count());
  return make(block, shape, std::vector<Vec3>(count, {1.0, 0.4, -0.3}), random_numbers(count, 64, 5.0, 20.0),
              {0, random_numbers(count, 65, 0.6, 1.6)}, threads);
}

/// Between the vertices of every element, some shorter than at rest.
template <std::unique_ptr<ElasticEnergy> (*make)(Index, const std::vector<Edge>&, std::vector<double>,
                                                 std::vector<double>, Threads&)>
std::unique_ptr<ElasticEnergy> springs(int, const Solid& solid, Threads& threads) {
  std::set<Edge> edges;
  for (std::size_t e = 0; e < solid.mesh.element_count(); ++e)
    for (const Index a : solid.mesh.element(e))
      for (const Index b : solid.mesh.element(e))
        if (a < b) edges.insert({a, b});
  const std::vector<Edge> all(edges.begin(), edges.end());
  return make(static_cast<Index>(solid.mesh.vertices.size()), all, random_numbers(all.size(), 66, 5.0, 20.0),
              random_numbers(all.size(), 67, 0.5, 2.0), threads);
}

struct Case {
  int kind;
  std::array<Count, 3> cells;  ///< Lines of eight cells, or none.
  MakeEnergy make;
};

constexpr MakeEnergy fast = &corotated<&make_volume_energy>, fast_muscle = &muscle<&make_muscle_energy>;
constexpr MakeEnergy reference = &corotated<&make_reference_volume_energy>;
constexpr MakeEnergy reference_muscle = &muscle<&make_reference_muscle_energy>;

constexpr MakeEnergy fast_springs = &springs<&make_spring_energy>;

class LatticeHessian : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(
    All, LatticeHessian,
    testing::Values(Case{hexahedron, {3, 2, 16}, fast}, Case{hexahedron, {3, 4, 5}, fast},
                    Case{tetrahedron, {16, 3, 2}, fast}, Case{tetrahedron, {3, 4, 5}, fast},
                    Case{hexahedron, {16, 16, 16}, fast}, Case{tetrahedron, {2, 3, 4}, reference}));
INSTANTIATE_TEST_SUITE_P(Muscles, LatticeHessian,
                         testing::Values(Case{hexahedron, {3, 2, 16}, fast_muscle},
                                         Case{hexahedron, {3, 4, 5}, fast_muscle},
                                         Case{tetrahedron, {16, 3, 2}, fast_muscle},
                                         Case{tetrahedron, {3, 4, 5}, fast_muscle},
                                         Case{tetrahedron, {2, 3, 4}, reference_muscle}));
INSTANTIATE_TEST_SUITE_P(Springs, LatticeHessian,
                         testing::Values(Case{hexahedron, {3, 4, 5}, fast_springs},
                                         Case{hexahedron, {16, 16, 16}, fast_springs},
                                         Case{tetrahedron, {16, 3, 2}, fast_springs}));

TEST_P(LatticeHessian, IsThatOfTheBlocks) {
  const auto& [kind, cells, make] = GetParam();
  Solid solid{box({.cells = cells,
                   .cell_size = 1.0,
                   .element = kind == hexahedron ? BoxElement::hexahedron : BoxElement::tetrahedron}),
              {},
              {}};
  solid.youngs_modulus = random_numbers(solid.mesh.element_count(), 62, 5.0, 20.0);
  solid.poissons_ratio = random_numbers(solid.mesh.element_count(), 63, 0.1, 0.45);
  const VectorArray x = deformed(solid.mesh.vertices);
  std::vector<float> first;
  for (const int count : {1, 2, 7}) {
    Threads threads(count);
    const auto block = solid_block(kind, solid.mesh);
    const std::vector<ElementList> lists = {{block->vertices_per_element(), block->connectivity()}};
    const auto lattice = find_lattice(solid.mesh.vertices, lists);
    ASSERT_TRUE(lattice);
    const BlockPattern pattern = BlockPattern::of_elements(block->vertex_count(), lists);
    const auto energy = make(kind, solid, threads);
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
