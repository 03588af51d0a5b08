#include <algorithm>
#include <cmath>

#include <electret/core/errors.hpp>
#include <electret/linear/conjugate_gradients.hpp>
#include <electret/linear/detail/padded_sums.hpp>
#include <electret/linear/detail/vector_kernels.hpp>

namespace electret {
namespace {

/// A residual that further iterations in float32 hardly improve.
constexpr double float32_good = 1e-4;

}  // namespace

KrylovReport ConjugateGradients::solve(LinearMap& a, LinearMap& b, PaddedView32 rhs,
                                       const KrylovOptions& options, PaddedSpan32 x) {
  require(x.size() == rhs.size(), "conjugate gradients: the arrays differ in size");
  for (auto* work : {&r_, &z_, &p_, &q_}) work->resize(rhs.size());
  std::fill(x.begin(), x.end(), Padded32{});
  std::copy(rhs.begin(), rhs.end(), r_.begin());
  KrylovReport report;
  const double size = std::sqrt(detail::dot(threads_, rhs, rhs));
  report.converged = size == 0.0;
  if (report.converged) return report;
  report.residual = 1.0;

  product_ = b.apply_dot(threads_, r_, z_);
  double before = 0.0;  // rᵀB r of the direction before.
  while (report.iterations < options.max_iterations) {
    if (!(product_ > 0.0)) {
      report.bad_preconditioner = true;
      break;
    }
    if (report.iterations == 0)
      std::copy(z_.begin(), z_.end(), p_.begin());
    else
      detail::scale_and_add(threads_, product_ / before, z_, p_);
    before = product_;
    const double curvature = a.apply_dot(threads_, p_, q_);
    if (!(curvature > 0.0)) {
      report.negative_curvature = true;
      if (report.iterations == 0) std::copy(p_.begin(), p_.end(), x.begin());
      break;
    }
    ++report.iterations;
    const double length = product_ / curvature;
    if (b.is_block_diagonal())
      report.residual = std::sqrt(step(length, b, x)) / size;
    else
      report.residual = std::sqrt(detail::step(threads_, length, p_, q_, x, r_)) / size;
    report.converged = report.residual <= options.tolerance;
    if (report.converged && (report.iterations >= options.min_iterations || report.residual <= float32_good))
      break;
    if (!b.is_block_diagonal()) product_ = b.apply_dot(threads_, r_, z_);
  }
  return report;
}

double ConjugateGradients::step(double s, LinearMap& b, PaddedSpan32 x) {
  const detail::VectorKernels& kernels = detail::vector_kernels();
  const auto rows = static_cast<Count>(x.size());
  parts_.resize(static_cast<std::size_t>((rows + detail::sum_chunk - 1) / detail::sum_chunk));
  const auto lanes = [](auto view, Count row) { return view[static_cast<std::size_t>(row)].lane; };
  const double squares = threads_.sum(
      rows,
      [&](Count begin, Count end) {
        const PaddedSpan32 r(r_), z(z_);
        const double square =
            kernels.step(static_cast<float>(s), lanes(PaddedView32(p_), begin),
                         lanes(PaddedView32(q_), begin), lanes(x, begin), lanes(r, begin), end - begin);
        b.apply_rows(r, z, begin, end);
        parts_[static_cast<std::size_t>(begin / detail::sum_chunk)] = detail::dot_rows(r, z, begin, end);
        return square;
      },
      detail::sum_chunk);
  TreeSum product;
  for (const double part : parts_) product.add(part);
  product_ = product.total();
  return squares;
}

}  // namespace electret
