#pragma once
/// \file
/// The block-Jacobi preconditioner: the inverse of each vertex' own 3×3 block. What small and soft bodies
/// need, and the smoother of multigrid.

#include <vector>

#include <electret/linear/preconditioner.hpp>

namespace electret {

class BlockJacobi final : public Preconditioner {
 public:
  /// `threads` must outlive it.
  explicit BlockJacobi(Threads& threads) : threads_(threads) {}
  [[nodiscard]] std::string_view name() const override { return "block_jacobi"; }
  [[nodiscard]] bool refresh(const BlockMatrix& matrix, std::span<const char> held) override;
  void apply(PaddedView32 r, PaddedSpan32 z) override;

  /// The inverse blocks, 9 floats each, column-major; 0 for a held vertex. Four more floats may be read.
  [[nodiscard]] std::span<const float> inverses() const {
    return std::span(inverses_).first(inverses_.size() - padding);
  }

 private:
  static constexpr std::size_t padding = 4;
  Threads& threads_;
  std::vector<float> inverses_ = std::vector<float>(padding);
};

}  // namespace electret
