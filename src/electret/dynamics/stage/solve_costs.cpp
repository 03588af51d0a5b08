#include <electret/dynamics/stage/solve_costs.hpp>

namespace electret {
namespace {

constexpr double vertex_cycle = 130.0, vertex_refresh = 250.0;  // Of a lattice's multigrid.

}  // namespace

SolveCosts solve_costs(const System& system, bool on_lattice) {
  constexpr SolveCosts block;
  const double vertices = system.vertex_count();
  double blocks = vertices;
  SolveCosts costs{block.jacobi_iteration * vertices, 0.0, 0.0, 0.0};
  for (const auto& energy : system.elastic) {
    const ElementCosts of_one = energy->element_costs();
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
