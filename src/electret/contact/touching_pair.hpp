#pragma once
/// \file
/// A pair of parts that repel each other.

#include <cstddef>
#include <span>

#include <electret/contact/pair_distance.hpp>
#include <electret/contact/pair_law.hpp>

namespace electret {

/// A pair with all that does not change during a run.
struct PairConstants {
  SurfacePair pair;
  double stiffness = 0.0;         ///< κ, N/m.
  double reach = 0.0;             ///< The distance D below which the parts repel each other, m.
  double threshold = 0.0;         ///< c₀ of two edges, m⁴; 0 for other pairs.
  double friction = 0.0;          ///< μ.
  bool has_friction = false;      ///< μ > 0, or derivatives by a μ of 0 are wanted.
  std::size_t friction_kind = 0;  ///< Which of the scene's frictions that is.
  bool are_lines = false;         ///< Two edges without triangles (line_ends.hpp).
};

/// The places of the pair's vertices.
inline PairPlaces places_of(const SurfacePair& pair, VectorView x) {
  const auto at = [&](std::size_t i) { return x[static_cast<std::size_t>(pair.vertices[i])]; };
  return {at(0), at(1), at(2), at(3)};
}

/// A pair nearer than its reach, with the energy share κ m b(d). Several triangles near to one vertex have
/// terms of which not all are pairs' own (vertex_terms.hpp): the share is not 1 then, may be 0 or negative,
/// and share κ is a sum of the stiffnesses of several pairs. Two edges have several terms at joints
/// (edge_joints.hpp).
struct TouchingPair {
  PairConstants constants;
  PairDistance at;
  EdgeMollifier mollifier;
  PairRepulsion repulsion;
  double share = 1.0;
  bool rubs = true;            ///< Its push counts for friction.
  double left = 1.0;           ///< What the vertex' negative terms leave of a positive push.
  std::size_t first_part = 0;  ///< Of the sum's parts in a list of them.
  std::size_t parts = 0;       ///< None: κ alone.

  /// The sum, N/m.
  [[nodiscard]] double stiffness() const { return share * constants.stiffness; }
  /// κ m p, N.
  [[nodiscard]] double normal_push() const { return stiffness() * (mollifier.value * repulsion.pressure); }
};

/// One of the stiffnesses of which a term's is the sum: factor times the κ of `pair`.
struct StiffnessPart {
  SurfacePair pair;
  double factor = 1.0;
};

/// Those of a term, or of a pair that rubs.
template <class Pair>
std::span<const StiffnessPart> parts_of(const Pair& pair, std::span<const StiffnessPart> all) {
  return all.subspan(pair.parts > 0 ? pair.first_part : 0, pair.parts);
}

}  // namespace electret
