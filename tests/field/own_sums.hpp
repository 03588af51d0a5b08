#pragma once
/// \file
/// A solver's field and potential of a cloud's charges at themselves.

#include <vector>

#include <support/point_clouds.hpp>

#include <electret/field/solver.hpp>

namespace electret::test {

struct OwnSums {
  VectorArray field;
  std::vector<double> potential;
};

inline OwnSums own_sums(FieldSolver& solver, const Cloud& cloud) {
  OwnSums sums{VectorArray(cloud.positions.size()), std::vector<double>(cloud.positions.size())};
  solver.prepare(cloud.positions);
  solver.field(cloud.charges, sums.field, sums.potential);
  return sums;
}

}  // namespace electret::test
