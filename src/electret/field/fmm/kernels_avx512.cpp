/// The kernels for AVX-512 (F, DQ, VL).

#include <electret/field/fmm/kernel_set.hpp>
#include <electret/field/simd/avx512.hpp>

namespace electret::fmm {
namespace {

constexpr Kernels table = kernels_of<coulomb::Avx512Float32, coulomb::Avx512Float64>("AVX-512");

}  // namespace

const Kernels& avx512_kernels() {
  return table;
}

}  // namespace electret::fmm
