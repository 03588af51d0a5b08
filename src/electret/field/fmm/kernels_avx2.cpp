/// The kernels for AVX2 with FMA.

#include <electret/field/fmm/kernel_set.hpp>
#include <electret/field/simd/avx2.hpp>

namespace electret::fmm {
namespace {

constexpr Kernels table = kernels_of<coulomb::Avx2Float32, coulomb::Avx2Float64>("AVX2");

}  // namespace

const Kernels& avx2_kernels() {
  return table;
}

}  // namespace electret::fmm
