#pragma once
/// \file
/// The smallest distance between two charges.

#include <utility>
#include <vector>

#include <electret/core/types.hpp>

namespace electret {

/// Finds the closest pair in O(n) expected time, on a grid whose cells are made from an upper bound on the
/// distance. The pair of the last call gives a good first bound if points move little; the result does not
/// depend on it.
class ClosestPair {
 public:
  /// The smallest distance between two of `points` (m); +∞ if there are fewer than two, or if a coordinate is
  /// not finite.
  double distance(VectorView points);

 private:
  [[nodiscard]] double first_bound(VectorView points) const;
  bool sweep(VectorView points, double& bound);
  [[nodiscard]] std::size_t slot(std::uint64_t cell) const;
  void insert(std::uint64_t cell, Index point);

  std::pair<std::size_t, std::size_t> last_{0, 1};
  struct Cell {
    std::uint64_t key = 0;
    Index first = -1;
  };
  std::vector<Cell> table_;  ///< Open addressing.
  std::vector<Index> next_;  ///< The next point of the same cell.
};

}  // namespace electret
