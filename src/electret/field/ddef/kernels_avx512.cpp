/// The kernels for AVX-512 (F, DQ, VL).

#include <electret/field/ddef/kernel_bodies.hpp>
#include <electret/field/simd/avx512.hpp>

namespace electret::ddef {
namespace {

constexpr Kernels table = kernels_of<coulomb::Avx512Float32, coulomb::Avx512Float64>();

}  // namespace

const Kernels& avx512_kernels() {
  return table;
}

}  // namespace electret::ddef
