#include <electret/core/instruction_set.hpp>
#include <electret/core/simd/inline.hpp>
#include <electret/elastic/detail/volume_kernels.hpp>

namespace electret::detail {
namespace {

constexpr int lanes = 2, lanes32 = 4;
typedef double Reals __attribute__((vector_size(16)));
typedef float Floats __attribute__((vector_size(16)));

ELECTRET_INLINE Reals root(Reals a) {
  return Reals{__builtin_sqrt(a[0]), __builtin_sqrt(a[1])};
}

/// The sign of each lane, one bit each.
ELECTRET_INLINE unsigned signs(Reals a) {
  return (__builtin_signbit(a[0]) != 0 ? 1U : 0U) | (__builtin_signbit(a[1]) != 0 ? 2U : 0U);
}

/// out[stride l + k] = in[8 k + l] for k, l < 8.
ELECTRET_INLINE void transpose(const float* in, float* out, std::int64_t stride) {
  for (int k = 0; k < 8; ++k)
    for (int l = 0; l < 8; ++l) out[stride * l + k] = in[8 * k + l];
}

/// out[k] += factor · block[k], k < 9.
ELECTRET_INLINE void add_block(float* out, float factor, const float* block) {
  for (int k = 0; k < 9; ++k) out[k] += factor * block[k];
}
/// The same of the block's transpose.
ELECTRET_INLINE void add_transposed_block(float* out, float factor, const float* block) {
  for (int column = 0; column < 3; ++column)
    for (int row = 0; row < 3; ++row) out[3 * column + row] += factor * block[3 * row + column];
}

// clang-format off
#include <electret/elastic/detail/volume_lanes.inl>
#include <electret/elastic/detail/volume_points.inl>
#include <electret/elastic/detail/volume_clamped.inl>
#include <electret/elastic/detail/volume_elements.inl>
// clang-format on

}  // namespace

const VolumeKernels portable_volume_kernels = all_kernels;

const VolumeKernels& volume_kernels() {
#ifdef ELECTRET_HAS_AVX2
  if (instruction_set() == InstructionSet::avx512) return avx512_volume_kernels;
  if (instruction_set() == InstructionSet::avx2) return avx2_volume_kernels;
#endif
  return portable_volume_kernels;
}

}  // namespace electret::detail
