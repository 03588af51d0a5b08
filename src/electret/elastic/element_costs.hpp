#pragma once
/// \file
/// What one element costs a solver.

namespace electret {

/// Nanoseconds with one thread, x86-64 at 3 GHz, AVX2. Only their ratios count (bench/elastic_solves.md,
/// bench/finite_elements.md).
struct ElementCosts {
  double product = 0.0;  ///< A product of its Hessian in float32.
  double matrix = 0.0;   ///< Its Hessian, if that is not a matter of a few numbers.
  double blocks = 0.0;  ///< The blocks of the matrix, not on its diagonal, that are not its neighbours', too.
};

/// Of tetrahedra and hexahedra, with 4 and 8 vertices.
constexpr ElementCosts solid_costs(int vertices) {
  return vertices == 4 ? ElementCosts{29.0, 50.0, 3.0} : ElementCosts{67.0, 350.0, 28.0};
}

}  // namespace electret
