#pragma once
/// \file
/// Which blocks of charges meet when: a round-robin tournament.

#include <utility>

#include <electret/core/types.hpp>
#include <electret/field/direct/kernels.hpp>

namespace electret::direct {

/// n charges in blocks of equal size, a multiple of 16 up to `pair_block_size`, the last what remains. In
/// each round every block meets at most one other, so that a round's matches write apart; every two blocks
/// meet in one round. Rounds in their order and one writer a block fix the order of all sums, whatever the
/// number of threads.
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
  [[nodiscard]] Count matches() const { return players() / 2; }  ///< A round.

  /// The blocks of a match, the smaller number first; equal numbers where one would meet nobody.
  [[nodiscard]] std::pair<Count, Count> match(Count round, Count m) const {
    // The circle method: player `players - 1` stays, the others turn past one another.
    const Count circle = players() - 1;
    const Count a = m == 0 ? circle : (round + m) % circle;
    const Count b = (round + circle - m) % circle;
    if (a == blocks_) return {b, b};
    return {a < b ? a : b, a < b ? b : a};
  }

 private:
  /// Even: one who meets nobody joins an odd number.
  [[nodiscard]] Count players() const { return blocks_ + blocks_ % 2; }

  Count n_, size_ = 0, blocks_ = 0;
};

}  // namespace electret::direct
