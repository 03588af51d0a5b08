#pragma once
/// \file
/// Sums whose additions form a binary tree.

#include <array>
#include <cstddef>

#include <electret/core/types.hpp>

namespace electret {

/// Adds numbers, given one after the other, as the leaves of a binary tree: neighbours in pairs, then pairs
/// of pairs, and so on. Incomplete branches at the end are added from right to left. The shape of the tree
/// depends only on the count. The rounding error grows with the height of the tree, log₂ n, rather than with
/// n. Memory: one number per level.
class TreeSum {
 public:
  void add(double value) noexcept {
    std::size_t level = 0;
    for (Count full = count_; (full & 1) != 0; full >>= 1) value = subtotal_[level++] + value;
    subtotal_[level] = value;
    ++count_;
  }

  /// The sum of all numbers so far; 0 if there are none.
  [[nodiscard]] double total() const noexcept {
    double total = 0.0;
    bool is_first = true;
    std::size_t level = 0;
    for (Count full = count_; full != 0; full >>= 1, ++level) {
      if ((full & 1) == 0) continue;
      total = is_first ? subtotal_[level] : subtotal_[level] + total;
      is_first = false;
    }
    return total;
  }

 private:
  std::array<double, 63> subtotal_;  ///< Of 2^level numbers, if that bit of the count is set.
  Count count_ = 0;
};

}  // namespace electret
