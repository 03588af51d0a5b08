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
  static const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (avx2) return avx2_volume_kernels;
#endif
  return portable_volume_kernels;
}

}  // namespace electret::detail
