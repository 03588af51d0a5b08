#pragma once
/// \file
/// The parts of a system that can move as a whole: vertices that elements join and that no pin holds.

#include <vector>

#include <electret/dynamics/system.hpp>

namespace electret {

/// Elastic energies do not change when a part is moved as a whole. Therefore Σ ∇g = Σ m (x - y) over a part,
/// for any x.
class FreeParts {
 public:
  explicit FreeParts(const System& system);

  /// Shifts each part's rows of `direction` so that Σ m (x + direction - y) = 0 over the part. A full step
  /// along `direction` then conserves the part's momentum, however inexactly `direction` was solved for.
  /// Allocates nothing.
  void conserve_momentum(VectorView x, VectorView y, VectorSpan direction);

 private:
  std::vector<Index> part_;   ///< n; the vertex's part, -1 if a pin holds it.
  std::vector<double> mass_;  ///< Per part, kg.
  VectorArray shift_;         ///< Per part.
  ScalarView masses_;
};

}  // namespace electret
