#pragma once
/// \file
/// What an edge feels of others that meet at a joint: the joint once.

#include <span>
#include <vector>

#include <electret/contact/touching_pair.hpp>

namespace electret {

/// The energy of two chains of edges is, by inclusion and exclusion,
///
///   Σ_ef b(d(e,f)) - Σ_pf (n_p - 1) b(d(p,f)) - Σ_eq (n_q - 1) b(d(e,q)) + Σ_pq (n_p - 1)(n_q - 1) b(d(p,q))
///
/// over the edges e, f, and the joints p, q of n_p, n_q edges that are near to the other edge. What crosses
/// at a joint is pushed as by one edge then. Each pair has its part of it, 1/n_p of what is taken off at p,
/// with its own κ and m. The edge that is nearest has a positive push left.
///
/// Nearer than the reach are all edges of a joint that is. So the near ones tell all.
class EdgeJoints {
 public:
  /// Forgets all pairs.
  void clear() { keys_.clear(); }
  /// A pair of edges that are near. Call `sort` after the last.
  void add(const SurfacePair& pair);
  void sort();

  /// Appends to `out` the terms of the pair of edges `pair` at `places`, to `parts` their shares of κ. The
  /// first has the closest feature, and it alone has friction.
  void append(const TouchingPair& pair, const PairPlaces& places, std::vector<TouchingPair>& out,
              std::vector<StiffnessPart>& parts) const;

 private:
  /// A vertex and an edge to which one of its edges is near.
  using Key = std::array<Index, 3>;
  static Key key_of(const SurfacePair& pair, std::size_t end);

  std::vector<Key> keys_;  ///< Ascending.
};

}  // namespace electret
