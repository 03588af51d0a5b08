// Compiled with -mavx2 -mfma: includes nothing whose inline functions another file could take over.
#include <immintrin.h>

#include <electret/linear/detail/galerkin_kernels.hpp>

namespace electret::detail {
namespace {

struct Block {
  __m256 eight;
  __m128 ninth;
};

inline Block load(const float* p) {
  return {_mm256_loadu_ps(p), _mm_load_ss(p + 8)};
}
inline void add_scaled(float* p, float w, const Block& block) {
  _mm256_storeu_ps(p, _mm256_fmadd_ps(_mm256_set1_ps(w), block.eight, _mm256_loadu_ps(p)));
  _mm_store_ss(p + 8, _mm_fmadd_ss(_mm_set_ss(w), block.ninth, _mm_load_ss(p + 8)));
}

#include <electret/linear/detail/galerkin_kernels.inl>

}  // namespace

const GalerkinKernels avx2_galerkin_kernels{half, coarse};

}  // namespace electret::detail
