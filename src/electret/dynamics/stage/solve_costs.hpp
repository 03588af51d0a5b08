#pragma once
/// \file
/// What the parts of an elastic solve cost, so that counts of them can be compared.

#include <electret/dynamics/system.hpp>

namespace electret {

/// Nanoseconds with one thread, x86-64 at 3 GHz, AVX2. Only their ratios count. The defaults are those of a
/// block of a springs' matrix (bench/elastic_solves.md).
struct SolveCosts {
  double jacobi_iteration = 1.4, multigrid_iteration = 9.0;
  double multigrid_refresh = 38.0;  ///< More than the refresh of block-Jacobi.
  double fine_refresh = 11.0;       ///< Of the fine level alone.
};

/// The costs of a system's solves, from the numbers of its vertices and elements
/// (bench/finite_elements.md). `on_lattice`: multigrid is that of the lattice of its vertices.
SolveCosts solve_costs(const System& system, bool on_lattice);

}  // namespace electret
