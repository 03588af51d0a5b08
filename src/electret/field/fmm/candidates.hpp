#pragma once
/// \file
/// Cells that may act on another one, side by side for the test of acceptance.

#include <algorithm>
#include <vector>

#include <electret/field/fmm/tree.hpp>

namespace electret::fmm {

/// A list of cells with copies of their balls, in whole blocks. Grows, never shrinks.
class Candidates {
 public:
  struct Block {
    alignas(64) double x[ball_lanes] = {}, y[ball_lanes] = {}, z[ball_lanes] = {};
    alignas(64) double radius[ball_lanes] = {}, leaf_points[ball_lanes] = {};
    Index cell[ball_lanes] = {};

    [[nodiscard]] BallRows rows() const { return {x, y, z, radius, leaf_points}; }
  };

  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] const Block& block(int b) const { return blocks_[static_cast<std::size_t>(b)]; }
  void clear() { count_ = 0; }
  /// A copy of another list, without what that list has room for beyond its cells.
  void assign(const Candidates& other) {
    const auto used = static_cast<std::size_t>((other.count_ + ball_lanes - 1) / ball_lanes);
    if (blocks_.size() < used) blocks_.resize(used);
    std::copy_n(other.blocks_.begin(), used, blocks_.begin());
    count_ = other.count_;
  }
  void add(Index cell, const BallRows& ball) {
    const auto b = static_cast<std::size_t>(count_ / ball_lanes);
    const int l = count_++ % ball_lanes;
    if (b == blocks_.size()) blocks_.emplace_back();
    Block& block = blocks_[b];
    block.x[l] = *ball.x, block.y[l] = *ball.y, block.z[l] = *ball.z;
    block.radius[l] = *ball.radius;
    block.leaf_points[l] = *ball.leaf_points;
    block.cell[l] = cell;
  }

 private:
  std::vector<Block> blocks_;
  int count_ = 0;
};

}  // namespace electret::fmm
