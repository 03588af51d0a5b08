#pragma once
/// \file
/// The block-Jacobi preconditioner: the inverse of each vertex's own 3×3 block. It serves small and soft
/// bodies, and as the smoother of multigrid.

#include <vector>

#include <electret/linear/preconditioner.hpp>

namespace electret {

class BlockJacobi final : public Preconditioner {
 public:
  /// `threads` must outlive it.
  explicit BlockJacobi(Threads& threads) : threads_(threads) {}
  [[nodiscard]] std::string_view name() const override { return "block_jacobi"; }
  [[nodiscard]] bool refresh(const BlockMatrix& matrix, std::span<const char> held) override;
  /// The same from the diagonal blocks alone, 9 floats each, column-major.
  [[nodiscard]] bool refresh(std::span<const float> blocks, std::span<const char> held);
  void apply(PaddedView32 r, PaddedSpan32 z) override;
  [[nodiscard]] std::array<float, 9> own_inverse(Index vertex) const override;
  [[nodiscard]] bool is_block_diagonal() const override { return true; }
  void apply_rows(PaddedView32 r, PaddedSpan32 z, Count begin, Count end) const override;

  /// The inverse blocks, 9 floats each, column-major; 0 for a held vertex. Four more floats may be read.
  [[nodiscard]] std::span<const float> inverses() const {
    return std::span(inverses_).first(inverses_.size() - padding);
  }

 private:
  /// `block(row)` returns the row's own block.
  template <class Block>
  [[nodiscard]] bool invert_rows(std::size_t rows, std::span<const char> held, Block&& block);

  static constexpr std::size_t padding = 4;
  Threads& threads_;
  std::vector<float> inverses_ = std::vector<float>(padding);
};

}  // namespace electret
