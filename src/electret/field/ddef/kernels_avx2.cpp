/// The kernels for AVX2 with FMA.

#include <electret/field/ddef/kernel_bodies.hpp>
#include <electret/field/simd/avx2.hpp>

namespace electret::ddef {
namespace {

constexpr Kernels table = kernels_of<simd::Avx2Float32, simd::Avx2Float64>();

}  // namespace

const Kernels& avx2_kernels() {
  return table;
}

}  // namespace electret::ddef
