#pragma once
/// \file
/// Charge distributions on which field solvers are compared.

#include <string>
#include <vector>

#include <electret/core/types.hpp>

namespace electret::test {

/// Charges (n, C) at positions (n×3, m).
struct Cloud {
  std::string name;
  VectorArray positions;
  std::vector<double> charges;
};

/// The kinds of cloud: cube, torus, blob, clusters (Gaussian blobs with σ from 1e-3 to 1e-1), line, plane,
/// and two clusters 1e6 of their sizes apart.
const std::vector<std::string>& cloud_kinds();

/// Kinds whose near fields cancel, so that the error of far ones weighs more: lattice (in a cube, spacing 1)
/// and sheet (in a square).
const std::vector<std::string>& regular_kinds();

/// n points of that kind; charges in [1/2, 1] µC, with random signs where `mixed`. The same for the same
/// arguments on every machine.
Cloud make_cloud(const std::string& kind, int n, bool mixed, unsigned seed = 1);

/// n vectors with components in [-1, 1].
VectorArray random_vectors(int n, unsigned seed);

/// sqrt(Σ|a - b|² / Σ|b|²); 0 where both are all 0, infinite where only b is.
double relative_error(VectorView a, VectorView b);
double relative_error(ScalarView a, ScalarView b);

}  // namespace electret::test
