#include <algorithm>
#include <cmath>

#include <electret/core/errors.hpp>
#include <electret/linear/conjugate_gradients.hpp>
#include <electret/linear/detail/padded_sums.hpp>

namespace electret {

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

  double product = 0.0;  // rᵀB r of the direction before.
  while (report.iterations < options.max_iterations) {
    b.apply(r_, z_);
    const double next = detail::dot(threads_, r_, z_);
    if (!(next > 0.0)) {
      report.bad_preconditioner = true;
      break;
    }
    if (report.iterations == 0)
      std::copy(z_.begin(), z_.end(), p_.begin());
    else
      detail::scale_and_add(threads_, next / product, z_, p_);
    product = next;
    a.apply(p_, q_);
    const double curvature = detail::dot(threads_, p_, q_);
    if (!(curvature > 0.0)) {
      report.negative_curvature = true;
      if (report.iterations == 0) std::copy(p_.begin(), p_.end(), x.begin());
      break;
    }
    ++report.iterations;
    report.residual = std::sqrt(detail::step(threads_, product / curvature, p_, q_, x, r_)) / size;
    report.converged = report.residual <= options.tolerance;
    if (report.converged) break;
  }
  return report;
}

}  // namespace electret
