#pragma once
/// \file
/// Divides the cells of a tree whose points are in Morton order.

#include <cstdint>
#include <span>
#include <vector>

#include <electret/field/fmm/tree/cell.hpp>

namespace electret::fmm {

/// Cells whose balls are not known yet. Children come after their parents.
struct CellList {
  std::vector<Cell> cells;
  std::vector<int> bits;  ///< Per cell: how many bits of the key are not used yet.
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

/// Cuts cells by up to three bits of the key at once. A part that is small enough to be a leaf is cut no
/// further, so that on even clouds leaves hold between half of `leaf_size` and all of it. If a crowd of
/// points has used up the bits of its keys, it gets new keys in its own box. Clusters of any ratio of sizes
/// are therefore resolved, and a leaf exceeds `leaf_size` only if all of its points are at one place.
class CellCutter {
 public:
  /// `points` are sorted by `keys`; `order` has their numbers in the caller's order. `split` sorts the points
  /// of a crowd anew.
  CellCutter(std::span<Vec3> points, std::span<Index> order, std::span<std::uint32_t> keys, Index leaf_size)
      : points_(points), order_(order), keys_(keys), leaf_size_(leaf_size) {}

  /// Cuts cell c of the list and appends its children. A cell that is small enough to be a leaf, or whose
  /// points are all at one place, is not cut. Cells of other points may be cut at the same time.
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
