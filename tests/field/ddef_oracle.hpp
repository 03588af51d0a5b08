#pragma once
/// \file
/// The slow ddef: the algorithm's loops as they stand, sets by their definitions, every point tried in every
/// tetrahedron. Float64, coordinates as given.

#include <support/point_clouds.hpp>

#include <electret/field/ddef/tessellation.hpp>
#include <electret/field/options.hpp>

namespace electret::test {

/// Field and potential of charges at targets, and how many exact pairs that took.
struct OracleField {
  VectorArray field;
  std::vector<double> potential;
  Count near_pairs = 0;
};

/// `targets` empty: the charges' own positions. The tessellation is that of the box's aspect.
OracleField ddef_oracle(VectorView positions, ScalarView charges, VectorView targets, Count grid_points,
                        const FieldOptions& options = {});

/// Tetrahedra by definition: N(t), and whether s ∈ S(t).
class OracleSets {
 public:
  explicit OracleSets(const std::vector<ddef::TetrahedronVertices>& tetrahedra);
  [[nodiscard]] bool in_near_vertices(std::size_t t, Index v) const;  ///< v ∈ N(t)
  [[nodiscard]] bool is_near(std::size_t s, std::size_t t) const;     ///< s ∈ S(t)
  [[nodiscard]] bool has_vertex(std::size_t t, Index v) const;        ///< v ∈ V(t)

 private:
  const std::vector<ddef::TetrahedronVertices>& tetrahedra_;
  std::vector<std::vector<std::size_t>> neighbours_;
};

}  // namespace electret::test
