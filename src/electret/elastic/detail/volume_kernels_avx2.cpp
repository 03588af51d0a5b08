// Compiled with -mavx2 -mfma: includes nothing whose inline functions another file could take over.
#include <immintrin.h>

#include <electret/core/simd/inline.hpp>
#include <electret/elastic/detail/volume_kernels.hpp>

namespace electret::detail {
namespace {

constexpr int lanes = 4, lanes32 = 8;
using Reals = __m256d;
using Floats = __m256;

ELECTRET_INLINE Reals root(Reals a) {
  return _mm256_sqrt_pd(a);
}

/// The sign of each lane, one bit each.
ELECTRET_INLINE unsigned signs(Reals a) {
  return static_cast<unsigned>(_mm256_movemask_pd(a));
}

// clang-format off
#include <electret/elastic/detail/volume_blocks_avx2.inl>
#include <electret/elastic/detail/volume_lanes.inl>
#include <electret/elastic/detail/volume_points.inl>
#include <electret/elastic/detail/volume_clamped.inl>
#include <electret/elastic/detail/volume_elements.inl>
// clang-format on

}  // namespace

const VolumeKernels avx2_volume_kernels = all_kernels;

}  // namespace electret::detail
