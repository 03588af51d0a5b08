#pragma once
/// \file
/// Disjoint sets: which of n elements are connected, directly or through others.

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include <electret/core/types.hpp>

namespace electret {

/// A partition of the numbers 0 … n-1. Each number is alone at first. The representative of a set is its
/// smallest number. Lookups halve the paths (Tarjan and van Leeuwen 1984).
class DisjointSets {
 public:
  explicit DisjointSets(Index n) : parents_(static_cast<std::size_t>(n)) {
    std::iota(parents_.begin(), parents_.end(), Index{0});
  }

  /// The smallest number in the set that holds `i`.
  Index of(Index i) {
    while (parent(i) != i) i = parent(i) = parent(parent(i));
    return i;
  }

  /// Unites the sets of `a` and `b`.
  void join(Index a, Index b) {
    const Index first = of(a), second = of(b);
    parent(std::max(first, second)) = std::min(first, second);
  }

 private:
  Index& parent(Index i) { return parents_[static_cast<std::size_t>(i)]; }

  std::vector<Index> parents_;
};

}  // namespace electret
