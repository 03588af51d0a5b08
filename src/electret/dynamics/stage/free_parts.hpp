#pragma once
/// \file
/// The parts of a system that can move as a whole: vertices that elements join and that no pin holds.

#include <span>
#include <vector>

#include <electret/core/disjoint_sets.hpp>
#include <electret/dynamics/system.hpp>
#include <electret/linear/vertex_constraint.hpp>

namespace electret {

/// Vertices that elements join are in one set.
DisjointSets joined_by_elements(const System& system);

/// The vertices that elements join, directly or through others.
struct JoinedPart {
  std::vector<Index> vertices;  ///< Ascending.
  std::vector<Index> pins;      ///< Those that a pin or a roller holds.
};
/// All parts, ascending by their first vertices.
std::vector<JoinedPart> joined_parts(const System& system);
/// At the places `x`.
Vec3 centre_of_mass(const JoinedPart& part, ScalarView masses, VectorView x);

/// Elastic energies do not change when a part is moved as a whole. Therefore Σ ∇g = Σ m (x - y) over a part,
/// for any x.
class FreeParts {
 public:
  explicit FreeParts(const System& system);

  /// Shifts each part's rows of `direction` so that Σ m (x + direction - y) = 0 over the part. A full step
  /// along `direction` then conserves the part's momentum, however inexactly `direction` was solved for. A
  /// part with a vertex among `touched` is left alone, because whatever constrains the vertex takes momentum
  /// from the part. Allocates nothing.
  void conserve_momentum(VectorView x, VectorView y, VectorSpan direction,
                         std::span<const VertexConstraint> touched = {});

 private:
  std::vector<Index> part_;       ///< n; the vertex's part, -1 if a pin holds it.
  std::vector<double> mass_;      ///< Per part, kg.
  VectorArray shift_;             ///< Per part.
  std::vector<char> is_touched_;  ///< Per part.
  ScalarView masses_;
};

}  // namespace electret
