#include <atomic>
#include <cmath>
#include <numbers>

#include <electret/linear/detail/invert_block.hpp>
#include <electret/linear/detail/lattice_rows.hpp>
#include <electret/linear/detail/lattice_smoother.hpp>
#include <electret/linear/detail/scattered.hpp>

namespace electret::detail {
namespace {

/// The estimate is from below, and a λ too small makes the cycle indefinite.
constexpr double margin = 1.25;

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

bool LatticeSmoother::refresh(bool keeps_eigenvalue) {
  if (!invert_diagonal()) return false;
  if (keeps_eigenvalue && polynomial_.lambda > 0.0) return true;
  constexpr int degree = 2;
  return polynomial_.fit(estimate(), degree);
}

/// After two power iterations the Rayleigh quotient l is a first estimate. The Chebyshev polynomial of degree
/// 4 on [0, l] then damps the eigenvectors below it and lets those above grow, as 6 more power iterations
/// would at least, and a last one gives the quotient. The polynomial's factors are y ← y - A D⁻¹y/root.
double LatticeSmoother::estimate() {
  const Count size = matrix_.shape().size();
  for (int c = 0; c < 3; ++c)
    for (Count i = 0; i < size; ++i)
      residual_.axis(c)[i] = present_[static_cast<std::size_t>(i)] != 0
                                 ? scattered(static_cast<std::uint64_t>(3 * i + c))
                                 : 0.0F;
  double lambda = 1.0;
  for (int k = 0; k < 2; ++k)
    if (!iterate_power(lambda)) return lambda;
  constexpr int degree = 4;
  const double low = lambda / margin;
  for (int k = 0; k < degree; ++k) {
    const double root = 0.5 * low * (1.0 - std::cos(std::numbers::pi * (k + 0.5) / degree));
    scale(1.0 / root, residual_, direction_);
    residual(residual_, direction_);
  }
  static_cast<void>(iterate_power(lambda));
  return lambda;
}

/// residual_ ← A D⁻¹residual_ of unit size in D's inner product, so that nothing grows; λ becomes `margin` ×
/// the Rayleigh quotient of D⁻¹residual_ there. Returns false if there is none: no row is free, or D is not
/// positive.
bool LatticeSmoother::iterate_power(double& lambda) {
  scale(1.0, residual_, direction_);
  const double size = dot(direction_, residual_);
  if (!(size > 0.0)) {
    lambda = size == 0.0 ? margin : margin * size;
    return false;
  }
  scale(1.0 / std::sqrt(size), residual_, direction_);
  matrix_.multiply(threads_, direction_, residual_);
  lambda = margin * dot(direction_, residual_);
  return true;
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
