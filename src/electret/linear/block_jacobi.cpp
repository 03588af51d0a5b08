#include <algorithm>
#include <atomic>

#include <electret/core/errors.hpp>
#include <electret/core/vertex_loops.hpp>
#include <electret/linear/block_jacobi.hpp>
#include <electret/linear/detail/block_kernels.hpp>
#include <electret/linear/detail/invert_block.hpp>

namespace electret {
namespace {

constexpr Count inverse_chunk = 512;

}  // namespace

template <class Block>
bool BlockJacobi::invert_rows(std::size_t n, std::span<const char> held, Block&& block) {
  require(held.empty() || held.size() == n, "block-Jacobi: not one mark per row");
  inverses_.resize(9 * n + padding);
  std::atomic<bool> definite{true};
  const auto invert_row = [&](std::size_t row) {
    float* inverse = inverses_.data() + 9 * row;
    if (!held.empty() && held[row])
      std::fill(inverse, inverse + 9, 0.0F);
    else if (!detail::invert_block(block(row), inverse))
      definite = false;
  };
  for_vertices(threads_, n, invert_row, inverse_chunk);
  return definite;
}

bool BlockJacobi::refresh(const BlockMatrix& matrix, std::span<const char> held) {
  const BlockPattern& pattern = matrix.pattern();
  return invert_rows(static_cast<std::size_t>(pattern.rows()), held,
                     [&](std::size_t row) { return matrix.block(pattern.diagonal()[row]); });
}

bool BlockJacobi::refresh(std::span<const float> blocks, std::span<const char> held) {
  return invert_rows(blocks.size() / 9, held, [&](std::size_t row) { return blocks.data() + 9 * row; });
}

void BlockJacobi::apply(PaddedView32 r, PaddedSpan32 z) {
  const auto n = inverses().size() / 9;
  require(r.size() == n && z.size() == n, "block-Jacobi: the arrays do not have the matrix's size");
  threads_.for_chunks(static_cast<Count>(n), inverse_chunk,
                      [&](Count begin, Count end) { apply_rows(r, z, begin, end); });
}

std::array<float, 9> BlockJacobi::own_inverse(Index vertex) const {
  std::array<float, 9> inverse{};
  std::copy_n(inverses_.begin() + 9 * std::ptrdiff_t{vertex}, 9, inverse.begin());
  return inverse;
}

void BlockJacobi::apply_rows(PaddedView32 r, PaddedSpan32 z, Count begin, Count end) const {
  detail::block_kernels().scale(inverses_.data(), 1.0F, begin, end, r.front().lane, z.front().lane);
}

}  // namespace electret
