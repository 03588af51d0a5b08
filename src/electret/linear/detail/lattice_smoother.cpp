#include <atomic>
#include <cmath>

#include <electret/linear/detail/invert_block.hpp>
#include <electret/linear/detail/lattice_rows.hpp>
#include <electret/linear/detail/lattice_smoother.hpp>
#include <electret/linear/detail/scattered.hpp>

namespace electret::detail {
namespace {

/// Power iteration sees λ from below; a λ too small makes the cycle indefinite.
constexpr Count overrun = 32;  ///< Numbers that kernels may read beyond the last.

}  // namespace

LatticeSmoother::LatticeSmoother(Threads& threads, const LatticeMatrix& matrix, std::vector<char> present)
    : threads_(threads),
      matrix_(matrix),
      present_(std::move(present)),
      stride_(matrix.shape().size() + overrun),
      inverses_(static_cast<std::size_t>(6 * stride_)),
      residual_(matrix.shape()),
      direction_(matrix.shape()) {}

bool LatticeSmoother::invert_diagonal() {
  std::atomic<bool> definite{true};
  threads_.for_chunks(matrix_.shape().size(), lattice_chunk, [&](Count begin, Count end) {
    for (Count i = begin; i < end; ++i) {
      if (present_[static_cast<std::size_t>(i)] == 0) continue;
      float block[9], inverse[9] = {};
      for (int k = 0; k < 9; ++k) block[k] = matrix_.entry(0, k)[i];
      if (!invert_block(block, inverse)) definite = false;
      constexpr int upper[6] = {0, 1, 2, 4, 5, 8};
      for (int e = 0; e < 6; ++e) inverses_[static_cast<std::size_t>(e * stride_ + i)] = inverse[upper[e]];
    }
  });
  return definite;
}

bool LatticeSmoother::refresh() {
  if (!invert_diagonal()) return false;
  constexpr int degree = 2;
  return polynomial_.fit(estimate(), degree);
}

double LatticeSmoother::estimate() {
  const Count size = matrix_.shape().size();
  for (int c = 0; c < 3; ++c)
    for (Count i = 0; i < size; ++i)
      residual_.axis(c)[i] = present_[static_cast<std::size_t>(i)] != 0
                                 ? scattered(static_cast<std::uint64_t>(3 * i + c))
                                 : 0.0F;
  return detail::largest_eigenvalue([&](double gain) { scale(gain, residual_, direction_); },
                                    [&] { return dot(direction_, residual_); },
                                    [&] { matrix_.multiply(threads_, direction_, residual_); });
}

double LatticeSmoother::dot(const LatticeVector& a, const LatticeVector& b) const {
  return threads_.sum(
      matrix_.shape().size(),
      [&](Count begin, Count end) {
        double sum = 0.0;
        for (int c = 0; c < 3; ++c) {
          const float *x = a.axis(c), *y = b.axis(c);
          for (Count i = begin; i < end; ++i) sum += static_cast<double>(x[i]) * static_cast<double>(y[i]);
        }
        return sum;
      },
      lattice_chunk);
}

void LatticeSmoother::scale(double gain, const LatticeVector& b, LatticeVector& d) {
  const auto kernel = lattice_kernels().scale;
  threads_.for_chunks(matrix_.shape().size(), lattice_chunk, [&](Count begin, Count end) {
    kernel({inverses_.data(), stride_}, static_cast<float>(gain), begin, end, input(b), output(d));
  });
}

/// x = (x, or 0 if fresh) + keep direction + gain D⁻¹(b - A direction).
void LatticeSmoother::smooth(const LatticeVector& b, bool fresh, LatticeVector& x) {
  const auto kernel = lattice_kernels().smooth;
  const LatticeRows rows = rows_of(matrix_);
  threads_.for_chunks(matrix_.shape().size(), lattice_chunk, [&](Count begin, Count end) {
    kernel(rows, {inverses_.data(), stride_}, polynomial_.keep, polynomial_.second, fresh, begin, end,
           input(b), input(direction_), output(x));
  });
}

void LatticeSmoother::from_zero(const LatticeVector& b, LatticeVector& x) {
  scale(polynomial_.first, b, direction_);
  smooth(b, true, x);
}

void LatticeSmoother::improve(const LatticeVector& b, LatticeVector& x) {
  const auto kernel = lattice_kernels().correction;
  const LatticeRows rows = rows_of(matrix_);
  threads_.for_chunks(matrix_.shape().size(), lattice_chunk, [&](Count begin, Count end) {
    kernel(rows, {inverses_.data(), stride_}, polynomial_.first, begin, end, input(b), input(x),
           output(residual_), output(direction_));
  });
  smooth(residual_, false, x);
}

const LatticeVector& LatticeSmoother::residual(const LatticeVector& b, const LatticeVector& x) {
  const auto kernel = lattice_kernels().residual;
  const LatticeRows rows = rows_of(matrix_);
  threads_.for_chunks(matrix_.shape().size(), lattice_chunk, [&](Count begin, Count end) {
    kernel(rows, begin, end, input(b), input(x), output(residual_));
  });
  return residual_;
}

}  // namespace electret::detail
