#include <cmath>

#include <electret/core/errors.hpp>
#include <electret/linear/detail/block_rows.hpp>
#include <electret/linear/detail/chebyshev.hpp>
#include <electret/linear/detail/padded_sums.hpp>
#include <electret/linear/detail/scattered.hpp>

namespace electret::detail {

Chebyshev::Chebyshev(Threads& threads, Index rows, int degree, double bound)
    : threads_(threads), degree_(degree), bound_(bound), diagonal_(threads) {
  require(degree == 1 || degree == 2, "Chebyshev smoothing is of degree 1 or 2");
  for (auto* work : {&power_, &residual_, &direction_}) work->resize(static_cast<std::size_t>(rows));
}

bool Chebyshev::refresh(const BlockMatrix& matrix, std::span<const char> held) {
  matrix_ = &matrix;
  if (!diagonal_.refresh(matrix, held)) return false;
  return polynomial_.fit(bound_ > 0.0 ? bound_ : estimate(), degree_);
}

double Chebyshev::estimate() {
  for (std::size_t i = 0; i < power_.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k) power_[i].lane[k] = scattered(3 * i + k);
  return detail::largest_eigenvalue([&](double gain) { scale(gain, power_, direction_); },
                                    [&] { return dot(threads_, direction_, power_); },
                                    [&] { matrix_->multiply(threads_, direction_, power_); });
}

void Chebyshev::scale(double gain, PaddedView32 b, PaddedSpan32 d) {
  const auto kernel = block_kernels().scale;
  threads_.for_chunks(static_cast<Count>(b.size()), block_chunk, [&](Count begin, Count end) {
    kernel(diagonal_.inverses().data(), static_cast<float>(gain), begin, end, lanes_of(b), lanes_of(d));
  });
}

void Chebyshev::smooth(PaddedView32 b, PaddedView32 d, PaddedSpan32 x) {
  const auto kernel = block_kernels().smooth;
  threads_.for_chunks(static_cast<Count>(b.size()), block_chunk, [&](Count begin, Count end) {
    kernel(rows_of(*matrix_), diagonal_.inverses().data(), polynomial_.keep, polynomial_.second, begin, end,
           lanes_of(b), lanes_of(d), lanes_of(x));
  });
}

void Chebyshev::from_zero(PaddedView32 b, PaddedSpan32 x) {
  if (degree_ == 1) return scale(polynomial_.first, b, x);
  scale(polynomial_.first, b, direction_);
  std::fill(x.begin(), x.end(), Padded32{});
  smooth(b, direction_, x);
}

void Chebyshev::improve(PaddedView32 b, PaddedSpan32 x) {
  const auto kernel = block_kernels().correction;
  threads_.for_chunks(static_cast<Count>(b.size()), block_chunk, [&](Count begin, Count end) {
    kernel(rows_of(*matrix_), diagonal_.inverses().data(), polynomial_.first, begin, end, lanes_of(b),
           lanes_of(PaddedView32(x)), lanes_of(PaddedSpan32(residual_)), lanes_of(PaddedSpan32(direction_)));
  });
  if (degree_ == 1)
    add_scaled(threads_, 1.0, direction_, x);
  else
    smooth(residual_, direction_, x);
}

}  // namespace electret::detail
