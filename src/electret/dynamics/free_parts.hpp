#pragma once
/// \file
/// The parts of a system that may move as a whole: what elements join and no pin holds.

#include <vector>

#include <electret/dynamics/system.hpp>

namespace electret {

/// Elastic energies do not change when a part is moved as a whole, so Σ ∇g = Σ m (x - y) over it, whatever x
/// is.
class FreeParts {
 public:
  explicit FreeParts(const System& system);

  /// Shifts each part's rows of `direction` so that Σ m (x + direction - y) = 0 over it: a step along
  /// `direction` then conserves the part's momentum, however loosely it was solved for. Allocates nothing.
  void conserve_momentum(VectorView x, VectorView y, VectorSpan direction);

 private:
  std::vector<Index> part_;   ///< n: the part's number, -1 where a pin holds it.
  std::vector<double> mass_;  ///< Per part, kg.
  VectorArray shift_;         ///< Per part.
  ScalarView masses_;
};

}  // namespace electret
