#include <cmath>

#include <electret/elastic/detail/spring_kernels.hpp>

namespace electret::detail {
namespace {

enum class Result { nothing, gradient, projection };

/// One spring: its energy, and the vector for row i by which the result grows.
template <Result result>
double spring(const SpringRange& s, std::int64_t e, double* vector) {
  const double* xi = s.positions + 4 * std::int64_t{s.ends[2 * e]};
  const double* xj = s.positions + 4 * std::int64_t{s.ends[2 * e + 1]};
  double beta[4] = {xi[0] - xj[0], xi[1] - xj[1], xi[2] - xj[2], xi[3] - xj[3]};
  const double length = std::sqrt(beta[0] * beta[0] + beta[1] * beta[1] + beta[2] * beta[2]);
  const double stretch = length - s.rest_length[e];
  double divisor = length;
  if (length == 0.0) {  // No direction: (1, 0, 0).
    beta[0] = divisor = 1.0;
    beta[1] = beta[2] = 0.0;
  }
  if constexpr (result != Result::nothing) {
    const double factor = result == Result::gradient ? s.stiffness[e] * stretch / divisor
                                                     : s.stiffness[e] * s.rest_length[e] / divisor;
    for (int k = 0; k < 4; ++k) vector[k] = factor * beta[k];
  }
  return result == Result::projection ? 0.0 : 0.5 * s.stiffness[e] * (stretch * stretch);
}

template <Result result, bool scatter>
double springs(const SpringRange& s, double* out) {
  double lanes[4] = {0.0, 0.0, 0.0, 0.0};
  for (std::int64_t e = s.begin; e < s.end; ++e) {
    double vector[4] = {};
    lanes[e % 4] += spring<result>(s, e, vector);
    if constexpr (result == Result::nothing) continue;
    if constexpr (scatter) {
      double* row_i = out + 4 * std::int64_t{s.ends[2 * e]};
      double* row_j = out + 4 * std::int64_t{s.ends[2 * e + 1]};
      for (int k = 0; k < 4; ++k) row_i[k] += vector[k];
      for (int k = 0; k < 4; ++k) row_j[k] -= vector[k];
    } else {
      for (int k = 0; k < 4; ++k) out[4 * e + k] = vector[k];
    }
  }
  return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}

double energy(const SpringRange& s) {
  return springs<Result::nothing, false>(s, nullptr);
}

}  // namespace

const SpringKernels portable_spring_kernels{
    energy, springs<Result::gradient, true>, springs<Result::gradient, false>,
    springs<Result::projection, true>, springs<Result::projection, false>};

const SpringKernels& spring_kernels() {
#ifdef ELECTRET_HAS_AVX2
  static const bool avx2 = __builtin_cpu_supports("avx2");
  if (avx2) return avx2_spring_kernels;
#endif
  return portable_spring_kernels;
}

}  // namespace electret::detail
