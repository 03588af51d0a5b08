#pragma once
/// \file
/// The order in which blocks of charges meet: a round-robin tournament.

#include <utility>

#include <electret/core/types.hpp>
#include <electret/field/direct/kernels.hpp>

namespace electret::direct {

/// Divides n charges into blocks of equal size, a multiple of 16 up to `pair_block_size`; the last block
/// takes the rest. In each round every block meets at most one other block, so that the matches of a round
/// write to different places. Every two blocks meet in exactly one round. The order of the rounds, and one
/// writer per block, fix the order of all sums, whatever the number of threads.
class Tournament {
 public:
  explicit Tournament(Count n) : n_(n) {
    constexpr Count multiple = 16;
    const Count most = (n + pair_block_size - 1) / pair_block_size;
    if (most == 0) return;
    size_ = ((n + most - 1) / most + multiple - 1) / multiple * multiple;
    blocks_ = (n + size_ - 1) / size_;
  }

  [[nodiscard]] Count blocks() const { return blocks_; }
  [[nodiscard]] Count first(Count block) const { return block * size_; }
  [[nodiscard]] Count count(Count block) const { return block + 1 < blocks_ ? size_ : n_ - first(block); }

  [[nodiscard]] Count rounds() const { return blocks_ < 2 ? 0 : players() - 1; }
  [[nodiscard]] Count matches() const { return players() / 2; }  ///< Per round.

  /// The two blocks of a match, the smaller number first. The numbers are equal if the block meets nobody.
  [[nodiscard]] std::pair<Count, Count> match(Count round, Count m) const {
    // The circle method: player `players - 1` stays in place, the others rotate.
    const Count circle = players() - 1;
    const Count a = m == 0 ? circle : (round + m) % circle;
    const Count b = (round + circle - m) % circle;
    if (a == blocks_) return {b, b};
    return {a < b ? a : b, a < b ? b : a};
  }

 private:
  /// The number of blocks, rounded up to an even number: if the number is odd, one more player stands for
  /// "meets nobody".
  [[nodiscard]] Count players() const { return blocks_ + blocks_ % 2; }

  Count n_, size_ = 0, blocks_ = 0;
};

}  // namespace electret::direct
