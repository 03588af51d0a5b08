#include <algorithm>

#include <electret/core/errors.hpp>
#include <electret/linear/block_matrix.hpp>
#include <electret/linear/detail/block_rows.hpp>

namespace electret {

BlockMatrix::BlockMatrix(const BlockPattern& pattern)
    : pattern_(&pattern), values_(9 * static_cast<std::size_t>(pattern.blocks()) + padding, 0.0F) {}

void BlockMatrix::set_zero(Threads& threads) {
  threads.for_chunks(static_cast<Count>(values_.size()), 1 << 16, [&](Count begin, Count end) {
    std::fill(values_.begin() + begin, values_.begin() + end, 0.0F);
  });
}

void BlockMatrix::add_diagonal(Threads& threads, ScalarView weights) {
  require(weights.size() == static_cast<std::size_t>(pattern_->rows()),
          "block matrix: not one weight per row");
  threads.for_chunks(pattern_->rows(), detail::block_chunk, [&](Count begin, Count end) {
    for (auto row = static_cast<std::size_t>(begin); row < static_cast<std::size_t>(end); ++row) {
      float* block = this->block(pattern_->diagonal()[row]);
      for (const int entry : {0, 4, 8}) block[entry] += static_cast<float>(weights[row]);
    }
  });
}

void BlockMatrix::multiply(Threads& threads, PaddedView32 x, PaddedSpan32 y) const {
  const auto n = static_cast<std::size_t>(pattern_->rows());
  require(x.size() == n && y.size() == n, "block product: the arrays do not have the matrix's size");
  const auto product = detail::block_kernels().multiply;
  threads.for_chunks(pattern_->rows(), detail::block_chunk, [&](Count begin, Count end) {
    product(detail::rows_of(*this), begin, end, detail::lanes_of(x), detail::lanes_of(y));
  });
}

void BlockMatrix::residual(Threads& threads, PaddedView32 b, PaddedView32 x, PaddedSpan32 y) const {
  const auto n = static_cast<std::size_t>(pattern_->rows());
  require(b.size() == n && x.size() == n && y.size() == n,
          "block residual: the arrays do not have the matrix's size");
  const auto difference = detail::block_kernels().residual;
  threads.for_chunks(pattern_->rows(), detail::block_chunk, [&](Count begin, Count end) {
    difference(detail::rows_of(*this), begin, end, detail::lanes_of(b), detail::lanes_of(x),
               detail::lanes_of(y));
  });
}

void BlockMatrix::multiply(Threads& threads, VectorView x, VectorSpan y) const {
  const auto n = static_cast<std::size_t>(pattern_->rows());
  require(x.size() == n && y.size() == n, "block product: the arrays do not have the matrix's size");
  threads.for_chunks(pattern_->rows(), detail::block_chunk, [&](Count begin, Count end) {
    for (auto row = static_cast<std::size_t>(begin); row < static_cast<std::size_t>(end); ++row) {
      Vec3 sum;
      for (Count k = pattern_->offsets()[row]; k < pattern_->offsets()[row + 1]; ++k) {
        const float* a = block(k);
        const Vec3& d = x[static_cast<std::size_t>(pattern_->columns()[static_cast<std::size_t>(k)])];
        for (int column = 0; column < 3; ++column)
          sum += d[column] * Vec3{a[3 * column], a[3 * column + 1], a[3 * column + 2]};
      }
      y[row] = sum;
    }
  });
}

}  // namespace electret
