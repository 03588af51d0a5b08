// Compiled with -mavx2 -mfma: includes nothing whose inline functions another file could take over.
#include <immintrin.h>

#include <electret/linear/detail/panel_kernels.hpp>

namespace electret::detail {
namespace {

using Lanes = __m256d;

inline Lanes load(const double* p) {
  return _mm256_load_pd(p);
}
inline void store(double* p, Lanes v) {
  _mm256_store_pd(p, v);
}
inline Lanes zero() {
  return _mm256_setzero_pd();
}
inline Lanes multiply_add(Lanes sum, double s, Lanes v) {
  return _mm256_fmadd_pd(_mm256_set1_pd(s), v, sum);
}
inline Lanes multiply_subtract(Lanes sum, double s, Lanes v) {
  return _mm256_fnmadd_pd(_mm256_set1_pd(s), v, sum);
}
inline Lanes scaled(Lanes v, double s) {
  return _mm256_mul_pd(_mm256_set1_pd(s), v);
}
inline Lanes difference(Lanes a, Lanes b) {
  return _mm256_sub_pd(a, b);
}

#include <electret/linear/detail/panel_kernels.inl>

}  // namespace

const PanelKernels avx2_panel_kernels{forward, backward};

}  // namespace electret::detail
