#pragma once
/// \file
/// Cutting cells of points that are in Morton order.

#include <cstdint>
#include <span>
#include <vector>

#include <electret/field/fmm/tree/cell.hpp>

namespace electret::fmm {

/// Cells before their balls are known; children stand behind their parents.
struct CellList {
  std::vector<Cell> cells;
  std::vector<int> bits;  ///< Of each cell: key bits not used yet.
  Index families = 0;

  void clear() {
    cells.clear();
    bits.clear();
    families = 0;
  }
  void add(const Cell& cell, int unused_bits) {
    cells.push_back(cell);
    bits.push_back(unused_bits);
  }
};

/// Cells are cut by up to three bits of the key at once, so that leaves hold between half of and all that
/// they may. Where a key's bits are used up in a crowd the crowd gets keys of its own, cut to its own box:
/// clusters of any ratio of sizes are resolved, and only points at one place share a leaf of any size.
class CellCutter {
 public:
  /// Points sorted by keys, their numbers in the caller's order; a crowd's are sorted anew.
  CellCutter(std::span<Vec3> points, std::span<Index> order, std::span<std::uint32_t> keys, Index leaf_size)
      : points_(points), order_(order), keys_(keys), leaf_size_(leaf_size) {}

  /// Cuts cell c of the list, unless it is small enough to be a leaf or its points are at one place: appends
  /// its children. Cells of other points may be cut at the same time.
  void split(Index c, CellList& list) const;

 private:
  void cut(Cell child, int bits, int depth, CellList& list) const;
  [[nodiscard]] bool give_own_keys(Index begin, Index end) const;

  std::span<Vec3> points_;
  std::span<Index> order_;
  std::span<std::uint32_t> keys_;
  Index leaf_size_;
};

}  // namespace electret::fmm
