#pragma once
/// \file
/// Candidates for a cell's interaction list, stored side by side for the acceptance criterion.

#include <algorithm>
#include <vector>

#include <electret/field/fmm/tree/tree.hpp>

namespace electret::fmm {

/// A list of cells with copies of their balls, in whole blocks. Grows, never shrinks.
class Candidates {
 public:
  struct Block {
    BallBlock balls;
    Index cell[ball_lanes] = {};
  };

  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] const Block& block(int b) const { return blocks_[static_cast<std::size_t>(b)]; }
  void clear() { count_ = 0; }
  /// Copies the other list's cells, but not its spare room.
  void assign(const Candidates& other) {
    const auto used = static_cast<std::size_t>((other.count_ + ball_lanes - 1) / ball_lanes);
    if (blocks_.size() < used) blocks_.resize(used);
    std::copy_n(other.blocks_.begin(), used, blocks_.begin());
    count_ = other.count_;
  }
  void add(Index number, const Cell& cell) {
    const auto b = static_cast<std::size_t>(count_ / ball_lanes);
    const int l = count_++ % ball_lanes;
    if (b == blocks_.size()) blocks_.emplace_back();
    Block& block = blocks_[b];
    put_ball(cell, l, block.balls);
    block.cell[l] = number;
  }

 private:
  std::vector<Block> blocks_;
  int count_ = 0;
};

}  // namespace electret::fmm
