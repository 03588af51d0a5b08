#pragma once
// Boxes of tetrahedra or hexahedra with jittered vertices, and materials that differ from element to element.

#include <algorithm>

#include <electret/core/parallel.hpp>
#include <electret/elastic/volume_energy.hpp>
#include <electret/geometry/generators/box.hpp>

#include "elastic/elastic_conformance.hpp"
#include "elastic/element_kinds.hpp"

namespace electret::test {

struct Solid {
  Mesh mesh;  ///< At rest; cells of 1 m.
  std::vector<double> youngs_modulus, poissons_ratio;
};

/// Of `cells` along each axis, each vertex moved by up to a tenth of a cell.
inline Solid solid_box(int kind, std::array<Count, 3> cells) {
  const auto element = kind == hexahedron ? BoxElement::hexahedron : BoxElement::tetrahedron;
  Solid solid{box({.cells = cells, .cell_size = 1.0, .element = element}), {}, {}};
  const VectorArray jitter = random_vectors(solid.mesh.vertices.size(), 61, 0.1);
  for (std::size_t i = 0; i < jitter.size(); ++i) solid.mesh.vertices[i] += jitter[i];
  solid.youngs_modulus = random_numbers(solid.mesh.element_count(), 62, 5.0, 20.0);
  solid.poissons_ratio = random_numbers(solid.mesh.element_count(), 63, 0.1, 0.45);
  return solid;
}

inline std::shared_ptr<ElementBlock> solid_block(int kind, const Mesh& mesh) {
  std::vector<Index> corners;
  for (std::size_t e = 0; e < mesh.element_count(); ++e)
    corners.insert(corners.end(), mesh.element(e).begin(), mesh.element(e).end());
  return std::make_shared<ElementBlock>(kind, static_cast<Index>(mesh.vertices.size()), std::move(corners));
}

using MakeVolumeEnergy = decltype(&make_volume_energy);

inline std::unique_ptr<ElasticEnergy> solid_energy(MakeVolumeEnergy make, std::shared_ptr<ElementBlock> block,
                                                   const Solid& solid, MaterialModel model,
                                                   Threads& threads) {
  auto shape = std::make_shared<const RestShape>(*block, solid.mesh.vertices);
  return make(std::move(block), std::move(shape), model, solid.youngs_modulus, solid.poissons_ratio, threads);
}

/// The body turned, squeezed along one axis, pulled along another and jittered by `jitter` cells.
inline VectorArray deformed(const VectorArray& rest, double jitter = 0.12) {
  VectorArray x = rotated(rest);
  const VectorArray random = random_vectors(x.size(), 64, jitter);
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = Vec3{0.75 * x[i].x + 0.1 * x[i].y, 1.2 * x[i].y, 0.9 * x[i].z - 0.2 * x[i].x} + random[i];
  return x;
}

}  // namespace electret::test
