#pragma once
/// \file
/// Solid bodies the tests of dynamics run.

#include <string>

#include <electret/dynamics/simulator.hpp>

namespace electret::test {

struct SolidOptions {
  std::string element = "hex";  ///< Or "tet".
  std::string model = "stable_neo_hookean";
  double cells = 2.0;                                 ///< Along each axis, of 0.1 m.
  double youngs_modulus = 1e4, poissons_ratio = 0.3;  ///< Pa, 1.
  std::string method = "imex";
  double step = 0.01;  ///< s.
  double tolerance = 1e-11;
};

/// A cube of 1000 kg/m³ at rest.
Assembly solid(const SolidOptions& options);

/// `solid` with a held corner, moving, and three muscles: one whose elements have activations of their own,
/// one that is key-framed, and one around an axis that is activated by a formula.
Assembly muscular(const SolidOptions& options);

/// Moves every vertex's start by up to `size` (m) along each axis.
void jitter(Assembly& assembly, double size, unsigned seed = 81);

/// The least det F of all quadrature points at `x`.
double least_determinant(const Assembly& assembly, const VectorArray& x);

}  // namespace electret::test
