#pragma once
/// \file
/// A potential that acts in a stage besides the elastic energies.

#include <electret/core/types.hpp>

namespace electret {

class StagePotential {
 public:
  virtual ~StagePotential() = default;
  /// Its value at `place`, J, to which the vertices have come by `moved` since the start of the step (both
  /// n×3, m). It may be infinite.
  virtual double evaluate(VectorView place, VectorView moved) = 0;
  /// out += factor times its gradient at the last evaluated place, with the rows at pins.
  virtual void add_gradient(double factor, VectorSpan out) const = 0;
};

}  // namespace electret
