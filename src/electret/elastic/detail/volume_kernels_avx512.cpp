// Compiled for AVX-512: includes nothing whose inline functions another file could take over.
#include <immintrin.h>

#include <electret/core/simd/inline.hpp>
#include <electret/elastic/detail/volume_kernels.hpp>

namespace electret::detail {
namespace {

/// float32 kernels gain from twice as many registers, not from wider ones: a batch fills one of AVX2.
constexpr int lanes = 8, lanes32 = 8;
using Reals = __m512d;
using Floats = __m256;

ELECTRET_INLINE Reals root(Reals a) {
  return _mm512_maskz_sqrt_pd(0xFF, a);  // GCC 12 warns of the plain one's own header.
}

/// The sign of each lane, one bit each.
ELECTRET_INLINE unsigned signs(Reals a) {
  return static_cast<unsigned>(_mm512_movepi64_mask(_mm512_castpd_si512(a)));
}

// clang-format off
#include <electret/elastic/detail/volume_blocks_avx2.inl>
#include <electret/elastic/detail/volume_lanes.inl>
#include <electret/elastic/detail/volume_points.inl>
#include <electret/elastic/detail/volume_clamped.inl>
#include <electret/elastic/detail/volume_elements.inl>
// clang-format on

}  // namespace

const VolumeKernels avx512_volume_kernels = all_kernels;

}  // namespace electret::detail
