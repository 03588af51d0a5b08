/// The kernels for AVX2 with FMA.

#include <electret/field/ddef/kernel_bodies.hpp>
#include <electret/field/simd/avx2.hpp>

namespace electret::ddef {
namespace {

constexpr Kernels table = kernels_of<coulomb::Avx2Float32, coulomb::Avx2Float64>();

}  // namespace

const Kernels& avx2_kernels() {
  return table;
}

}  // namespace electret::ddef
