/// The kernels for AVX2 with FMA: 8 float32 or 4 float64 lanes. They are compiled for that instruction set
/// and run only if `is_supported` says so.

#include <electret/field/direct/kernel_set.hpp>
#include <electret/field/simd/avx2.hpp>

namespace electret::direct {
namespace {

constexpr Kernels table = kernels_of<coulomb::Avx2Float32, coulomb::Avx2Float64>("AVX2");

}  // namespace

const Kernels& avx2_kernels() {
  return table;
}

}  // namespace electret::direct
