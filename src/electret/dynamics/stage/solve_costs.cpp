#include <electret/dynamics/stage/solve_costs.hpp>

namespace electret {
namespace {

/// Of one element: its product, its matrix, and the blocks of H that are not its neighbours', too.
struct ElementCosts {
  double product, matrix, blocks;
};

ElementCosts element_costs(ElementType type) {
  constexpr SolveCosts block;
  switch (type) {
    case ElementType::hexahedron:
      return {67.0, 350.0, 28.0};
    case ElementType::tetrahedron:
      return {29.0, 50.0, 3.0};
    default:
      return {2.0 * block.jacobi_iteration, 0.0, 2.0};
  }
}

constexpr double vertex_cycle = 130.0, vertex_refresh = 250.0;  // Of a lattice's multigrid.

}  // namespace

SolveCosts solve_costs(const System& system, bool on_lattice) {
  constexpr SolveCosts block;
  const double vertices = system.vertex_count();
  double blocks = vertices;
  SolveCosts costs{block.jacobi_iteration * vertices, 0.0, 0.0, 0.0};
  for (const auto& energy : system.elastic) {
    const ElementCosts of_one = element_costs(energy->elements().type());
    const auto elements = static_cast<double>(energy->elements().size());
    costs.jacobi_iteration += of_one.product * elements;
    costs.multigrid_refresh += of_one.matrix * elements;
    blocks += of_one.blocks * elements;
  }
  costs.multigrid_iteration = on_lattice ? vertex_cycle * vertices : block.multigrid_iteration * blocks;
  costs.multigrid_refresh += on_lattice ? vertex_refresh * vertices : block.multigrid_refresh * blocks;
  costs.fine_refresh = block.fine_refresh / block.multigrid_refresh * costs.multigrid_refresh;
  return costs;
}

}  // namespace electret
